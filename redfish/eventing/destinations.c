// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/destinations.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "redfish/core/origin.h"
#include "redfish/service/service.h"
#include "redfish/eventing/subscription.h"
#include "redfish/eventing/state_subscriptions.h"

struct subscription *destinations_find(struct event_service *es, uint64_t id)
{
	const size_t at = ARRAY_LOWER_BOUND(&es->subscriptions, s, (*s)->id < id);

	return at < es->subscriptions.n && es->subscriptions.items[at]->id == id
		       ? es->subscriptions.items[at]
		       : NULL;
}

static void subscription_free(struct subscription *s)
{
	if (!s)
		return;
	json_decref(s->properties);
	free(s);
}

/* ---- loading ------------------------------------------------------------------
 */

/* The stored state of a subscription that can change. */
struct subscription_state {
	json_t *properties; /* a reference */
	uint64_t owner;
	bool suspended;
	uint64_t cursor;
	char disabled[FAILURE_TEXT_MAX];
	uint64_t disabled_ns;
};

static int list_add(struct event_service *es, uint64_t id, const struct subscription_state *st)
{
	struct subscription *s = calloc(1, sizeof(*s)), **slot;

	slot = s ? subscription_list_add(&es->subscriptions) : NULL;
	if (!slot) {
		free(s);
		return -ENOMEM;
	}
	s->id = id;
	s->properties = json_incref(st->properties);
	s->size = subscription_size(st->properties);
	es->size += s->size;
	s->owner = st->owner;
	s->suspended = st->suspended;
	memcpy(s->disabled, st->disabled, sizeof(s->disabled));
	s->disabled_ns = st->disabled_ns;
	s->cursor = s->stored = st->cursor;
	*slot = s;
	if (id >= es->next_id)
		es->next_id = id + 1;
	return 0;
}

/* With the lock held. @before: bytes that the change replaces. Return: 0 or -EINVAL. */
static int check_sum(const struct event_service *es, size_t before, const json_t *properties,
		     struct message *ret_message)
{
	const size_t sum = es->size - before + subscription_size(properties);
	char has[24], limit[24];

	if (sum <= SUBSCRIPTIONS_BYTES_MAX)
		return 0;
	(void)snprintf(has, sizeof(has), "%zu", sum);
	(void)snprintf(limit, sizeof(limit), "%d", SUBSCRIPTIONS_BYTES_MAX);
	message_set(ret_message, MESSAGE_SUBSCRIPTIONS_TOO_LONG, has, limit, NULL);
	return -EINVAL;
}

static void log_ignored(uint64_t id, const struct message *message)
{
	char text[PUT_FORMAT_MAX];

	message_sentence(message, text, sizeof(text));
	log_warning("subscription %" PRIu64
		    " is not valid and is ignored; it stays in the state database: %s",
		    id, text);
}

static const char *string_of(const json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : "";
}

/* Properties that another version stored, without an owner, are checked like those of a client. */
static int read_properties(struct event_service *es, const char *body, size_t len,
			   struct subscription_state *ret, struct message *ret_message)
{
	json_int_t owner;
	json_t *json;
	int r;

	if (len > STATE_SUBSCRIPTION_MAX)
		return subscription_too_long(ret_message, len, STATE_SUBSCRIPTION_MAX);
	json = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);
	if (!json) {
		message_set(ret_message, MESSAGE_MALFORMED_JSON, NULL, NULL, NULL);
		return -EINVAL;
	}
	owner = json_integer_value(json_object_get(json, "Owner"));
	ret->owner = owner > 0 ? (uint64_t)owner : 0;
	ret->suspended = json_is_true(json_object_get(json, "Suspended"));
	(void)snprintf(ret->disabled, sizeof(ret->disabled), "%s",
		       string_of(json_object_get(json, "Disabled")));
	ret->disabled_ns = (uint64_t)json_integer_value(json_object_get(json, "DisabledAt"));
	r = subscription_new(json_object_get(json, "Properties"), &ret->properties, ret_message);
	if (r == 0)
		r = check_sum(es, 0, ret->properties, ret_message);
	json_decref(json);
	return r;
}

