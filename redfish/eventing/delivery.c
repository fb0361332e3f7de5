// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Delivers events to subscriptions: one thread, which reads the store and hands posts to
// cxl-redfish-push. Each subscription has one post under way at most, so that its receiver gets
// events in order; only when it was taken does the cursor move on, so that each is delivered at
// least once, with the same EventId every time.
#include "redfish/eventing/event_service_private.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/thread.h"
#include "push/client.h"
#include "redfish/eventing/event_feed.h"
#include "redfish/eventing/event_filter.h"
#include "redfish/eventing/subscription.h"
#include "redfish/service.h"

enum {
	/*
	 * Of the posts under way; the rest is for receivers that answered last time: those that
	 * let us wait for their time-out must not keep all others waiting.
	 */
	FAILING_MAX = PUSH_TRANSFERS_MAX / 2,
	RECEIVER_MAX = 16, /* to one receiver, which may be one that does not answer */
	SAVE_MS = 1000,	   /* how often cursors are stored, at most */
	HELPER_MS = 1000,  /* until the helper is offered a post again that it had no room for */
	STORE_MS = 1000,   /* until the store is read again that could not be */
};

struct flight {
	uint64_t ticket; /* 0: free */
	uint64_t subscription, seq;
	uint32_t receiver; /* whose it is, see receiver_of() */
	bool failing;	   /* its subscription was, when it began */
};

struct delivery {
	struct event_subscriber subscriber; /* first: its callback is given this */
	struct event_service *es;
	pthread_t thread;
	bool started;
	atomic_bool stop;
	int eventfd;

	/* The thread's own. */
	struct push_client helper;
	bool helper_full;
	struct flight flights[PUSH_TRANSFERS_MAX];
	size_t n_flights, n_failing;
	uint64_t next_ticket;
	size_t turn; /* who is looked at first */
	struct feed_page page;
	uint64_t page_from;
	bool has_page;
	uint64_t now_ms, due_ms, saved_ms;
};

static void poke(struct event_subscriber *self)
{
	const uint64_t one = 1;

	(void)!write(((struct delivery *)self)->eventfd, &one, sizeof(one));
}

void delivery_poke(struct delivery *d)
{
	if (d)
		poke(&d->subscriber);
}

static void look_again(struct delivery *d, uint64_t at_ms)
{
	if (at_ms < d->due_ms)
		d->due_ms = at_ms;
}

/* ---- when to try again ------------------------------------------------------------------------
 */

static const char *policy_of(const struct subscription *s)
{
	return json_string_value(json_object_get(s->properties, "DeliveryRetryPolicy"));
}

/* A quarter more or less, so that receivers do not come back to all of us at once. */
static uint64_t with_jitter(uint64_t ms)
{
	return ms - ms / 4 + arc4random_uniform((uint32_t)(ms / 2 + 1));
}

static void put_off(struct delivery *d, struct subscription *s)
{
	uint64_t ms = (uint64_t)d->es->options.retry_seconds * 1000, backoff;

	backoff = UINT64_C(1000) << (s->failures < 16 ? s->failures - 1 : 16);
	if (strcmp(policy_of(s), "RetryForeverWithBackoff") == 0 && backoff < ms)
		ms = backoff;
	s->not_before_ms = d->now_ms + with_jitter(ms);
}

/* Return: whether the policy says that it is over. */
static bool note_failure(struct delivery *d, struct subscription *s, const char *why)
{
	const char *policy = policy_of(s);

	if (s->failures++ == 0)
		log_warning("subscription %" PRIu64 ": %s was not reached: %s", s->id,
			    json_string_value(json_object_get(s->properties, "Destination")), why);
	(void)snprintf(s->trouble, sizeof(s->trouble), "%s", why);
	put_off(d, s);
	return s->failures > d->es->options.retry_attempts &&
	       strncmp(policy, "RetryForever", strlen("RetryForever")) != 0;
}

static void note_success(struct subscription *s, uint64_t seq)
{
	if (s->failures)
		log_info("subscription %" PRIu64 ": the receiver is reached again", s->id);
	s->failures = 0;
	s->not_before_ms = 0;
	s->trouble[0] = '\0';
	if (seq > s->cursor)
		s->cursor = seq;
}

/* The receiver was given up. Waits for the disk. */
static void give_up(struct delivery *d, uint64_t id, bool terminate)
{
	int r;

	log_warning("subscription %" PRIu64 " is %s: its receiver was not reached %u times", id,
		    terminate ? "terminated" : "suspended", d->es->options.retry_attempts + 1);
	r = terminate ? event_service_drop(d->es, id)
		      : event_service_set_suspended(d->es, id, true, (struct opt_u64){0}, NULL);
	if (r < 0 && r != -ENOENT)
		log_warning("subscription %" PRIu64 ": that cannot be stored: %s", id,
			    strerror(-r));
}

