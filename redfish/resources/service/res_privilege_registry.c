// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The registry of privileges: what the table of privileges.c requires of requests to the resources
// of the table.
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

static void put_privileges(struct json_writer *w, const char *key, unsigned int needs)
{
	put_array(w, key);
	for (unsigned int bit = 1; bit <= PRIVILEGE_NO_AUTH; bit <<= 1) {
		if (!(needs & bit))
			continue;
		put_object(w, NULL);
		put_array(w, "Privilege");
		put_string(w, NULL, privilege_name(bit));
		put_end(w);
		put_end(w);
	}
	put_end(w);
}

/* Methods of which nothing is required are left out: an override changes only some. */
static void put_operations(struct json_writer *w, const struct privilege_needs *n)
{
	put_object(w, "OperationMap");
	if (n->read) {
		put_privileges(w, "GET", n->read);
		put_privileges(w, "HEAD", n->read);
	}
	if (n->patch)
		put_privileges(w, "PATCH", n->patch);
	if (n->post)
		put_privileges(w, "POST", n->post);
	if (n->remove)
		put_privileges(w, "DELETE", n->remove);
	put_end(w);
}

static void put_override(struct json_writer *w, const char *target,
			 const struct privilege_needs *needs)
{
	put_object(w, NULL);
	put_array(w, "Targets");
	put_uri(w, NULL, "%s", target);
	put_end(w);
	put_operations(w, needs);
	put_end(w);
}

static void put_property_overrides(const struct privilege_map *map,
				   const struct resource_type *type, struct json_writer *w)
{
	if (!privileges_of_property(map, type->schema, NULL))
		return;
	put_array(w, "PropertyOverrides");
	for (size_t i = 0; i < map->n; i++)
		if (map->rows[i].property && str_equal(map->rows[i].schema, type->schema))
			put_override(w, map->rows[i].property, &map->rows[i].needs);
	put_end(w);
}

/* Rows of one schema are one mapping. */
static bool is_of_mapping(const struct resource_type *row, const struct resource_type *type)
{
	return row == type || (row->schema && type->schema && str_equal(row->schema, type->schema));
}

static void put_overrides_of(const struct privilege_map *map, const struct resource_type *row,
			     bool *any, struct json_writer *w)
{
	const struct privilege_needs *usual = privileges_find(map, row->schema, row->pattern, NULL);
	char target[RESOURCE_URI_MAX];

	for (size_t i = 0; i < row->n_actions; i++) {
		const struct action *a = &row->actions[i];
		const struct privilege_needs *needs =
			privileges_find(map, row->schema, row->pattern, a->name);

		if (needs == usual || action_target(a, row->pattern, target) < 0)
			continue;
		if (!*any)
			put_array(w, "ResourceURIOverrides");
		*any = true;
		put_override(w, target, needs);
	}
}

/* Puts the privileges of actions that differ from POST to their resource. */
static void put_action_overrides(const struct resource_table *table,
				 const struct resource_type *type, struct json_writer *w)
{
	struct resource_cursor at = {0};
	const struct resource_type *row;
	bool any = false;

	while ((row = resource_table_next(table, &at)))
		if (row->n_actions > 0 && is_of_mapping(row, type))
			put_overrides_of(table->privileges, row, &any, w);
	if (any)
		put_end(w);
}

static void put_mapping(const struct resource_table *table, const struct resource_type *type,
			struct json_writer *w)
{
	const struct privilege_map *map = table->privileges;

	put_object(w, NULL);
	put_uri(w, "Entity", "%s", type->schema ? type->schema : type->pattern);
	put_operations(w, privileges_find(map, type->schema, type->pattern, NULL));
	put_property_overrides(map, type, w);
	put_action_overrides(table, type, w);
	put_end(w);
}

static void render_privilege_registry(const struct view *v, const struct resource *r,
				      struct json_writer *w)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;

	(void)r;
	put_string(w, "Name", "Privileges of cxl-redfishd");
	put_array(w, "PrivilegesUsed");
	for (unsigned int bit = 1; bit <= PRIVILEGES_ALL; bit <<= 1)
		put_string(w, NULL, privilege_name(bit));
	put_end(w);
	put_array(w, "OEMPrivilegesUsed");
	put_end(w);
	put_array(w, "Mappings");
	while ((type = resource_table_next(v->table, &at)))
		if (!type->schema || !resource_table_repeats(v->table, type))
			put_mapping(v->table, type, w);
	put_end(w);
}

static void render_registry_file(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	(void)v;
	(void)r;
	put_string(w, "Name", "Privilege Registry");
	put_string(w, "Registry", PRIVILEGE_REGISTRY_ID);
	put_file_location(w, "Uri", "%s", URI_PRIVILEGE_REGISTRY);
}

static const struct resource_type privilege_types[] = {
	{.pattern = URI_REGISTRIES "/" PRIVILEGE_REGISTRY_ID,
	 SCHEMA("MessageRegistryFile", "v1_1_5"),
	 .render = render_registry_file},
	{.pattern = URI_PRIVILEGE_REGISTRY,
	 SCHEMA("PrivilegeRegistry", "v1_2_0"),
	 .render = render_privilege_registry},
};

const struct resource_rows privilege_rows = RESOURCE_ROWS(privilege_types);
