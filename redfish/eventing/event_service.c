// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/event_service.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "common/strutil.h"
#include "events/event_strings.h"
#include "redfish/eventing/delivery.h"
#include "redfish/eventing/destinations.h"
#include "redfish/eventing/event_stream.h"
#include "redfish/otlp/otlp_settings.h"
#include "redfish/eventing/subscription.h"
#include "redfish/eventing/sunfish_destination.h"
#include "redfish/service/core_peer.h"
#include "redfish/service/service.h"
#include "redfish/eventing/sent_statuses.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry.h"

/* The configuration was checked. */
static void take_allow(struct event_service *es, const struct event_service_options *o)
{
	struct push_allow allow;

	if (push_allow_parse(o->allow ? o->allow : "", &allow, NULL) == 0)
		destinations_allow(es, &allow);
}

static void on_revocation(void *userdata, const struct revocation *r)
{
	struct event_service *es = userdata;

	event_streams_revoke(es, r);
	if (r->cause == REVOKED_ACCOUNT || r->cause == REVOKED_ROLE)
		destinations_disable_refused(es);
}

int event_service_new(struct service *service, struct event_log *log, struct event_bus *bus,
		      struct state *state, const struct event_service_options *o,
		      struct event_service **ret, struct error *e)
{
	struct event_service *es = calloc(1, sizeof(*es));
	int r;

	if (!es) {
		(void)otlp_settings_free(o->otlp);
		return error_set(e, ENOMEM, "out of memory");
	}
	es->service = service;
	es->log = log;
	es->bus = bus;
	es->state = state;
	es->options = *o;
	es->next_id = es->next_stream = 1;
	(void)pthread_mutex_init(&es->change, NULL);
	(void)pthread_mutex_init(&es->lock, NULL);
	take_allow(es, o);
	if (service->who.accounts)
		accounts_on_revocation(service->who.accounts, on_revocation, es);
	/* The delivery thread retries files that cannot be used now. */
	r = destinations_load(es, e);
	if (r < 0 && r != -ENOMEM)
		log_warning("subscriptions cannot be read yet: %s", e->text);
	if (r != -ENOMEM)
		r = delivery_new(es, &es->delivery, e);
	if (r < 0) {
		(void)otlp_settings_free(es->options.otlp);
		(void)event_service_free(es, 0);
		return r;
	}
	*ret = es;
	return 0;
}

bool event_service_free(struct event_service *es, unsigned int wait_ms)
{
	if (!es)
		return true;
	if (!delivery_free(es->delivery, wait_ms))
		return false;
	destinations_clear(es);
	(void)pthread_mutex_destroy(&es->lock);
	(void)pthread_mutex_destroy(&es->change);
	free(es);
	return true;
}

int event_service_set_options(struct event_service *es, const struct event_service_options *o)
{
	es->options.retry_attempts = o->retry_attempts;
	es->options.retry_seconds = o->retry_seconds;
	take_allow(es, o);
	return delivery_set_helper(es->delivery, o);
}

void event_service_set_metrics(struct event_service *es, otlp_collect *collect, void *userdata)
{
	es->collect = collect;
	es->collect_userdata = userdata;
	atomic_store(&es->can_collect, true);
	event_bus_publish(es->bus, 0);
}

void event_service_otlp(struct event_service *es, struct otlp_status *ret)
{
	(void)pthread_mutex_lock(&es->lock);
	*ret = es->otlp;
	(void)pthread_mutex_unlock(&es->lock);
}

const struct event_service_options *event_service_options(const struct event_service *es)
{
	return &es->options;
}

/* A subscription that no event can be posted to is not accepted. */
static int check_push_program(const struct event_service *es, struct message *ret_message)
{
	char why[ERROR_TEXT_MAX];

	if (access(es->options.push_program, X_OK) == 0)
		return 0;
	(void)snprintf(why, sizeof(why), "%s cannot be run: %s", es->options.push_program,
		       strerror(errno));
	message_set(ret_message, MESSAGE_EVENTS_NOT_DELIVERABLE, why, NULL, NULL);
	return -EINVAL;
}

