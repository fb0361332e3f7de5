// SPDX-License-Identifier: LGPL-2.1-or-later
/* Facts about the objects of a snapshot: kernel, order of regions, sockets, Ids, partitions. */
#include <errno.h>
#include <stdlib.h>

#include <check.h>

#include "common/arena.h"
#include "common/array.h"
#include "model/owners.h"
#include "model/partitions.h"
#include "prm/region_order.h"
#include "model/topology.h"
#include "model/usage.h"
#include "tests/lib/suites.h"

START_TEST(kernel_versions_are_compared_as_numbers)
{
	static const struct {
		const char *release;
		int at_least_7_1;
	} kernels[] = {
		{"7.3.4+deb13-amd64", 1},
		{"7.1", 1},
		{"7.0.12", 0},
		{"6.12.95", 0},
		{"10.0-rc1", 1},
		{"7", -1},
		{"", -1},
		{"next-7.3", -1},
		{"7.x", -1},
		{NULL, -1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		const struct host host = {.kernel_release = kernels[i].release};

		ck_assert_int_eq(host_kernel_is(&host, 7, 1), kernels[i].at_least_7_1);
	}
}
END_TEST

/* A 4-way region over two host bridges with two endpoints each. */
struct small_host {
	struct port root, bridges[2], endpoints[4];
	struct dport root_dports[2], bridge_dports[2][2];
	struct decoder_target root_targets[2], bridge_targets[2][2];
	struct decoder window, bridge_decoders[2], endpoint_decoders[4];
	const struct decoder *bridge_list[2];
	struct region region;
};

static void make_small_host(struct small_host *s)
{
	*s = (struct small_host){.root = {.kind = PORT_ROOT}};
	s->region = (struct region){.name = "region0", .root = &s->window};
	s->window = (struct decoder){.port = &s->root, .targets = s->root_targets, .n_targets = 2};
	for (unsigned int b = 0; b < 2; b++) {
		s->root_targets[b] =
			(struct decoder_target){.position = b, .dport = &s->root_dports[b]};
		s->bridge_decoders[b] = (struct decoder){
			.port = &s->bridges[b],
			.targets = s->bridge_targets[b],
			.n_targets = 2,
			.region = &s->region,
		};
		s->bridge_list[b] = &s->bridge_decoders[b];
		s->bridges[b] = (struct port){
			.kind = PORT_HOST_BRIDGE,
			.parent = &s->root,
			.parent_dport = &s->root_dports[b],
			.decoders = &s->bridge_list[b],
			.n_decoders = 1,
		};
	}
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int b = i / 2, p = i % 2;

		s->bridge_targets[b][p] =
			(struct decoder_target){.position = p, .dport = &s->bridge_dports[b][p]};
		s->endpoints[i] = (struct port){
			.kind = PORT_ENDPOINT,
			.parent = &s->bridges[b],
			.parent_dport = &s->bridge_dports[b][p],
		};
		s->endpoint_decoders[i] =
			(struct decoder){.port = &s->endpoints[i], .region = &s->region};
	}
}

START_TEST(order_follows_the_targets_of_the_decoders_above)
{
	/* pos = position below its bridge * 2 + position of the bridge */
	static const unsigned int expected[4] = {0, 2, 1, 3};
	struct small_host s;

	make_small_host(&s);
	for (size_t i = 0; i < 4; i++) {
		unsigned int position = 99;

		ck_assert_int_eq(
			region_position_by_topology(&s.region, &s.endpoint_decoders[i], &position),
			0);
		ck_assert_uint_eq(position, expected[i]);
	}
}
END_TEST

START_TEST(order_is_unknown_when_a_decoder_above_is)
{
	struct small_host s;
	unsigned int position;

	make_small_host(&s);
	s.bridge_decoders[1].region = NULL;
	ck_assert_int_eq(region_position_by_topology(&s.region, &s.endpoint_decoders[0], &position),
			 0);
	ck_assert_int_eq(region_position_by_topology(&s.region, &s.endpoint_decoders[2], &position),
			 -ENODATA);
	s.endpoints[0].parent = NULL;
	ck_assert_int_eq(region_position_by_topology(&s.region, &s.endpoint_decoders[0], &position),
			 -ENODATA);
}
END_TEST

