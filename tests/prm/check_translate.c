// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single addresses on hosts built in memory: which arithmetic is used, and when it is not. */
#include <errno.h>
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

START_TEST(an_ordinary_region_is_answered_exactly)
{
	const struct answer *a;

	build_usual();
	model_ready(&m);
	for (unsigned int i = 0; i < 4; i++)
		expect_both_ways(&m, mem[i], 0x1040, BASE + 0x4040 + i * 0x100, SOURCE_DECODER);
	expect_both_ways(&m, mem[3], MIB_256 - 1, BASE + 4 * MIB_256 - 1, SOURCE_DECODER);
	a = query(2, 0);
	ck_assert_ptr_eq(a->region, region);
	ck_assert_ptr_eq(a->window, window);
	ck_assert_ptr_eq(a->decoder, endpoint_decoder(mem[2], 0));
	ck_assert(a->position.present && a->position.value == 2);
	ck_assert(!a->numa_node.present && !a->dax);
	ck_assert_str_eq(a->reason, "");
	ck_assert_str_eq(translator_arithmetic(m.t, window), "modulo");
}
END_TEST

static const uint64_t xormaps[] = {0x2020900, 0x4041200, 0x1010400, 0x800};

START_TEST(xor_is_answered_exactly_with_the_maps_of_the_cedt)
{
	static const uint64_t size = 4 * MIB_256;

	build(4, 4, BASE);
	model_cedt(&m, 1, xormaps, 4);
	model_ready(&m);
	ck_assert_str_eq(translator_arithmetic(m.t, window), "xor");
	/* Published vector: position 1, DPA 0x220 is at offset 0x820 by XOR, 0x920 by modulo. */
	expect_both_ways(&m, mem[1], 0x220, BASE + 0x820, SOURCE_DECODER);
	for (uint64_t spa = BASE; spa < BASE + size; spa += 0x1234500) {
		const struct answer a = *model_translate_spa(&m, spa, spa);

		expect_both_ways(&m, a.memdev, a.dpa, spa, SOURCE_DECODER);
	}
}
END_TEST

START_TEST(unknown_arithmetic_gives_an_interval)
{
	static const struct {
		uint8_t arithmetic;
		unsigned int n_maps;
		enum answer_reason code;
		const char *reason;
	} cases[] = {
		{0, UINT32_MAX, REASON_ARITHMETIC_UNKNOWN,
		 "unknown arithmetic: decoder0.0 has 4 ways and the CEDT, which distinguishes modulo from XOR, is missing"},
		{1, 0, REASON_ARITHMETIC_UNDEFINED,
		 "unknown arithmetic: decoder0.0 uses XOR and the CEDT has no XOR maps for a granularity of 256"},
		{1, 1, REASON_ARITHMETIC_UNDEFINED,
		 "unknown arithmetic: decoder0.0 needs 2 XOR maps and the CEDT has 1"},
		{7, 0, REASON_ARITHMETIC_UNDEFINED,
		 "unknown arithmetic: the CEDT gives decoder0.0 the reserved arithmetic 7"},
	};

	build(4, 4, BASE);
	if (cases[_i].n_maps != UINT32_MAX)
		model_cedt(&m, cases[_i].arithmetic, xormaps, cases[_i].n_maps);
	expect_interval(4, cases[_i].reason);
	expect_reason_code(&m.out.items[0], cases[_i].code);
	ck_assert_int_eq(translator_region_reason(m.t, region)->code, cases[_i].code);
	ck_assert_int_eq(answer_reason_lacks_data(cases[_i].code),
			 cases[_i].code == REASON_ARITHMETIC_UNKNOWN);
}
END_TEST

START_TEST(xor_maps_beyond_the_interleave_block_give_no_interval)
{
	static const uint64_t outside[] = {0x2010000, 0x4041200};
	const struct answer *a;

	build(4, 4, BASE);
	model_cedt(&m, 1, outside, 2);
	model_ready(&m);
	a = model_translate_dpa(&m, mem[0], 0x1000, 0x1000);
	ck_assert(!a->has_spa && a->source == SOURCE_NONE);
	expect_reason(a, "an XOR map toggles a bit outside the interleave block");
	expect_reason_code(a, REASON_XORMAP_INVALID);
	a = model_translate_spa(&m, BASE, BASE);
	ck_assert(!a->has_dpa && a->n_candidates == 0);
	expect_reason(a, "an XOR map toggles a bit outside the interleave block");
	expect_reason_code(a, REASON_XORMAP_INVALID);
}
END_TEST

