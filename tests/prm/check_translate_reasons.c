// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single addresses on hosts built in memory: what has no exact answer, and the reason it gives. */
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

static void spoil_size(void)
{
	region->size = OPT_U64(4 * MIB_256 + 0x10000);
}

static void spoil_start(void)
{
	endpoint_decoder(mem[0], 0)->start = OPT_U64(BASE + 0x10000);
}

static void spoil_ways(void)
{
	endpoint_decoder(mem[0], 0)->ways = OPT_U64(2);
}

static void spoil_granularity(void)
{
	endpoint_decoder(mem[3], 0)->granularity = OPT_U64(512);
}

static void spoil_region_ways(void)
{
	region->ways = OPT_U64(5);
}

static void spoil_region_granularity(void)
{
	region->granularity = OPT_U64(100);
}

static void forget_region_granularity(void)
{
	region->granularity.present = false;
}

static void spoil_window(void)
{
	region->resource = OPT_U64(BASE + MODEL_WINDOW_SIZE - MIB_256);
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start = region->resource;
}

static void remove_target(void)
{
	region_target(region, 2)->decoder = NULL;
	region_target(region, 2)->memdev = NULL;
	region_target(region, 2)->decoder_name = NULL;
}

static void uncommit(void)
{
	region->commit = REGION_NOT_COMMITTED;
}

static void idle_decoder(void)
{
	endpoint_decoder(mem[1], 0)->size = OPT_U64(0);
}

static void double_target(void)
{
	*region_target(region, 1) = *region_target(region, 0);
	region_target(region, 1)->position = 1;
}

static void too_few_targets(void)
{
	region->n_targets = 3;
}

static void cache_too_large(void)
{
	region->extended_linear_cache_size = OPT_U64(4 * MIB_256);
}

static void cache_unfit(void)
{
	region->extended_linear_cache_size = OPT_U64(MIB_256);
}

static void show_cache_by_decoders(void)
{
	region->size = OPT_U64(8 * MIB_256);
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start = OPT_U64(BASE + 4 * MIB_256);
}

static struct decoder *bridge_decoder(unsigned int bridge)
{
	return (struct decoder *)(uintptr_t)bridges[bridge]->decoders[0];
}

static void spoil_bridge_start(void)
{
	bridge_decoder(1)->start = OPT_U64(BASE + MIB_256);
}

static void spoil_bridge_size(void)
{
	bridge_decoder(0)->size = OPT_U64(2 * MIB_256);
}

static void spoil_normalized_bridge_start(void)
{
	model_normalize(region);
	spoil_bridge_start();
}

static void spoil_endpoint_size(void)
{
	endpoint_decoder(mem[3], 0)->size = OPT_U64(8 * MIB_256);
}

static void spoil_normalized_size(void)
{
	model_normalize(region);
	endpoint_decoder(mem[3], 0)->size = OPT_U64(2 * MIB_256);
}

static void misalign_dpa(void)
{
	endpoint_decoder(mem[0], 0)->dpa_resource = OPT_U64(0x1000);
}