static int read_subscription(void *userdata, uint64_t id, const char *body, size_t len,
			     uint64_t cursor)
{
	struct event_service *es = userdata;
	struct subscription_state st = {.cursor = cursor};
	struct message message;
	int r;

	r = read_properties(es, body, len, &st, &message);
	if (r == 0)
		r = list_add(es, id, &st);
	else if (r == -EINVAL)
		log_ignored(id, &message);
	if (id >= es->next_id)
		es->next_id = id + 1;
	json_decref(st.properties);
	return r == -ENOMEM ? r : 0;
}

void destinations_clear(struct event_service *es)
{
	for (size_t i = 0; i < es->subscriptions.n; i++)
		subscription_free(es->subscriptions.items[i]);
	subscription_list_done(&es->subscriptions);
	es->size = 0;
}

/* With the lock held. Numbers above the newest one belong to another log. */
static void lower_cursors(struct event_service *es, uint64_t newest)
{
	for (size_t i = 0; i < es->subscriptions.n; i++)
		if (es->subscriptions.items[i]->cursor > newest)
			es->subscriptions.items[i]->cursor = newest;
}

struct log_start {
	struct event_service *es;
	uint64_t newest;
};

/* On the store's thread: the bus is initialized with the newest number of earlier processes. */
static int start_with_log(struct store *store, void *userdata)
{
	struct log_start *start = userdata;

	if (!store)
		return 0;
	start->newest = store_next(store) - 1;
	event_bus_publish(start->es->bus, start->newest);
	return 0;
}

/* Return: 0 once the log was open. */
static int destinations_use_log(struct event_service *es, struct error *e)
{
	struct log_start start = {.es = es};
	int r = event_log_do(es->log, start_with_log, &start);

	if (r < 0)
		return error_set(e, r, "the event log cannot be opened");
	es->log_ready = true;
	(void)pthread_mutex_lock(&es->lock);
	lower_cursors(es, start.newest);
	(void)pthread_mutex_unlock(&es->lock);
	return 0;
}

static int read_subscriptions(struct event_service *es, struct error *e)
{
	int r;

	(void)pthread_mutex_lock(&es->lock);
	r = state_read_subscriptions(es->state, read_subscription, es, e);
	if (r < 0)
		destinations_clear(es);
	else
		lower_cursors(es, es->log_ready ? event_bus_newest(es->bus) : UINT64_MAX);
	es->loaded = r >= 0;
	(void)pthread_mutex_unlock(&es->lock);
	return r;
}

/* An event log that cannot be opened hides no subscription. */
static int destinations_load_locked(struct event_service *es, struct error *e)
{
	int r = es->log_ready ? 0 : destinations_use_log(es, e);

	if (!es->loaded) {
		int loaded = read_subscriptions(es, e);

		r = loaded < 0 ? loaded : r;
	}
	return r;
}

