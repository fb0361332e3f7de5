// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Delivers events to subscriptions: one thread, which reads the store and passes posts to
// cxl-redfish-push. Each subscription has at most one post in flight, so that its receiver gets
// events in order. The cursor advances when the receiver has accepted the post, so each event is
// delivered at least once, with the same EventId every time.

#include "redfish/eventing/delivery.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/eventfd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/eventing/delivery_filter.h"
#include "redfish/eventing/delivery_private.h"
#include "redfish/eventing/subscription.h"
#include "redfish/service/service.h"
#include "redfish/state/state.h"
#include "redfish/eventing/destinations.h"
#include "redfish/eventing/state_subscriptions.h"

/* Collects the cursors that changed. Return: how many. */
static size_t take_changed(struct event_service *es, struct state_cursor *list)
{
	size_t n = 0;

	(void)pthread_mutex_lock(&es->lock);
	for (size_t i = 0; i < es->subscriptions.n && n < STATE_SUBSCRIPTIONS_MAX; i++) {
		struct subscription *s = es->subscriptions.items[i];

		if (s->stored == s->cursor)
			continue;
		list[n++] = (struct state_cursor){s->id, s->cursor};
		s->stored = s->cursor;
	}
	(void)pthread_mutex_unlock(&es->lock);
	return n;
}

/*
 * Stores the cursors in one batch; waits for the disk when @durability is STATE_DURABLE. Events
 * after a cursor that was not stored are delivered again after a restart, which subscribers must
 * expect.
 */
static void delivery_save(struct event_service *es, enum state_durability durability)
{
	struct state_cursor *list = calloc(STATE_SUBSCRIPTIONS_MAX, sizeof(*list));
	size_t n;

	if (!list)
		return;
	n = take_changed(es, list);
	if (n > 0)
		(void)state_set_cursors(es->state, durability, list, n, NULL);
	free(list);
}

/* Whether a cursor differs from the stored one. */
static bool delivery_unsaved(struct event_service *es)
{
	bool dirty = false;

	(void)pthread_mutex_lock(&es->lock);
	for (size_t i = 0; i < es->subscriptions.n && !dirty; i++)
		dirty = es->subscriptions.items[i]->stored != es->subscriptions.items[i]->cursor;
	(void)pthread_mutex_unlock(&es->lock);
	return dirty;
}

enum {
	/*
	 * The part of the posts in flight for receivers that failed last time, so that ones that
	 * time out do not delay all others.
	 */
	FAILING_MAX = PUSH_TRANSFERS_MAX / 2,
	RECEIVER_MAX = 16,   /* in flight to one receiver, which may not respond */
	SAVE_MS = 1000,	     /* how often cursors are stored, at most */
	SAVE_AGAIN_MS = 20,  /* while others change the state */
	SAVE_LATE_MS = 5000, /* after that they are waited for */
	STORE_MS = 1000,     /* retry interval after a failure to read the store */
};

static void delivery_wake(struct event_subscriber *self)
{
	const uint64_t one = 1;

	(void)!write(((struct delivery *)self)->eventfd, &one, sizeof(one));
}

/* ---- sending ----------------------------------------------------------------------------------
 */

static void delivery_drop_page(struct delivery *d)
{
	if (d->has_page)
		feed_page_done(&d->page);
	d->has_page = false;
}

/* Reads the page after the cursor. Return: false when it could not be read. */
static bool delivery_turn_page(struct delivery *d, uint64_t cursor, uint64_t newest)
{
	struct error e = {0};
	int r;

	if (d->has_page && cursor >= d->page_from && cursor < d->page.covered)
		return true;
	delivery_drop_page(d);
	r = feed_page_read(d->es->log, view_holder_take(d->es->service->view_holder), cursor,
			   newest, &d->page, &e);
	d->has_page = true;
	d->page_from = cursor;
	if (r >= 0)
		return true;
	delivery_drop_page(d);
	delivery_look_again(d, d->now_ms + STORE_MS);
	return false;
}

