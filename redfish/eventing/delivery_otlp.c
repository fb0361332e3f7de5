// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Requests to the collector: the events behind its cursor, as many as one request may have.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/log.h"
#include "redfish/eventing/delivery_private.h"
#include "redfish/eventing/otlp_record.h"
#include "redfish/service/service.h"

enum {
	AGAIN_MS = 1000, /* until a file, or a helper, that could not be used is tried again */
	CLOSING_BYTES_MAX = 256, /* for the end of a request, and the lengths of its messages */
};

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
	if (b->w.out.len + CLOSING_BYTES_MAX <= OTLP_BATCH_BYTES)
		return true;
	otlp_back(&b->w, &mark);
	if (b->request.n > 0)
		return false;
	log_warning("event %" PRIu64 " is too long and is not sent to the collector", item->seq);
	d->otlp.status.rejected++;
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
		b->full = b->request.n >= d->otlp.limit;
	}
	if (!b->full)
		b->request.upto = page->covered;
}

/* Return: 0; -ENOMEM; or the error of the store. */
static int fill_batch(struct delivery *d, struct batch *b, uint64_t newest)
{
	struct event_service *es = d->es;
	struct view_hold *hold = view_holder_take(es->service->view_holder);
	struct error e = {0};
	int r = 0;

	otlp_begin_logs(&b->w, d->args.otlp->encoding, d->otlp.row.uuid,
			hold ? view_of_hold(hold) : NULL);
	(void)view_hold_release(hold);
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

static int post_batch(struct delivery *d, const struct batch *b)
{
	const struct otlp_settings *s = d->args.otlp;
	char url[OTLP_URL_MAX + 16];
	struct flight *f = delivery_free_flight(d);
	const struct push_post post = {
		.ticket = d->next_ticket,
		.flags = PUSH_VERIFY | PUSH_COLLECTOR,
		.url = url,
		.headers = s->headers,
		.headers_len = s->headers_len,
		.body = b->w.out.text,
		.body_len = b->w.out.len,
	};
	int r;

	(void)snprintf(url, sizeof(url), "%s/v1/logs", s->url);
	r = push_client_send(&d->helper, &post);
	if (r < 0) {
		d->helper_full = r == -EAGAIN;
		return r;
	}
	*f = (struct flight){.ticket = d->next_ticket, .collector = true};
	d->n_flights++;
	return 0;
}

static void send_batch(struct delivery *d, uint64_t newest)
{
	struct otlp_queue *q = &d->otlp;
	struct batch b = {.request.upto = q->row.cursor, .now_ns = clock_realtime_ns()};
	int r = fill_batch(d, &b, newest);

	if (r == 0 && b.request.n == 0)
		q->row.cursor = b.request.upto;
	else if (r == 0)
		r = post_batch(d, &b);
	if (r == 0 && b.request.n > 0) {
		q->in_flight = true;
		q->request = b.request;
	}
	if (r < 0)
		delivery_look_again(d, d->now_ms + AGAIN_MS);
	otlp_writer_done(&b.w);
}

static void publish(struct delivery *d, uint64_t newest)
{
	struct otlp_status *s = &d->otlp.status;

	s->waiting = d->args.otlp && newest > d->otlp.row.cursor ? newest - d->otlp.row.cursor : 0;
	(void)pthread_mutex_lock(&d->es->lock);
	d->es->otlp = *s;
	(void)pthread_mutex_unlock(&d->es->lock);
}

static bool queue_is_open(struct delivery *d, uint64_t newest)
{
	if (!d->args.otlp)
		return false;
	if (otlp_queue_open(&d->otlp, d->es->state, newest) == 0)
		return true;
	delivery_look_again(d, d->now_ms + AGAIN_MS);
	return false;
}

void delivery_send_to_collector(struct delivery *d)
{
	const uint64_t newest = event_bus_newest(d->es->bus);
	struct otlp_queue *q = &d->otlp;

	if (!delivery_use_args(d))
		return;
	if (queue_is_open(d, newest) && !q->in_flight && q->row.cursor < newest) {
		if (q->not_before_ms > d->now_ms)
			delivery_look_again(d, q->not_before_ms);
		else if (d->n_flights < PUSH_TRANSFERS_MAX && delivery_have_helper(d))
			send_batch(d, newest);
	}
	publish(d, newest);
}