/* ---- sockets, decoders and identifiers ---------------------------------------------------------
 */

START_TEST(a_node_of_several_sockets_belongs_to_none)
{
	static const int first[] = {0, 1}, second[] = {1, 2};
	static const struct cpu_package packages[] = {
		{.id = 0, .nodes = first, .n_nodes = 2},
		{.id = 1, .nodes = second, .n_nodes = 2},
	};
	const struct host host = {.packages = packages, .n_packages = 2};

	ck_assert_ptr_eq(package_of_node(&host, OPT_INT(0)), &packages[0]);
	ck_assert_ptr_eq(package_of_node(&host, OPT_INT(2)), &packages[1]);
	ck_assert_ptr_null(package_of_node(&host, OPT_INT(1)));
	ck_assert_ptr_null(package_of_node(&host, OPT_INT(3)));
	ck_assert_ptr_null(package_of_node(&host, (struct opt_int){0}));
}
END_TEST

START_TEST(a_decoder_is_used_when_it_has_a_range_dpa_or_a_region)
{
	const struct region region = {.name = "region0"};
	const struct decoder idle = {.size = OPT_U64(0), .dpa_size = OPT_U64(0)};
	const struct decoder committed = {.size = OPT_U64(1)}, reserved = {.dpa_size = OPT_U64(1)};
	const struct decoder member = {.region = &region};

	ck_assert(!decoder_is_used(&idle));
	ck_assert(!decoder_is_committed(&idle));
	ck_assert(decoder_is_used(&committed));
	ck_assert(decoder_is_committed(&committed));
	ck_assert(decoder_is_used(&reserved));
	ck_assert(!decoder_is_committed(&reserved));
	ck_assert(decoder_is_used(&member));
}
END_TEST

START_TEST(a_cxl_memory_device_has_its_class_with_any_interface)
{
	const struct pci_function memory = {.class_code = OPT_U64(0x050210)};
	const struct pci_function other = {.class_code = OPT_U64(0x050100)}, unknown = {0};

	ck_assert(is_cxl_memory_class(&memory));
	ck_assert(!is_cxl_memory_class(&other));
	ck_assert(!is_cxl_memory_class(&unknown));
	ck_assert(!is_cxl_memory_class(NULL));
}
END_TEST

START_TEST(a_region_and_its_target_refer_to_each_other)
{
	struct decoder window = {.name = "decoder0.0"}, d = {0};
	const struct memdev m = {.name = "mem0"}, other = {.name = "mem1"};
	struct region_target target = {.position = 3, .memdev = &m, .decoder = &d};
	struct region r = {.root = &window, .targets = &target, .n_targets = 1};

	/* The decoder does not refer to the region. */
	ck_assert(!target_is_mutual(&r, &target));
	ck_assert_ptr_null(region_target_of(&r, &m));
	ck_assert_int_eq(position_in_region(&r, &d).value, 3);
	d.region = &r;
	ck_assert(target_is_mutual(&r, &target));
	ck_assert_ptr_eq(region_of_decoder(&d), &r);
	ck_assert_ptr_eq(region_target_of(&r, &m), &target);
	ck_assert_ptr_null(region_target_of(&r, &other));
	/* The region does not list the decoder. */
	target.decoder = NULL;
	ck_assert_ptr_null(region_of_decoder(&d));
	ck_assert(!position_in_region(&r, &d).present);
	ck_assert(!region_is_complete(&r));
	/* A region without window has no resource. */
	target.decoder = &d;
	r.root = NULL;
	ck_assert_ptr_null(region_of_decoder(&d));
	ck_assert(region_is_complete(&r));
}
END_TEST

