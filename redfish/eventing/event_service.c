// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/event_service.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/eventing/event_service_private.h"
#include "redfish/eventing/event_stream.h"
#include "redfish/eventing/subscription.h"
#include "redfish/uris.h"
#include "redfish/odata.h"

struct subscription *event_service_find(struct event_service *es, uint64_t id)
{
	size_t low = 0, high = es->subscriptions.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (es->subscriptions.items[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < es->subscriptions.n && es->subscriptions.items[low]->id == id)
		return es->subscriptions.items[low];
	return NULL;
}

static void subscription_free(struct subscription *s)
{
	if (!s)
		return;
	json_decref(s->properties);
	free(s);
}

/* ---- reading what is stored -------------------------------------------------------------------
 */

static int add(struct event_service *es, uint64_t id, json_t *properties, uint64_t cursor,
	       struct subscription **ret)
{
	struct subscription *s = calloc(1, sizeof(*s)), **slot;

	slot = s ? subscription_list_add(&es->subscriptions) : NULL;
	if (!slot) {
		free(s);
		return -ENOMEM;
	}
	s->id = id;
	s->properties = json_incref(properties);
	s->cursor = s->stored = cursor;
	*slot = *ret = s;
	if (id >= es->next_id)
		es->next_id = id + 1;
	return 0;
}

static int read_one(void *userdata, uint64_t id, const char *body, size_t len, uint64_t cursor)
{
	struct event_service *es = userdata;
	struct message refusal;
	json_t *json, *properties = NULL;
	struct subscription *s;
	int r;

	json = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);
	/* What another version wrote is judged as if a client had sent it. */
	r = json ? subscription_new(json_object_get(json, "Properties"), &properties, &refusal)
		 : -EINVAL;
	if (r == 0)
		r = add(es, id, properties, cursor, &s);
	if (r == 0)
		s->suspended = json_is_true(json_object_get(json, "Suspended"));
	else if (r == -EINVAL)
		log_warning("subscription %" PRIu64 " cannot be understood and is left alone", id);
	if (id >= es->next_id)
		es->next_id = id + 1;
	json_decref(properties);
	json_decref(json);
	return r == -ENOMEM ? r : 0;
}

static void drop_all(struct event_service *es)
{
	for (size_t i = 0; i < es->subscriptions.n; i++)
		subscription_free(es->subscriptions.items[i]);
	subscription_list_done(&es->subscriptions);
}

static int load(struct event_service *es, struct error *e)
{
	struct store_reader *r;
	int rc;

	rc = event_log_reader_get(es->log, &r, e);
	if (rc < 0)
		return rc;
	(void)pthread_mutex_lock(&es->lock);
	rc = store_read_subscriptions(r, read_one, es, e);
	if (rc < 0)
		drop_all(es);
	es->loaded = rc >= 0;
	(void)pthread_mutex_unlock(&es->lock);
	event_log_reader_put(es->log, r, rc);
	return rc;
}