static const struct {
	void (*spoil)(void);
	enum answer_reason code;
	const char *dpa_reason;
} contradictions[] = {
	{spoil_size, REASON_REGION_INCONSISTENT,
	 "the size of region0 (0x40010000 bytes) is not 4 times 0x10000000 bytes of decoder"},
	{spoil_start, REASON_REGION_INCONSISTENT,
	 "starts at 0x1000010000, but the CXL memory of region0 starts at 0x1000000000"},
	{spoil_ways, REASON_REGION_INCONSISTENT, "has 2 interleave ways, but region0 has 4"},
	{spoil_granularity, REASON_REGION_INCONSISTENT, "has granularity 512, but region0 has 256"},
	{spoil_bridge_start, REASON_DECODER_RANGE,
	 "which routes region0, decodes 0x40000000 bytes from 0x1010000000, but the CXL memory of the region has 0x40000000 bytes from 0x1000000000"},
	{spoil_bridge_size, REASON_DECODER_RANGE,
	 "which routes region0, decodes 0x20000000 bytes from 0x1000000000"},
	{spoil_normalized_bridge_start, REASON_DECODER_RANGE, "from 0x1010000000"},
	{spoil_endpoint_size, REASON_DECODER_RANGE,
	 "decodes 0x80000000 bytes, but the CXL memory of region0 has 0x40000000 bytes"},
	{spoil_normalized_size, REASON_DECODER_RANGE,
	 "decodes 0x20000000 bytes, but has 0x10000000 bytes of DPA"},
	{misalign_dpa, REASON_DPA_MISALIGNED,
	 "maps DPA from 0x1000 on, which is not a multiple of 256 MiB"},
	{spoil_region_ways, REASON_REGION_UNKNOWN, "the interleave ways of region0"},
	{spoil_region_granularity, REASON_REGION_UNKNOWN, "the interleave granularity of region0"},
	{forget_region_granularity, REASON_REGION_UNKNOWN, "the interleave granularity of region0"},
	{remove_target, REASON_REGION_INCOMPLETE,
	 "region0 is incomplete: no device at position 2 of 4"},
	{uncommit, REASON_REGION_NOT_COMMITTED, "region0 is not committed"},
	{idle_decoder, REASON_REGION_NOT_COMMITTED, "of region0 is not committed"},
	{double_target, REASON_REGION_INCONSISTENT, "region0 lists decoder"},
	{too_few_targets, REASON_REGION_INCOMPLETE,
	 "region0 has 4 interleave ways but lists 3 targets"},
	{cache_too_large, REASON_REGION_INCONSISTENT,
	 "the extended linear cache of region0 (0x40000000 bytes) is not smaller than the region"},
	{cache_unfit, REASON_REGION_INCONSISTENT,
	 "the size of region0 (0x40000000 bytes) is not its cache (0x10000000 bytes) and 4 times"},
};

START_TEST(an_inconsistent_region_is_not_used)
{
	build_usual();
	contradictions[_i].spoil();
	expect_no_answer(contradictions[_i].dpa_reason);
	expect_reason_code(&m.out.items[0], contradictions[_i].code);
}
END_TEST

START_TEST(a_decoder_without_region_of_misaligned_dpa_is_not_used)
{
	build_usual();
	model_normalize(region);
	misalign_dpa();
	model_drop_region(&m, region);
	model_ready(&m);
	ck_assert(!query(0, 0x1040)->has_spa);
	expect_reason_code(query(0, 0x1040), REASON_DPA_MISALIGNED);
}
END_TEST

START_TEST(a_decoder_beyond_the_capacity_of_its_device_is_not_used)
{
	build_usual();
	endpoint_decoder(mem[0], 0)->dpa_resource = OPT_U64(MIB_256);
	model_ready(&m);
	ck_assert(!query(0, MIB_256)->has_spa && !query(1, 0)->has_spa);
	expect_reason(query(0, MIB_256),
		      "maps DPA 0x10000000 to 0x1fffffff, but mem0 has 0x10000000 bytes");
	expect_reason_code(query(0, MIB_256), REASON_BEYOND_DEVICE);
	expect_reason_code(query(1, 0), REASON_BEYOND_DEVICE);
}
END_TEST

/* An extended linear cache is not decoded by CXL decoders. */
START_TEST(bridges_may_decode_the_region_or_its_cxl_memory)
{
	build_usual();
	show_cache_by_decoders();
	for (unsigned int i = 0; i < 2; i++) {
		bridge_decoder(i)->start = OPT_U64(BASE + (i ? 4 * MIB_256 : 0));
		bridge_decoder(i)->size = OPT_U64((i ? 4 : 8) * MIB_256);
	}
	model_ready(&m);
	ck_assert(query(0, 0)->exact);
}
END_TEST

static void drop_bridge_target(void)
{
	bridge_decoder(1)->n_targets = 1;
}

static void drop_window_target(void)
{
	window->n_targets = 1;
}