START_TEST(a_table_that_cannot_be_read_is_noted)
{
	build(2, 4, BASE);
	m.host.tables[HOST_TABLE_CEDT].error = -EFBIG;
	expect_interval(4, "cannot be read");
	ck_assert_ptr_nonnull(model_note(&m, "ACPI table CEDT cannot be read: File too large"));
}
END_TEST

START_TEST(an_unreadable_cedt_names_the_capability)
{
	build(2, 4, BASE);
	m.host.tables[HOST_TABLE_CEDT].error = -EACCES;
	expect_interval(4, "is not readable (needs CAP_DAC_READ_SEARCH)");
	ck_assert_ptr_null(translator_arithmetic(m.t, window));
}
END_TEST

START_TEST(a_malformed_cedt_is_noted_and_not_used)
{
	build_usual();
	((uint8_t *)(uintptr_t)m.host.tables[HOST_TABLE_CEDT].data)[40]++;
	expect_interval(4, "the CEDT, which distinguishes modulo from XOR, is malformed");
	ck_assert_ptr_nonnull(model_note(&m, "CEDT: the checksum is wrong"));
	ck_assert_ptr_null(translator_cedt(m.t));
}
END_TEST

START_TEST(a_malformed_prmt_is_noted)
{
	build_usual();
	m.host.tables[HOST_TABLE_PRMT] = (struct host_table){.data = (const uint8_t *)"", .len = 1};
	model_ready(&m);
	ck_assert_ptr_nonnull(model_note(&m, "PRMT"));
	ck_assert_ptr_null(translator_prmt(m.t));
	ck_assert(query(0, 0)->exact);
}
END_TEST

START_TEST(a_cedt_without_the_window_gives_no_arithmetic)
{
	build_usual();
	window->size = OPT_U64(MODEL_WINDOW_SIZE / 2);
	expect_interval(4, "unknown arithmetic: the CEDT does not describe decoder0.0");
}
END_TEST

START_TEST(a_cedt_with_other_ways_gives_no_arithmetic)
{
	build(4, 4, BASE);
	window->ways = OPT_U64(2);
	model_cedt(&m, 0, NULL, 0);
	window->ways = OPT_U64(4);
	expect_interval(4, "decoder0.0 has 4 ways but its CEDT entry has 2");
	expect_reason_code(&m.out.items[0], REASON_CEDT_CONTRADICTED);
}
END_TEST

START_TEST(a_cedt_with_another_granularity_gives_no_arithmetic)
{
	build_usual();
	window->granularity = OPT_U64(512);
	expect_interval(4, "decoder0.0 has granularity 512 but its CEDT entry has 256");
}
END_TEST

START_TEST(an_unreadable_window_start_leaves_the_arithmetic_unknown)
{
	build_usual();
	window->start.present = false;
	expect_interval(4, "the start of decoder0.0 is not readable");
}
END_TEST

START_TEST(one_and_three_way_windows_need_no_cedt)
{
	static const unsigned int ways[] = {1, 3};

	build(ways[_i], ways[_i], BASE + (ways[_i] == 3 ? 2 * MIB_256 : 0));
	model_ready(&m);
	ck_assert_str_eq(translator_arithmetic(m.t, window), "modulo");
	for (unsigned int i = 0; i < ways[_i]; i++) {
		const struct answer a = *query(i, 0x12345);

		ck_assert(a.exact);
		expect_both_ways(&m, mem[i], 0x12345, a.spa, SOURCE_DECODER);
	}
}
END_TEST

START_TEST(unaligned_three_way_uses_the_absolute_address)
{
	/* 0x1000000000 / 256 modulo 3 is 1, so the region begins with position 1. */
	build(3, 3, BASE);
	model_ready(&m);
	expect_both_ways(&m, mem[1], 0, BASE, SOURCE_DECODER);
	expect_both_ways(&m, mem[0], 0x140, BASE + 0x540, SOURCE_DECODER);
}
END_TEST

START_TEST(three_way_with_two_devices_per_bridge_and_unknown_route_is_an_interval)
{
	build(3, 6, BASE + 2 * MIB_256);
	for (size_t i = 0; i < m.host.n_decoders; i++)
		if (m.decoders[i]->port->kind == PORT_HOST_BRIDGE)
			((struct decoder *)(uintptr_t)m.decoders[i])->ways.present = false;
	model_ready(&m);
	ck_assert(!query(1, 0)->exact);
	expect_reason(query(1, 0), "below each host bridge");
	expect_reason_code(query(1, 0), REASON_ROUTING_UNKNOWN);
	ck_assert_int_eq(translator_region_routing(m.t, region), REGION_ROUTING_UNKNOWN);
}
END_TEST