int destinations_load(struct event_service *es, struct error *e)
{
	int r = 0;

	(void)pthread_mutex_lock(&es->change);
	if (!es->loaded || !es->log_ready)
		r = destinations_load_locked(es, e);
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

/* ---- changes ----------------------------------------------------------------------------------
 */

static int store_subscription(struct event_service *es, uint64_t id,
			      const struct subscription_state *st)
{
	json_t *json = json_pack("{s:O,s:b,s:I,s:s,s:I}", "Properties", st->properties, "Suspended",
				 st->suspended, "Owner", (json_int_t)st->owner, "Disabled",
				 st->disabled, "DisabledAt", (json_int_t)st->disabled_ns);
	_cleanup_free_ char *body = json ? json_dumps(json, JSON_COMPACT) : NULL;

	json_decref(json);
	if (!body)
		return -ENOMEM;
	return state_put_subscription(es->state, id, body, strlen(body), st->cursor, NULL);
}

/*
 * With the lock held. Users of the Unix socket have no account, by which theirs could be counted.
 *
 * Return: whether a principal may have one more, of that size.
 */
static bool is_admitted(const struct event_service *es, const struct principal *who, size_t size)
{
	const struct budget_owner owner = {.principal = who->account,
					   .administrator = owner_of(who, 0).administrator};
	struct budget_held held = {.total = es->subscriptions.n}, bytes = {.total = es->size};

	for (size_t i = 0; i < es->subscriptions.n; i++) {
		const struct subscription *s = es->subscriptions.items[i];

		if (s->owner != who->account)
			continue;
		held.principal++;
		bytes.principal += s->size;
	}
	return budget_admits(BUDGET_SUBSCRIPTIONS, &held, &owner, 1) &&
	       budget_admits(BUDGET_SUBSCRIPTION_BYTES, &bytes, &owner, size);
}

/* Return: 0; -E2BIG when there are too many; -EINVAL when they are too long. */
static int check_room(struct event_service *es, const json_t *properties,
		      const struct principal *who, struct message *ret_message)
{
	int r;

	(void)pthread_mutex_lock(&es->lock);
	r = check_sum(es, 0, properties, ret_message);
	if (r == 0 && !is_admitted(es, who, subscription_size(properties)))
		r = -E2BIG;
	(void)pthread_mutex_unlock(&es->lock);
	return r;
}

static const char *destination_of(const json_t *properties)
{
	return json_string_value(json_object_get(properties, "Destination"));
}

/* With the change mutex held. */
static int check_destination(const struct event_service *es, const json_t *properties,
			     struct message *ret_message)
{
	char address[PUSH_ADDRESS_MAX];

	if (push_allow_admits_url(&es->allow, destination_of(properties), address))
		return 0;
	message_set(ret_message, MESSAGE_DESTINATION_NOT_ALLOWED, destination_of(properties),
		    address, NULL);
	message_set_property(ret_message, "Destination");
	return -EINVAL;
}

static int subscribe_locked(struct event_service *es, json_t *properties,
			    const struct principal *who, uint64_t *ret_id,
			    struct message *ret_message)
{
	const struct subscription_state st = {.properties = properties,
					      .owner = who->account,
					      .cursor = event_bus_newest(es->bus)};
	const uint64_t id = es->next_id;
	int r;

	r = check_room(es, properties, who, ret_message);
	if (r == 0)
		r = check_destination(es, properties, ret_message);
	if (r < 0)
		return r;
	r = store_subscription(es, id, &st);
	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&es->lock);
	r = list_add(es, id, &st);
	(void)pthread_mutex_unlock(&es->lock);
	if (r < 0)
		(void)state_remove_subscription(es->state, id, NULL);
	else
		*ret_id = id;
	if (r == 0)
		log_info("subscription %" PRIu64 " was created for %s", id,
			 destination_of(properties));
	return r;
}

int destinations_subscribe(struct event_service *es, json_t *properties,
			   const struct principal *who, uint64_t *ret_id,
			   struct message *ret_message)
{
	int r;

	(void)pthread_mutex_lock(&es->change);
	/* Before the stored subscriptions are loaded, an Id might be assigned twice. */
	if (!es->loaded)
		r = -EBUSY;
	else
		r = subscribe_locked(es, properties, who, ret_id, ret_message);
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

static int get_state(struct event_service *es, uint64_t id, struct subscription_state *ret)
{
	struct subscription *s;
	int r = 0;

	(void)pthread_mutex_lock(&es->lock);
	s = destinations_find(es, id);
	if (s) {
		*ret = (struct subscription_state){.properties = json_incref(s->properties),
						   .owner = s->owner,
						   .suspended = s->suspended,
						   .cursor = s->cursor,
						   .disabled_ns = s->disabled_ns};
		memcpy(ret->disabled, s->disabled, sizeof(ret->disabled));
	} else {
		r = es->loaded ? -ENOENT : -EBUSY;
	}
	(void)pthread_mutex_unlock(&es->lock);
	return r;
}

static void apply_state(struct event_service *es, uint64_t id, const struct subscription_state *to)
{
	struct subscription *s;

	(void)pthread_mutex_lock(&es->lock);
	s = destinations_find(es, id);
	if (s) {
		json_decref(s->properties);
		s->properties = json_incref(to->properties);
		es->size -= s->size;
		s->size = subscription_size(s->properties);
		es->size += s->size;
		s->suspended = to->suspended;
		memcpy(s->disabled, to->disabled, sizeof(s->disabled));
		s->disabled_ns = to->disabled_ns;
		if (to->cursor > s->cursor)
			s->cursor = to->cursor;
		s->stored = to->cursor;
		/* It is retried at once, as the client expects after a change. */
		s->failures = 0;
		s->not_before_ms = 0;
		s->failure[0] = '\0';
	}
	(void)pthread_mutex_unlock(&es->lock);
	event_bus_publish(es->bus, 0); /* the delivery thread checks it again */
}

static int check_change(struct event_service *es, const json_t *before, const json_t *now,
			struct message *ret_message)
{
	int r;