/* ---- the helper -------------------------------------------------------------------------------
 */

static void end_flight(struct delivery *d, struct flight *f)
{
	d->n_failing -= f->failing;
	d->n_flights--;
	*f = (struct flight){0};
}

/* Nobody knows what became of what it had; it is sent once more. */
static void lose_helper(struct delivery *d)
{
	push_client_lost(&d->helper, d->now_ms);
	if (atomic_load(&d->stop))
		return;
	log_warning("cxl-redfish-push has ended and is started again");
	d->helper_full = false;
	(void)pthread_mutex_lock(&d->es->lock);
	for (size_t i = 0; i < PUSH_TRANSFERS_MAX; i++) {
		struct subscription *s;

		if (!d->flights[i].ticket)
			continue;
		s = event_service_find(d->es, d->flights[i].subscription);
		if (s) {
			s->in_flight = false;
			(void)note_failure(d, s, "the sending process ended");
		}
		end_flight(d, &d->flights[i]);
	}
	(void)pthread_mutex_unlock(&d->es->lock);
}

/* Return: whether it runs and can be given something. */
static bool have_helper(struct delivery *d)
{
	struct error e = {0};
	int r;

	r = push_client_run(&d->helper, d->now_ms, &e);
	if (r == 0)
		return !d->helper_full;
	if (r != -EAGAIN)
		log_warning("events cannot be delivered: %s", e.text);
	look_again(d, helper_due_ms(&d->helper.helper));
	return false;
}

static void take_answer(struct delivery *d, const struct push_answer *a)
{
	struct flight *f = &d->flights[a->ticket % PUSH_TRANSFERS_MAX];
	bool over = false, terminate = false;
	char why[PUSH_TEXT_MAX];
	struct subscription *s;
	uint64_t id;

	if (a->ticket == 0 || f->ticket != a->ticket)
		return;
	id = f->subscription;
	(void)snprintf(why, sizeof(why), "%s", a->text);
	if (a->status)
		(void)snprintf(why, sizeof(why), "HTTP status %u%s", (unsigned)a->status,
			       a->status / 100 == 3 ? ", redirections are not followed" : "");
	(void)pthread_mutex_lock(&d->es->lock);
	s = event_service_find(d->es, id);
	if (s) {
		s->in_flight = false;
		if (a->status >= 200 && a->status < 300)
			note_success(s, f->seq);
		else
			over = note_failure(d, s, why);
		terminate = strcmp(policy_of(s), "TerminateAfterRetries") == 0;
	}
	end_flight(d, f);
	(void)pthread_mutex_unlock(&d->es->lock);
	if (over)
		give_up(d, id, terminate);
}

static void take_answers(struct delivery *d)
{
	struct push_answer a;
	int r = 0;

	while (helper_is_running(&d->helper.helper) &&
	       (r = push_client_receive(&d->helper, &a)) == 0)
		take_answer(d, &a);
	if (r == -EPIPE)
		lose_helper(d);
}

/* ---- sending ----------------------------------------------------------------------------------
 */

static void drop_page(struct delivery *d)
{
	if (d->has_page)
		feed_page_done(&d->page);
	d->has_page = false;
}

/* Has a page in memory that goes on behind the cursor. Return: whether that went well. */
static bool turn_page(struct delivery *d, uint64_t cursor, uint64_t newest)
{
	struct error e = {0};
	int r;

	if (d->has_page && cursor >= d->page_from && cursor < d->page.covered)
		return true;
	drop_page(d);
	r = feed_page_read(d->es->log, service_hold_view(d->es->service), cursor, newest, &d->page,
			   &e);
	d->has_page = true;
	d->page_from = cursor;
	if (r >= 0)
		return true;
	drop_page(d);
	look_again(d, d->now_ms + STORE_MS);
	return false;
}

static struct flight *free_flight(struct delivery *d)
{
	for (;;) {
		uint64_t ticket = ++d->next_ticket;

		if (!d->flights[ticket % PUSH_TRANSFERS_MAX].ticket)
			return &d->flights[ticket % PUSH_TRANSFERS_MAX];
	}
}