START_TEST(ways_that_are_not_the_number_of_targets_give_an_interval)
{
	build_usual();
	(_i ? drop_window_target : drop_bridge_target)();
	expect_interval(4, "has 2 interleave ways but lists 1 target");
	expect_reason_code(&m.out.items[0], REASON_DECODER_TARGETS);
	ck_assert_int_eq(translator_region_reason(m.t, region)->code, REASON_DECODER_TARGETS);
}
END_TEST

START_TEST(a_region_outside_its_window_is_not_used)
{
	build_usual();
	spoil_window();
	model_ready(&m);
	ck_assert(!query(0, 0)->has_spa);
	expect_reason(query(0, 0), "is not inside its window decoder0.0");
	expect_reason_code(query(0, 0), REASON_REGION_INCONSISTENT);
}
END_TEST

START_TEST(a_region_without_range_has_no_addresses)
{
	build_usual();
	region->resource.present = false;
	model_ready(&m);
	ck_assert(!query(0, 0)->has_spa);
	expect_reason(query(0, 0), "region0 has no address range");
	expect_reason_code(query(0, 0), REASON_REGION_NO_RANGE);
	expect_reason(model_translate_spa(&m, BASE, BASE),
		      "is in window decoder0.0 but in no region");
}
END_TEST

START_TEST(overlapping_regions_are_not_used)
{
	build_usual();
	mem[4] = model_memdev(&m, bridges[0]);
	mem[5] = model_memdev(&m, bridges[1]);
	model_region(&m, window, BASE + 2 * MIB_256, mem + 4, 2);
	expect_no_answer("region0 and region1 overlap");
	expect_reason(query(4, 0), "region0 and region1 overlap");
	expect_reason_code(query(4, 0), REASON_REGIONS_OVERLAP);
	ck_assert(model_has_note(&m, NOTE_REGIONS_OVERLAP));
	ck_assert(!model_has_note(&m, NOTE_WINDOWS_OVERLAP));
	ck_assert_ptr_nonnull(model_note(&m, "region0 and region1 overlap"));
}
END_TEST

START_TEST(overlapping_decoders_are_not_used)
{
	struct decoder *second;

	build_usual();
	mem[4] = model_memdev(&m, bridges[0]);
	second = endpoint_decoder(mem[0], 0);
	mem[0]->pmem_size = OPT_U64(MIB_256);
	region = model_region(&m, window, BASE + 8 * MIB_256, mem, 1);
	endpoint_decoder(mem[0], 1)->dpa_resource = OPT_U64(MIB_256 / 2);
	model_ready(&m);
	ck_assert(!query(0, 0)->has_spa);
	expect_reason(query(0, 0), "claim the same DPA");
	expect_reason(query(0, 0), second->name);
	expect_reason_code(query(0, 0), REASON_DECODERS_OVERLAP);
	ck_assert(model_has_note(&m, NOTE_DECODERS_OVERLAP));
	ck_assert_ptr_nonnull(model_note(&m, "of mem0 claim the same DPA"));
}
END_TEST

START_TEST(a_region_in_two_windows_is_not_used)
{
	struct decoder *other;

	build_usual();
	other = model_window(&m, bridges, 1);
	other->start = OPT_U64(BASE + MIB_256);
	expect_no_answer("region0 is in the windows decoder0.0 and decoder0.1");
}
END_TEST

static void count(const struct port *port, uint64_t n)
{
	((struct port *)(uintptr_t)port)->decoders_committed = OPT_U64(n);
}

/* The decoder of a device, or of a bridge, reaches into the next region. */
START_TEST(a_decoder_that_exceeds_its_region_is_in_the_way_of_another)
{
	struct decoder *d;

	build_usual();
	mem[0]->pmem_size = mem[1]->pmem_size = OPT_U64(MIB_256);
	(void)model_region(&m, window, BASE + 8 * MIB_256, mem, 2);
	d = _i ? (struct decoder *)(uintptr_t)bridges[0]->decoders[0] : endpoint_decoder(mem[0], 0);
	d->start = OPT_U64(BASE);
	d->size = OPT_U64(9 * MIB_256);
	count(bridges[0], 2);
	model_ready(&m);
	ck_assert(!query(0, 0)->has_spa);
	ck_assert(!query(0, endpoint_decoder(mem[0], 1)->dpa_resource.value)->has_spa);
	expect_reason(query(0, endpoint_decoder(mem[0], 1)->dpa_resource.value), "both decode");
}
END_TEST