	(void)pthread_mutex_lock(&es->lock);
	r = check_sum(es, subscription_size(before), now, ret_message);
	(void)pthread_mutex_unlock(&es->lock);
	return r;
}

static int change_properties(struct event_service *es, uint64_t id, const json_t *given,
			     struct message *ret_message)
{
	struct subscription_state before, st;
	int r;

	r = get_state(es, id, &before);
	if (r < 0)
		return r;
	st = before;
	st.properties = NULL;
	r = subscription_change(before.properties, given, &st.properties, ret_message);
	if (r == 0)
		r = check_change(es, before.properties, st.properties, ret_message);
	if (r == 0)
		r = store_subscription(es, id, &st);
	json_decref(before.properties);
	if (r == 0) {
		apply_state(es, id, &st);
		log_info("subscription %" PRIu64 " was changed", id);
	}
	json_decref(st.properties);
	return r;
}

int destinations_change(struct event_service *es, uint64_t id, const json_t *given,
			struct message *ret_message)
{
	int r;

	(void)pthread_mutex_lock(&es->change);
	r = change_properties(es, id, given, ret_message);
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

static int take_seq(void *userdata, const struct stored_event *event)
{
	*(uint64_t *)userdata = event->seq;
	return 0;
}

/* Advances a cursor to just before the first event that is not older than the limit. */
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

/* Return: whether the account may have subscriptions, which it needs the same privileges to make.
 */
static bool owner_is_admitted(const struct event_service *es, uint64_t owner)
{
	return accounts_privileges(es->service->who.accounts, owner) &
	       (PRIVILEGE_CONFIGURE_MANAGER | PRIVILEGE_CONFIGURE_COMPONENTS);
}

#define OWNER_REVOKED                                                                              \
	"its account was removed, disabled or locked, or has a role without subscriptions"

/* With the change mutex held. */
static void disable_locked(struct event_service *es, uint64_t id, const char *why)
{
	struct subscription_state st;
	int r;

	if (get_state(es, id, &st) < 0)
		return;
	st.suspended = true;
	st.disabled_ns = clock_realtime_ns();
	(void)snprintf(st.disabled, sizeof(st.disabled), "%s", why);
	apply_state(es, id, &st);
	r = store_subscription(es, id, &st);
	json_decref(st.properties);
	log_warning("subscription %" PRIu64 " is disabled: %s", id, why);
	if (r < 0)
		log_warning("subscription %" PRIu64 ": its new state could not be stored: %s", id,
			    strerror(-r));
}

void destinations_disable(struct event_service *es, uint64_t id, const char *why)
{
	(void)pthread_mutex_lock(&es->change);
	disable_locked(es, id, why);
	(void)pthread_mutex_unlock(&es->change);
}

/* With the change mutex held. Return: whether there is a reason for it to be disabled. */
static bool is_refused(const struct event_service *es, uint64_t owner, const json_t *properties,
		       char why[static FAILURE_TEXT_MAX])
{
	char address[PUSH_ADDRESS_MAX];

	if (!owner_is_admitted(es, owner)) {
		(void)snprintf(why, FAILURE_TEXT_MAX, "%s", OWNER_REVOKED);
		return true;
	}
	if (push_allow_admits_url(&es->allow, destination_of(properties), address))
		return false;
	(void)snprintf(why, FAILURE_TEXT_MAX, ADDRESS_REFUSED, address);
	return true;
}

/* With the change mutex held. Return: the first one after @id that is to be disabled; 0 none. */
static uint64_t next_refused(struct event_service *es, uint64_t id,
			     char why[static FAILURE_TEXT_MAX])
{
	uint64_t found = 0;

	(void)pthread_mutex_lock(&es->lock);
	for (size_t i = 0; i < es->subscriptions.n && !found; i++) {
		const struct subscription *s = es->subscriptions.items[i];

		if (s->id > id && !s->disabled[0] && is_refused(es, s->owner, s->properties, why))
			found = s->id;
	}
	(void)pthread_mutex_unlock(&es->lock);
	return found;
}

static void disable_refused(struct event_service *es)
{
	char why[FAILURE_TEXT_MAX];
	uint64_t id = 0;

	while ((id = next_refused(es, id, why)))
		disable_locked(es, id, why);
}

void destinations_disable_refused(struct event_service *es)
{
	(void)pthread_mutex_lock(&es->change);
	disable_refused(es);
	(void)pthread_mutex_unlock(&es->change);
}

void destinations_allow(struct event_service *es, const struct push_allow *allow)
{
	(void)pthread_mutex_lock(&es->change);
	es->allow = *allow;
	disable_refused(es);
	(void)pthread_mutex_unlock(&es->change);
}

/* Return: 0; -EINVAL with the message: there is a reason for which it must stay disabled. */
static int check_resume(const struct event_service *es, const struct subscription_state *st,
			struct message *ret_message)
{
	char why[FAILURE_TEXT_MAX];