static int post(struct delivery *d, struct subscription *s, const struct event_item *item,
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

/* Return: a number for scheme, host and port, that others may have, too. */
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

/* With the lock held. Return: whether others may have a turn, too. */
static bool send_item(struct delivery *d, struct subscription *s, const struct event_item *item)
{
	bool expand = json_is_true(json_object_get(s->properties, "IncludeOriginOfCondition"));
	struct flight *f = free_flight(d);
	int r;

	r = post(d, s, item, d->next_ticket, expand);
	/* The resource may be larger than anything that is sent. */
	if (r == -E2BIG && expand)
		r = post(d, s, item, d->next_ticket, false);
	if (r == -E2BIG) {
		log_warning("event %" PRIu64 " is too long to be delivered", item->seq);
		s->cursor = item->seq;
		look_again(d, d->now_ms);
		return true;
	}
	if (r < 0) {
		d->helper_full = r == -EAGAIN;
		look_again(d, d->now_ms + (r == -ENOMEM ? STORE_MS : HELPER_MS));
		return false;
	}
	*f = (struct flight){d->next_ticket, s->id, item->seq, receiver_of(s), s->failures > 0};
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
		look_again(d, s->not_before_ms);
		return false;
	}
	if (d->n_flights >= PUSH_TRANSFERS_MAX || (s->failures && d->n_failing >= FAILING_MAX))
		return false;
	return !receiver_is_busy(d, receiver_of(s));
}

/* With the lock held; the page goes on behind the cursor. Return: as send_item(). */
static bool offer_page(struct delivery *d, struct subscription *s)
{
	for (size_t i = 0; i < d->page.n; i++) {
		const struct event_item *item = &d->page.items[i];

		if (item->seq <= s->cursor)
			continue;
		if (event_wanted(s->properties, item))
			return send_item(d, s, item);
		s->cursor = item->seq;
	}
	if (d->page.covered > s->cursor)
		s->cursor = d->page.covered;
	return true;
}

/* Lets one subscription look at what is new. Return: whether the next one may. */
static bool give_turn(struct delivery *d, uint64_t id, uint64_t newest)
{
	for (;;) {
		struct subscription *s;
		uint64_t cursor = 0;
		bool wants, go_on;

		(void)pthread_mutex_lock(&d->es->lock);
		s = event_service_find(d->es, id);
		wants = s && wants_turn(d, s, newest);
		if (wants)
			cursor = s->cursor;
		(void)pthread_mutex_unlock(&d->es->lock);
		if (!wants)
			return true;
		/* Without the lock, because it may wait for the disk. */
		if (!have_helper(d) || !turn_page(d, cursor, newest))
			return false;
		(void)pthread_mutex_lock(&d->es->lock);
		s = event_service_find(d->es, id);
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
	/* It holds a view, which may be an old one when the next event comes. */
	drop_page(d);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

static void save_in_time(struct delivery *d)
{
	if (!delivery_unsaved(d->es))
		return;
	if (d->now_ms - d->saved_ms >= SAVE_MS) {
		delivery_save(d->es, false);
		d->saved_ms = d->now_ms;
	} else {
		look_again(d, d->saved_ms + SAVE_MS);
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

static void *work(void *userdata)
{
	struct delivery *d = userdata;
	struct error e = {0};
	bool loaded = false;

	while (!atomic_load(&d->stop)) {
		d->now_ms = clock_monotonic_ms();
		d->due_ms = UINT64_MAX;
		loaded = loaded || event_service_load(d->es, &e) >= 0;
		if (!loaded)
			look_again(d, d->now_ms + STORE_MS);
		take_answers(d);
		give_turns(d);
		save_in_time(d);
		wait_for_something(d);
	}
	push_client_stop(&d->helper);
	delivery_save(d->es, true);
	return NULL;
}

static int start(struct delivery *d)
{
	int r = thread_start(&d->thread, work, d);

	d->started = r == 0;
	return r;
}

int delivery_new(struct event_service *es, struct delivery **ret, struct error *e)
{
	struct delivery *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return error_set(e, ENOMEM, "out of memory");
	d->es = es;
	d->subscriber.wake = poke;
	push_client_init(&d->helper, es->options.push_program, es->options.ca_file);
	d->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = d->eventfd < 0 ? -errno : 0;
	if (r == 0) {
		event_bus_subscribe(es->bus, &d->subscriber);
		r = start(d);
	}
	if (r < 0) {
		(void)delivery_free(d);
		return error_set(e, r, "delivery of events: %s", strerror(-r));
	}
	*ret = d;
	return 0;
}

struct delivery *delivery_free(struct delivery *d)
{
	if (!d)
		return NULL;
	event_bus_unsubscribe(d->es->bus, &d->subscriber);
	atomic_store(&d->stop, true);
	poke(&d->subscriber);
	if (d->started)
		(void)pthread_join(d->thread, NULL);
	if (d->eventfd >= 0)
		(void)close(d->eventfd);
	free(d);
	return NULL;
}
