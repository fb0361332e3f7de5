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
#include "redfish/registry.h"
#include "redfish/resources.h"
#include "redfish/service.h"
#include "redfish/view_changes.h"

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

struct telling {
	struct event_service *es;
	const struct view *before, *now;
	size_t n, failed;
};

static void tell(struct telling *t, const struct kind *k, const struct resource *r,
		 const char *const args[2])
{
	json_t *record;

	if (t->n++ >= RESOURCE_EVENTS_MAX)
		return;
	record = make_record(k, r->uri, args);
	if (!record || event_service_notify(t->es, record, r->type->schema, false) < 0)
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
	struct telling *t = userdata;
	bool gone = change == RESOURCE_REMOVED;

	if (!r->type->schema || is_implied(gone ? t->before : t->now, gone ? t->now : t->before, r))
		return;
	tell(t, gone ? &removed : &created, r, NULL);
}

static struct opt_int memory_health(const struct view *v, const struct memdev *m)
{
	return health_level_of_device(view_mailbox(v, m), v->event_health, view_memory_id(v, m));
}

/* That a device that was not heard before is well is no news. */
static void tell_health(struct telling *t, const struct resource *r)
{
	struct opt_int now = memory_health(t->now, r->object), before = {0};
	const struct resource *old = resource_find(t->before->index, r->uri);

	/* Before the first readings are there nothing changed: it is learned. */
	if (!old || !now.present || !t->before->readings)
		return;
	before = memory_health(t->before, old->object);
	if (now.value != (before.present ? before.value : HEALTH_OK))
		tell(t, &status_changed[now.value], r,
		     (const char *const[]){r->uri, health_name((enum health_level)now.value)});
}

void notify_resource_events(struct event_service *es, const struct view *before,
			    const struct view *now)
{
	struct telling t = {.es = es, .before = before, .now = now};
	const struct resource *r;

	if (!es || !before)
		return;
	view_compare(before, now, on_change, &t);
	for (size_t i = 0; (r = resource_at(now->index, i)); i++)
		if (str_equal(r->type->schema, "Memory") && !r->action)
			tell_health(&t, r);
	if (t.n > RESOURCE_EVENTS_MAX)
		log_warning("%zu resources were created or removed; subscribers are notified of %d "
			    "of them",
			    t.n, RESOURCE_EVENTS_MAX);
	if (t.failed)
		log_warning(
			"subscribers are not notified of changes of %zu resources: out of memory",
			t.failed);
}

/* ---- test events ------------------------------------------------------------------------------
 */

enum { TEST_TEXT_MAX = 1024, TEST_ARGS_MAX = 16 };

struct parameter {
	const char *name;
	const char *const *words; /* the allowed ones, to a NULL; NULL: any text */
	bool dropped;		  /* is accepted and says nothing: EventId is ours */
};

static const char *const healths[] = {"OK", "Warning", "Critical", NULL};
static const char *const event_types[] = {
	"StatusChange", "ResourceUpdated", "ResourceAdded", "ResourceRemoved",
	"Alert",	"MetricReport",	   "Other",	    NULL};

static const struct parameter parameters[] = {
	{"MessageId"},
	{"Message"},
	{"MessageSeverity", healths},
	{"Severity", healths},
	{"EventType", event_types},
	{"EventTimestamp"},
	{"OriginOfCondition"},
	{"EventId", .dropped = true},
	/* Any of other types. */
	{"MessageArgs"},
	{"EventGroupId"},
};

static int refuse(struct dynamic_request *q, enum message_id id, const json_t *value,
		  const char *name)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	int r = dynamic_refuse(q, id, text ? text : "", name, q->resource->action->name);

	free(text);
	return r;
}

static int check_text(struct dynamic_request *q, const struct parameter *p, const json_t *value)
{
	if (!json_is_string(value))
		return refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value, p->name);
	if (json_string_length(value) > TEST_TEXT_MAX ||
	    strlen(json_string_value(value)) != json_string_length(value))
		return refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, value, p->name);
	for (size_t i = 0; p->words; i++) {
		if (!p->words[i])
			return refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, value,
				      p->name);
		if (str_equal(p->words[i], json_string_value(value)))
			return 0;
	}
	return 0;
}