START_TEST(bridge_decoders_that_contradict_the_positions_give_an_interval)
{
	struct decoder *d;
	struct decoder_target *targets;
	struct decoder_target first;

	build_usual();
	d = (struct decoder *)(uintptr_t)bridges[1]->decoders[0];
	targets = (struct decoder_target *)(uintptr_t)d->targets;
	first = targets[0];
	targets[0] = targets[1];
	targets[1] = first;
	expect_interval(4, "routes position 1 of region0 to another device than mem1");
	expect_reason(query(0, 0), d->name);
	expect_reason_code(query(0, 0), REASON_ROUTING_CONTRADICTED);
	ck_assert_int_eq(translator_region_routing(m.t, region), REGION_ROUTING_CONTRADICTED);
}
END_TEST

/* Where two levels select devices, each may use the lower bits of the address. */
START_TEST(of_an_unknown_route_the_positions_are_the_order_of_one_level)
{
	const unsigned int levels = 1 + (unsigned int)_i;

	build(2, 2 * levels, BASE);
	model_cedt(&m, 0, NULL, 0);
	for (size_t i = 0; i < m.host.n_decoders; i++)
		if (m.decoders[i]->port->kind == PORT_HOST_BRIDGE)
			((struct decoder *)(uintptr_t)m.decoders[i])->ways.present = false;
	model_ready(&m);
	ck_assert_int_eq(translator_region_routing(m.t, region), REGION_ROUTING_UNKNOWN);
	if (levels == 1) {
		ck_assert(query(1, 0)->exact);
		expect_doubts(query(1, 0), 1U << DOUBT_ROUTING_UNKNOWN);
	} else {
		ck_assert(query(1, 0)->has_spa && !query(1, 0)->exact);
		expect_reason_code(query(1, 0), REASON_ROUTING_UNKNOWN);
	}
}
END_TEST

START_TEST(routing_is_confirmed_for_decoders_that_agree_with_the_positions)
{
	struct region foreign = {.name = "region9"};

	build_usual();
	model_ready(&m);
	ck_assert_int_eq(translator_region_routing(m.t, region), REGION_ROUTING_CONFIRMED);
	ck_assert_int_eq(translator_region_routing(m.t, &foreign), REGION_ROUTING_UNKNOWN);
}
END_TEST

START_TEST(routing_is_unknown_for_normalized_addressing)
{
	build_usual();
	model_normalize(region);
	model_ready(&m);
	ck_assert_int_eq(translator_region_routing(m.t, region), REGION_ROUTING_UNKNOWN);
}
END_TEST

static enum answer_source usual_source(unsigned int device)
{
	return translator_usual_source(m.t, mem[device], endpoint_decoder(mem[device], 0));
}

START_TEST(usual_source_is_the_decoder_where_arithmetic_applies)
{
	build_usual();
	model_ready(&m);
	ck_assert_int_eq(usual_source(0), SOURCE_DECODER);
	ck_assert_int_eq(translator_usual_source(m.t, mem[1], endpoint_decoder(mem[0], 0)),
			 SOURCE_NONE);
}
END_TEST

START_TEST(usual_source_is_the_estimate_for_normalized_addressing_without_firmware)
{
	build_usual();
	model_normalize(region);
	model_ready(&m);
	ck_assert_int_eq(usual_source(0), SOURCE_ESTIMATE);
}
END_TEST

START_TEST(usual_source_is_none_for_an_unusable_region)
{
	build_usual();
	region->commit = REGION_NOT_COMMITTED;
	model_ready(&m);
	ck_assert_int_eq(usual_source(0), SOURCE_NONE);
}
END_TEST

START_TEST(routing_follows_a_switch)
{
	struct port *sw;

	bridges[0] = model_bridge(&m);
	window = model_window(&m, bridges, 1);
	sw = model_switch(&m, bridges[0]);
	mem[0] = model_memdev(&m, sw);
	mem[1] = model_memdev(&m, sw);
	region = model_region(&m, window, BASE, mem, 2);
	model_ready(&m);
	expect_both_ways(&m, mem[1], 0x100, BASE + 0x300, SOURCE_DECODER);
}
END_TEST

/* Cache in front: decoders cover the upper half, the region both. */
static void build_cached(bool with_attribute)
{
	build_usual();
	region->size = OPT_U64(8 * MIB_256);
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start = OPT_U64(BASE + 4 * MIB_256);
	if (with_attribute)
		region->extended_linear_cache_size = OPT_U64(4 * MIB_256);
	model_ready(&m);
}

