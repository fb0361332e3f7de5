// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The message registries: DMTF's are named by their public URIs, the own one is served.
#include "redfish/core/registry.h"
#include "redfish/resources/finding_message.h"
#include "redfish/core/registry_version.h"
#include "redfish/core/uris.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"

static int enumerate_registries(const struct view *v, const struct resource_type *t,
				struct resource_index *ix)
{
	const struct registry *one;
	int r = 0;

	(void)v;
	for (size_t i = 0; (one = registry_at(i)) && r >= 0; i++)
		r = resource_add(ix, t, one, (const char *const[]){one->id});
	return r;
}

static void render_registry_file(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct registry *registry = r->object;

	(void)v;
	put_string(w, "Name", registry->title);
	put_string(w, "Registry", registry->name);
	if (registry_is_own(registry))
		put_file_location(w, "Uri", "%s", URI_OWN_REGISTRY);
	else
		put_file_location(w, "PublicationUri",
				  "https://redfish.dmtf.org/registries/%s.json", registry->id);
}

static void render_own_registry(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	const struct registry *own = NULL;

	(void)v;
	for (size_t i = 0; !own || !registry_is_own(own); i++)
		own = registry_at(i);
	put_object(w, NULL);
	put_string(w, "@odata.type", r->type->odata_type);
	put_string(w, "Id", own->id);
	put_string(w, "Name", own->title);
	put_string(w, "Description", "Messages about a host's CXL memory");
	put_string(w, "Language", "en");
	put_string(w, "RegistryPrefix", OWN_REGISTRY_PREFIX);
	put_string(w, "RegistryVersion", OWN_REGISTRY_VERSION);
	put_string(w, "OwningEntity", PACKAGE_NAME);
	put_object(w, "Messages");
	put_finding_messages(w);
	put_registry_entries(w);
	put_end(w);
	put_end(w);
}

static const struct resource_type registry_types[] = {
	{.pattern = URI_REGISTRIES,
	 COLLECTION("MessageRegistryFileCollection", "MessageRegistryFile", "Registries")},
	{.pattern = URI_REGISTRIES "/{MessageRegistryFile}",
	 SCHEMA("MessageRegistryFile", "v1_1_5"),
	 .enumerate = enumerate_registries,
	 .render = render_registry_file},
	{.pattern = URI_OWN_REGISTRY,
	 .odata_type = "#MessageRegistry.v1_7_0.MessageRegistry",
	 .schema_uri = DMTF_SCHEMAS "MessageRegistry.v1_7_0.json",
	 .render = render_own_registry},
};

const struct resource_rows registry_rows = RESOURCE_ROWS(registry_types);
