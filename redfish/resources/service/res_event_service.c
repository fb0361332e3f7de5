// SPDX-License-Identifier: LGPL-2.1-or-later
//
// EventService, its subscriptions and its stream of server-sent events.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "common/clock.h"
#include "redfish/eventing/delivery_filter.h"
#include "redfish/eventing/event_service.h"
#include "redfish/eventing/event_stream.h"
#include "redfish/eventing/subscription.h"
#include "redfish/eventing/sunfish_destination.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/feed/event_message.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/core/resource_index.h"

/* ---- EventService.SubmitTestEvent and EventService.TestEventSubscription -----------------
 */

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
static const char *const event_type_names[] = {
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
	 .values = event_type_names,
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

static const struct parameters submit_test_event_parameters = {PARAMETER_ROWS(submit_rows)};

static int set_defaults(const struct exchange *x, json_t *record)
{
	const char *severity = body_text(x, "Severity"),
		   *origin = body_text(x, "OriginOfCondition");
	char uri[RESOURCE_URI_MAX];
	int r = 0;

	if (!body_has(x, "EventTimestamp"))
		r |= json_object_set_new(record, "EventTimestamp", now_json());
	if (!body_has(x, "EventType"))
		r |= json_object_set_new(record, "EventType", json_string("Other"));
	if (!body_has(x, "MessageSeverity") && severity)
		r |= json_object_set_new(record, "MessageSeverity", json_string(severity));
	if (origin)
		r |= json_object_set_new(
			record, "OriginOfCondition",
			json_pack("{s:s}", "@odata.id", system_id_read_any(origin, uri)));
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

static int run_submit_test_event(struct exchange *x)
{
	return send_in_job(x, &sending, test_record(x));
}

static int run_test_event_subscription(struct exchange *x)
{
	return send_in_job(x, &sending_and_waiting, resource_event_test_message());
}

/* ---- EventService ------------------------------------------------------------------------
 */

/* Names of registries and schemas that a filter may have. */
static const char *const registries[] = {"CXLHost", "ResourceEvent", "TaskEvent", "Base"};
static const char *const event_resource_types[] = {"Memory", "MemoryChunks", "Port"};
static const char *const severities[] = {"OK", "Warning", "Critical"};
static const char *const filter_properties[] = {"EventFormatType", "MessageId", "OriginResource",
						"RegistryPrefix", "ResourceType"};

static int refuse_disabled(struct exchange *x)
{
	return exchange_refuse(x, MESSAGE_SERVICE_DISABLED, URI_EVENT_SERVICE, NULL, NULL);
}

static void put_names(struct json_writer *w, const char *key, const char *const *names, size_t n)
{
	put_array(w, key);
	for (size_t i = 0; i < n; i++)
		put_string(w, NULL, names[i]);
	put_end(w);
}

static void put_filter_properties(struct json_writer *w)
{
	put_object(w, "SSEFilterPropertiesSupported");
	for (size_t i = 0; i < ARRAY_SIZE(filter_properties); i++)
		put_bool(w, filter_properties[i], true);
	put_bool(w, "MetricReportDefinition", false);
	put_bool(w, "SubordinateResources", false);
	put_end(w);
}

static int get_event_service(struct exchange *x)
{
	struct json_writer *w = &x->w;
	const struct event_service *es = x->service->event_service;

	put_string(w, "Name", "Event Service");
	put_bool(w, "ServiceEnabled", es != NULL);
	put_object(w, "Status");
	put_string(w, "State", es ? "Enabled" : "Disabled");
	if (es)
		put_string(w, "Health", "OK");
	put_end(w);
	put_link(w, "Subscriptions", URI_SUBSCRIPTIONS);
	put_string(w, "ServerSentEventUri", URI_SSE);
	if (es) {
		put_number(w, "DeliveryRetryAttempts", event_service_options(es)->retry_attempts);
		put_number(w, "DeliveryRetryIntervalSeconds",
			   event_service_options(es)->retry_seconds);
	}
	put_array(w, "EventFormatTypes");
	put_string(w, NULL, "Event");
	put_end(w);
	put_names(w, "RegistryPrefixes", registries, ARRAY_SIZE(registries));
	put_names(w, "ResourceTypes", event_resource_types, ARRAY_SIZE(event_resource_types));
	put_names(w, "Severities", severities, ARRAY_SIZE(severities));
	put_bool(w, "ExcludeMessageId", true);
	put_bool(w, "ExcludeRegistryPrefix", true);
	put_bool(w, "OriginResourcesSupported", true);
	put_bool(w, "SubordinateResourcesSupported", true);
	put_bool(w, "IncludeOriginOfConditionSupported", true);
	put_bool(w, "SSEIncludeOriginOfConditionSupported", true);
	put_filter_properties(w);
	put_actions(x->resource, w);
	return 0;
}

/* ---- server-sent events -----------------------------------------------------------------------
 */

static int open_stream(struct exchange *x, struct http_stream_source **ret)
{
	struct event_service *es = x->service->event_service;
	const char *filter = x->query.filter, *last_id = x->req->headers[HEADER_LAST_EVENT_ID];
	struct event_stream *stream;
	struct opt_u64 last = {0};
	int r;

	if (!es)
		return refuse_disabled(x);
	if (filter && !delivery_filter_check(filter))
		return exchange_refuse(x, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, filter,
				       "$filter", NULL);
	/* An id that is no number of an entry is ignored. */
	if (last_id && last_id[0] >= '0' && last_id[0] <= '9')
		last.present = parse_u64(last_id, &last.value) == 0;
	r = event_stream_new(es, &x->principal, &x->req->client, filter,
			     x->query.given & QUERY_ORIGIN, last, &stream);
	if (r == 0)
		*ret = event_stream_source(stream);
	if (r != -EBUSY)
		return r;
	r = exchange_refuse(x, MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED, NULL, NULL, NULL);
	x->message.status = 503;
	return r;
}

/* ---- EventDestination -------------------------------------------------------------------------
 */

/* Return: the result of an operation on a subscription, as operations return it. */
static int subscription_result(struct exchange *x, int r)
{
	if (r == -ENOENT)
		return exchange_missing(x);
	if (r == -ENOSPC)
		return exchange_refuse(x, MESSAGE_INSUFFICIENT_STORAGE, NULL, NULL, NULL);
	/* The store cannot be written now; it is tried again and again. */
	if (r < 0 && r != -EINVAL && r != -ENOMEM)
		return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "30", NULL,
				       NULL);
	return r;
}

static int get_subscriptions(struct exchange *x)
{
	struct event_service *es = x->service->event_service;
	struct json_writer *w = &x->w;
	size_t n = 0;
	int r = 0;

	put_string(w, "Name", x->resource->type->title);
	put_array(w, "Members");
	if (es)
		r = event_service_put_links(es, w, &n);
	put_end(w);
	put_number(w, "Members@odata.count", n);
	return subscription_result(x, r);
}

static void free_given(void *state)
{
	json_decref(state);
}

static int create_run(struct exchange *x, void *state)
{
	uint64_t id = 0;
	int r = event_service_subscribe(x->service->event_service, state, &x->principal, &id,
					&x->message);

	if (r < 0)
		return subscription_result(x, r);
	(void)snprintf(x->location, sizeof(x->location), URI_SUBSCRIPTIONS "/%" PRIu64, id);
	return 0;
}

/* The job gets the values of the body, which it keeps. */
static int continue_with_body(struct exchange *x, const struct continuation *c)
{
	json_t *given = body_record(x);

	return given ? exchange_continue(x, c, given) : -ENOMEM;
}

static int create_subscription(struct exchange *x)
{
	static const struct continuation creating = {
		.class = JOB_STORE, .run = create_run, .free = free_given};

	if (!x->service->event_service)
		return refuse_disabled(x);
	return continue_with_body(x, &creating);
}

static bool subscription_is_own(const struct exchange *x)
{
	struct event_service *es = x->service->event_service;

	if (es && sunfish_destination_is(es, x->resource->id))
		return x->principal.means == AUTHENTICATION_CORE;
	return es && event_service_is_owner(es, x->resource->id, x->principal.account);
}

static int get_subscription(struct exchange *x)
{
	struct event_service *es = x->service->event_service;
	int r = es ? event_service_put(es, x->resource->id, &x->w) : -ENOENT;

	if (r == 0 && x->resource->id[0] >= '0' && x->resource->id[0] <= '9')
		put_actions(x->resource, &x->w);
	return subscription_result(x, r);
}

static int patch_run(struct exchange *x, void *state)
{
	return subscription_result(x, event_service_change(x->service->event_service,
							   x->resource->id, state, &x->message));
}

/* The principal has no privilege but for this one. */
static int patch_core_run(struct exchange *x, void *state)
{
	return subscription_result(
		x, sunfish_destination_change(x->service->event_service, state, &x->message));
}

static int patch_subscription(struct exchange *x)
{
	static const struct continuation assigning = {
		.class = JOB_STORE, .run = patch_core_run, .free = free_given};
	static const struct continuation changing = {
		.class = JOB_STORE, .run = patch_run, .free = free_given};

	if (!x->service->event_service)
		return exchange_missing(x);
	if (x->principal.means == AUTHENTICATION_CORE)
		return continue_with_body(x, &assigning);
	return continue_with_body(x, &changing);
}

static int remove_run(struct exchange *x, void *state)
{
	(void)state;
	return subscription_result(x, event_service_unsubscribe(x->service->event_service,
								x->resource->id, &x->message));
}

static int remove_subscription(struct exchange *x)
{
	static const struct continuation removing = {.class = JOB_STORE, .run = remove_run};

	if (!x->service->event_service)
		return exchange_missing(x);
	return exchange_continue(x, &removing, NULL);
}

/* ---- actions ----------------------------------------------------------------------------------
 */

struct suspension {
	bool suspended;
	struct opt_u64 max_age_ns; /* of the buffered events that are delivered on resuming */
};

static int suspend_run(struct exchange *x, void *state)
{
	struct event_service *es = x->service->event_service;
	const struct suspension *s = state;

	return subscription_result(x, event_service_suspend(es, x->resource->id, s->suspended,
							    s->max_age_ns, &x->message));
}

static int suspend_in_job(struct exchange *x, bool suspended, struct opt_u64 max_age_ns)
{
	static const struct continuation suspending = {
		.class = JOB_STORE,
		.run = suspend_run,
		.free = free,
	};
	struct suspension *s;

	if (!x->service->event_service)
		return exchange_missing(x);
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	*s = (struct suspension){suspended, max_age_ns};
	return exchange_continue(x, &suspending, s);
}

static int run_suspend_subscription(struct exchange *x)
{
	return suspend_in_job(x, true, (struct opt_u64){0});
}

/* An ISO 8601 duration as Redfish has it: "P1DT2H3M4.5S"; some centuries at most. */
static bool parse_duration(const char *s, uint64_t *ret_ns)
{
	static const struct {
		char unit;
		bool time;
		double seconds;
	} units[] = {{'D', false, 86400}, {'H', true, 3600}, {'M', true, 60}, {'S', true, 1}};
	double seconds = 0;
	bool time = false;
	size_t next = 0;

	if (*s++ != 'P' || !*s)
		return false;
	while (*s) {
		size_t len;
		char *end;
		double n;

		if (*s == 'T' && !time) {
			time = true;
			s++;
			continue;
		}
		len = strspn(s, "0123456789.");
		if (*s < '0' || *s > '9' || len > 18)
			return false;
		n = strtod(s, &end);
		if (end != s + len)
			return false;
		while (next < ARRAY_SIZE(units) &&
		       (units[next].unit != *end || units[next].time != time))
			next++;
		if (next == ARRAY_SIZE(units))
			return false;
		seconds += n * units[next++].seconds;
		s = end + 1;
	}
	*ret_ns = seconds < 9e9 ? (uint64_t)(seconds * 1e9) : UINT64_MAX / 2;
	return s[-1] != 'T';
}

static bool is_duration(const char *text)
{
	uint64_t ns;

	return parse_duration(text, &ns);
}

#define BUFFERED "DeliverBufferedEventDuration"

static const struct parameter resume_rows[] = {
	{.name = BUFFERED,
	 .type = PARAMETER_TEXT,
	 .pattern = "^P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\\.[0-9]+)?S)?)?$",
	 .accepts = is_duration,
	 .description =
		 "how old an event may be that was kept meanwhile and is delivered now; without it, all of them"},
};

static const struct parameters resume_parameters = {PARAMETER_ROWS(resume_rows)};

static int run_resume_subscription(struct exchange *x)
{
	struct opt_u64 max_age = {.present = body_has(x, BUFFERED)};

	if (max_age.present)
		(void)parse_duration(body_text(x, BUFFERED), &max_age.value);
	return suspend_in_job(x, false, max_age);
}

static const struct action event_service_actions[] = {
	{"EventService.SubmitTestEvent", &submit_test_event_parameters, .standard = true,
	 .run = run_submit_test_event},
	{"EventService.TestEventSubscription", .standard = true,
	 .run = run_test_event_subscription},
};

enum { SUSPEND, RESUME };

static const struct action subscription_actions[] = {
	[SUSPEND] = {"EventDestination.SuspendSubscription", .standard = true,
		     .run = run_suspend_subscription},
	[RESUME] = {"EventDestination.ResumeSubscription", &resume_parameters, .standard = true,
		    .run = run_resume_subscription},
};

/* Puts the ActionInfo of a dynamic resource, so it is not made with those of the index. */
static int get_resume_info(struct exchange *x)
{
	struct event_service *es = x->service->event_service;
	_cleanup_writer_ struct json_writer subscription = {0};
	const char *id = exchange_id(x, 0);
	int r = es && id[0] >= '0' && id[0] <= '9' ? event_service_put(es, id, &subscription)
						   : -ENOENT;

	if (r == 0)
		put_action_info(action_short_name(&subscription_actions[RESUME]),
				&resume_parameters, x->resource, &x->w);
	return subscription_result(x, r);
}

static const struct resource_type event_types[] = {
	{.pattern = URI_EVENT_SERVICE,
	 SCHEMA("EventService", "v1_12_0"),
	 .get = get_event_service,
	 ACTIONS(event_service_actions)},
	{.pattern = URI_SSE,
	 .content_type = "text/event-stream",
	 .open = open_stream,
	 .options = QUERY_FILTER | QUERY_ORIGIN},
	{.pattern = URI_SUBSCRIPTIONS,
	 COLLECTION_SCHEMA("EventDestinationCollection", "EventDestination", "Event Subscriptions"),
	 .get = get_subscriptions,
	 .create = create_subscription,
	 .create_body = &subscription_body},
	{.pattern = URI_SUBSCRIPTIONS "/{EventDestination}",
	 SCHEMA("EventDestination", "v1_17_0"),
	 .dynamic = true,
	 .own = subscription_is_own,
	 .get = get_subscription,
	 .patch = patch_subscription,
	 .patch_body = &subscription_body,
	 .remove = remove_subscription,
	 ACTIONS(subscription_actions)},
	{.pattern = URI_SUBSCRIPTIONS "/{EventDestination}/ResumeSubscriptionActionInfo",
	 SCHEMA("ActionInfo", "v1_6_0"),
	 .dynamic = true,
	 .get = get_resume_info},
};

const struct resource_rows event_rows = RESOURCE_ROWS(event_types);