START_TEST(extended_linear_cache_moves_the_base)
{
	const struct answer *a;

	build_cached(_i);
	expect_both_ways(&m, mem[1], 0x140, BASE + 4 * MIB_256 + 0x540, SOURCE_DECODER);
	a = query(1, 0x140);
	expect_reason(a, "at 0x1000000540");
	ck_assert(a->has_alias);
	ck_assert_uint_eq(a->alias, BASE + 0x540);
	ck_assert_uint_eq(a->alias_last, BASE + 0x540);
	ck_assert(model_translate_spa(&m, a->spa, a->spa)->has_alias);
	ck_assert_uint_eq(m.out.items[0].alias, BASE + 0x540);
	a = query(1, 0x140);
	expect_reason_code(a, REASON_LINEAR_CACHE);
	a = model_translate_spa(&m, BASE + 0x540, BASE + 0x540);
	ck_assert(!a->exact && a->has_dpa);
	ck_assert_ptr_eq(a->memdev, mem[1]);
	ck_assert_uint_eq(a->dpa, 0x140);
	ck_assert_ptr_eq(a->region, region);
	ck_assert(a->has_alias);
	ck_assert_uint_eq(a->alias, BASE + 4 * MIB_256 + 0x540);
	ck_assert_uint_eq(a->alias_last, BASE + 4 * MIB_256 + 0x540);
	expect_reason(a, "DRAM that caches region0 (extended linear cache)");
	expect_reason(a, "0x1040000540");
	expect_reason_code(a, REASON_LINEAR_CACHE);
}
END_TEST

START_TEST(a_cache_is_not_inferred_from_unreadable_starts)
{
	build_usual();
	region->size = OPT_U64(8 * MIB_256);
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start.present = false;
	expect_no_answer("the size of region0 (0x80000000 bytes) is not 4 times 0x10000000");
}
END_TEST

SUITE(check_translate)
{
	Suite *s = suite_create("translate");
	TCase *t = tcase_create("addresses");

	tcase_add_checked_fixture(t, model_setup, model_teardown);
	tcase_add_test(t, an_ordinary_region_is_answered_exactly);
	tcase_add_test(t, xor_is_answered_exactly_with_the_maps_of_the_cedt);
	tcase_add_loop_test(t, unknown_arithmetic_gives_an_interval, 0, 4);
	tcase_add_test(t, xor_maps_beyond_the_interleave_block_give_no_interval);
	tcase_add_test(t, a_table_that_cannot_be_read_is_noted);
	tcase_add_test(t, an_unreadable_cedt_names_the_capability);
	tcase_add_test(t, a_malformed_cedt_is_noted_and_not_used);
	tcase_add_test(t, a_malformed_prmt_is_noted);
	tcase_add_test(t, a_cedt_without_the_window_gives_no_arithmetic);
	tcase_add_test(t, a_cedt_with_other_ways_gives_no_arithmetic);
	tcase_add_test(t, a_cedt_with_another_granularity_gives_no_arithmetic);
	tcase_add_test(t, an_unreadable_window_start_leaves_the_arithmetic_unknown);
	tcase_add_loop_test(t, one_and_three_way_windows_need_no_cedt, 0, 2);
	tcase_add_test(t, unaligned_three_way_uses_the_absolute_address);
	tcase_add_test(t, three_way_with_two_devices_per_bridge_and_unknown_route_is_an_interval);
	tcase_add_test(t, routing_is_confirmed_for_decoders_that_agree_with_the_positions);
	tcase_add_test(t, routing_is_unknown_for_normalized_addressing);
	tcase_add_test(t, usual_source_is_the_decoder_where_arithmetic_applies);
	tcase_add_test(t, usual_source_is_the_estimate_for_normalized_addressing_without_firmware);
	tcase_add_test(t, usual_source_is_none_for_an_unusable_region);
	tcase_add_test(t, bridge_decoders_that_contradict_the_positions_give_an_interval);
	tcase_add_loop_test(t, of_an_unknown_route_the_positions_are_the_order_of_one_level, 0, 2);
	tcase_add_test(t, routing_follows_a_switch);
	tcase_add_loop_test(t, extended_linear_cache_moves_the_base, 0, 2);
	tcase_add_test(t, a_cache_is_not_inferred_from_unreadable_starts);
	suite_add_tcase(s, t);
	return s;
}