START_TEST(only_an_undivided_device_with_its_own_serial_has_a_gcxlid)
{
	struct port above = {.kind = PORT_HOST_BRIDGE}, endpoint = {.parent = &above};
	struct memdev devices[] = {
		{.name = "mem0", .serial = OPT_U64(0xabc0), .endpoint = &endpoint},
		{.name = "mem1", .serial = OPT_U64(0xabc1), .endpoint = &endpoint},
		{.name = "mem2", .serial = OPT_U64(0xabc1), .endpoint = &endpoint},
		{.name = "mem3", .serial = OPT_U64(0), .endpoint = &endpoint},
		{.name = "mem4", .serial = OPT_U64(0xabc4)},
	};
	const struct memdev *list[ARRAY_SIZE(devices)];
	struct host host = {.memdevs = list, .n_memdevs = ARRAY_SIZE(devices)};
	struct arena *arena = arena_new();
	const struct memdev_ids *ids;
	struct gcxlid id;

	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		list[i] = &devices[i];
	ids = memdev_ids_new(arena, &host);
	ck_assert_ptr_nonnull(ids);
	ck_assert(memdev_gcxlid(ids, &devices[0], &id));
	ck_assert_uint_eq(id.serial, 0xabc0);
	ck_assert_uint_eq(id.ld_id, 0);
	for (size_t i = 1; i < ARRAY_SIZE(devices); i++)
		ck_assert(!memdev_gcxlid(ids, &devices[i], &id));
	above.kind = PORT_SWITCH;
	ck_assert(!memdev_gcxlid(ids, &devices[0], &id));
	(void)arena_free(arena);
}
END_TEST

/* ---- partitions -------------------------------------------------------------------------------
 */

START_TEST(partitions_follow_each_other_and_empty_ones_are_left_out)
{
	struct memdev m = {.ram_size = OPT_U64(0x1000), .pmem_size = OPT_U64(0x2000)};
	struct partition parts[PARTITIONS_MAX];

	ck_assert_uint_eq(memdev_partitions(&m, parts), 2);
	ck_assert_str_eq(parts[0].id, "ram");
	ck_assert(!parts[0].persistent);
	ck_assert_uint_eq(parts[0].offset, 0);
	ck_assert_uint_eq(parts[0].size, 0x1000);
	ck_assert_str_eq(parts[1].id, "pmem");
	ck_assert(parts[1].persistent);
	ck_assert_uint_eq(parts[1].offset, 0x1000);
	ck_assert_uint_eq(parts[1].size, 0x2000);
	m.ram_size.value = 0;
	ck_assert_uint_eq(memdev_partitions(&m, parts), 1);
	ck_assert_str_eq(parts[0].id, "pmem");
	ck_assert_uint_eq(parts[0].offset, 0);
}
END_TEST

START_TEST(partitions_of_unknown_or_impossible_size_are_none)
{
	struct memdev m = {.ram_size = OPT_U64(0x1000)};
	struct partition parts[PARTITIONS_MAX];

	ck_assert_uint_eq(memdev_partitions(&m, parts), 0);
	m.pmem_size = OPT_U64(UINT64_MAX);
	ck_assert_uint_eq(memdev_partitions(&m, parts), 0);
}
END_TEST

START_TEST(a_partition_is_found_by_its_id)
{
	const struct memdev m = {.ram_size = OPT_U64(0x1000), .pmem_size = OPT_U64(0x2000)};
	struct partition part;

	ck_assert(memdev_partition(&m, "pmem", &part));
	ck_assert_uint_eq(part.offset, 0x1000);
	ck_assert_uint_eq(part.size, 0x2000);
	ck_assert(!memdev_partition(&m, "none", &part));
}
END_TEST