static int send_post(struct delivery *d, struct subscription *s, const struct event_item *item,
		     uint64_t ticket, bool expand)
{
	const json_t *p = s->properties;
	_cleanup_writer_ struct json_writer body = {0}, headers = {0};
	struct push_post one = {
		.ticket = ticket,
		.flags = json_is_true(json_object_get(p, "VerifyCertificate")) ? PUSH_VERIFY : 0,
		.url = json_string_value(json_object_get(p, "Destination")),
	};

	put_event(&body, &d->page, item, json_string_value(json_object_get(p, "Context")), expand);
	put_subscription_headers(&headers, p);
	if (body.failed || headers.failed)
		return -ENOMEM;
	one.headers = headers.text;
	one.headers_len = headers.len;
	one.body = body.text;
	one.body_len = body.len;
	return push_client_send(&d->helper, &one);
}

/* Return: a hash of scheme, host and port. */
static uint32_t receiver_of(const struct subscription *s)
{
	const char *url = json_string_value(json_object_get(s->properties, "Destination"));
	const char *host = strstr(url, "://") + strlen("://");
	uint32_t hash = 2166136261;

	for (const char *end = host + strcspn(host, "/?"); url < end; url++)
		hash = (hash ^ (unsigned char)*url) * 16777619;
	return hash;
}

static bool receiver_is_busy(const struct delivery *d, uint32_t receiver)
{
	size_t n = 0;

	if (d->n_flights < RECEIVER_MAX)
		return false;
	for (size_t i = 0; i < PUSH_TRANSFERS_MAX; i++)
		n += d->flights[i].ticket && d->flights[i].receiver == receiver;
	return n >= RECEIVER_MAX;
}

/* With the lock held. Return: false when the helper's queue is full. */
static bool send_item(struct delivery *d, struct subscription *s, const struct event_item *item)
{
	bool expand = json_is_true(json_object_get(s->properties, "IncludeOriginOfCondition"));
	struct flight *f = delivery_free_flight(d);
	int r;

	r = send_post(d, s, item, d->next_ticket, expand);
	/* The resource may be larger than the largest post. */
	if (r == -E2BIG && expand)
		r = send_post(d, s, item, d->next_ticket, false);
	if (r == -E2BIG) {
		log_warning("event %" PRIu64 " is too long and is not delivered", item->seq);
		s->cursor = item->seq;
		delivery_look_again(d, d->now_ms);
		return true;
	}
	if (r < 0) {
		d->helper_full = r == -EAGAIN;
		delivery_look_again(d, d->now_ms + (r == -ENOMEM ? STORE_MS : HELPER_MS));
		return false;
	}
	*f = (struct flight){
		.ticket = d->next_ticket,
		.subscription = s->id,
		.seq = item->seq,
		.receiver = receiver_of(s),
		.failing = s->failures > 0,
	};
	d->n_flights++;
	d->n_failing += f->failing;
	s->in_flight = true;
	return true;
}

static bool wants_turn(struct delivery *d, const struct subscription *s, uint64_t newest)
{
	if (s->suspended || s->in_flight || s->cursor >= newest)
		return false;
	if (s->not_before_ms > d->now_ms) {
		delivery_look_again(d, s->not_before_ms);
		return false;
	}
	if (d->n_flights >= PUSH_TRANSFERS_MAX || (s->failures && d->n_failing >= FAILING_MAX))
		return false;
	return !receiver_is_busy(d, receiver_of(s));
}

/* With the lock held, when the page begins after the cursor. Return: as send_item(). */
static bool offer_page(struct delivery *d, struct subscription *s)
{
	for (size_t i = 0; i < d->page.n; i++) {
		const struct event_item *item = &d->page.items[i];

		if (item->seq <= s->cursor)
			continue;
		if (subscription_admits(s->properties, item))
			return send_item(d, s, item);
		s->cursor = item->seq;
	}
	if (d->page.covered > s->cursor)
		s->cursor = d->page.covered;
	return true;
}

