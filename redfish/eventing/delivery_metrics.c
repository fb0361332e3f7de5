// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Requests to the collector: metrics at their interval, as many as one request may have. Values
// that could not be sent until the next interval are replaced by newer ones.
#include <errno.h>

#include "common/clock.h"
#include "common/log.h"
#include "redfish/eventing/delivery_private.h"
#include "redfish/otlp/otlp_record.h"
#include "redfish/service/service.h"

enum {
	AGAIN_MS = 1000,     /* until a file, or a helper, that could not be used is tried again */
	PAGES_AT_A_TIME = 64 /* that are counted before deliveries go on */
};

/* ---- errors of memory -------------------------------------------------------------------------
 */

static int count_page(struct otlp_errors *x, const struct feed_page *page)
{
	for (size_t i = 0; i < page->n_entries; i++) {
		const struct stored_event *ev = &page->entries[i];

		if (ev->seq > page->covered)
			break;
		if (otlp_errors_count(x, ev) < 0)
			return -ENOMEM;
		x->counted = ev->seq;
	}
	x->counted = page->covered;
	return 0;
}

/* Return: 0 when all are counted; -EAGAIN when there are more; -ENOMEM; or as the store. */
static int count_errors(struct delivery *d, uint64_t newest)
{
	struct otlp_errors *x = &d->metrics.errors;
	struct error e = {0};
	int r = otlp_errors_load(x, d->es->state, &d->otlp.row, &e);

	for (unsigned int i = 0; r == 0 && x->counted < newest && i < PAGES_AT_A_TIME; i++) {
		struct feed_page page;

		r = feed_page_read(d->es->log, NULL, x->counted, newest, &page, &e);
		if (r >= 0)
			r = count_page(x, &page);
		feed_page_done(&page);
	}
	if (r == 0) {
		otlp_errors_not_after(x, d->metrics.earliest_ns);
		r = otlp_errors_save(x, d->es->state, &e);
	}
	return r == 0 && x->counted < newest ? -EAGAIN : r;
}

/* ---- collecting -------------------------------------------------------------------------------
 */

/* Without the store the metrics of the log are absent, as in /metrics. */
static void collect_all(struct delivery *d, struct otlp_points *points)
{
	struct event_service *es = d->es;
	struct store_reader *r = NULL;
	struct error e = {0};
	int result;

	otlp_errors_collect(&d->metrics.errors, points);
	if (event_log_reader_get(es->log, &r, &e) < 0)
		r = NULL;
	result = es->collect(es->collect_userdata, r, d->metrics.errors.since_ns, points);
	if (r)
		event_log_reader_put(es->log, r, result);
}

/* Without the state database the errors are those of before. Return: whether there are values. */
static bool collect(struct delivery *d, uint64_t newest)
{
	struct otlp_export *x = &d->metrics;
	const uint64_t now_ns = clock_realtime_ns();

	if (!x->earliest_ns || now_ns < x->earliest_ns)
		x->earliest_ns = now_ns;
	if (count_errors(d, newest) == -EAGAIN) {
		delivery_look_again(d, d->now_ms);
		return false;
	}
	otlp_export_drop(x);
	if (otlp_points_init(&x->points, now_ns, x->earliest_ns) < 0) {
		delivery_look_again(d, d->now_ms + AGAIN_MS);
		return false;
	}
	x->has_points = true;
	collect_all(d, &x->points);
	x->due_ms = d->now_ms + (uint64_t)d->args.otlp->interval * 1000;
	delivery_look_again(d, x->due_ms);
	if (x->points.failed)
		otlp_export_drop(x);
	return x->has_points && x->points.list.n > 0;
}

/* ---- sending ----------------------------------------------------------------------------------
 */

static void send_points(struct delivery *d)
{
	struct otlp_export *x = &d->metrics;
	_cleanup_otlp_ struct otlp_writer w;
	size_t n;
	int r;

	delivery_begin_request(d, &w, OTLP_METRICS);
	n = otlp_points_write(&w, &x->points, x->next, x->lane.limit,
			      OTLP_BATCH_BYTES - OTLP_CLOSING_BYTES);
	r = otlp_writer_finish(&w);
	if (r == 0 && n == 0) {
		log_warning("metric %s is too long and is not sent to the collector",
			    x->points.list.items[x->next].name);
		x->lane.status.rejected++;
		x->next++;
		delivery_look_again(d, d->now_ms);
		return;
	}
	if (r == 0)
		r = delivery_post_to_collector(d, &w, OTLP_METRICS);
	if (r == 0)
		otlp_lane_sent(&x->lane, n);
	else
		delivery_look_again(d, d->now_ms + AGAIN_MS);
}

/* Values that the collector takes in parts are sent to their end, and those that it did not take
 * are replaced when there are newer ones. */
static bool is_under_way(const struct otlp_export *x)
{
	return x->has_points && x->next < x->points.list.n && x->lane.failures == 0;
}

void delivery_send_metrics(struct delivery *d, uint64_t newest)
{
	struct otlp_export *x = &d->metrics;

	if (x->lane.status.state == OTLP_STATE_OFF || !atomic_load(&d->es->can_collect) ||
	    x->lane.in_flight)
		return;
	if (!x->due_ms)
		x->due_ms = d->now_ms + otlp_spread_ms(d->args.otlp->interval);
	if (x->lane.not_before_ms > d->now_ms) {
		delivery_look_again(d, x->lane.not_before_ms);
		return;
	}
	if (d->now_ms >= x->due_ms && !is_under_way(x) && !collect(d, newest))
		return;
	if (!x->has_points || x->next >= x->points.list.n) {
		otlp_export_drop(x);
		delivery_look_again(d, x->due_ms);
	} else if (d->n_flights < PUSH_TRANSFERS_MAX && delivery_have_helper(d)) {
		send_points(d);
	}
}