static int check_args(struct dynamic_request *q, const struct parameter *p, const json_t *value)
{
	char limit[16];
	int r = 0;

	if (!json_is_array(value))
		return refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value, p->name);
	if (json_array_size(value) > TEST_ARGS_MAX) {
		(void)snprintf(limit, sizeof(limit), "%d", TEST_ARGS_MAX);
		return dynamic_refuse(q, MESSAGE_ARRAY_SIZE_TOO_LONG, p->name, limit, NULL);
	}
	for (size_t i = 0; r == 0 && i < json_array_size(value); i++)
		r = check_text(q, &(struct parameter){p->name}, json_array_get(value, i));
	return r;
}

static int check_parameter(struct dynamic_request *q, const char *name, const json_t *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
		const struct parameter *p = &parameters[i];

		if (!str_equal(p->name, name))
			continue;
		if (str_equal(name, "MessageArgs"))
			return check_args(q, p, value);
		if (str_equal(name, "EventGroupId") && !json_is_integer(value))
			return refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value, name);
		return str_equal(name, "EventGroupId") ? 0 : check_text(q, p, value);
	}
	return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_UNKNOWN, q->resource->action->name, name,
			      NULL);
}

static int set_defaults(json_t *record, const json_t *given)
{
	const json_t *severity = json_object_get(given, "Severity");
	json_t *origin = json_object_get(given, "OriginOfCondition");
	int r = 0;

	if (!json_object_get(record, "EventTimestamp"))
		r |= json_object_set_new(record, "EventTimestamp", now_json());
	if (!json_object_get(record, "EventType"))
		r |= json_object_set_new(record, "EventType", json_string("Other"));
	if (!json_object_get(record, "MessageSeverity") && severity)
		r |= json_object_set(record, "MessageSeverity", (json_t *)severity);
	if (origin)
		r |= json_object_set_new(record, "OriginOfCondition",
					 json_pack("{s:O}", "@odata.id", origin));
	return r < 0 ? -ENOMEM : 0;
}

/* Return: the record of what the client sent, checked; NULL when out of memory. */
static json_t *test_record(const json_t *given)
{
	json_t *record = json_object();

	for (size_t i = 0; record && i < ARRAY_SIZE(parameters); i++) {
		json_t *value = json_object_get(given, parameters[i].name);

		if (value && !parameters[i].dropped &&
		    json_object_set(record, parameters[i].name, value) < 0) {
			json_decref(record);
			return NULL;
		}
	}
	if (record && set_defaults(record, given) < 0) {
		json_decref(record);
		return NULL;
	}
	return record;
}

static int send_test(struct dynamic_request *q, json_t *record)
{
	const char *origin = json_string_value(
		json_object_get(json_object_get(record, "OriginOfCondition"), "@odata.id"));
	const struct resource *r = origin ? resource_find(q->view->index, origin) : NULL;
	int rc;

	rc = event_service_notify(service_event_service(q->service), record,
				  r ? r->type->schema : NULL, true);
	if (rc == 0 || rc == -ENOMEM)
		return rc;
	return dynamic_refuse(q, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "30", NULL, NULL);
}

static int may_send(struct dynamic_request *q)
{
	if (!service_event_service(q->service))
		return dynamic_refuse(q, MESSAGE_SERVICE_DISABLED, URI_EVENT_SERVICE, NULL, NULL);
	return q->may_wait ? 0 : -EINPROGRESS;
}

int run_submit_test_event(struct dynamic_request *q, struct json_writer *w)
{
	const char *name;
	json_t *value, *record;
	int r;

	(void)w;
	json_object_foreach(q->body, name, value) {
		r = check_parameter(q, name, value);
		if (r < 0)
			return r;
	}
	if (!json_object_get(q->body, "MessageId"))
		return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_MISSING,
				      q->resource->action->name, "MessageId", NULL);
	r = may_send(q);
	if (r < 0)
		return r;
	record = test_record(q->body);
	return record ? send_test(q, record) : -ENOMEM;
}

int run_test_event_subscription(struct dynamic_request *q, struct json_writer *w)
{
	json_t *record;
	const char *name = json_object_iter_key(json_object_iter(q->body));
	int r;

	(void)w;
	if (name)
		return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_UNKNOWN,
				      q->resource->action->name, name, NULL);
	r = may_send(q);
	if (r < 0)
		return r;
	record = make_record(&test, NULL, NULL);
	return record ? send_test(q, record) : -ENOMEM;
}