/* Sends the new events of one subscription. Return: false when no other can be served now. */
static bool give_turn(struct delivery *d, uint64_t id, uint64_t newest)
{
	for (;;) {
		struct subscription *s;
		uint64_t cursor = 0;
		bool wants, go_on;

		(void)pthread_mutex_lock(&d->es->lock);
		s = destinations_find(d->es, id);
		wants = s && wants_turn(d, s, newest);
		if (wants)
			cursor = s->cursor;
		(void)pthread_mutex_unlock(&d->es->lock);
		if (!wants)
			return true;
		/* Without the lock, because it may wait for the disk. */
		if (!delivery_have_helper(d) || !delivery_turn_page(d, cursor, newest))
			return false;
		(void)pthread_mutex_lock(&d->es->lock);
		s = destinations_find(d->es, id);
		go_on = !s || s->cursor != cursor || offer_page(d, s);
		(void)pthread_mutex_unlock(&d->es->lock);
		if (!go_on)
			return false;
	}
}

static uint64_t id_at(struct delivery *d, size_t i)
{
	uint64_t id = 0;

	(void)pthread_mutex_lock(&d->es->lock);
	if (i < d->es->subscriptions.n)
		id = d->es->subscriptions.items[i]->id;
	(void)pthread_mutex_unlock(&d->es->lock);
	return id;
}

