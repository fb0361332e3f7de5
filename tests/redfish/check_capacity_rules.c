// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rules that a client may rely on, on random hosts: the free capacity of a device is the sum of its
 * MemoryRegions minus what InterleaveSets of the host's regions take of it; that of a window is its
 * size minus its MemoryChunks. Both sides are computed here: one from the JSON, the other from the
 * model of the host.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/strutil.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

enum { HOSTS = 150, MORE_DEVICES_MAX = 12, WAYS_MAX = 4, MIB = 1 << 20 };

static struct fixture f;
static uint64_t state;
static uint64_t dropped; /* bytes of the window that are decoded without a region */

/* 0 .. n - 1 */
static unsigned int pick(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(state >> 33) % n;
}

static struct memdev *device(size_t i)
{
	return (struct memdev *)(uintptr_t)f.model.host.memdevs[i];
}

/* As on a host whose kernel made no region of committed decoders; they still have their range. */
static void drop_region(struct region *r)
{
	struct model *m = &f.model;

	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->region == r && m->decoders[i]->port->kind == PORT_HOST_BRIDGE)
			((struct decoder *)(uintptr_t)m->decoders[i])->start = r->resource;
	dropped = r->size.value;
	model_drop_region(m, r);
}

/* Devices of random sizes, regions over some of them, and then more capacity in some devices. */
static void build_random(void)
{
	struct decoder *window = (struct decoder *)(uintptr_t)f.region->root;
	struct model *m = &f.model;
	struct memdev *members[WAYS_MAX];
	uint64_t at = MODEL_WINDOW_BASE + 8 * MIB_256;
	unsigned int more = pick(MORE_DEVICES_MAX + 1), n;
	size_t next = 2; /* the first device that is in no region */

	for (unsigned int i = 0; i < more; i++) {
		/* In turns, as a region over both bridges needs them. */
		const struct port *bridge = f.memdevs[i % 2]->endpoint->parent;

		(void)model_memdev(m, (struct port *)(uintptr_t)bridge);
	}
	for (size_t i = 2; i < m->host.n_memdevs; i++)
		device(i)->ram_size = OPT_U64((1 + pick(4)) * MIB_256);
	while (next + WAYS_MAX <= m->host.n_memdevs && pick(5) > 0) {
		n = 2U << pick(2);
		for (unsigned int i = 0; i < n; i++)
			members[i] = device(next++);
		at += model_region(m, window, at, members, n)->size.value;
	}
	for (size_t i = 0; i < m->host.n_memdevs; i++) {
		device(i)->ram_size.value += pick(3) * MIB_256;
		device(i)->pmem_size = OPT_U64(pick(3) * MIB_256);
	}
	dropped = 0;
	if (pick(3) == 0)
		drop_region((struct region *)(uintptr_t)
				    m->host.regions[pick((unsigned int)m->host.n_regions)]);
}

static json_t *fetch(const char *uri)
{
	ck_assert_msg(get(&f, uri) == 200, "%s gives %u", uri, f.res.status);
	return json_incref(f.body);
}

static uint64_t mebibytes(const json_t *body, const char *key)
{
	const json_t *value = json_object_get(body, key);

	ck_assert_msg(json_is_integer(value), "%s is no number", key);
	return (uint64_t)json_integer_value(value) * MIB;
}

static uint64_t oem_bytes(const char *key)
{
	char path[64];
	const char *text;

	(void)snprintf(path, sizeof(path), "Oem/CXLHost/%s", key);
	text = at(&f, path);
	ck_assert_msg(text != NULL, "%s is absent", key);
	return strtoull(text, NULL, 16);
}

static const char *link_of(const json_t *item)
{
	return json_string_value(json_object_get(item, "@odata.id"));
}

/* Return: what the regions of the host take of a Memory; of all, when @memory is NULL, their size
 */