int event_service_load(struct event_service *es, struct error *e)
{
	int r = 0;

	(void)pthread_mutex_lock(&es->change);
	if (!es->loaded)
		r = load(es, e);
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

/* Where the numbers are at, for those that were given before this process began. */
static int publish_newest(struct store *store, void *userdata)
{
	struct event_service *es = userdata;

	event_bus_publish(es->bus, store_next(store) - 1);
	return 0;
}

int event_service_new(struct service *service, struct event_log *log, struct event_bus *bus,
		      const struct event_service_options *o, struct event_service **ret,
		      struct error *e)
{
	struct event_service *es = calloc(1, sizeof(*es));
	int r;

	if (!es)
		return error_set(e, ENOMEM, "out of memory");
	es->service = service;
	es->log = log;
	es->bus = bus;
	es->options = *o;
	es->next_id = es->next_stream = 1;
	(void)pthread_mutex_init(&es->change, NULL);
	(void)pthread_mutex_init(&es->lock, NULL);
	(void)event_log_do(log, publish_newest, es);
	/* A store that cannot be read now is tried again by the delivering thread. */
	r = event_service_load(es, e);
	if (r < 0 && r != -ENOMEM)
		log_warning("subscriptions cannot be read yet: %s", e->text);
	if (r != -ENOMEM)
		r = delivery_new(es, &es->delivery, e);
	if (r < 0) {
		(void)event_service_free(es);
		return r;
	}
	*ret = es;
	return 0;
}

struct event_service *event_service_free(struct event_service *es)
{
	if (!es)
		return NULL;
	es->delivery = delivery_free(es->delivery);
	drop_all(es);
	(void)pthread_mutex_destroy(&es->lock);
	(void)pthread_mutex_destroy(&es->change);
	free(es);
	return NULL;
}

struct event_bus *event_service_bus(const struct event_service *es)
{
	return es ? es->bus : NULL;
}

const struct event_service_options *event_service_options(const struct event_service *es)
{
	return &es->options;
}

/* ---- changing ---------------------------------------------------------------------------------
 */

struct change {
	uint64_t id, cursor;
	char *body; /* NULL: it is to go */
};

static int store_change(struct store *store, void *userdata)
{
	struct change *c = userdata;
	struct error e = {0};

	if (!c->body)
		return store_drop_subscription(store, c->id, &e);
	return store_put_subscription(store, c->id, c->body, strlen(c->body), c->cursor, &e);
}

/* @properties: NULL to remove it */
static int store_it(struct event_service *es, uint64_t id, json_t *properties, bool suspended,
		    uint64_t cursor)
{
	struct change c = {.id = id, .cursor = cursor};
	json_t *json;
	int r;

	if (properties) {
		json = json_pack("{s:O,s:b}", "Properties", properties, "Suspended", suspended);
		c.body = json ? json_dumps(json, JSON_COMPACT) : NULL;
		json_decref(json);
		if (!c.body)
			return -ENOMEM;
	}
	r = event_log_do(es->log, store_change, &c);
	free(c.body);
	return r;
}

static bool is_full(struct event_service *es)
{
	size_t n;

	(void)pthread_mutex_lock(&es->lock);
	n = es->subscriptions.n;
	(void)pthread_mutex_unlock(&es->lock);
	return n >= STORE_SUBSCRIPTIONS_MAX;
}

static int subscribe(struct event_service *es, json_t *properties, uint64_t *ret_id)
{
	uint64_t cursor = event_bus_newest(es->bus), id = es->next_id;
	struct subscription *s;
	int r;

	r = store_it(es, id, properties, false, cursor);
	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&es->lock);
	r = add(es, id, properties, cursor, &s);
	(void)pthread_mutex_unlock(&es->lock);
	if (r < 0)
		(void)store_it(es, id, NULL, false, 0);
	else
		*ret_id = id;
	return r;
}

int event_service_subscribe(struct event_service *es, const json_t *given, uint64_t *ret_id,
			    struct message *ret_message)
{
	json_t *properties;
	int r;

	r = subscription_new(given, &properties, ret_message);
	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&es->change);
	/* Before those that are stored are known, an Id might be given twice. */
	if (!es->loaded)
		r = -EBUSY;
	else
		r = is_full(es) ? -E2BIG : subscribe(es, properties, ret_id);
	(void)pthread_mutex_unlock(&es->change);
	json_decref(properties);
	if (r == -E2BIG) {
		message_set(ret_message, MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED, NULL, NULL,
			    NULL);
		r = -EINVAL;
	}
	return r;
}

/* What is known of one, for a change of it. */
struct state {
	json_t *properties; /* a reference */
	bool suspended;
	uint64_t cursor;
};

static int get_state(struct event_service *es, uint64_t id, struct state *ret)
{
	struct subscription *s;

	(void)pthread_mutex_lock(&es->lock);
	s = event_service_find(es, id);
	if (s)
		*ret = (struct state){json_incref(s->properties), s->suspended, s->cursor};
	(void)pthread_mutex_unlock(&es->lock);
	return s ? 0 : -ENOENT;
}

static void apply(struct event_service *es, uint64_t id, const struct state *to)
{
	struct subscription *s;

	(void)pthread_mutex_lock(&es->lock);
	s = event_service_find(es, id);
	if (s) {
		json_decref(s->properties);
		s->properties = json_incref(to->properties);
		s->suspended = to->suspended;
		if (to->cursor > s->cursor)
			s->cursor = to->cursor;
		/* Whoever changed it wants to see what becomes of it. */
		s->failures = 0;
		s->not_before_ms = 0;
		s->trouble[0] = '\0';
	}
	(void)pthread_mutex_unlock(&es->lock);
	delivery_poke(es->delivery);
}