/* Linux says that the region is committed, and a port or device counts no decoder of it. */
START_TEST(decoders_that_are_not_counted_contradict_a_region)
{
	build_usual();
	count(_i ? mem[0]->endpoint : bridges[0], 0);
	expect_no_answer(_i ? " of region0 is not committed"
			    : "decoder1.0 of region0 is not committed");
}
END_TEST

START_TEST(normalized_with_region_is_an_interval)
{
	build_usual();
	model_normalize(region);
	expect_interval(4, "region0 uses Normalized addressing: only firmware knows");
	ck_assert_int_eq(m.out.items[0].first_reason, REASON_NORMALIZED);
	expect_reason_code(&m.out.items[0], REASON_ESTIMATED);
}
END_TEST

START_TEST(normalized_without_region_names_the_kernel)
{
	build_usual();
	model_normalize(region);
	model_drop_region(&m, region);
	expect_no_answer("Normalized addressing and kernel 7.3.4-model created no region");
	expect_reason_code(&m.out.items[0], REASON_NO_REGION_NORMALIZED);
	expect_reason_code(query(0, 0), REASON_NO_REGION_NORMALIZED);
}
END_TEST

START_TEST(normalized_without_region_on_an_unknown_kernel)
{
	build_usual();
	m.host.kernel_release = NULL;
	model_normalize(region);
	model_drop_region(&m, region);
	expect_no_answer("Normalized addressing and the kernel created no region");
}
END_TEST

START_TEST(an_unreadable_start_of_a_one_way_region_is_an_interval_when_locked)
{
	build(1, 1, BASE);
	endpoint_decoder(mem[0], 0)->start.present = false;
	endpoint_decoder(mem[0], 0)->locked = OPT_BOOL(true);
	model_ready(&m);
	ck_assert(!query(0, 0x1040)->exact);
	ck_assert_uint_eq(query(0, 0x1040)->spa, BASE + 0x1000);
	ck_assert_uint_eq(query(0, 0x1040)->spa_last, BASE + 0x10ff);
	expect_reason(query(0, 0x1040), "may use Normalized addressing: the start of decoder");
	expect_reason_code(query(0, 0x1040), REASON_MAYBE_NORMALIZED);
	/* There is one device only, so it is known, but not the exact byte. */
	ck_assert_ptr_eq(model_translate_spa(&m, BASE, BASE)->memdev, mem[0]);
	ck_assert(!m.out.items[0].exact);
}
END_TEST

START_TEST(unreadable_starts_do_not_prevent_arithmetic)
{
	build_usual();
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start.present = false;
	model_ready(&m);
	expect_both_ways(&m, mem[2], 0x40, BASE + 0x240, SOURCE_DECODER);
}
END_TEST

START_TEST(an_unreadable_start_without_region_names_the_capability)
{
	build(1, 1, BASE);
	endpoint_decoder(mem[0], 0)->start.present = false;
	model_drop_region(&m, region);
	model_ready(&m);
	expect_reason(query(0, 0), "is in no region and its start is not readable");
	expect_reason_code(query(0, 0), REASON_START_UNREADABLE);
}
END_TEST

START_TEST(an_ordinary_decoder_without_region_has_no_answer)
{
	build_usual();
	model_drop_region(&m, region);
	expect_no_answer("in no region");
	expect_reason_code(&m.out.items[0], REASON_NO_REGION);
	expect_reason(query(0, 0), "is committed but in no region");
	expect_reason_code(query(0, 0), REASON_DECODER_NO_REGION);
}
END_TEST

