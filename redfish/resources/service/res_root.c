// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The entry points: /redfish, the service root, and the OData service document.

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/uris.h"
#include "redfish/query/expand.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry_version.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/service/service_uuid.h"
#include "redfish/view/view.h"

static void render_versions(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	(void)r;
	put_object(w, NULL);
	put_string(w, "v1", URI_ROOT);
	put_end(w);
}

/* The links of the service root. */
static const char *const children[] = {
	"AccountService", "SessionService",   "CertificateService", "Systems",	   "Chassis",
	"Fabrics",	  "Managers",	      "Registries",	    "JsonSchemas", "EventService",
	"UpdateService",  "TelemetryService", "AggregationService",
};

static void put_protocol_features(struct json_writer *w)
{
	put_object(w, "ProtocolFeaturesSupported");
	put_bool(w, "ClientContextQuery", true);
	put_bool(w, "ExcerptQuery", true);
	put_bool(w, "FilterQuery", true);
	put_bool(w, "FilterQueryComparisonOperations", true);
	put_bool(w, "FilterQueryCompoundOperations", true);
	put_bool(w, "IncludeOriginOfConditionQuery", true);
	put_bool(w, "MultipleHTTPRequests", true);
	put_bool(w, "OnlyMemberQuery", true);
	put_bool(w, "SelectQuery", true);
	put_bool(w, "TopSkipQuery", true);
	put_object(w, "ExpandQuery");
	put_bool(w, "ExpandAll", true);
	put_bool(w, "Levels", true);
	put_bool(w, "Links", true);
	put_number(w, "MaxLevels", EXPANSION_LEVELS_MAX);
	put_bool(w, "NoLinks", true);
	put_end(w);
	put_end(w);
}

static void render_service_root(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	(void)r;
	put_string(w, "Name", "Root Service");
	put_string(w, "Description", "The CXL memory of this host and its addresses");
	put_string(w, "RedfishVersion", "1.20.0");
	/* The prefix of its Oem properties, by which clients choose what they know of a vendor. */
	put_string(w, "Vendor", OWN_REGISTRY_PREFIX);
	put_string(w, "Product", PACKAGE_NAME);
	put_service_uuid(v, w, "UUID");
	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		put_link(w, children[i], URI_ROOT "%s", children[i]);
	put_link(w, "Tasks", URI_TASK_SERVICE);
	put_protocol_features(w);
	put_object(w, "Links");
	put_link(w, "Sessions", URI_SESSIONS);
	put_link(w, "ManagerProvidingService", URI_MANAGER);
	put_end(w);
}

static void put_service(struct json_writer *w, const char *name, const char *url)
{
	put_object(w, NULL);
	put_string(w, "name", name);
	put_string(w, "kind", "Singleton");
	put_string(w, "url", url);
	put_end(w);
}

/* Resources directly below the service root; documents are none. */
static bool is_child(const struct resource *r)
{
	const char *name = str_after_prefix(r->uri, URI_ROOT);

	return name && name[0] && !strchr(name, '/') && r->type->schema && !r->hidden;
}

static void render_odata(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct resource *child;

	(void)r;
	put_object(w, NULL);
	put_string(w, "@odata.context", URI_ROOT "$metadata");
	put_array(w, "value");
	put_service(w, "Service", URI_ROOT);
	for (size_t i = 0; (child = resource_at(v->index, i)); i++)
		if (is_child(child))
			put_service(w, child->id, child->uri);
	put_end(w);
	put_end(w);
}

static const struct resource_type root_types[] = {
	{.pattern = "/redfish", .render = render_versions},
	{.pattern = URI_ROOT,
	 SCHEMA("ServiceRoot", "v1_21_0"),
	 .id = "RootService",
	 .render = render_service_root},
	{.pattern = "/redfish/v1/odata", .render = render_odata},
};

const struct resource_rows root_rows = RESOURCE_ROWS(root_types);
