// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/fabric_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/view/view.h"

void start(void)
{
	fixture_init(&f, NULL);
}

void stop(void)
{
	fixture_done(&f);
}

void expect(const char *uri, const char *path, const char *value)
{
	const char *found;

	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
	found = at(&f, path);
	ck_assert_msg(value ? str_equal(found, value) : !found, "%s: %s is %s", uri, path, found);
}

size_t members(const char *uri)
{
	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
	return json_array_size(json_object_get(f.body, "Members"));
}

size_t links(const char *uri, const char *array)
{
	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
	return json_array_size(json_object_get(json_object_get(f.body, "Links"), array));
}

struct port *port_above(const struct memdev *m)
{
	return (struct port *)(uintptr_t)m->endpoint->parent;
}

struct dport *dport_above(const struct memdev *m)
{
	return (struct dport *)(uintptr_t)m->endpoint->parent_dport;
}

void add_switches(void)
{
	struct port *upper = model_switch(&f.model, port_above(f.memdevs[0]));
	struct port *lower = model_switch(&f.model, upper);

	upper->host = "0000:0d:00.0";
	f.memdevs[2] = model_memdev(&f.model, upper);
	f.memdevs[3] = model_memdev(&f.model, lower);
}

/* Return: whether the schema has no link back for this one, or other resources have it. */
static bool is_one_way(const char *schema, const char *key)
{
	return str_equal(key, "ConnectedSwitches") || str_equal(key, "InvolvedSwitches") ||
	       str_equal(key, "MemoryDomains") || str_equal(key, "PCIeDevices") ||
	       (str_equal(schema, "Switch") && str_equal(key, "Endpoints"));
}

static bool text_links_to(const char *text, size_t len, const char *back)
{
	char link[RESOURCE_URI_MAX + 2];
	int n = snprintf(link, sizeof(link), "\"%s", back);
	const char *at = memmem(text, len, link, (size_t)n);

	return at && (at[n] == '"' || at[n] == '/');
}

/* Whether the body of the resource at @uri links to @back or to what is right below. */
static bool links_to(const char *uri, const char *back)
{
	struct resource *r = resource_find(service_view(f.service)->index, uri);
	const struct representation *rep;
	bool found;
	char *text;

	if (!r)
		return false;
	if (r->type->render) {
		rep = view_representation(service_view(f.service), r);
		return rep && text_links_to(rep->bytes, rep->len, back);
	}
	ck_assert_uint_eq(get(&f, uri), 200);
	text = json_dumps(f.body, JSON_COMPACT);
	found = text_links_to(text, strlen(text), back);
	free(text);
	return found;
}

static size_t check_answers(const struct resource *r)
{
	const char *uri, *key;
	json_t *body, *list, *link;
	size_t i, n = 0;

	ck_assert_uint_eq(get(&f, r->uri), 200);
	body = json_incref(f.body);
	json_object_foreach(json_object_get(body, "Links"), key, list) {
		json_array_foreach(list, i, link) {
			uri = json_string_value(json_object_get(link, "@odata.id"));
			if (is_one_way(r->type->schema, key))
				continue;
			ck_assert_msg(links_to(uri, r->uri), "%s: %s: %s does not link back",
				      r->uri, key, uri);
			n++;
		}
	}
	json_decref(body);
	return n;
}

size_t links_are_answered(void)
{
	static const char *const schemas[] = {
		"Port",		"FabricAdapter", "Fabric",	"Switch",
		"Zone",		"Endpoint",	 "Connection",	"CXLLogicalDevice",
		"MemoryDomain", "MemoryChunks",	 "PCIeFunction"};
	const struct resource *r;
	size_t n = 0;

	for (size_t i = 0; (r = resource_at(service_view(f.service)->index, i)); i++)
		for (size_t k = 0; k < ARRAY_SIZE(schemas); k++)
			if (!r->action && !r->hidden && str_equal(r->type->schema, schemas[k]))
				n += check_answers(r);
	return n;
}