START_TEST(a_decoder_its_region_does_not_list_has_no_answer)
{
	build_usual();
	mem[4] = model_memdev(&m, bridges[0]);
	model_region(&m, window, BASE + 8 * MIB_256, mem + 4, 1);
	endpoint_decoder(mem[4], 0)->region = region;
	model_ready(&m);
	ck_assert(!query(4, 0)->has_spa);
	expect_reason(query(4, 0), "belongs to region0, which does not list it as a target");
	expect_reason_code(query(4, 0), REASON_DECODER_NOT_LISTED);
	ck_assert(query(0, 0)->exact);
}
END_TEST

START_TEST(beyond_the_device_there_is_no_answer)
{
	build_usual();
	model_ready(&m);
	expect_reason(query(0, MIB_256),
		      "DPA 0x10000000 is beyond the capacity of the device (0x10000000 bytes)");
	expect_reason(query(0, UINT64_MAX), "is beyond the capacity");
	expect_reason_code(query(0, UINT64_MAX), REASON_BEYOND_DEVICE);
	ck_assert(!query(0, MIB_256)->has_spa);
}
END_TEST

START_TEST(a_device_of_unknown_size_relies_on_its_decoders)
{
	build_usual();
	mem[0]->pmem_size.present = false;
	model_ready(&m);
	ck_assert(query(0, MIB_256 - 1)->exact);
	expect_reason(query(0, MIB_256), "no endpoint decoder maps DPA 0x10000000");
	expect_reason_code(query(0, MIB_256), REASON_NO_DECODER);
}
END_TEST

START_TEST(dpa_that_no_decoder_maps_has_no_answer)
{
	build_usual();
	mem[0]->pmem_size = OPT_U64(MIB_256);
	model_ready(&m);
	expect_reason(query(0, MIB_256), "no endpoint decoder maps DPA 0x10000000");
	expect_reason(query(0, 2 * MIB_256), "beyond the capacity");
}
END_TEST

START_TEST(a_memdev_without_endpoint_or_of_another_host_has_no_answer)
{
	const struct memdev stranger = {.name = "mem99"};
	struct answers out = {0};

	build_usual();
	mem[0]->endpoint = NULL;
	model_ready(&m);
	ck_assert_int_eq(translate_dpa(m.t, mem[0], 0, 0, &out), 0);
	expect_reason(&out.items[0], "mem0 has no endpoint port");
	expect_reason_code(&out.items[0], REASON_NO_ENDPOINT);
	ck_assert_int_eq(translate_dpa(m.t, &stranger, 0, UINT64_MAX, &out), 0);
	ck_assert_uint_eq(out.n, 2);
	expect_reason(&out.items[1], "mem99 is not a memory device of this host");
	expect_reason_code(&out.items[1], REASON_NO_MEMDEV);
	answers_done(&out);
}
END_TEST

START_TEST(an_spa_outside_regions_has_a_reason)
{
	build_usual();
	model_ready(&m);
	expect_reason(model_translate_spa(&m, 0, 0), "SPA 0x0 is in no CXL window");
	expect_reason(model_translate_spa(&m, BASE - 1, BASE - 1), "is in no CXL window");
	expect_reason(model_translate_spa(&m, BASE + 4 * MIB_256, BASE + 4 * MIB_256),
		      "SPA 0x1040000000 is in window decoder0.0 but in no region");
	ck_assert_ptr_eq(m.out.items[0].window, window);
	expect_reason(model_translate_spa(&m, UINT64_MAX, UINT64_MAX), "is in no CXL window");
	expect_reason_code(&m.out.items[0], REASON_NO_WINDOW);
}
END_TEST

START_TEST(unknown_windows_are_a_reason)
{
	build_usual();
	window->start.present = false;
	model_ready(&m);
	expect_reason(model_translate_spa(&m, 0, 0), "whether it is in a CXL window is unknown");
	expect_reason_code(&m.out.items[0], REASON_WINDOWS_UNKNOWN);
	ck_assert_ptr_eq(model_translate_spa(&m, BASE, BASE)->window, window);
}
END_TEST

START_TEST(a_host_without_cxl_is_the_reason)
{
	m.host.n_buses = m.host.n_ports = 0;
	model_ready(&m);
	expect_reason(model_translate_spa(&m, 0x1000, 0x1000), "this host has no CXL");
	expect_reason_code(&m.out.items[0], REASON_NO_CXL);
}
END_TEST