int event_service_subscribe(struct event_service *es, const json_t *given,
			    const struct principal *who, uint64_t *ret_id,
			    struct message *ret_message)
{
	json_t *properties;
	int r;

	r = subscription_new(given, &properties, ret_message);
	if (r < 0)
		return r;
	r = check_push_program(es, ret_message);
	if (r < 0) {
		json_decref(properties);
		return r;
	}
	r = destinations_subscribe(es, properties, who, ret_id, ret_message);
	json_decref(properties);
	if (r == -E2BIG) {
		message_set(ret_message, MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED, NULL, NULL,
			    NULL);
		r = -EINVAL;
	}
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

/* A stream has no properties that can be changed, nor has the core, whose configuration has it. */
static int parse_changeable(struct event_service *es, const char *id, uint64_t *ret,
			    struct message *ret_message)
{
	bool is_stream;
	const bool is_core = sunfish_destination_is(es, id);
	int r = is_core ? 0 : parse_id(id, &is_stream, ret);

	if (r < 0 || (!is_core && !is_stream))
		return r;
	if (!is_core && !event_stream_exists(es, *ret))
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
	return destinations_change(es, number, given, ret_message);
}

int event_service_suspend(struct event_service *es, const char *id, bool suspended,
			  struct opt_u64 max_age_ns, struct message *ret_message)
{
	uint64_t number;
	int r = parse_changeable(es, id, &number, ret_message);

