// SPDX-License-Identifier: LGPL-2.1-or-later
//
// EventService.SubmitTestEvent and EventService.TestEventSubscription.
#include "redfish/resources/service/test_event_action.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "redfish/eventing/event_message.h"
#include "redfish/eventing/event_service.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/eventing/test_delivery.h"
#include "redfish/service/exchange.h"
#include "redfish/core/resource_index.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

static json_t *now_json(void)
{
	char text[EVENT_TIME_MAX];

	event_time(clock_realtime_ns(), text);
	return json_string(text);
}

enum {
	TEST_TEXT_MAX = 1024,
	TEST_ARGS_MAX = 16,
	DELIVERY_WAIT_MS = 12 * 1000, /* longer than PUSH_CONNECT_SECONDS */
	DELIVERY_CHECK_MS = 20,
};

struct parameter {
	const char *name;
	const char *const *words; /* the allowed ones, to a NULL; NULL: any text */
	bool dropped;		  /* accepted and ignored: the service makes the EventId */
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

static int refuse_value(struct exchange *x, enum message_id id, const json_t *value,
			const char *name)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	int r = exchange_refuse(x, id, text ? text : "", name, x->resource->action->name);

	free(text);
	return r;
}

static int check_text(struct exchange *x, const struct parameter *p, const json_t *value)
{
	if (!json_is_string(value))
		return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value, p->name);
	if (json_string_length(value) > TEST_TEXT_MAX ||
	    strlen(json_string_value(value)) != json_string_length(value))
		return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, value, p->name);
	for (size_t i = 0; p->words; i++) {
		if (!p->words[i])
			return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, value,
					    p->name);
		if (str_equal(p->words[i], json_string_value(value)))
			return 0;
	}
	return 0;
}

static int check_args(struct exchange *x, const struct parameter *p, const json_t *value)
{
	char limit[16];
	int r = 0;

	if (!json_is_array(value))
		return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value, p->name);
	if (json_array_size(value) > TEST_ARGS_MAX) {
		(void)snprintf(limit, sizeof(limit), "%d", TEST_ARGS_MAX);
		return exchange_refuse(x, MESSAGE_ARRAY_SIZE_TOO_LONG, p->name, limit, NULL);
	}
	for (size_t i = 0; r == 0 && i < json_array_size(value); i++)
		r = check_text(x, &(struct parameter){p->name}, json_array_get(value, i));
	return r;
}

static int check_parameter(struct exchange *x, const char *name, const json_t *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
		const struct parameter *p = &parameters[i];

		if (!str_equal(p->name, name))
			continue;
		if (str_equal(name, "MessageArgs"))
			return check_args(x, p, value);
		if (str_equal(name, "EventGroupId") && !json_is_integer(value))
			return refuse_value(x, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, value,
					    name);
		return str_equal(name, "EventGroupId") ? 0 : check_text(x, p, value);
	}
	return exchange_refuse(x, MESSAGE_ACTION_PARAMETER_UNKNOWN, x->resource->action->name, name,
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

/* ---- the actions ------------------------------------------------------------------------------
 */

static int store_test(struct exchange *x, void *state, uint64_t *ret_number)
{
	json_t *record = json_incref(state);
	const char *origin = json_string_value(
		json_object_get(json_object_get(record, "OriginOfCondition"), "@odata.id"));
	const struct resource *r = origin ? resource_find(x->view->index, origin) : NULL;
	int rc;

	rc = event_service_notify(x->service->event_service, record, r ? r->type->schema : NULL,
				  ret_number);
	if (rc == 0 || rc == -ENOMEM)
		return rc;
	return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "30", NULL, NULL);
}

static int send_test(struct exchange *x, void *state)
{
	uint64_t number;

	return store_test(x, state, &number);
}

/* Waits until subscribers have accepted the event, or one has not. */
static int wait_for_delivery(struct exchange *x, struct test_delivery *test, uint64_t number)
{
	const uint64_t until = job_deadline_ms(x->job);
	int r;

	do {
		const uint64_t now = clock_monotonic_ms();

		r = test_delivery_result(test, number, now >= until, &x->message);
		if (r == -EAGAIN && job_wait(x->job, now + DELIVERY_CHECK_MS) < 0)
			return -ESHUTDOWN;
	} while (r == -EAGAIN);
	return r;
}

static int send_and_wait(struct exchange *x, void *state)
{
	struct test_delivery *test = test_delivery_new(x->service->event_service);
	uint64_t number;
	int r;

	if (!test)
		return -ENOMEM;
	r = store_test(x, state, &number);
	if (r == 0)
		r = wait_for_delivery(x, test, number);
	(void)test_delivery_free(test);
	return r;
}

static void free_record(void *state)
{
	json_decref(state);
}

static const struct continuation sending = {
	.class = JOB_STORE,
	.run = send_test,
	.free = free_record,
};

static const struct continuation sending_and_waiting = {
	.class = JOB_RECEIVERS,
	.run_ms = DELIVERY_WAIT_MS,
	.run = send_and_wait,
	.free = free_record,
};

/* @record: taken over */
static int send_in_job(struct exchange *x, const struct continuation *c, json_t *record)
{
	if (!record)
		return -ENOMEM;
	if (x->service->event_service)
		return exchange_continue(x, c, record);
	json_decref(record);
	return exchange_refuse(x, MESSAGE_SERVICE_DISABLED, URI_EVENT_SERVICE, NULL, NULL);
}

int run_submit_test_event(struct exchange *x)
{
	const char *name;
	json_t *value;
	int r;

	json_object_foreach(x->body, name, value) {
		r = check_parameter(x, name, value);
		if (r < 0)
			return r;
	}
	if (!json_object_get(x->body, "MessageId"))
		return exchange_refuse(x, MESSAGE_ACTION_PARAMETER_MISSING,
				       x->resource->action->name, "MessageId", NULL);
	return send_in_job(x, &sending, test_record(x->body));
}

int run_test_event_subscription(struct exchange *x)
{
	const char *name = json_object_iter_key(json_object_iter(x->body));

	if (name)
		return exchange_refuse(x, MESSAGE_ACTION_PARAMETER_UNKNOWN,
				       x->resource->action->name, name, NULL);
	return send_in_job(x, &sending_and_waiting, resource_event_test_message());
}
