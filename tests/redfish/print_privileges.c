// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints docs/privileges.json, a Redfish PrivilegeRegistry, from the tables of the service. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "redfish/resources/resources.h"

static json_t *privileges_json(unsigned int needs)
{
	json_t *list = json_array();

	for (unsigned int bit = 1; bit <= PRIVILEGE_NO_AUTH; bit <<= 1)
		if (needs & bit)
			(void)json_array_append_new(
				list, json_pack("{s:[s]}", "Privilege", privilege_name(bit)));
	return list;
}

static json_t *operations_json(const struct privilege_needs *n)
{
	json_t *map = json_object();

	if (n->read) {
		(void)json_object_set_new(map, "GET", privileges_json(n->read));
		(void)json_object_set_new(map, "HEAD", privileges_json(n->read));
		(void)json_object_set_new(map, "PATCH", privileges_json(n->patch));
	}
	(void)json_object_set_new(map, "POST", privileges_json(n->post));
	if (n->read)
		(void)json_object_set_new(map, "DELETE", privileges_json(n->remove));
	return map;
}

/* What differs for an action's target from POST to its resource. */
static void add_action(json_t *mapping, const struct resource_type *type, const struct action *a)
{
	const struct privilege_map *map = redfish_resources.privileges;
	const struct privilege_needs *usual, *needs;
	json_t *overrides = json_object_get(mapping, "ResourceURIOverrides");
	char target[RESOURCE_URI_MAX];

	usual = privileges_find(map, type->schema, type->pattern, NULL);
	needs = privileges_find(map, type->schema, type->pattern, a->name);
	if (needs == usual || action_target(a, type->pattern, target) < 0)
		return;
	if (!overrides) {
		overrides = json_array();
		(void)json_object_set_new(mapping, "ResourceURIOverrides", overrides);
	}
	(void)json_array_append_new(overrides, json_pack("{s:[s],s:o}", "Targets", target,
							 "OperationMap", operations_json(needs)));
}

static json_t *mapping_json(const struct resource_type *type)
{
	const struct privilege_needs *needs =
		privileges_find(redfish_resources.privileges, type->schema, type->pattern, NULL);
	json_t *mapping =
		json_pack("{s:s,s:o}", "Entity", type->schema ? type->schema : type->pattern,
			  "OperationMap", operations_json(needs));

	for (size_t i = 0; i < type->n_actions; i++)
		add_action(mapping, type, &type->actions[i]);
	return mapping;
}

int main(void)
{
	const struct resource_type *type;
	json_t *mappings = json_array(), *registry;

	for (size_t i = 0; (type = resource_table_at(&redfish_resources, i)); i++)
		if (!type->schema || !resource_table_repeats(&redfish_resources, type))
			(void)json_array_append_new(mappings, mapping_json(type));
	registry = json_pack("{s:s,s:s,s:s,s:s,s:[s,s,s,s,s],s:[],s:o}", "@Redfish.Copyright",
			     "SPDX-License-Identifier: LGPL-2.1-or-later", "@odata.type",
			     "#PrivilegeRegistry.v1_1_4.PrivilegeRegistry", "Id",
			     "CXLHost_PrivilegeRegistry", "Name", "Privileges of cxl-redfishd",
			     "PrivilegesUsed", privilege_name(PRIVILEGE_LOGIN),
			     privilege_name(PRIVILEGE_CONFIGURE_MANAGER),
			     privilege_name(PRIVILEGE_CONFIGURE_USERS),
			     privilege_name(PRIVILEGE_CONFIGURE_COMPONENTS),
			     privilege_name(PRIVILEGE_CONFIGURE_SELF), "OEMPrivilegesUsed",
			     "Mappings", mappings);
	if (!registry || json_dumpf(registry, stdout, JSON_INDENT(2)) < 0)
		return EXIT_FAILURE;
	(void)putchar('\n');
	json_decref(registry);
	return EXIT_SUCCESS;
}
