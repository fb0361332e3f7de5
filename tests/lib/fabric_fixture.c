// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/fabric_fixture.h"

#include <check.h>

#include "common/strutil.h"

struct fixture f;

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
