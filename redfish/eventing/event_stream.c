// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/event_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "redfish/auth/accounts.h"
#include "redfish/feed/event_feed.h"
#include "redfish/eventing/delivery_filter.h"
#include "redfish/eventing/destinations.h"
#include "redfish/service/service.h"
#include "redfish/core/origin.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"

/* The reconnection time of the client, and a first comment line. */
#define GREETING   "retry: 2000\n: events of CXL memory\n\n"
#define KEEP_ALIVE ": keep-alive\n\n"

struct event_stream {
	struct http_stream_source source;
	struct event_subscriber subscriber;
	bool watched; /* the subscriber is subscribed */
	void (*wake)(void *userdata);
	void *wake_userdata;
	struct event_service *es;
	struct event_stream *prev, *next; /* in es->streams, guarded by es->lock */
	uint64_t number;
	struct principal who;
	struct login_origin from;
	char destination[ORIGIN_URI_MAX]; /* empty: the client has no address */
	char *filter;			  /* NULL none */
	bool with_origin;
	uint64_t cursor;
	struct json_writer text; /* of an event that was partly sent */
	size_t sent;		 /* of it */
	atomic_bool ended;
};

static ssize_t source_read(struct http_stream_source *source, char *buf, size_t size,
			   bool keep_alive)
{
	return event_stream_read((struct event_stream *)source, buf, size, keep_alive);
}

static void on_bus(struct event_subscriber *self)
{
	struct event_stream *s =
		(struct event_stream *)(void *)((char *)self -
						offsetof(struct event_stream, subscriber));

	s->wake(s->wake_userdata);
}

static void source_watch(struct http_stream_source *source, void (*wake)(void *userdata),
			 void *userdata)
{
	struct event_stream *s = (struct event_stream *)source;

	s->wake = wake;
	s->wake_userdata = userdata;
	s->subscriber.wake = on_bus;
	s->watched = true;
	event_bus_subscribe(s->es->bus, &s->subscriber);
}

static void source_free(struct http_stream_source *source)
{
	(void)event_stream_free((struct event_stream *)source);
}

static const struct http_stream_ops source_ops = {
	.read = source_read,
	.watch = source_watch,
	.free = source_free,
};

struct http_stream_source *event_stream_source(struct event_stream *s)
{
	return &s->source;
}

/* With the lock held. Return: whether there may be another stream, of that principal and there. */
static bool is_admitted(const struct event_service *es, const struct event_stream *one)
{
	const struct budget_owner owner = owner_at(&one->who, &one->from);
	struct budget_held held = {.total = es->n_streams};

	for (const struct event_stream *s = es->streams; s; s = s->next) {
		const struct budget_owner other = owner_at(&s->who, &s->from);

		held.principal += other.principal == owner.principal;
		held.client += other.client == owner.client;
	}
	return budget_admits(BUDGET_STREAMS, &held, &owner, 1);
}

int event_stream_new(struct event_service *es, const struct principal *who,
		     const struct http_client *client, const char *filter, bool with_origin,
		     struct opt_u64 last_id, struct event_stream **ret)
{
	struct event_stream *s = calloc(1, sizeof(*s));
	int r = 0;

	if (s && filter)
		s->filter = strdup(filter);
	if (!s || (filter && !s->filter)) {
		free(s);
		return -ENOMEM;
	}
	s->source.ops = &source_ops;
	s->es = es;
	s->who = *who;
	login_origin_of(client, &s->from);
	origin_stream_uri(client, s->destination);
	s->with_origin = with_origin;
	s->cursor = event_bus_newest(es->bus);
	/* A number above all others belongs to another store; no event follows it. */
	if (last_id.present && last_id.value < s->cursor)
		s->cursor = last_id.value;
	put_raw(&s->text, GREETING);
	(void)pthread_mutex_lock(&es->lock);
	if (!is_admitted(es, s)) {
		r = -EBUSY;
	} else {
		s->number = es->next_stream++;
		s->next = es->streams;
		if (s->next)
			s->next->prev = s;
		es->streams = s;
		es->n_streams++;
	}
	(void)pthread_mutex_unlock(&es->lock);
	if (r < 0) {
		json_writer_done(&s->text);
		free(s->filter);
		free(s);
		return r;
	}
	*ret = s;
	return 0;
}

struct event_stream *event_stream_free(struct event_stream *s)
{
	struct event_service *es;

	if (!s)
		return NULL;
	es = s->es;
	if (s->watched)
		event_bus_unsubscribe(es->bus, &s->subscriber);
	(void)pthread_mutex_lock(&es->lock);
	if (s->prev)
		s->prev->next = s->next;
	else
		es->streams = s->next;
	if (s->next)
		s->next->prev = s->prev;
	es->n_streams--;
	(void)pthread_mutex_unlock(&es->lock);
	json_writer_done(&s->text);
	free(s->filter);
	free(s);
	return NULL;
}

/* Sends more of the event that was partly sent. Return: bytes written. */
static size_t stream_drain(struct event_stream *s, char *buf, size_t size)
{
	size_t n = s->text.len - s->sent;

	if (n > size)
		n = size;
	if (n > 0)
		memcpy(buf, s->text.text + s->sent, n);
	s->sent += n;
	if (s->sent == s->text.len) {
		json_writer_done(&s->text);
		s->sent = 0;
	}
	return n;
}

