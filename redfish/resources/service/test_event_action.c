// SPDX-License-Identifier: LGPL-2.1-or-later
//
// EventService.SubmitTestEvent and EventService.TestEventSubscription.
#include "redfish/resources/service/test_event_action.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "redfish/eventing/event_message.h"
#include "redfish/eventing/event_service.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/eventing/test_delivery.h"
#include "redfish/service/body_check.h"
#include "redfish/core/resource_index.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

static json_t *now_json(void)
{
	char text[EVENT_TIME_MAX];

	event_time(clock_realtime_ns(), text);
	return json_string(text);
}

#define EVENT_ID "EventId"

enum {
	TEST_TEXT_MAX = 1024,
	TEST_ARGS_MAX = 16,
	DELIVERY_WAIT_MS = 12 * 1000, /* longer than PUSH_CONNECT_SECONDS */
	DELIVERY_CHECK_MS = 20,
};

#define TEST_TEXT .type = PARAMETER_TEXT, .max = TEST_TEXT_MAX

static const char *const healths[] = {"OK", "Warning", "Critical", NULL};
static const char *const event_types[] = {
	"StatusChange", "ResourceUpdated", "ResourceAdded", "ResourceRemoved",
	"Alert",	"MetricReport",	   "Other",	    NULL};

static const struct parameter submit_rows[] = {
	{.name = "MessageId", TEST_TEXT, .required = true},
	{.name = "Message", TEST_TEXT},
	{.name = "MessageSeverity", TEST_TEXT, .values = healths},
	{.name = "Severity",
	 TEST_TEXT,
	 .values = healths,
	 .description = "the MessageSeverity, if that is not given"},
	{.name = "EventType",
	 TEST_TEXT,
	 .values = event_types,
	 .description = "Other, if it is not given"},
	{.name = "EventTimestamp", TEST_TEXT, .description = "now, if it is not given"},
	{.name = "OriginOfCondition", TEST_TEXT, .description = "the URI of a resource"},
	{.name = EVENT_ID, TEST_TEXT, .description = "ignored: the service makes it"},
	{.name = "MessageArgs",
	 .type = PARAMETER_TEXTS,
	 .max = TEST_TEXT_MAX,
	 .max_items = TEST_ARGS_MAX},
	{.name = "EventGroupId", .type = PARAMETER_NUMBER, .min = INT64_MIN, .max = INT64_MAX},
};

const struct parameters submit_test_event_parameters = {PARAMETER_ROWS(submit_rows)};

static int set_defaults(const struct exchange *x, json_t *record)
{
	const char *severity = body_text(x, "Severity"),
		   *origin = body_text(x, "OriginOfCondition");
	int r = 0;

	if (!body_has(x, "EventTimestamp"))
		r |= json_object_set_new(record, "EventTimestamp", now_json());
	if (!body_has(x, "EventType"))
		r |= json_object_set_new(record, "EventType", json_string("Other"));
	if (!body_has(x, "MessageSeverity") && severity)
		r |= json_object_set_new(record, "MessageSeverity", json_string(severity));
	if (origin)
		r |= json_object_set_new(record, "OriginOfCondition",
					 json_pack("{s:s}", "@odata.id", origin));
	return r < 0 ? -ENOMEM : 0;
}

/* Return: the record of what the client sent; NULL when out of memory. */
static json_t *test_record(const struct exchange *x)
{
	json_t *record = body_record(x);

	(void)json_object_del(record, EVENT_ID);
	if (record && set_defaults(x, record) < 0) {
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
	return send_in_job(x, &sending, test_record(x));
}

int run_test_event_subscription(struct exchange *x)
{
	return send_in_job(x, &sending_and_waiting, resource_event_test_message());
}
