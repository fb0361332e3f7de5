// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/resource_event.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "model/health.h"
#include "redfish/feed/event_message.h"
#include "redfish/core/registry.h"
#include "redfish/view/view.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"

#define RESOURCE_EVENT "ResourceEvent.1.4."

/* The messages of the ResourceEvent registry 1.4 that are sent. */
struct kind {
	const char *id, *event_type, *severity, *text, *resolution;
};

static const struct kind created = {
	RESOURCE_EVENT "ResourceCreated",	  "ResourceAdded", "OK",
	"The resource was created successfully.", "None.",
};
static const struct kind removed = {
	RESOURCE_EVENT "ResourceRemoved",	  "ResourceRemoved", "OK",
	"The resource was removed successfully.", "None.",
};
static const struct kind test = {
	RESOURCE_EVENT "TestMessage", "Other", "OK", "Test message.", "None.",
};
static const struct kind changed = {
	RESOURCE_EVENT "ResourceChanged",
	"ResourceUpdated",
	"OK",
	"One or more resource properties have changed.",
	"None.",
};
static const struct kind state_changed = {
	RESOURCE_EVENT "ResourceStateChanged",		 "StatusChange", "OK",
	"The state of resource '%1' has changed to %2.", "None.",
};
static const struct kind lost = {
	BASE_REGISTRY ".EventBufferExceeded",
	"Other",
	"Warning",
	"Undelivered events may have been lost due to exceeding the event buffer.",
	"None.",
};
static const struct kind status_changed[] = {
	[HEALTH_OK] = {RESOURCE_EVENT "ResourceStatusChangedOK", "StatusChange", "OK",
		       "The health of resource '%1' has changed to %2.", "None."},
	[HEALTH_WARNING] = {RESOURCE_EVENT "ResourceStatusChangedWarning", "StatusChange",
			    "Warning", "The health of resource '%1' has changed to %2.", "None."},
	[HEALTH_CRITICAL] = {RESOURCE_EVENT "ResourceStatusChangedCritical", "StatusChange",
			     "Critical", "The health of resource '%1' has changed to %2.", "None."},
};

static json_t *now_json(void)
{
	char text[EVENT_TIME_MAX];

	event_time(clock_realtime_ns(), text);
	return json_string(text);
}

/* Return: the record, NULL when out of memory. @origin: NULL none; @args: NULL, or of "%1", "%2" */
static json_t *make_record(const struct kind *k, const char *origin, const char *const args[2])
{
	static const char *const no_args[2] = {"", ""};
	char text[512];
	json_t *record;

	message_text(text, sizeof(text), k->text, args ? args : no_args);
	record = json_pack("{s:s,s:o,s:s,s:s,s:s,s:s}", "EventType", k->event_type,
			   "EventTimestamp", now_json(), "MessageId", k->id, "Message", text,
			   "MessageSeverity", k->severity, "Resolution", k->resolution);
	if (record && args &&
	    json_object_set_new(record, "MessageArgs", json_pack("[s,s]", args[0], args[1])) < 0) {
		json_decref(record);
		return NULL;
	}
	if (record && origin &&
	    json_object_set_new(record, "OriginOfCondition",
				json_pack("{s:s}", "@odata.id", origin)) < 0) {
		json_decref(record);
		return NULL;
	}
	return record;
}

/* ---- views ------------------------------------------------------------------------------------
 */

struct notification {
	const struct view *before, *now;
	/* With the first view and the first readings, health becomes known; it does not change. */
	bool begins;
	struct resource_events events;
	size_t n, failed;
};

/* @schema: of the origin; NULL like @origin */
static void notification_append(struct notification *t, const struct kind *k, const char *origin,
				const char *schema, const char *const args[2])
{
	json_t *to = t->begins && args ? t->events.first : t->events.news;
	json_t *record = make_record(k, origin, args);

	if (!record || json_array_append_new(to, event_service_message(record, schema)))
		t->failed++;
}

static void notification_add(struct notification *t, const struct kind *k, const struct resource *r,
			     const char *const args[2])
{
	if (t->n++ < RESOURCE_EVENTS_MAX)
		notification_append(t, k, r->uri, r->type->schema, args);
}

/* A collection is no resource that a condition could originate from. */
static bool is_reported(const struct resource *r)
{
	return r && r->type->schema && !r->type->members && !r->action;
}

/* Whether a resource above this one was created or removed, too. */
static bool is_implied(const struct view *of, const struct view *in, const struct resource *r)
{
	char uri[RESOURCE_URI_MAX];
	char *slash;

	(void)snprintf(uri, sizeof(uri), "%s", r->uri);
	while ((slash = strrchr(uri, '/')) && slash > uri) {
		*slash = '\0';
		if (is_reported(resource_find(of->index, uri)) && !resource_find(in->index, uri))
			return true;
	}
	return false;
}

static void on_change(void *userdata, enum view_change change, const struct resource *r)
{
	struct notification *t = userdata;
	bool gone = change == RESOURCE_REMOVED;

	if (!is_reported(r) || is_implied(gone ? t->before : t->now, gone ? t->now : t->before, r))
		return;
	notification_add(t, gone ? &removed : &created, r, NULL);
}

/* ---- the Status of resources ------------------------------------------------------------------
 */

/* The parts of a Status that are compared; NULL where it does not have them. */
struct status_values {
	json_t *json; /* which has the strings */
	const char *state, *health, *rollup;
};

static void status_values_done(struct status_values *v)
{
	json_decref(v->json);
}

#define _cleanup_values_ _cleanup_(status_values_done)

static const char *status_string(const json_t *status, const char *key)
{
	return json_string_value(json_object_get(status, key));
}