/* Return: 0, or -ENOMEM and there is nothing to send. */
static int begin_event(struct event_stream *s, const struct feed_page *page,
		       const struct event_item *item)
{
	char id[40];

	(void)snprintf(id, sizeof(id), "id: %" PRIu64 "\ndata: ", item->seq);
	put_raw(&s->text, id);
	put_event(&s->text, page, item, NULL, s->with_origin);
	put_raw(&s->text, "\n\n");
	if (!s->text.failed)
		return 0;
	json_writer_done(&s->text);
	return -ENOMEM;
}

/* Sends one page, as far as it fits. Return: bytes written, or an error. */
static ssize_t send_page(struct event_stream *s, uint64_t newest, char *buf, size_t size)
{
	struct error e = {0};
	struct feed_page page;
	size_t n = 0;
	int r;

	r = feed_page_read(s->es->log, view_holder_take(s->es->service->view_holder), s->cursor,
			   newest, &page, &e);
	for (size_t i = 0; r == 0 && i < page.n; i++) {
		const struct event_item *item = &page.items[i];

		if (n == size)
			goto full;
		if (!s->filter || delivery_filter_admits(s->filter, item)) {
			r = begin_event(s, &page, item);
			if (r == 0)
				n += stream_drain(s, buf + n, size - n);
		}
		if (r == 0)
			s->cursor = item->seq;
	}
	if (r == 0)
		s->cursor = page.covered;
full:
	feed_page_done(&page);
	return r < 0 ? r : (ssize_t)n;
}

/*
 * A thread of the server reads all its streams in turn before it replies to other requests, so a
 * read ends after one page.
 */
ssize_t event_stream_read(struct event_stream *s, char *buf, size_t size, bool keep_alive)
{
	uint64_t newest = event_bus_newest(s->es->bus);
	size_t n;

	if (atomic_load(&s->ended) || !accounts_still_admit(s->es->service->who.accounts, &s->who))
		return -EPIPE;
	n = stream_drain(s, buf, size);
	if (n == 0 && s->cursor < newest) {
		ssize_t r = send_page(s, newest, buf, size);

		/* Events that cannot be read now must not be skipped: the client reconnects. */
		if (r < 0)
			return -EPIPE;
		n = (size_t)r;
		/* With nothing to send the next read would wait for the next event. */
		if (s->cursor < newest)
			keep_alive = true;
	}
	if (n == 0 && keep_alive && size >= sizeof(KEEP_ALIVE)) {
		n = strlen(KEEP_ALIVE);
		memcpy(buf, KEEP_ALIVE, n);
	}
	return (ssize_t)n;
}

/* ---- by number --------------------------------------------------------------------------------
 */

/* With the lock held. */
static struct event_stream *stream_find(struct event_service *es, uint64_t number)
{
	for (struct event_stream *s = es->streams; s; s = s->next)
		if (s->number == number)
			return s;
	return NULL;
}

bool event_stream_exists(struct event_service *es, uint64_t number)
{
	bool found;

	(void)pthread_mutex_lock(&es->lock);
	found = stream_find(es, number) != NULL;
	(void)pthread_mutex_unlock(&es->lock);
	return found;
}

void event_streams_revoke(struct event_service *es, const struct revocation *r)
{
	(void)pthread_mutex_lock(&es->lock);
	for (struct event_stream *s = es->streams; s; s = s->next)
		if (revocation_concerns(r, &s->who))
			atomic_store(&s->ended, true);
	(void)pthread_mutex_unlock(&es->lock);
	event_bus_publish(es->bus, 0);
}

int event_stream_end(struct event_service *es, uint64_t number)
{
	struct event_stream *s;

	(void)pthread_mutex_lock(&es->lock);
	s = stream_find(es, number);
	if (s)
		atomic_store(&s->ended, true);
	(void)pthread_mutex_unlock(&es->lock);
	event_bus_publish(es->bus, 0);
	return s ? 0 : -ENOENT;
}

int event_stream_put(struct event_service *es, uint64_t number, struct json_writer *w)
{
	char destination[ORIGIN_URI_MAX];
	struct event_stream *s;
	bool there;

	(void)pthread_mutex_lock(&es->lock);
	s = stream_find(es, number);
	there = s && !atomic_load(&s->ended);
	if (there)
		memcpy(destination, s->destination, sizeof(destination));
	(void)pthread_mutex_unlock(&es->lock);
	if (!there)
		return -ENOENT;
	put_format(w, "Name", "Stream %" PRIu64, number);
	if (destination[0])
		put_string(w, "Destination", destination);
	put_string(w, "Protocol", "Redfish");
	put_string(w, "SubscriptionType", "SSE");
	put_string(w, "EventFormatType", "Event");
	put_format(w, "Context", "SSE-%" PRIu64, number);
	put_object(w, "Status");
	put_string(w, "State", "Enabled");
	put_string(w, "Health", "OK");
	put_end(w);
	return 0;
}

size_t event_stream_put_links(struct event_service *es, struct json_writer *w)
{
	size_t n = 0;

	(void)pthread_mutex_lock(&es->lock);
	for (struct event_stream *s = es->streams; s; s = s->next) {
		if (atomic_load(&s->ended))
			continue;
		put_link(w, NULL, URI_SUBSCRIPTIONS "/SSE-%" PRIu64, s->number);
		n++;
	}
	(void)pthread_mutex_unlock(&es->lock);
	return n;
}