	if (!is_refused(es, st->owner, st->properties, why))
		return 0;
	message_set(ret_message, MESSAGE_SUBSCRIPTION_DISABLED, why, NULL, NULL);
	return -EINVAL;
}

int destinations_set_suspended(struct event_service *es, uint64_t id, bool suspended,
			       struct opt_u64 max_age_ns, struct message *ret_message)
{
	struct subscription_state st;
	int r;

	(void)pthread_mutex_lock(&es->change);
	r = get_state(es, id, &st);
	if (r == 0) {
		if (!suspended)
			r = check_resume(es, &st, ret_message);
		st.suspended = suspended;
		if (!suspended)
			st.disabled[0] = '\0';
		if (r == 0 && !suspended && max_age_ns.present)
			r = skip_old(es, max_age_ns.value, &st.cursor);
		if (r == 0)
			r = store_subscription(es, id, &st);
		if (r == 0) {
			apply_state(es, id, &st);
			log_info("subscription %" PRIu64 " was %s", id,
				 suspended ? "suspended" : "resumed");
		}
		json_decref(st.properties);
	}
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

int destinations_remove(struct event_service *es, uint64_t id)
{
	struct subscription *s = NULL;
	int r;

	(void)pthread_mutex_lock(&es->change);
	r = es->loaded ? state_remove_subscription(es->state, id, NULL) : -EBUSY;
	if (r == 0 || r == -ENOENT) {
		(void)pthread_mutex_lock(&es->lock);
		for (size_t i = 0; i < es->subscriptions.n; i++)
			if (es->subscriptions.items[i]->id == id) {
				s = es->subscriptions.items[i];
				es->size -= s->size;
				memmove(&es->subscriptions.items[i],
					&es->subscriptions.items[i + 1],
					(es->subscriptions.n - i - 1) *
						sizeof(struct subscription *));
				es->subscriptions.n--;
				break;
			}
		(void)pthread_mutex_unlock(&es->lock);
		r = s ? 0 : -ENOENT;
		if (s)
			log_info("subscription %" PRIu64 " was removed", id);
		subscription_free(s);
	}
	(void)pthread_mutex_unlock(&es->change);
	return r;
}
