// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The schemas: DMTF's by their public URIs, and the OEM schemas, which are served.

#include <stdio.h>
#include <string.h>

#include "redfish/resources/service/oem_schemas.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/view/view.h"

#define JSON_SUFFIX ".json"

static int add_files(const struct oem_schema *schemas, const struct resource_type *t,
		     struct resource_index *ix)
{
	int r = 0;

	for (const struct oem_schema *s = schemas; s->file && r >= 0; s++)
		r = resource_add(ix, t, s, (const char *const[]){s->file});
	return r;
}

static int enumerate_oem_csdl(const struct view *v, const struct resource_type *t,
			      struct resource_index *ix)
{
	(void)v;
	return add_files(oem_csdl, t, ix);
}

static int enumerate_oem_json_schemas(const struct view *v, const struct resource_type *t,
				      struct resource_index *ix)
{
	(void)v;
	return add_files(oem_json_schemas, t, ix);
}

static void render_oem_schema(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct oem_schema *s = r->object;

	(void)v;
	put_constant(w, s->bytes, s->len);
}

/* "#Memory.v1_23_0.Memory" is in Memory.v1_23_0, "CXLHostMemory.v1_0_0.json" in its name. */
enum { SCHEMA_ID_MAX = 96 };

static int add_schema_file(struct resource_index *ix, const struct resource_type *t,
			   const void *object, const char *name, size_t len)
{
	char id[SCHEMA_ID_MAX];

	(void)snprintf(id, sizeof(id), "%.*s", (int)len, name);
	return resource_add(ix, t, object, (const char *const[]){id});
}

static int enumerate_dmtf_schema_files(const struct view *v, const struct resource_type *t,
				       struct resource_index *ix)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;
	int r = 0;

	while (r >= 0 && (type = resource_table_next(v->table, &at))) {
		const char *name = type->odata_type ? type->odata_type + 1 : NULL;

		if (name && !resource_table_repeats(v->table, type))
			r = add_schema_file(ix, t, type, name, (size_t)(strrchr(name, '.') - name));
	}
	return r;
}

static int enumerate_oem_schema_files(const struct view *v, const struct resource_type *t,
				      struct resource_index *ix)
{
	int r = 0;

	(void)v;
	for (const struct oem_schema *s = oem_json_schemas; s->file && r >= 0; s++)
		r = add_schema_file(ix, t, s, s->file, strlen(s->file) - strlen(JSON_SUFFIX));
	return r;
}

static void put_schema_file(const struct resource *r, const char *where, const char *uri,
			    struct json_writer *w)
{
	put_format(w, "Name", "%s JSON schema", r->id);
	put_file_location(w, where, "%s", uri);
}

static void render_dmtf_schema_file(const struct view *v, const struct resource *r,
				    struct json_writer *w)
{
	const struct resource_type *of = r->object;

	(void)v;
	put_schema_file(r, "PublicationUri", of->schema_uri, w);
	put_string(w, "Schema", of->odata_type);
}

/* The OEM properties of Memory are of the type CXLHostMemory.v1_0_0.Memory. */
static void render_oem_schema_file(const struct view *v, const struct resource *r,
				   struct json_writer *w)
{
	const struct oem_schema *s = r->object;
	const char *of = s->file + strlen("CXLHost");
	char uri[RESOURCE_URI_MAX];

	(void)v;
	(void)snprintf(uri, sizeof(uri), URI_SCHEMAS "/%s", s->file);
	put_schema_file(r, "Uri", uri, w);
	put_format(w, "Schema", "#%s.%.*s", r->id, (int)strcspn(of, "."), of);
}

static const struct resource_type schema_types[] = {
	{.pattern = URI_SCHEMAS "/{Schema}",
	 .content_type = CONTENT_TYPE_XML,
	 .enumerate = enumerate_oem_csdl,
	 .render = render_oem_schema},
	{.pattern = URI_SCHEMAS "/{Schema}",
	 .enumerate = enumerate_oem_json_schemas,
	 .render = render_oem_schema},
	{.pattern = "/redfish/v1/JsonSchemas",
	 COLLECTION("JsonSchemaFileCollection", "JsonSchemaFile", "JSON Schemas")},
	{.pattern = "/redfish/v1/JsonSchemas/{JsonSchemaFile}",
	 SCHEMA("JsonSchemaFile", "v1_1_5"),
	 .enumerate = enumerate_dmtf_schema_files,
	 .render = render_dmtf_schema_file},
	{.pattern = "/redfish/v1/JsonSchemas/{JsonSchemaFile}",
	 SCHEMA("JsonSchemaFile", "v1_1_5"),
	 .enumerate = enumerate_oem_schema_files,
	 .render = render_oem_schema_file},
};

const struct resource_rows schema_rows = RESOURCE_ROWS(schema_types);