START_TEST(the_dax_device_of_the_memory_is_given)
{
	struct dax_device *dax;

	build_usual();
	dax = model_dax(&m, region, 3);
	dax->resource = OPT_U64(BASE);
	dax->size = OPT_U64(MIB_256);
	model_ready(&m);
	ck_assert_ptr_eq(query(0, 0)->dax, dax);
	ck_assert(query(0, 0)->numa_node.present && query(0, 0)->numa_node.value == 3);
	ck_assert_ptr_null(query(0, MIB_256 - 1)->dax);
	ck_assert(!query(0, MIB_256 - 1)->numa_node.present);
	ck_assert_ptr_eq(model_translate_spa(&m, BASE, BASE)->dax, dax);
}
END_TEST

/* A second device has the memory between the two ranges of the first one. */
START_TEST(a_dax_device_of_several_ranges_has_the_addresses_of_its_ranges_only)
{
	static const struct dax_range ranges[] = {{BASE, BASE + MIB_256 - 1},
						  {BASE + 2 * MIB_256, BASE + 4 * MIB_256 - 1}};
	const struct dax_device *both[2];
	struct dax_device between;
	struct dax_device *dax;
	struct dax_region *dr;

	build_usual();
	dax = model_dax(&m, region, 3);
	dax->size = OPT_U64(3 * MIB_256);
	dax->ranges = ranges;
	dax->n_ranges = ARRAY_SIZE(ranges);
	dr = (struct dax_region *)(uintptr_t)dax->region;
	between = (struct dax_device){.name = "dax0.1",
				      .region = dr,
				      .resource = OPT_U64(BASE + MIB_256),
				      .size = OPT_U64(MIB_256),
				      .target_node = OPT_INT(4)};
	both[0] = dax;
	both[1] = &between;
	dr->devices = both;
	dr->n_devices = 2;
	model_ready(&m);
	for (unsigned int i = 0; i < 4; i++) {
		const uint64_t spa = BASE + i * MIB_256 + 0x40;
		const struct answer *a = model_translate_spa(&m, spa, spa);

		ck_assert_ptr_eq(a->dax, i == 1 ? &between : dax);
		ck_assert_int_eq(a->numa_node.value, i == 1 ? 4 : 3);
		a = model_translate_dpa(&m, a->memdev, a->dpa, a->dpa);
		ck_assert_ptr_eq(a->dax, i == 1 ? &between : dax);
		ck_assert_int_eq(a->numa_node.value, i == 1 ? 4 : 3);
	}
	/* From the first range to the second one there is the other device, too. */
	ck_assert_ptr_null(model_translate_spa(&m, BASE, BASE + 4 * MIB_256 - 1)->dax);
	ck_assert(!m.out.items[0].numa_node.present);
	ck_assert_ptr_eq(model_translate_spa(&m, BASE + 2 * MIB_256, BASE + 4 * MIB_256 - 1)->dax,
			 dax);
	ck_assert_int_eq(m.out.items[0].numa_node.value, 3);
}
END_TEST

START_TEST(a_single_dax_device_of_the_region_size_needs_no_address)
{
	struct dax_device *dax;

	build_usual();
	dax = model_dax(&m, region, 1);
	dax->resource.present = false;
	model_ready(&m);
	ck_assert_ptr_eq(query(0, MIB_256 - 1)->dax, dax);
}
END_TEST

