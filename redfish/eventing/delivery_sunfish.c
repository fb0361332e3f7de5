// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Requests to the Sunfish core, one at a time, as the agent wants them.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/log.h"
#include "redfish/eventing/delivery_private.h"
#include "redfish/sunfish/sunfish_offer.h"
#include "redfish/service/service.h"

enum { AGAIN_MS = 1000 }; /* until what cannot be read or sent now is tried again */

/* ---- sending ----------------------------------------------------------------------------------
 */

/* @seq: of an event. Return: 0; -EAGAIN when the helper is busy; or as push_client_send(). */
static int post(struct delivery *d, enum sunfish_request request, const char *url,
		const struct json_writer *body, uint64_t seq)
{
	struct flight *f = delivery_free_flight(d);
	const struct push_post one = {
		.ticket = d->next_ticket,
		.flags = PUSH_VERIFY | (request == SUNFISH_CHECK ? PUSH_GET : 0),
		.url = url,
		.headers = "",
		.body = body->text ? body->text : "",
		.body_len = body->len,
	};
	int r = body->failed ? -ENOMEM : push_client_send(&d->helper, &one);

	if (r < 0) {
		d->helper_full = r == -EAGAIN;
		return r;
	}
	*f = (struct flight){.ticket = d->next_ticket, .core = true};
	d->n_flights++;
	(void)pthread_mutex_lock(&d->es->lock);
	d->es->sunfish.seq = seq;
	sunfish_agent_sent(&d->es->sunfish, request);
	(void)pthread_mutex_unlock(&d->es->lock);
	return 0;
}

static int post_to_listener(struct delivery *d, const struct sunfish_agent *a,
			    enum sunfish_request request, const struct json_writer *body,
			    uint64_t seq)
{
	char url[SUNFISH_URL_MAX + 16];

	(void)snprintf(url, sizeof(url), "%s/EventListener", a->settings.core);
	return post(d, request, url, body, seq);
}

static int send_registration(struct delivery *d, const struct sunfish_agent *a)
{
	_cleanup_writer_ struct json_writer body = {0};
	char method[SUNFISH_METHOD_MAX];

	sunfish_agent_method(a, method);
	sunfish_put_registration(&body, a->settings.agent, method);
	return post_to_listener(d, a, SUNFISH_REGISTER, &body, 0);
}

static int send_check(struct delivery *d, const struct sunfish_agent *a)
{
	const struct json_writer none = {0};
	char url[SUNFISH_URL_MAX + 96];

	(void)snprintf(url, sizeof(url), "%s" SUNFISH_SOURCES "/%s", a->settings.core,
		       a->row.source);
	return post(d, SUNFISH_CHECK, url, &none, a->seq);
}

/* The core never looks again, so that it gets nothing before the devices were read. */
static int offer(struct delivery *d, const struct sunfish_agent *a, const struct view *v)
{
	_cleanup_writer_ struct json_writer body = {0};
	const char *root;

	if (!v || !v->readings)
		return -EAGAIN;
	root = sunfish_root(v, a->offered);
	if (root) {
		sunfish_put_offer(&body, a->row.source, root);
		return post_to_listener(d, a, SUNFISH_OFFER, &body, 0);
	}
	(void)pthread_mutex_lock(&d->es->lock);
	sunfish_agent_has_offered(&d->es->sunfish);
	(void)pthread_mutex_unlock(&d->es->lock);
	delivery_look_again(d, d->now_ms);
	return 0;
}

static int send_offer(struct delivery *d, const struct sunfish_agent *a)
{
	struct view_hold *hold = view_holder_take(d->es->service->view_holder);
	int r = offer(d, a, hold ? view_of_hold(hold) : NULL);

	(void)view_hold_release(hold);
	return r;
}

static void pass(struct delivery *d, uint64_t seq)
{
	(void)pthread_mutex_lock(&d->es->lock);
	sunfish_agent_pass(&d->es->sunfish, seq);
	(void)pthread_mutex_unlock(&d->es->lock);
	delivery_look_again(d, d->now_ms);
}

/* Sends the first event of a page that is for the core, or passes all of them. */
static int send_item(struct delivery *d, const struct sunfish_agent *a,
		     const struct feed_page *page)
{
	for (size_t i = 0; i < page->n; i++) {
		const struct event_item *item = &page->items[i];
		const bool again = a->attempts > 0 && a->seq == item->seq;
		_cleanup_writer_ struct json_writer body = {0};
		struct event_item out;
		int r;

		if (item->seq <= a->row.cursor || !sunfish_takes(item, again, &out))
			continue;
		put_event(&body, page, &out, a->row.source, false);
		r = post_to_listener(d, a, SUNFISH_EVENT, &body, item->seq);
		if (r != -E2BIG)
			return r;
		log_warning("event %" PRIu64 " is too long and is not sent to the Sunfish core",
			    item->seq);
	}
	pass(d, page->covered);
	return 0;
}

static int send_event(struct delivery *d, const struct sunfish_agent *a, uint64_t newest)
{
	struct event_service *es = d->es;
	struct feed_page page;
	struct error e = {0};
	int r;

	if (a->row.cursor >= newest)
		return 0;
	r = feed_page_read(es->log, view_holder_take(es->service->view_holder), a->row.cursor,
			   newest, &page, &e);
	if (r >= 0)
		r = send_item(d, a, &page);
	feed_page_done(&page);
	return r;
}

static int send_request(struct delivery *d, const struct sunfish_agent *a,
			enum sunfish_request request, uint64_t newest)
{
	switch (request) {
	case SUNFISH_REGISTER:
		return send_registration(d, a);
	case SUNFISH_CHECK:
		return send_check(d, a);
	case SUNFISH_OFFER:
		return send_offer(d, a);
	case SUNFISH_EVENT:
		return send_event(d, a, newest);
	case SUNFISH_NOTHING:
		break;
	}
	return 0;
}

void delivery_send_to_core(struct delivery *d)
{
	const uint64_t newest = event_bus_newest(d->es->bus);
	enum sunfish_request request;
	struct sunfish_agent a;
	uint64_t at_ms;

	if (!delivery_core_open(d, newest))
		return;
	(void)pthread_mutex_lock(&d->es->lock);
	request = sunfish_agent_next(&d->es->sunfish, d->now_ms, &at_ms);
	a = d->es->sunfish;
	(void)pthread_mutex_unlock(&d->es->lock);
	if (at_ms != UINT64_MAX)
		delivery_look_again(d, at_ms);
	if (request == SUNFISH_NOTHING || d->n_flights >= PUSH_TRANSFERS_MAX ||
	    (request == SUNFISH_EVENT && a.row.cursor >= newest) || !delivery_have_helper(d))
		return;
	if (send_request(d, &a, request, newest) < 0)
		delivery_look_again(d, d->now_ms + AGAIN_MS);
}
