// SPDX-License-Identifier: LGPL-2.1-or-later
//
// EventService, its subscriptions and its stream of server-sent events.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/eventing/delivery_filter.h"
#include "redfish/eventing/event_service.h"
#include "redfish/eventing/event_stream.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/dynamic.h"
#include "redfish/resources.h"
#include "redfish/service.h"

/* What a client may take for the name of a registry or of a schema in a filter. */
static const char *const registries[] = {"CXLHost", "ResourceEvent", "Base"};
static const char *const resource_types_told[] = {"Memory", "MemoryChunks", "Port"};
static const char *const severities[] = {"OK", "Warning", "Critical"};
static const char *const filter_properties[] = {"EventFormatType", "MessageId", "OriginResource",
						"RegistryPrefix", "ResourceType"};

static int refuse_disabled(struct dynamic_request *q)
{
	return dynamic_refuse(q, MESSAGE_SERVICE_DISABLED, URI_EVENT_SERVICE, NULL, NULL);
}

static void put_words(struct json_writer *w, const char *key, const char *const *words, size_t n)
{
	put_array(w, key);
	for (size_t i = 0; i < n; i++)
		put_string(w, NULL, words[i]);
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

static int get_event_service(struct dynamic_request *q, struct json_writer *w)
{
	const struct event_service *es = service_event_service(q->service);

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
	put_words(w, "RegistryPrefixes", registries, ARRAY_SIZE(registries));
	put_words(w, "ResourceTypes", resource_types_told, ARRAY_SIZE(resource_types_told));
	put_words(w, "Severities", severities, ARRAY_SIZE(severities));
	put_bool(w, "ExcludeMessageId", true);
	put_bool(w, "ExcludeRegistryPrefix", true);
	put_bool(w, "OriginResourcesSupported", true);
	put_bool(w, "SubordinateResourcesSupported", true);
	put_bool(w, "IncludeOriginOfConditionSupported", true);
	put_bool(w, "SSEIncludeOriginOfConditionSupported", false);
	put_filter_properties(w);
	put_actions(q->resource, w);
	return 0;
}

const struct dynamic_ops event_service_ops = {.get = get_event_service};

/* ---- server-sent events -----------------------------------------------------------------------
 */

static int open_stream(struct dynamic_request *q, struct event_stream **ret)
{
	struct event_service *es = service_event_service(q->service);
	const char *filter = q->query->filter;
	struct opt_u64 last = {0};
	int r;

	if (!es)
		return refuse_disabled(q);
	if (filter && !delivery_filter_check(filter))
		return dynamic_refuse(q, MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR, filter,
				      "$filter", NULL);
	/* What is none of our numbers is no reason to send nothing. */
	if (q->last_event_id && q->last_event_id[0] >= '0' && q->last_event_id[0] <= '9')
		last.present = parse_u64(q->last_event_id, &last.value) == 0;
	r = event_stream_new(es, filter, last, ret);
	if (r != -EBUSY)
		return r;
	r = dynamic_refuse(q, MESSAGE_EVENT_SUBSCRIPTION_LIMIT_EXCEEDED, NULL, NULL, NULL);
	q->refusal->status = 503;
	return r;
}

const struct dynamic_ops event_stream_ops = {.options = QUERY_FILTER, .open = open_stream};

/* ---- EventDestination -------------------------------------------------------------------------
 */

/* Return: what an operation on a subscription came to, as live operations return it. */
static int live_result(struct dynamic_request *q, int r)
{
	if (r == -ENOENT)
		return dynamic_missing(q);
	if (r == -ENOSPC)
		return dynamic_refuse(q, MESSAGE_INSUFFICIENT_STORAGE, NULL, NULL, NULL);
	/* The store cannot be written now; it is tried again and again. */
	if (r < 0 && r != -EINVAL && r != -ENOMEM)
		return dynamic_refuse(q, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "30", NULL, NULL);
	return r;
}

static int get_subscriptions(struct dynamic_request *q, struct json_writer *w)
{
	struct event_service *es = service_event_service(q->service);
	size_t n = 0;

	put_string(w, "Name", q->resource->type->title);
	put_array(w, "Members");
	if (es)
		n = event_service_put_links(es, w);
	put_end(w);
	put_number(w, "Members@odata.count", n);
	return 0;
}

static int create_subscription(struct dynamic_request *q)
{
	struct event_service *es = service_event_service(q->service);
	uint64_t id = 0;
	int r;

	if (!es)
		return refuse_disabled(q);
	if (!q->may_wait)
		return -EINPROGRESS;
	r = event_service_subscribe(es, q->body, &id, q->refusal);
	if (r < 0)
		return live_result(q, r);
	(void)snprintf(q->location, sizeof(q->location), URI_SUBSCRIPTIONS "/%" PRIu64, id);
	return 0;
}

const struct dynamic_ops subscriptions_ops = {.get = get_subscriptions,
					      .create = create_subscription};

static int get_subscription(struct dynamic_request *q, struct json_writer *w)
{
	struct event_service *es = service_event_service(q->service);
	int r = es ? event_service_put(es, q->resource->id, w) : -ENOENT;

	if (r == 0 && !str_after_prefix(q->resource->id, "SSE-"))
		put_actions(q->resource, w);
	return live_result(q, r);
}

static int patch_subscription(struct dynamic_request *q)
{
	struct event_service *es = service_event_service(q->service);

	if (!es)
		return dynamic_missing(q);
	if (!q->may_wait)
		return -EINPROGRESS;
	return live_result(q, event_service_change(es, q->resource->id, q->body, q->refusal));
}

static int remove_subscription(struct dynamic_request *q)
{
	struct event_service *es = service_event_service(q->service);

	if (!es)
		return dynamic_missing(q);
	if (!q->may_wait)
		return -EINPROGRESS;
	return live_result(q, event_service_unsubscribe(es, q->resource->id));
}

const struct dynamic_ops subscription_ops = {
	.get = get_subscription,
	.patch = patch_subscription,
	.remove = remove_subscription,
};

/* ---- actions ----------------------------------------------------------------------------------
 */

static int unknown_parameter(struct dynamic_request *q, const char *name)
{
	return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_UNKNOWN, q->resource->action->name, name,
			      NULL);
}