static void give_turns(struct delivery *d)
{
	uint64_t newest = event_bus_newest(d->es->bus);
	size_t n;

	(void)pthread_mutex_lock(&d->es->lock);
	n = d->es->subscriptions.n;
	(void)pthread_mutex_unlock(&d->es->lock);
	for (size_t i = 0; i < n && d->n_flights < PUSH_TRANSFERS_MAX; i++) {
		uint64_t id;

		if (d->turn >= n)
			d->turn = 0;
		id = id_at(d, d->turn);
		if (id && !give_turn(d, id, newest))
			break;
		d->turn++;
	}
	/* It holds a reference to a view, which may be old when the next event comes. */
	delivery_drop_page(d);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

/* New events would wait here for the disk of others, as for that of the audit log. */
static bool puts_saving_off(struct delivery *d)
{
	if (!state_is_busy(d->es->state)) {
		d->busy_ms = 0;
		return false;
	}
	if (!d->busy_ms)
		d->busy_ms = d->now_ms;
	return d->now_ms - d->busy_ms < SAVE_LATE_MS;
}

static void save_in_time(struct delivery *d)
{
	if (!delivery_unsaved(d->es) && !otlp_queue_unsaved(&d->otlp) &&
	    !delivery_core_unsaved(d->es))
		return;
	if (d->now_ms - d->saved_ms < SAVE_MS) {
		delivery_look_again(d, d->saved_ms + SAVE_MS);
	} else if (puts_saving_off(d)) {
		delivery_look_again(d, d->now_ms + SAVE_AGAIN_MS);
	} else {
		delivery_save(d->es, STATE_LAZY);
		otlp_queue_save(&d->otlp, d->es->state, STATE_LAZY);
		delivery_core_save(d->es, STATE_LAZY);
		d->saved_ms = d->now_ms;
		d->busy_ms = 0;
	}
}

static void wait_for_something(struct delivery *d)
{
	struct pollfd fds[] = {
		{.fd = d->eventfd, .events = POLLIN},
		{.fd = d->helper.helper.fd,
		 .events = (short)(POLLIN | (d->helper_full ? POLLOUT : 0))},
	};
	uint64_t now = clock_monotonic_ms(), count;
	int timeout = -1;

	if (d->due_ms != UINT64_MAX)
		timeout = d->due_ms <= now	    ? 0
			  : d->due_ms - now > 60000 ? 60000
						    : (int)(d->due_ms - now);
	(void)poll(fds, 2, timeout);
	if (fds[0].revents)
		(void)!read(d->eventfd, &count, sizeof(count));
	if (fds[1].revents & POLLOUT)
		d->helper_full = false;
}

static void *delivery_thread(void *userdata)
{
	struct delivery *d = userdata;
	struct error e = {0};
	bool loaded = false;

	while (!atomic_load(&d->stop)) {
		d->now_ms = clock_monotonic_ms();
		d->due_ms = UINT64_MAX;
		if (!loaded && destinations_load(d->es, &e) >= 0) {
			loaded = true;
			/* An older copy of the state database may have been restored. */
			destinations_disable_refused(d->es);
		}
		if (!loaded)
			delivery_look_again(d, d->now_ms + STORE_MS);
		delivery_take_answers(d);
		give_turns(d);
		if (loaded)
			delivery_send_to_collector(d);
		if (loaded)
			delivery_send_to_core(d);
		save_in_time(d);
		wait_for_something(d);
	}
	push_client_stop(&d->helper);
	delivery_save(d->es, STATE_DURABLE);
	otlp_queue_save(&d->otlp, d->es->state, STATE_DURABLE);
	delivery_core_save(d->es, STATE_DURABLE);
	worker_ended(&d->worker);
	return NULL;
}

/* The settings of the collector are taken over. */
static int helper_args_copy(const struct event_service_options *o, struct helper_args *ret)
{
	struct helper_args a = {.allow = strdup(o->allow ? o->allow : ""),
				.ca_file = o->ca_file ? strdup(o->ca_file) : NULL,
				.otlp = o->otlp};

	if (!a.allow || (o->ca_file && !a.ca_file)) {
		helper_args_done(&a);
		return -ENOMEM;
	}
	*ret = a;
	return 0;
}

int delivery_new(struct event_service *es, struct delivery **ret, struct error *e)
{
	struct event_service_options o = es->options;
	struct delivery *d = calloc(1, sizeof(*d));
	struct push_files files;
	int r;

	es->options.otlp = NULL;
	if (!d) {
		(void)otlp_settings_free(o.otlp);
		return error_set(e, ENOMEM, "out of memory");
	}
	d->es = es;

	d->subscriber.wake = delivery_wake;
	if (helper_args_copy(&o, &d->args) < 0) {
		free(d);
		return error_set(e, ENOMEM, "out of memory");
	}
	files = helper_args_files(&d->args);
	push_client_init(&d->helper, es->options.push_program, &files);
	delivery_restart_collector(d);
	delivery_spread_start(d);
	d->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	worker_init(&d->worker);
	event_bus_subscribe(es->bus, &d->subscriber);
	r = d->eventfd < 0 ? error_set(e, errno, "eventfd: %s", strerror(errno))
			   : worker_start(&d->worker, delivery_thread, d, e);
	if (r < 0) {
		(void)delivery_free(d, 0);
		return r;
	}
	*ret = d;
	return 0;
}

bool delivery_free(struct delivery *d, unsigned int wait_ms)
{
	if (!d)
		return true;
	atomic_store(&d->stop, true);
	delivery_wake(&d->subscriber);
	if (!worker_stop(&d->worker, wait_ms))
		return false;
	event_bus_unsubscribe(d->es->bus, &d->subscriber);
	worker_done(&d->worker);
	if (d->eventfd >= 0)
		(void)close(d->eventfd);
	helper_args_done(&d->args);
	helper_args_done(&d->new_args);
	otlp_export_done(&d->metrics);
	free(d);
	return true;
}

static bool helper_args_equal(const struct helper_args *a, const struct helper_args *b)
{
	return str_equal(a->allow, b->allow) &&
	       (a->ca_file == b->ca_file || str_equal(a->ca_file, b->ca_file)) &&
	       otlp_settings_equal(a->otlp, b->otlp);
}

int delivery_set_helper(struct delivery *d, const struct event_service_options *o)
{
	struct helper_args copy, old = {0};
	const struct helper_args *present;

	if (helper_args_copy(o, &copy) < 0)
		return -ENOMEM;
	(void)pthread_mutex_lock(&d->es->lock);
	present = d->has_new_args ? &d->new_args : &d->args;
	d->has_reload = true;
	if (!helper_args_equal(present, &copy)) {
		old = d->new_args;
		d->new_args = copy;
		copy = (struct helper_args){0};
		d->has_new_args = true;
	}
	(void)pthread_mutex_unlock(&d->es->lock);
	helper_args_done(&copy);
	helper_args_done(&old);
	delivery_wake(&d->subscriber);
	return 0;
}