	if (r < 0)
		return r;
	return destinations_set_suspended(es, number, suspended, max_age_ns, ret_message);
}

int event_service_unsubscribe(struct event_service *es, const char *id, struct message *ret_message)
{
	bool is_stream;
	uint64_t number;
	int r;

	if (sunfish_destination_is(es, id)) {
		message_set(ret_message, MESSAGE_OPERATION_NOT_ALLOWED, NULL, NULL, NULL);
		return -EINVAL;
	}
	r = parse_id(id, &is_stream, &number);
	if (r < 0)
		return r;
	return is_stream ? event_stream_end(es, number) : destinations_remove(es, number);
}

bool event_service_is_owner(struct event_service *es, const char *id, uint64_t account)
{
	const struct subscription *s;
	uint64_t number;
	bool is_stream, ret;

	if (account == 0 || parse_id(id, &is_stream, &number) < 0 || is_stream)
		return false;
	(void)pthread_mutex_lock(&es->lock);
	s = destinations_find(es, number);
	ret = s && s->owner == account;
	(void)pthread_mutex_unlock(&es->lock);
	return ret;
}

/* The Condition of a subscription that the service has disabled. */
static void put_disabled(struct json_writer *w, const struct subscription *s)
{
	char when[EVENT_TIME_MAX];

	event_time(s->disabled_ns, when);
	put_condition(&(struct condition){.id = REGISTRY_SUBSCRIPTION_DISABLED,
					  .args = {s->disabled},
					  .timestamp = when},
		      w);
}

/* The reason of a failure is logged. */
static void put_status(struct json_writer *w, const struct subscription *s)
{
	put_object(w, "Status");
	put_string(w, "State", s->suspended ? "Disabled" : "Enabled");
	put_string(w, "Health", s->failures || s->failure[0] || s->disabled[0] ? "Warning" : "OK");
	if (s->disabled[0]) {
		put_array(w, "Conditions");
		put_disabled(w, s);
		put_end(w);
	}
	put_end(w);
}

int event_service_put(struct event_service *es, const char *id, struct json_writer *w)
{
	struct subscription *s;
	bool is_stream;
	uint64_t number;
	int r;

	if (sunfish_destination_is(es, id))
		return sunfish_destination_put(es, w);
	r = parse_id(id, &is_stream, &number);
	if (r < 0)
		return r;
	if (is_stream)
		return event_stream_put(es, number, w);
	(void)pthread_mutex_lock(&es->lock);
	s = destinations_find(es, number);
	if (!s)
		r = es->loaded ? -ENOENT : -EBUSY;
	if (s) {
		put_format(w, "Name", "Subscription %" PRIu64, number);
		put_subscription(w, s->properties);
		put_status(w, s);
	}
	(void)pthread_mutex_unlock(&es->lock);
	return r;
}

int event_service_put_links(struct event_service *es, struct json_writer *w, size_t *ret_n)
{
	bool loaded;
	size_t n;

	(void)pthread_mutex_lock(&es->lock);
	loaded = es->loaded;
	n = es->subscriptions.n;
	for (size_t i = 0; i < n; i++)
		put_link(w, NULL, URI_SUBSCRIPTIONS "/%" PRIu64, es->subscriptions.items[i]->id);
	(void)pthread_mutex_unlock(&es->lock);
	if (!loaded)
		return -EBUSY;
	if (sunfish_destination_is(es, SUNFISH_SERVER)) {
		put_link(w, NULL, URI_SUBSCRIPTIONS "/" SUNFISH_SERVER);
		n++;
	}
	*ret_n = n + event_stream_put_links(es, w);
	return 0;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

struct pending_messages {
	struct event_bus *bus; /* outlives the event service */
	uint64_t seq;	       /* of the last one */
	bool waited;	       /* the waiting caller frees it */
	bool first;	       /* those that were told already are left out */
	size_t n;
	struct store_message messages[];
};

static struct pending_messages *pending_messages_free(struct pending_messages *p)
{
	if (!p)
		return NULL;
	for (size_t i = 0; i < p->n; i++)
		free((char *)(uintptr_t)p->messages[i].body);
	free(p);
	return NULL;
}

static struct pending_messages *pending_messages_new(struct event_service *es,
						     const json_t *messages)
{
	const size_t n = json_array_size(messages);
	struct pending_messages *p = calloc(1, sizeof(*p) + n * sizeof(p->messages[0]));

	if (!p)
		return NULL;
	p->bus = es->bus;
	for (; p->n < n; p->n++) {
		char *body = json_dumps(json_array_get(messages, p->n), JSON_COMPACT);

		if (!body)
			return pending_messages_free(p);
		p->messages[p->n] = (struct store_message){body, strlen(body)};
	}
	return p;
}

static void leave_out_sent(const struct store *store, struct pending_messages *p)
{
	json_t *sent = sent_statuses_read(store_path(store));
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (sent_status_differs(sent, p->messages[i].body))
			p->messages[n++] = p->messages[i];
		else
			free((char *)(uintptr_t)p->messages[i].body);
	}
	p->n = n;
	json_decref(sent);
}

static int store_pending(struct store *store, void *userdata)
{
	struct pending_messages *p = userdata;
	struct error e = {0};
	int r = 0;

	if (store && p->first)
		leave_out_sent(store, p);
	if (store && p->n > 0)
		r = store_put_messages(store, p->messages, p->n, &p->seq, &e);
	if (store && r == 0)
		event_bus_publish(p->bus, p->seq);
	else if (!p->waited)
		log_warning("messages were not stored and are not delivered: %s",
			    store ? e.text : "there is no store");
	if (!p->waited)
		(void)pending_messages_free(p);
	return r;
}

json_t *event_service_message(json_t *record, const char *resource_type)
{
	return json_pack("{s:o,s:s*}", "Record", record, "ResourceType", resource_type);
}

int event_service_notify_all(struct event_service *es, const json_t *messages, bool first)
{
	struct pending_messages *p;
	int r;

	if (messages && json_array_size(messages) == 0)
		return 0;
	p = messages ? pending_messages_new(es, messages) : NULL;
	if (!p)
		return -ENOMEM;
	p->first = first;
	r = event_log_start(es->log, store_pending, p);
	if (r < 0)
		(void)pending_messages_free(p);
	return r;
}

static int notify_and_wait(struct event_service *es, const json_t *messages, uint64_t *ret_number)
{
	struct pending_messages *p = pending_messages_new(es, messages);
	int r;

	if (!p)
		return -ENOMEM;
	p->waited = true;
	r = event_log_do(es->log, store_pending, p);
	if (r >= 0)
		*ret_number = p->seq;
	(void)pending_messages_free(p);
	return r;
}

int event_service_notify(struct event_service *es, json_t *record, const char *resource_type,
			 uint64_t *ret_number)
{
	json_t *messages = json_pack("[o]", event_service_message(record, resource_type));
	int r = -ENOMEM;

	if (messages)
		r = ret_number ? notify_and_wait(es, messages, ret_number)
			       : event_service_notify_all(es, messages, false);
	json_decref(messages);
	return r;
}

struct tested_subscription {
	uint64_t id, n_failed;
};

struct test_delivery {
	struct event_service *es;
	size_t n;
	struct tested_subscription subscriptions[];
};

struct test_delivery *test_delivery_new(struct event_service *es)
{
	struct test_delivery *t;