static int check_parameters(struct dynamic_request *q, const char *const *names, size_t n)
{
	const char *name;
	json_t *value;

	json_object_foreach(q->body, name, value) {
		size_t i = 0;

		while (i < n && !str_equal(names[i], name))
			i++;
		if (i == n)
			return unknown_parameter(q, name);
	}
	return 0;
}

static int suspend(struct dynamic_request *q, bool suspended, struct opt_u64 max_age_ns)
{
	struct event_service *es = service_event_service(q->service);

	if (!es)
		return dynamic_missing(q);
	if (!q->may_wait)
		return -EINPROGRESS;
	return live_result(
		q, event_service_suspend(es, q->resource->id, suspended, max_age_ns, q->refusal));
}

int run_suspend_subscription(struct dynamic_request *q, struct json_writer *w)
{
	int r = check_parameters(q, NULL, 0);

	(void)w;
	return r < 0 ? r : suspend(q, true, (struct opt_u64){0});
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

int run_resume_subscription(struct dynamic_request *q, struct json_writer *w)
{
	static const char name[] = "DeliverBufferedEventDuration";
	static const char *const names[] = {name};
	const json_t *value = json_object_get(q->body, name);
	struct opt_u64 max_age = {0};
	int r = check_parameters(q, names, ARRAY_SIZE(names));

	(void)w;
	if (r < 0)
		return r;
	if (value && !json_is_string(value))
		return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR, "", name,
				      q->resource->action->name);
	max_age.present = value != NULL;
	if (value && !parse_duration(json_string_value(value), &max_age.value))
		return dynamic_refuse(q, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR,
				      json_string_value(value), name, q->resource->action->name);
	return suspend(q, false, max_age);
}