START_TEST(flags_of_a_partition_need_ranges_that_cover_it_and_agree)
{
	static const struct {
		struct cdat_range ranges[3];
		size_t n;
		struct opt_bool shareable;
	} cases[] = {
		{{{0}}, 0, {0}},
		{{{.first = 0, .last = 0xfff, .shareable = true}}, 1, OPT_BOOL(true)},
		{{{.first = 0, .last = UINT64_MAX}}, 1, OPT_BOOL(false)},
		{{{.first = 0, .last = 0xffe, .shareable = true}}, 1, {0}},
		{{{.first = 1, .last = 0xfff, .shareable = true}}, 1, {0}},
		{{{.first = 0x800, .last = 0xfff, .shareable = true},
		  {.first = 0, .last = 0x7ff, .shareable = true}},
		 2,
		 OPT_BOOL(true)},
		{{{.first = 0, .last = 0x7ff, .shareable = true}, {.first = 0x800, .last = 0xfff}},
		 2,
		 {0}},
		{{{.first = 0, .last = 0xfff, .shareable = true},
		  {.first = 0, .last = 0xfff, .shareable = true}},
		 2,
		 {0}}, /* described twice */
	};
	struct port described = {0};
	const struct memdev m = {.endpoint = &described};
	const struct partition part = {.id = "ram", .size = 0x1000};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct opt_bool shareable;

		described.cdat = cases[i].ranges;
		described.n_cdat = cases[i].n;
		shareable = partition_is_shareable(&m, &part);
		ck_assert_msg(shareable.present == cases[i].shareable.present, "case %zu", i);
		ck_assert(!shareable.present || shareable.value == cases[i].shareable.value);
	}
}
END_TEST

/* A region of one decoder that names it, and another decoder that is in no region. */
static struct decoder mapped, unmapped;
static const struct decoder *const both[] = {&mapped, &unmapped};
static struct decoder window = {.size = OPT_U64(0x10000)};
static const struct region_target target = {.decoder = &mapped};
static struct region one_region = {.root = &window, .targets = &target, .n_targets = 1};
static const struct region *const regions[] = {&one_region};
static const struct port endpoint = {.decoders = both, .n_decoders = 2};
static const struct host host = {.regions = regions, .n_regions = 1};

START_TEST(what_is_neither_used_nor_reserved_is_free)
{
	struct memdev m = {
		.ram_size = OPT_U64(0x1000), .pmem_size = OPT_U64(0x2000), .endpoint = &endpoint};
	struct usage u;

	mapped = (struct decoder){.dpa_size = OPT_U64(0x800), .region = &one_region};
	unmapped = (struct decoder){.dpa_size = OPT_U64(0x1000)};
	u = memdev_usage(&m);
	ck_assert_uint_eq(u.used.value, 0x800);
	ck_assert_uint_eq(u.reserved.value, 0x1000);
	ck_assert_uint_eq(u.free.value, 0x1800);
	one_region.size = OPT_U64(0x4000);
	u = window_usage(&host, &window);
	ck_assert_uint_eq(u.used.value, 0x4000);
	ck_assert_uint_eq(u.free.value, 0xc000);
	ck_assert_uint_eq(u.reserved.value, 0);
}
END_TEST

/* Two host bridges that decode the same range, as the targets of one window, and one beyond it. */
START_TEST(a_range_that_is_decoded_without_region_is_reserved)
{
	static const struct port bridge = {.kind = PORT_HOST_BRIDGE};
	static struct decoder same[2], beyond;
	static const struct decoder *const all[] = {&same[0], &same[1], &beyond};
	const struct host decoded = {.decoders = all, .n_decoders = 3};
	struct decoder range = {.start = OPT_U64(0x100000), .size = OPT_U64(0x10000)};
	struct usage u;

	same[0] = same[1] = (struct decoder){
		.port = &bridge, .start = OPT_U64(0x104000), .size = OPT_U64(0x4000)};
	beyond = (struct decoder){
		.port = &bridge, .start = OPT_U64(0x110000), .size = OPT_U64(0x4000)};
	u = window_usage(&decoded, &range);
	ck_assert_uint_eq(u.reserved.value, 0x4000);
	ck_assert_uint_eq(u.free.value, 0xc000);
	same[1].start.present = false;
	u = window_usage(&decoded, &range);
	ck_assert(!u.free.present && !u.reserved.present);
	same[1].size = OPT_U64(0); /* idle */
	u = window_usage(&decoded, &range);
	ck_assert_uint_eq(u.reserved.value, 0x4000);
}
END_TEST

enum { UNMAPPED = 4096 };

/* Half of the ranges twice, the second time smaller. */
static void fill_unmapped(struct decoder *decoders, const struct decoder **all,
			  const struct port *bridge)
{
	for (uint64_t i = 0; i < UNMAPPED; i++) {
		decoders[i] = (struct decoder){
			.port = bridge,
			.name = "decoder",
			.start = OPT_U64(i / 2 * 0x1000),
			.size = OPT_U64(i % 2 ? 0x800 : 0x1000),
		};
		all[i] = &decoders[i];
	}
}

