// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The AggregationService: not to aggregate others, but for the ConnectionMethod by which the core
// of Sunfish registers this service.
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/eventing/sunfish_destination.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/exchange.h"
#include "redfish/service/service.h"

/* Return: whether there is a ConnectionMethod. */
static bool method_of(const struct exchange *x, char ret[static SUNFISH_METHOD_MAX])
{
	struct event_service *es = x->service->event_service;

	return es && event_service_connection_method(es, ret);
}

static int get_aggregation_service(struct exchange *x)
{
	struct json_writer *w = &x->w;
	char method[SUNFISH_METHOD_MAX];
	const bool is_on = method_of(x, method);

	put_string(w, "Name", "Aggregation Service");
	put_string(w, "Description", "How the core of Sunfish aggregates this service");
	put_bool(w, "ServiceEnabled", is_on);
	put_state(w, is_on ? "Enabled" : "Disabled");
	put_link(w, "ConnectionMethods", URI_CONNECTION_METHODS);
	return 0;
}

static int get_methods(struct exchange *x)
{
	struct json_writer *w = &x->w;
	char method[SUNFISH_METHOD_MAX];
	const bool found = method_of(x, method);

	put_string(w, "Name", x->resource->type->title);
	put_array(w, "Members");
	if (found)
		put_link(w, NULL, URI_CONNECTION_METHODS "/%s", method);
	put_end(w);
	put_number(w, "Members@odata.count", found);
	return 0;
}

static int get_method(struct exchange *x)
{
	struct json_writer *w = &x->w;
	char method[SUNFISH_METHOD_MAX];

	if (!method_of(x, method) || !str_equal(method, x->resource->id))
		return exchange_missing(x);
	put_string(w, "Name", "Connection of a Sunfish core");
	put_string(w, "ConnectionMethodType", "Redfish");
	return 0;
}

static const struct resource_type aggregation_types[] = {
	{.pattern = URI_AGGREGATION_SERVICE,
	 SCHEMA("AggregationService", "v1_0_3"),
	 .get = get_aggregation_service},
	{.pattern = URI_CONNECTION_METHODS,
	 COLLECTION_SCHEMA("ConnectionMethodCollection", "ConnectionMethod", "Connection Methods"),
	 .get = get_methods},
	{.pattern = URI_CONNECTION_METHODS "/{ConnectionMethod}",
	 SCHEMA("ConnectionMethod", "v1_3_0"),
	 .dynamic = true,
	 .get = get_method},
};

const struct resource_rows aggregation_rows = RESOURCE_ROWS(aggregation_types);
