// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/core_peer.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/service/exchange.h"

#define OWN_SUBSCRIPTION URI_SUBSCRIPTIONS "/" SUNFISH_SERVER

static bool is_below(const char *uri, const char *top)
{
	const char *rest = str_after_prefix(uri, top);

	return rest && (rest[0] == '\0' || rest[0] == '/');
}

bool core_peer_offers(const char *uri, const char *schema)
{
	static const char *const trees[] = {"Systems", "Fabrics", "Chassis", "Managers"};
	const char *path = str_after_prefix(uri, URI_ROOT);

	if (!path || !schema || str_equal(schema, "LogEntry") ||
	    str_equal(schema, "LogEntryCollection"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(trees); i++)
		if (is_below(path, trees[i]))
			return true;
	return false;
}

static bool may_read(const struct resource *r)
{
	return core_peer_offers(r->uri, r->type->schema) || str_equal(r->uri, URI_ROOT) ||
	       is_below(r->uri, URI_AGGREGATION_SERVICE) || str_equal(r->uri, OWN_SUBSCRIPTION);
}

bool core_peer_admits(const struct exchange *x)
{
	const struct resource *r = x->resource;

	if (!r)
		return true;
	if (x->method == METHOD_PATCH && !r->action && str_equal(r->uri, OWN_SUBSCRIPTION))
		return true;
	/* Query options lead to other resources. */
	return (x->method == METHOD_GET || x->method == METHOD_HEAD) && x->req->n_options == 0 &&
	       may_read(r);
}