/* A Status that is empty has no values. Return: 0 or -ENOMEM. */
static int status_values_parse(const struct json_writer *text, struct status_values *ret)
{
	const json_t *status;

	if (text->failed)
		return -ENOMEM;
	ret->json = json_loadb(text->text, text->len, 0, NULL);
	status = json_object_get(ret->json, "Status");
	ret->state = status_string(status, "State");
	ret->health = status_string(status, "Health");
	ret->rollup = status_string(status, "HealthRollup");
	return ret->json ? 0 : -ENOMEM;
}

/* Both may be absent. */
static bool is_same(const char *a, const char *b)
{
	return a && b ? str_equal(a, b) : a == b;
}

static const struct kind *kind_of_health(const char *health)
{
	for (size_t i = 0; i < ARRAY_SIZE(status_changed); i++)
		if (str_equal(status_changed[i].severity, health))
			return &status_changed[i];
	return NULL;
}

/* @key: property of Status; @now: its value, NULL when it is not known any more */
static void notification_add_value(struct notification *t, const struct resource *r,
				   const char *key, const struct kind *k, const char *now)
{
	const struct kind unknown = {
		registry_message_id(REGISTRY_STATUS_NOT_KNOWN),
		"StatusChange",
		health_name(registry_severity(REGISTRY_STATUS_NOT_KNOWN)),
		registry_text(REGISTRY_STATUS_NOT_KNOWN),
		registry_resolution(REGISTRY_STATUS_NOT_KNOWN),
	};

	if (now && k)
		notification_add(t, k, r, (const char *const[]){r->uri, now});
	else
		notification_add(t, &unknown, r, (const char *const[]){r->uri, key});
}

/*
 * A resource with HealthRollup is as unhealthy as that says, which includes its own Health: where
 * only the latter changes, the event has no value that a subscriber could take for the other.
 */
static void notification_add_health(struct notification *t, const struct resource *r,
				    const struct status_values *was, const struct status_values *is)
{
	const bool rolls_up = was->rollup || is->rollup;
	const char *before = rolls_up ? was->rollup : was->health;
	const char *now = rolls_up ? is->rollup : is->health;

	if (!is_same(before, now))
		notification_add_value(t, r, rolls_up ? "HealthRollup" : "Health",
				       kind_of_health(now), now);
	else if (!is_same(was->health, is->health))
		notification_add(t, &changed, r, NULL);
}

/* A resource that is new is not reported as healthy. */
static bool is_news(const struct notification *t, const struct resource *old,
		    const struct status_values *is)
{
	const char *health = is->rollup ? is->rollup : is->health;

	return old || !t->before || !str_equal(health, "OK");
}

/* @texts: two writers, for the Status before and now */
static void notification_add_status(struct notification *t, const struct resource *r,
				    struct json_writer texts[static 2])
{
	const struct resource *old = t->before ? resource_find(t->before->index, r->uri) : NULL;
	_cleanup_values_ struct status_values was = {0}, is = {0};

	view_put_status(t->before, old, &texts[0]);
	view_put_status(t->now, r, &texts[1]);
	if (texts[0].len == texts[1].len && !texts[0].failed &&
	    memcmp(texts[0].text, texts[1].text, texts[1].len) == 0)
		return;
	if (status_values_parse(&texts[0], &was) < 0 || status_values_parse(&texts[1], &is) < 0) {
		t->failed++;
		return;
	}
	if (is_news(t, old, &is))
		notification_add_health(t, r, &was, &is);
	if (old && !is_same(was.state, is.state))
		notification_add_value(t, r, "State", &state_changed, is.state);
}

static void notification_add_statuses(struct notification *t)
{
	struct json_writer texts[2] = {{0}, {0}};
	const struct resource *r;

	for (size_t i = 0; (r = resource_at(t->now->index, i)); i++)
		if (r->type->status && !r->action && !r->hidden)
			notification_add_status(t, r, texts);
	json_writer_done(&texts[0]);
	json_writer_done(&texts[1]);
}

/* A subscriber that misses some is told so: it has to look at the resources again. */
static void notification_report_lost(struct notification *t)
{
	if (t->n > RESOURCE_EVENTS_MAX)
		log_warning(
			"%zu resources were created, removed or changed their status; subscribers are notified of %d of them",
			t->n, RESOURCE_EVENTS_MAX);
	if (t->failed)
		log_warning(
			"subscribers are not notified of changes of %zu resources: out of memory",
			t->failed);
	if (t->n > RESOURCE_EVENTS_MAX || t->failed)
		notification_append(t, &lost, NULL, NULL, NULL);
}

struct resource_events resource_events(const struct view *before, const struct view *now)
{
	struct notification t = {
		.before = before,
		.now = now,
		.begins = !before || !before->readings,
		.events = {json_array(), json_array()},
	};

	if (before)
		view_compare(before, now, on_change, &t);
	notification_add_statuses(&t);
	notification_report_lost(&t);
	return t.events;
}

void notify_resource_events(struct event_service *es, const struct view *before,
			    const struct view *now)
{
	struct resource_events events;

	if (!es)
		return;
	events = resource_events(before, now);
	if (event_service_notify_all(es, events.news, false) < 0 ||
	    event_service_notify_all(es, events.first, true) < 0)
		log_warning("subscribers are not notified of changes of resources: out of memory");
	resource_events_done(&events);
}

void resource_events_done(struct resource_events *events)
{
	json_decref(events->news);
	json_decref(events->first);
}

json_t *resource_event_test_message(void)
{
	return make_record(&test, NULL, NULL);
}