	(void)pthread_mutex_lock(&es->lock);
	t = malloc(sizeof(*t) + es->subscriptions.n * sizeof(t->subscriptions[0]));
	if (t)
		*t = (struct test_delivery){.es = es};
	for (size_t i = 0; t && i < es->subscriptions.n; i++) {
		struct subscription *s = es->subscriptions.items[i];

		if (s->suspended)
			continue;
		s->not_before_ms = 0;
		t->subscriptions[t->n++] = (struct tested_subscription){s->id, s->n_failed};
	}
	(void)pthread_mutex_unlock(&es->lock);
	return t;
}

struct test_delivery *test_delivery_free(struct test_delivery *t)
{
	free(t);
	return NULL;
}

enum outcome { OUTCOME_DELIVERED, OUTCOME_OPEN, OUTCOME_FAILED };

/* With the lock held. @ret_why: of a failure, valid while the lock is held */
static enum outcome outcome_of(struct event_service *es, const struct tested_subscription *tested,
			       uint64_t number, const char **ret_why)
{
	const struct subscription *s = destinations_find(es, tested->id);

	if (s && s->cursor >= number)
		return OUTCOME_DELIVERED;
	/* A retry policy may remove it. */
	*ret_why = s ? s->failure : "it was removed";
	return !s || s->n_failed != tested->n_failed ? OUTCOME_FAILED : OUTCOME_OPEN;
}

static int refuse(struct message *m, size_t n, uint64_t id, const char *why)
{
	char count[24], name[24];

	(void)snprintf(count, sizeof(count), "%zu", n);
	(void)snprintf(name, sizeof(name), "%" PRIu64, id);
	message_set(m, MESSAGE_TEST_EVENT_NOT_DELIVERED, count, name, why);
	return -EINVAL;
}

/* With the lock held. */
static int test_result(struct test_delivery *t, uint64_t number, bool final,
		       struct message *ret_message)
{
	const char *why, *first_why = NULL;
	size_t n_failed = 0, n_open = 0;
	uint64_t first = 0;

	for (size_t i = 0; i < t->n; i++) {
		enum outcome outcome = outcome_of(t->es, &t->subscriptions[i], number, &why);

		if (outcome == OUTCOME_OPEN && final)
			why = "the subscriber did not accept it in time";
		n_open += outcome == OUTCOME_OPEN;
		n_failed += outcome == OUTCOME_FAILED;
		if (outcome != OUTCOME_DELIVERED && (outcome == OUTCOME_FAILED || final) &&
		    !first_why) {
			first = t->subscriptions[i].id;
			first_why = why;
		}
	}
	if (n_open && t->es->problem[0]) {
		message_set(ret_message, MESSAGE_EVENTS_NOT_DELIVERABLE, t->es->problem, NULL,
			    NULL);
		return -EINVAL;
	}
	if (n_open && !final)
		return -EAGAIN;
	return n_open + n_failed ? refuse(ret_message, n_open + n_failed, first, first_why) : 0;
}

int test_delivery_result(struct test_delivery *t, uint64_t number, bool final,
			 struct message *ret_message)
{
	int r;

	(void)pthread_mutex_lock(&t->es->lock);
	r = test_result(t, number, final, ret_message);
	(void)pthread_mutex_unlock(&t->es->lock);
	return r;
}
