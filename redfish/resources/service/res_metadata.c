// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The OData metadata document. DMTF's schemas are named by their public URIs; ours by relative
// ones, the only place where a validator can find them.

#include <stdio.h>
#include <string.h>

#include "redfish/resources/service/oem_schemas.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/view/view.h"

#define CSDL_SUFFIX "_v1.xml"
#define OEM_VERSION "v1_0_0"

static void put_include(struct json_writer *w, const char *schema, const char *version)
{
	put_raw(w, "    <edmx:Include Namespace=\"");
	put_raw(w, schema);
	if (version) {
		put_raw(w, ".");
		put_raw(w, version);
	}
	put_raw(w, "\"/>\n");
}

static void put_reference(struct json_writer *w, const char *directory, const char *schema,
			  const char *version)
{
	put_raw(w, "  <edmx:Reference Uri=\"");
	put_raw(w, directory);
	put_raw(w, schema);
	put_raw(w, CSDL_SUFFIX "\">\n");
	put_include(w, schema, NULL);
	if (version)
		put_include(w, schema, version);
	put_raw(w, "  </edmx:Reference>\n");
}

#define DMTF_CSDL	  "http://redfish.dmtf.org/schemas/v1/"
#define CONTAINER_VERSION "v1_19_0"

static void put_oem_references(struct json_writer *w)
{
	char schema[64];

	for (const struct oem_schema *s = oem_csdl; s->file; s++) {
		(void)snprintf(schema, sizeof(schema), "%.*s",
			       (int)(strlen(s->file) - strlen(CSDL_SUFFIX)), s->file);
		put_reference(w, URI_SCHEMAS "/", schema, OEM_VERSION);
	}
}

static void render_metadata(const struct view *v, const struct resource *r, struct json_writer *w)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;

	(void)r;
	put_raw(w,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<edmx:Edmx xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\" Version=\"4.0\">\n");
	while ((type = resource_table_next(v->table, &at)))
		if (type->schema && !resource_table_repeats(v->table, type))
			put_reference(w, DMTF_CSDL, type->schema, type->version);
	/* The service container is defined in an older version than the service root's own. */
	put_raw(w, "  <edmx:Reference Uri=\"" DMTF_CSDL "ServiceRoot" CSDL_SUFFIX "\">\n");
	put_include(w, "ServiceRoot", CONTAINER_VERSION);
	put_raw(w, "  </edmx:Reference>\n");
	put_reference(w, DMTF_CSDL, "Message", "v1_3_0");
	put_reference(w, DMTF_CSDL, "MessageRegistry", "v1_7_0");
	put_reference(w, DMTF_CSDL, "Resource", "v1_0_0");
	put_raw(w, "  <edmx:Reference Uri=\"" DMTF_CSDL "RedfishExtensions_v1.xml\">\n"
		   "    <edmx:Include Namespace=\"RedfishExtensions.v1_0_0\" Alias=\"Redfish\"/>\n"
		   "  </edmx:Reference>\n");
	put_oem_references(w);
	put_raw(w,
		"  <edmx:DataServices>\n"
		"    <Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"Service\">\n"
		"      <EntityContainer Name=\"Service\" Extends=\"ServiceRoot." CONTAINER_VERSION
		".ServiceContainer\"/>\n"
		"    </Schema>\n"
		"  </edmx:DataServices>\n"
		"</edmx:Edmx>\n");
}

static const struct resource_type metadata_types[] = {
	{.pattern = "/redfish/v1/$metadata",
	 .content_type = CONTENT_TYPE_XML,
	 .render = render_metadata},
};

const struct resource_rows metadata_rows = RESOURCE_ROWS(metadata_types);
