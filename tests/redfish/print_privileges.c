// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints docs/privileges.json: the registry of privileges as the service has it, indented. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "common/json_writer.h"
#include "common/strutil.h"
#include "redfish/core/render.h"
#include "redfish/resources/resources.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

static const struct resource_type *find_registry(void)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;

	while ((type = resource_table_next(&redfish_resources, &at)))
		if (str_equal(type->pattern, URI_PRIVILEGE_REGISTRY))
			return type;
	return NULL;
}

/* Return: the registry as the service renders it; NULL when out of memory. */
static json_t *read_registry(void)
{
	const struct view v = {.table = &redfish_resources};
	const struct resource r = {.type = find_registry(),
				   .uri = URI_PRIVILEGE_REGISTRY,
				   .id = PRIVILEGE_REGISTRY_ID};
	_cleanup_representation_ struct representation *body = NULL;
	struct json_writer w = {0};
	const size_t begun = render_begin(&r, &w);

	r.type->render(&v, &r, &w);
	body = render_end(&r, begun, &w);
	json_writer_done(&w);
	return body ? json_loadb(body->bytes, body->len, JSON_REJECT_DUPLICATES, NULL) : NULL;
}

int main(void)
{
	json_t *registry = read_registry(), *all;

	all = json_pack("{s:s}", "@Redfish.Copyright",
			"SPDX-License-Identifier: LGPL-2.1-or-later");
	if (!registry || !all || json_object_update(all, registry) < 0)
		return EXIT_FAILURE;
	(void)json_object_del(all, "@odata.etag");
	if (json_dumpf(all, stdout, JSON_INDENT(2)) < 0)
		return EXIT_FAILURE;
	(void)putchar('\n');
	json_decref(all);
	json_decref(registry);
	return EXIT_SUCCESS;
}