static uint64_t taken_by_regions(const char *memory)
{
	json_t *chunks = fetch(SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks"), *chunk, *set;
	const json_t *member;
	uint64_t sum = 0;
	size_t i, k;

	json_array_foreach(json_object_get(chunks, "Members"), i, member) {
		chunk = fetch(link_of(member));
		if (!memory)
			sum += mebibytes(chunk, "MemoryChunkSizeMiB");
		json_array_foreach(json_object_get(chunk, "InterleaveSets"), k, set) {
			if (memory && str_equal(link_of(json_object_get(set, "Memory")), memory))
				sum += mebibytes(set, "SizeMiB");
		}
		json_decref(chunk);
	}
	json_decref(chunks);
	return sum;
}

static uint64_t size_of_regions(const char *id)
{
	char uri[160];
	json_t *regions, *region;
	const json_t *member;
	uint64_t sum = 0;
	size_t i;

	(void)snprintf(uri, sizeof(uri),
		       ROOT "/Chassis/%s/PCIeDevices/1/CXLLogicalDevices/0/MemoryRegions", id);
	regions = fetch(uri);
	json_array_foreach(json_object_get(regions, "Members"), i, member) {
		region = fetch(link_of(member));
		sum += mebibytes(region, "RegionSizeMiB");
		json_decref(region);
	}
	json_decref(regions);
	return sum;
}

static void check_device(const struct memdev *m)
{
	const char *id = view_memory_id(service_view(f.service), m);
	uint64_t size = m->ram_size.value + m->pmem_size.value, used = 0, reserved = 0, by_rule;
	char uri[160];

	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		*(d->region ? &used : &reserved) += d->dpa_size.value;
	}
	(void)snprintf(uri, sizeof(uri), SYSTEM "/Memory/%s", id);
	by_rule = size_of_regions(id) - taken_by_regions(uri);
	ck_assert_uint_eq(by_rule, size - used);
	(void)snprintf(uri, sizeof(uri), ROOT "/Chassis/%s/MemoryDomains/1", id);
	json_decref(fetch(uri));
	ck_assert_uint_eq(mebibytes(f.body, "MemorySizeMiB"), size);
	ck_assert_uint_eq(oem_bytes("UsedBytes"), used);
	ck_assert_uint_eq(oem_bytes("ReservedBytes"), reserved);
	ck_assert_uint_eq(oem_bytes("FreeBytes"), by_rule - reserved);
}

static void check_window(void)
{
	uint64_t chunks = taken_by_regions(NULL), regions = 0;

	for (size_t i = 0; i < f.model.host.n_regions; i++)
		regions += f.model.host.regions[i]->size.value;
	ck_assert_uint_eq(chunks, regions);
	json_decref(fetch(SYSTEM "/MemoryDomains/decoder0.0"));
	ck_assert_ptr_null(value_at(&f, "MemorySizeMiB"));
	ck_assert_uint_eq(oem_bytes("SizeBytes"), MODEL_WINDOW_SIZE);
	ck_assert_uint_eq(oem_bytes("UsedBytes"), regions);
	ck_assert_uint_eq(oem_bytes("ReservedBytes"), dropped);
	ck_assert_uint_eq(oem_bytes("FreeBytes"), MODEL_WINDOW_SIZE - chunks - dropped);
}

START_TEST(free_capacity_follows_from_chunks_and_interleave_sets)
{
	state = (uint64_t)_i;
	fixture_init(&f, NULL);
	build_random();
	fixture_ready(&f);
	for (size_t i = 0; i < f.model.host.n_memdevs; i++)
		check_device(f.model.host.memdevs[i]);
	check_window();
	fixture_done(&f);
}
END_TEST

SUITE(check_capacity_rules)
{
	Suite *s = suite_create("capacity rules");
	TCase *t = tcase_create("capacity rules");

	tcase_add_loop_test(t, free_capacity_follows_from_chunks_and_interleave_sets, 0, HOSTS);
	suite_add_tcase(s, t);
	return s;
}
