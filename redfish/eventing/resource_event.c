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
#include "redfish/eventing/event_message.h"
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
	struct event_service *es;
	const struct view *before, *now;
	size_t n, failed;
};

static void notification_add(struct notification *t, const struct kind *k, const struct resource *r,
			     const char *const args[2])
{
	json_t *record;

	if (t->n++ >= RESOURCE_EVENTS_MAX)
		return;
	record = make_record(k, r->uri, args);
	if (!record || event_service_notify(t->es, record, r->type->schema, NULL) < 0)
		t->failed++;
}

/* Whether a resource above this one was created or removed, too. */
static bool is_implied(const struct view *of, const struct view *in, const struct resource *r)
{
	char uri[RESOURCE_URI_MAX];
	char *slash;

	(void)snprintf(uri, sizeof(uri), "%s", r->uri);
	while ((slash = strrchr(uri, '/')) && slash > uri) {
		*slash = '\0';
		if (resource_find(of->index, uri) && !resource_find(in->index, uri))
			return true;
	}
	return false;
}

static void on_change(void *userdata, enum view_change change, const struct resource *r)
{
	struct notification *t = userdata;
	bool gone = change == RESOURCE_REMOVED;

	if (!r->type->schema || is_implied(gone ? t->before : t->now, gone ? t->now : t->before, r))
		return;
	notification_add(t, gone ? &removed : &created, r, NULL);
}

static struct opt_int memory_health(const struct view *v, const struct memdev *m)
{
	return health_level_of_device(view_mailbox(v, m), v->event_health, view_memory_id(v, m));
}

/* A device that had no data before and is healthy is not reported. */
static void notification_add_health(struct notification *t, const struct resource *r)
{
	struct opt_int now = memory_health(t->now, r->object), before = {0};
	const struct resource *old = resource_find(t->before->index, r->uri);

	/* With the first readings, health becomes known; it does not change. */
	if (!old || !now.present || !t->before->readings)
		return;
	before = memory_health(t->before, old->object);
	if (now.value != (before.present ? before.value : HEALTH_OK))
		notification_add(
			t, &status_changed[now.value], r,
			(const char *const[]){r->uri, health_name((enum health_level)now.value)});
}

void notify_resource_events(struct event_service *es, const struct view *before,
			    const struct view *now)
{
	struct notification t = {.es = es, .before = before, .now = now};
	const struct resource *r;

	if (!es || !before)
		return;
	view_compare(before, now, on_change, &t);
	for (size_t i = 0; (r = resource_at(now->index, i)); i++)
		if (str_equal(r->type->schema, "Memory") && !r->action)
			notification_add_health(&t, r);
	if (t.n > RESOURCE_EVENTS_MAX)
		log_warning(
			"%zu resources were created or removed; subscribers are notified of %d of them",
			t.n, RESOURCE_EVENTS_MAX);
	if (t.failed)
		log_warning(
			"subscribers are not notified of changes of %zu resources: out of memory",
			t.failed);
}

json_t *resource_event_test_message(void)
{
	return make_record(&test, NULL, NULL);
}
