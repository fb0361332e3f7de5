// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Requests to the collector: the events behind its cursor, as many as one request may have.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/log.h"
#include "redfish/eventing/delivery_private.h"
#include "redfish/otlp/otlp_record.h"
#include "redfish/service/service.h"

enum {
	AGAIN_MS = 1000,  /* until a file, or a helper, that could not be used is tried again */
	START_MAX_S = 10, /* over which the first requests of many hosts are spread */
};

/* Not longer than until the first metrics: a short interval is one of few hosts. */
void delivery_spread_start(struct delivery *d)
{
	const unsigned int interval = d->args.otlp ? d->args.otlp->interval : 0;
	const unsigned int s = interval < START_MAX_S ? interval : START_MAX_S;

	d->otlp.lane.not_before_ms = clock_monotonic_ms() + otlp_spread_ms(s);
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

struct batch {
	struct otlp_writer w;
	struct otlp_request request;
	uint64_t now_ns;
	bool full;
};

/* Return: whether it has the item, or has to do without. */
static bool add_item(struct delivery *d, struct batch *b, const struct event_item *item)
{
	const struct otlp_mark mark = otlp_mark(&b->w);

	otlp_put_record(&b->w, d->otlp.row.uuid, item, b->now_ns);
	if (b->w.out.failed)
		return false;
	if (b->w.out.len + OTLP_CLOSING_BYTES <= OTLP_BATCH_BYTES)
		return true;
	otlp_back(&b->w, &mark);
	if (b->request.n > 0)
		return false;
	log_warning("event %" PRIu64 " is too long and is not sent to the collector", item->seq);
	d->otlp.lane.status.rejected++;
	return true;
}

static void add_page(struct delivery *d, struct batch *b, const struct feed_page *page)
{
	for (size_t i = 0; i < page->n && !b->full; i++) {
		const struct event_item *item = &page->items[i];
		const size_t len = b->w.out.len;

		/* Older than the export: none of them was waiting. */
		if (item->is_gap && b->request.upto == 0)
			continue;
		if (!add_item(d, b, item)) {
			b->full = true;
			return;
		}
		if (item->is_gap) {
			b->request.overwritten += item->seq - b->request.upto;
			b->request.overwritten_to = item->seq;
		}
		if (b->request.n == 0)
			b->request.first = item->seq;
		b->request.n += b->w.out.len > len;
		b->request.upto = item->seq;
		b->full = b->request.n >= d->otlp.lane.limit;
	}
	if (!b->full)
		b->request.upto = page->covered;
}

/* Return: 0; -ENOMEM; or the error of the store. */
static int fill_batch(struct delivery *d, struct batch *b, uint64_t newest)
{
	struct event_service *es = d->es;
	struct error e = {0};
	int r = 0;

	delivery_begin_request(d, &b->w, OTLP_LOGS);
	while (r == 0 && !b->full && b->request.upto < newest) {
		struct feed_page page;

		r = feed_page_read(es->log, view_holder_take(es->service->view_holder),
				   b->request.upto, newest, &page, &e);
		if (r >= 0)
			add_page(d, b, &page);
		feed_page_done(&page);
	}
	return r < 0 ? r : otlp_writer_finish(&b->w);
}

/* ---- sending ----------------------------------------------------------------------------------
 */

static void send_batch(struct delivery *d, uint64_t newest)
{
	struct otlp_queue *q = &d->otlp;
	struct batch b = {.request.upto = q->row.cursor, .now_ns = clock_realtime_ns()};
	int r = fill_batch(d, &b, newest);

	if (r == 0 && b.request.n == 0)
		q->row.cursor = b.request.upto;
	else if (r == 0)
		r = delivery_post_to_collector(d, &b.w, OTLP_LOGS);
	if (r == 0 && b.request.n > 0) {
		otlp_lane_sent(&q->lane, b.request.n);
		q->request = b.request;
	}
	if (r < 0)
		delivery_look_again(d, d->now_ms + AGAIN_MS);
	otlp_writer_done(&b.w);
}

static void publish(struct delivery *d, uint64_t newest)
{
	const struct otlp_queue *q = &d->otlp;
	const bool waits = q->lane.status.state != OTLP_STATE_OFF && newest > q->row.cursor;
	const struct otlp_status status = {
		.signals = {[OTLP_LOGS] = q->lane.status, [OTLP_METRICS] = d->metrics.lane.status},
		.overwritten = q->overwritten,
		.waiting = waits ? newest - q->row.cursor : 0,
	};

	(void)pthread_mutex_lock(&d->es->lock);
	d->es->otlp = status;
	(void)pthread_mutex_unlock(&d->es->lock);
}

static void send_logs(struct delivery *d, uint64_t newest)
{
	const struct otlp_queue *q = &d->otlp;

	if (q->lane.status.state == OTLP_STATE_OFF || q->lane.in_flight || q->row.cursor >= newest)
		return;
	if (q->lane.not_before_ms > d->now_ms)
		delivery_look_again(d, q->lane.not_before_ms);
	else if (d->n_flights < PUSH_TRANSFERS_MAX && delivery_have_helper(d))
		send_batch(d, newest);
}

void delivery_send_to_collector(struct delivery *d)
{
	const uint64_t newest = event_bus_newest(d->es->bus);

	if (!delivery_use_args(d))
		return;
	if (d->args.otlp && otlp_queue_open(&d->otlp, d->es->state, newest) == 0) {
		send_logs(d, newest);
		delivery_send_metrics(d, newest);
	} else if (d->args.otlp) {
		delivery_look_again(d, d->now_ms + AGAIN_MS);
	}
	publish(d, newest);
}