static int change(struct event_service *es, uint64_t id, const json_t *given,
		  struct message *ret_message)
{
	json_t *properties = NULL;
	struct state st;
	int r;

	r = get_state(es, id, &st);
	if (r < 0)
		return r;
	r = subscription_change(st.properties, given, &properties, ret_message);
	if (r == 0)
		r = store_it(es, id, properties, st.suspended, st.cursor);
	json_decref(st.properties);
	st.properties = properties;
	if (r == 0)
		apply(es, id, &st);
	json_decref(properties);
	return r;
}

/* The cursor in front of what is young enough to be told. */
static int skip_old(struct event_service *es, uint64_t max_age_ns, uint64_t *cursor);

int event_service_set_suspended(struct event_service *es, uint64_t id, bool suspended,
				struct opt_u64 max_age_ns, struct message *ret_message)
{
	struct state st;
	int r;

	(void)ret_message;
	(void)pthread_mutex_lock(&es->change);
	r = get_state(es, id, &st);
	if (r == 0) {
		st.suspended = suspended;
		if (!suspended && max_age_ns.present)
			r = skip_old(es, max_age_ns.value, &st.cursor);
		if (r == 0)
			r = store_it(es, id, st.properties, suspended, st.cursor);
		if (r == 0)
			apply(es, id, &st);
		json_decref(st.properties);
	}
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

static int take_seq(void *userdata, const struct stored_event *event)
{
	*(uint64_t *)userdata = event->seq;
	return 0;
}

static int skip_old(struct event_service *es, uint64_t max_age_ns, uint64_t *cursor)
{
	uint64_t first = 0, newest = event_bus_newest(es->bus);
	struct event_page page = {.from = *cursor, .max = 1};
	struct event_filter filter = {0};
	struct store_reader *reader;
	struct error e = {0};
	uint64_t now_ns;
	int r;

	now_ns = clock_realtime_ns();
	filter.created_first = OPT_U64(max_age_ns < now_ns ? now_ns - max_age_ns : 0);
	r = event_log_reader_get(es->log, &reader, &e);
	if (r < 0)
		return r;
	r = store_read_page(reader, &filter, &page, take_seq, &first, &e);
	event_log_reader_put(es->log, reader, r);
	if (r < 0)
		return r;
	*cursor = first ? first - 1 : newest > *cursor ? newest : *cursor;
	return 0;
}

int event_service_drop(struct event_service *es, uint64_t id)
{
	struct subscription *s = NULL;
	int r;

	(void)pthread_mutex_lock(&es->change);
	r = store_it(es, id, NULL, false, 0);
	if (r == 0 || r == -ENOENT) {
		(void)pthread_mutex_lock(&es->lock);
		for (size_t i = 0; i < es->subscriptions.n; i++)
			if (es->subscriptions.items[i]->id == id) {
				s = es->subscriptions.items[i];
				memmove(&es->subscriptions.items[i],
					&es->subscriptions.items[i + 1],
					(es->subscriptions.n - i - 1) *
						sizeof(struct subscription *));
				es->subscriptions.n--;
				break;
			}
		(void)pthread_mutex_unlock(&es->lock);
		r = s ? 0 : -ENOENT;
		subscription_free(s);
	}
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

/* ---- by Id ------------------------------------------------------------------------------------
 */

/* Return: 0 and the number, or -ENOENT. */
static int parse_id(const char *id, bool *ret_stream, uint64_t *ret)
{
	const char *digits = str_after_prefix(id, "SSE-");

	*ret_stream = digits != NULL;
	if (!digits)
		digits = id;
	if (digits[0] < '1' || digits[0] > '9' || strspn(digits, "0123456789") != strlen(digits) ||
	    parse_u64(digits, ret) < 0)
		return -ENOENT;
	return 0;
}

/* A stream has nothing that could be changed. */
static int parse_changeable(struct event_service *es, const char *id, uint64_t *ret,
			    struct message *ret_message)
{
	bool is_stream;
	int r = parse_id(id, &is_stream, ret);

	if (r < 0 || !is_stream)
		return r;
	if (!event_stream_exists(es, *ret))
		return -ENOENT;
	message_set(ret_message, MESSAGE_OPERATION_NOT_ALLOWED, NULL, NULL, NULL);
	return -EINVAL;
}

int event_service_change(struct event_service *es, const char *id, const json_t *given,
			 struct message *ret_message)
{
	uint64_t number;
	int r = parse_changeable(es, id, &number, ret_message);

	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&es->change);
	r = change(es, number, given, ret_message);
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

int event_service_suspend(struct event_service *es, const char *id, bool suspended,
			  struct opt_u64 max_age_ns, struct message *ret_message)
{
	uint64_t number;
	int r = parse_changeable(es, id, &number, ret_message);

	if (r < 0)
		return r;
	return event_service_set_suspended(es, number, suspended, max_age_ns, ret_message);
}

int event_service_unsubscribe(struct event_service *es, const char *id)
{
	bool is_stream;
	uint64_t number;
	int r = parse_id(id, &is_stream, &number);

	if (r < 0)
		return r;
	return is_stream ? event_stream_end(es, number) : event_service_drop(es, number);
}

/* Why something is not delivered is told to who asks, and stands in the log. */
static void put_state_of(struct json_writer *w, const struct subscription *s)
{
	put_object(w, "Status");
	put_string(w, "State", s->suspended ? "Disabled" : "Enabled");
	put_string(w, "Health", s->failures || s->trouble[0] ? "Warning" : "OK");
	put_end(w);
}

int event_service_put(struct event_service *es, const char *id, struct json_writer *w)
{
	struct subscription *s;
	bool is_stream;
	uint64_t number;
	int r = parse_id(id, &is_stream, &number);

	if (r < 0)
		return r;
	if (is_stream)
		return event_stream_put(es, number, w);
	(void)pthread_mutex_lock(&es->lock);
	s = event_service_find(es, number);
	if (s) {
		put_format(w, "Name", "Subscription %" PRIu64, number);
		put_subscription(w, s->properties);
		put_state_of(w, s);
	}
	(void)pthread_mutex_unlock(&es->lock);
	return s ? 0 : -ENOENT;
}

size_t event_service_put_links(struct event_service *es, struct json_writer *w)
{
	size_t n;

	(void)pthread_mutex_lock(&es->lock);
	n = es->subscriptions.n;
	for (size_t i = 0; i < n; i++)
		put_link(w, NULL, URI_SUBSCRIPTIONS "/%" PRIu64, es->subscriptions.items[i]->id);
	(void)pthread_mutex_unlock(&es->lock);
	return n + event_stream_put_links(es, w);
}

/* ---- messages ---------------------------------------------------------------------------------
 */

struct telling {
	struct event_bus *bus;
	char *body;
	bool waited; /* whoever waits frees it */
};

static int store_telling(struct store *store, void *userdata)
{
	struct telling *t = userdata;
	struct error e = {0};
	uint64_t seq;
	int r = 0;

	if (store)
		r = store_put_message(store, t->body, strlen(t->body), &seq, &e);
	if (store && r == 0)
		event_bus_publish(t->bus, seq);
	else if (!t->waited)
		log_warning("a message was not stored and is not delivered: %s",
			    store ? e.text : "there is no store");
	if (!t->waited) {
		free(t->body);
		free(t);
	}
	return r;
}

int event_service_notify(struct event_service *es, json_t *record, const char *resource_type,
			 bool wait)
{
	struct telling *t = calloc(1, sizeof(*t));
	json_t *json;
	int r = -ENOMEM;

	json = json_pack("{s:o,s:s*}", "Record", record, "ResourceType", resource_type);
	if (t && json)
		t->body = json_dumps(json, JSON_COMPACT);
	json_decref(json);
	if (t && t->body) {
		t->bus = es->bus;
		t->waited = wait;
		r = wait ? event_log_do(es->log, store_telling, t)
			 : event_log_start(es->log, store_telling, t);
	}
	if (t && (wait || r < 0)) {
		free(t->body);
		free(t);
	}
	return r;
}