/* Bridges of 1,024 devices and more, and no region; scripts/bench has the time. */
START_TEST(usage_of_many_decoders_without_region_counts_each_range_once)
{
	static const struct port bridge = {.kind = PORT_HOST_BRIDGE};
	static struct decoder decoders[UNMAPPED];
	static const struct decoder *all[UNMAPPED];
	const struct host many = {.decoders = all, .n_decoders = UNMAPPED};
	const struct decoder whole = {.start = OPT_U64(0), .size = OPT_U64(1 << 24)};
	const struct decoder high = {.start = OPT_U64(1 << 30), .size = OPT_U64(1 << 24)};
	struct arena *arena = arena_new();
	struct owners owners = {0};
	struct usage u;

	fill_unmapped(decoders, all, &bridge);
	u = window_usage(&many, &whole);
	ck_assert_uint_eq(u.reserved.value, UNMAPPED / 2 * 0x1000);
	ck_assert_int_eq(window_owners(&many, &high, arena, &owners), 0);
	ck_assert_uint_eq(owners.n, 1); /* no decoder has addresses of this window */
	owners_done(&owners);
	arena_free(arena);
}
END_TEST

START_TEST(usage_that_is_not_known_or_impossible_is_absent)
{
	struct memdev m = {
		.ram_size = OPT_U64(0x1000), .pmem_size = OPT_U64(0), .endpoint = &endpoint};

	mapped = (struct decoder){.dpa_size = OPT_U64(UINT64_MAX), .region = &one_region};
	unmapped = (struct decoder){.dpa_size = OPT_U64(UINT64_MAX)};
	ck_assert(!memdev_usage(&m).free.present); /* the sum overflows */
	mapped.dpa_size = OPT_U64(0x2000);
	unmapped.dpa_size = OPT_U64(0);
	ck_assert(!memdev_usage(&m).used.present); /* more than there is */
	unmapped.dpa_size.present = false;
	ck_assert(!memdev_usage(&m).used.present);
	ck_assert_uint_eq(memdev_usage(&m).size.value, 0x1000);
	m.endpoint = NULL;
	ck_assert(!memdev_usage(&m).free.present);
	one_region.size = OPT_U64(0x10001);
	ck_assert(!window_usage(&host, &window).free.present);
	one_region.size.present = false;
	ck_assert(!window_usage(&host, &window).free.present);
}
END_TEST

SUITE(check_snapshot_facts)
{
	Suite *suite = suite_create("snapshot facts");
	TCase *t = tcase_create("snapshot facts");

	tcase_add_test(t, kernel_versions_are_compared_as_numbers);
	tcase_add_test(t, order_follows_the_targets_of_the_decoders_above);
	tcase_add_test(t, order_is_unknown_when_a_decoder_above_is);
	tcase_add_test(t, a_node_of_several_sockets_belongs_to_none);
	tcase_add_test(t, a_decoder_is_used_when_it_has_a_range_dpa_or_a_region);
	tcase_add_test(t, a_cxl_memory_device_has_its_class_with_any_interface);
	tcase_add_test(t, a_region_and_its_target_refer_to_each_other);
	tcase_add_test(t, only_an_undivided_device_with_its_own_serial_has_a_gcxlid);
	tcase_add_test(t, partitions_follow_each_other_and_empty_ones_are_left_out);
	tcase_add_test(t, partitions_of_unknown_or_impossible_size_are_none);
	tcase_add_test(t, a_partition_is_found_by_its_id);
	tcase_add_test(t, flags_of_a_partition_need_ranges_that_cover_it_and_agree);
	tcase_add_test(t, what_is_neither_used_nor_reserved_is_free);
	tcase_add_test(t, a_range_that_is_decoded_without_region_is_reserved);
	tcase_add_test(t, usage_of_many_decoders_without_region_counts_each_range_once);
	tcase_add_test(t, usage_that_is_not_known_or_impossible_is_absent);
	suite_add_tcase(suite, t);
	return suite;
}