START_TEST(decoder_mappings_are_distinguished)
{
	const struct region one_way = {
		.resource = OPT_U64(0), .size = OPT_U64(MIB_256), .ways = OPT_U64(1)};
	const struct region two_way = {
		.resource = OPT_U64(BASE), .size = OPT_U64(2 * MIB_256), .ways = OPT_U64(2)};
#define COMMON .size = OPT_U64(MIB_256), .dpa_resource = OPT_U64(0), .ways = OPT_U64(1)
	const struct {
		struct decoder d;
		enum decoder_mapping mapping;
	} cases[] = {
		{{0}, MAPPING_IDLE},
		{{.size = OPT_U64(0), .start = OPT_U64(0)}, MAPPING_IDLE},
		{{COMMON, .start = OPT_U64(BASE)}, MAPPING_ORDINARY},
		{{COMMON, .start = OPT_U64(0)}, MAPPING_NORMALIZED},
		{{COMMON, .start = OPT_U64(0), .region = &two_way}, MAPPING_NORMALIZED},
		{{COMMON, .start = OPT_U64(0), .region = &one_way}, MAPPING_ORDINARY},
		{{COMMON, .region = &two_way}, MAPPING_NORMALIZED},
		{{COMMON, .region = &one_way}, MAPPING_UNKNOWN},
		{{COMMON, .region = &one_way, .locked = OPT_BOOL(true)}, MAPPING_UNKNOWN},
		{{COMMON, .region = &one_way, .locked = OPT_BOOL(false)}, MAPPING_ORDINARY},
		{{COMMON}, MAPPING_UNKNOWN},
		{{.size = OPT_U64(MIB_256), .ways = OPT_U64(4)}, MAPPING_ORDINARY},
		{{.size = OPT_U64(MIB_256), .start = OPT_U64(0), .dpa_resource = OPT_U64(0)},
		 MAPPING_UNKNOWN},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(decoder_mapping(&cases[i].d) == cases[i].mapping, "case %zu is %s", i,
			      decoder_mapping_name(decoder_mapping(&cases[i].d)));
}
END_TEST

START_TEST(sources_have_names)
{
	ck_assert_ptr_null(answer_source_name(SOURCE_NONE));
	ck_assert_str_eq(answer_source_name(SOURCE_PRM), "prm");
	ck_assert_str_eq(answer_source_name(SOURCE_ESTIMATE), "estimate");
	ck_assert_str_eq(decoder_mapping_name(MAPPING_NORMALIZED), "Normalized");
}
END_TEST

/* Changes after which a mapping is used although nothing confirmed it. */
static void hide_commit(void)
{
	region->commit = REGION_COMMIT_UNKNOWN;
}

static void hide_starts(void)
{
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start.present = false;
}

static void hide_window_size(void)
{
	window->size.present = false;
}

static void overlap_windows(void)
{
	struct decoder *other = model_window(&m, bridges, 1);

	other->start = OPT_U64(BASE + 8 * MIB_256);
}

static void hide_dax_address(void)
{
	model_dax(&m, region, 1)->resource.present = false;
}

static void change_nothing(void)
{
}

static const struct {
	void (*change)(void);
	uint32_t doubts;
} doubtful[] = {
	{change_nothing, 0},
	{hide_starts, 1U << DOUBT_DECODERS_UNVERIFIED},
	{hide_window_size, 1U << DOUBT_WINDOW_UNVERIFIED},
	{overlap_windows, 1U << DOUBT_WINDOWS_OVERLAP},
	{hide_dax_address, 1U << DOUBT_DAX_INFERRED},
	{show_cache_by_decoders, 1U << DOUBT_CACHE_INFERRED},
};

START_TEST(an_answer_carries_the_doubts_of_what_it_relies_on)
{
	const struct answer *a;

	build_usual();
	doubtful[_i].change();
	model_ready(&m);
	a = query(0, 0x1040);
	ck_assert(a->has_spa);
	expect_doubts(a, doubtful[_i].doubts);
	expect_doubts(model_translate_spa(&m, a->spa, a->spa), doubtful[_i].doubts);
	/* And no other answer has them. */
	expect_doubts(model_translate_spa(&m, 0, 0), 0);
}
END_TEST

/* A region that is not committed has no addresses, so one that may not be has none that is certain.
 */
START_TEST(without_the_state_of_its_region_an_address_is_an_interval)
{
	const struct answer *a;

	build_usual();
	hide_commit();
	model_ready(&m);
	a = query(0, 0x1040);
	ck_assert(a->has_spa && !a->exact);
	expect_reason_code(a, REASON_COMMIT_UNKNOWN);
	a = model_translate_spa(&m, BASE + 0x4040, BASE + 0x4040);
	ck_assert(a->has_dpa && !a->exact);
	expect_reason_code(a, REASON_COMMIT_UNKNOWN);
}
END_TEST

START_TEST(reasons_and_notes_have_distinct_names)
{
	ck_assert_ptr_null(answer_reason_name(REASON_NONE));
	for (enum answer_reason i = REASON_NONE + 1; i < ANSWER_REASONS; i++) {
		ck_assert_ptr_nonnull(answer_reason_name(i));
		for (enum answer_reason k = REASON_NONE + 1; k < i; k++)
			ck_assert_str_ne(answer_reason_name(i), answer_reason_name(k));
	}
	ck_assert_str_eq(answer_reason_name(REASON_RATE_LIMITED), "rate-limited");
}
END_TEST

SUITE(check_translate_reasons)
{
	Suite *s = suite_create("translate_reasons");
	TCase *t = tcase_create("addresses");

	tcase_add_checked_fixture(t, model_setup, model_teardown);
	tcase_add_loop_test(t, an_inconsistent_region_is_not_used, 0, ARRAY_SIZE(contradictions));
	tcase_add_test(t, a_decoder_without_region_of_misaligned_dpa_is_not_used);
	tcase_add_test(t, a_decoder_beyond_the_capacity_of_its_device_is_not_used);
	tcase_add_test(t, bridges_may_decode_the_region_or_its_cxl_memory);
	tcase_add_loop_test(t, ways_that_are_not_the_number_of_targets_give_an_interval, 0, 2);
	tcase_add_test(t, a_region_outside_its_window_is_not_used);
	tcase_add_test(t, a_region_without_range_has_no_addresses);
	tcase_add_test(t, overlapping_regions_are_not_used);
	tcase_add_test(t, overlapping_decoders_are_not_used);
	tcase_add_test(t, a_region_in_two_windows_is_not_used);
	tcase_add_loop_test(t, a_decoder_that_exceeds_its_region_is_in_the_way_of_another, 0, 2);
	tcase_add_loop_test(t, decoders_that_are_not_counted_contradict_a_region, 0, 2);
	tcase_add_test(t, normalized_with_region_is_an_interval);
	tcase_add_test(t, normalized_without_region_names_the_kernel);
	tcase_add_test(t, normalized_without_region_on_an_unknown_kernel);
	tcase_add_test(t, an_unreadable_start_of_a_one_way_region_is_an_interval_when_locked);
	tcase_add_test(t, unreadable_starts_do_not_prevent_arithmetic);
	tcase_add_test(t, an_unreadable_start_without_region_names_the_capability);
	tcase_add_test(t, an_ordinary_decoder_without_region_has_no_answer);
	tcase_add_test(t, a_decoder_its_region_does_not_list_has_no_answer);
	tcase_add_test(t, beyond_the_device_there_is_no_answer);
	tcase_add_test(t, a_device_of_unknown_size_relies_on_its_decoders);
	tcase_add_test(t, dpa_that_no_decoder_maps_has_no_answer);
	tcase_add_test(t, a_memdev_without_endpoint_or_of_another_host_has_no_answer);
	tcase_add_test(t, an_spa_outside_regions_has_a_reason);
	tcase_add_test(t, unknown_windows_are_a_reason);
	tcase_add_test(t, a_host_without_cxl_is_the_reason);
	tcase_add_test(t, the_dax_device_of_the_memory_is_given);
	tcase_add_test(t, a_dax_device_of_several_ranges_has_the_addresses_of_its_ranges_only);
	tcase_add_test(t, a_single_dax_device_of_the_region_size_needs_no_address);
	tcase_add_test(t, decoder_mappings_are_distinguished);
	tcase_add_test(t, sources_have_names);
	tcase_add_loop_test(t, an_answer_carries_the_doubts_of_what_it_relies_on, 0,
			    ARRAY_SIZE(doubtful));
	tcase_add_test(t, without_the_state_of_its_region_an_address_is_an_interval);
	tcase_add_test(t, reasons_and_notes_have_distinct_names);
	suite_add_tcase(s, t);
	return s;
}
