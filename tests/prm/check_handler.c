// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers of the PRM handler of a captured host, and those that are rejected. */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/model_handler.h"
#include "tests/lib/suites.h"

START_TEST(a_pair_defines_its_chunk_in_both_directions)
{
	put_pairs("# what firmware said\n\n"
		  "0000:00:00.0 dpa 0x1040 -> spa 0x1000002140\n"
		  "  0000:01:00.0\tdpa 0x1000  ->  spa 0x1000002000  \r\n"
		  "0000:01:00.0 dpa 0 -> spa 0x1000000000");
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[0], 0x1000, BASE + 0x2100, SOURCE_RECORDED);
	expect_both_ways(&m, mem[0], 0x10ff, BASE + 0x21ff, SOURCE_RECORDED);
	expect_both_ways(&m, mem[1], 0x1040, BASE + 0x2040, SOURCE_RECORDED);
	expect_both_ways(&m, mem[1], 0, BASE, SOURCE_RECORDED);
	expect_estimate(0, 0x1100, "only firmware knows");
	expect_estimate(0, 0xfff, "only firmware knows");
	ck_assert_ptr_eq(query(0, 0x1000)->region, region);
	ck_assert(query(0, 0x1000)->position.value == 0);
}
END_TEST

START_TEST(a_rule_by_bdf_or_serial_answers_every_address)
{
	put_rules("[" RULE(
		"0000:00:00.0",
		1) ",{\"serial\":\"0xabc1\",\"base\":\"0x1000000000\",\"ways\":2,\"granularity\":256,\"position\":0}]");
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[0], 0x1040, BASE + 0x2140, SOURCE_EMULATED);
	expect_both_ways(&m, mem[1], 0, BASE, SOURCE_EMULATED);
	expect_both_ways(&m, mem[1], MIB_256 - 1, BASE + 2 * MIB_256 - 257, SOURCE_EMULATED);
}
END_TEST

START_TEST(pairs_take_precedence_over_rules)
{
	put_pairs("0000:00:00.0 dpa 0x1040 -> spa 0x1000002040\n");
	put_rules(RULES);
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[0], 0x1040, BASE + 0x2040, SOURCE_RECORDED);
	expect_both_ways(&m, mem[0], 0x1140, BASE + 0x2240, SOURCE_EMULATED);
}
END_TEST

START_TEST(without_region_only_the_handler_answers)
{
	put_pairs("0000:00:00.0 dpa 0x1040 -> spa 0x1000002040\n");
	put_rules(RULES);
	model_drop_region(&m, region);
	model_ready(&m);
	expect_both_ways(&m, mem[0], 0x1040, BASE + 0x2040, SOURCE_RECORDED);
	expect_both_ways(&m, mem[1], 0x1040, BASE + 0x2140, SOURCE_EMULATED);
	ck_assert_ptr_eq(query(1, 0)->window, window);
	ck_assert_ptr_null(query(1, 0)->region);
	expect_reason(model_translate_spa(&m, BASE + 2 * MIB_256, BASE + 2 * MIB_256),
		      "in no region");
}
END_TEST

START_TEST(only_a_captured_host_has_a_handler)
{
	put_rules(RULES);
	m.root_directory.captured = false;
	model_ready(&m);
	expect_estimate(0, 0, "only firmware knows");
}
END_TEST

START_TEST(a_rule_for_a_device_of_unknown_size_uses_its_decoders)
{
	mem[0]->ram_size.present = false;
	put_rules(RULES);
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[0], 0x1040, BASE + 0x2040, SOURCE_EMULATED);
}
END_TEST

START_TEST(usual_source_skips_recorded_pairs)
{
	const struct decoder *d = endpoint_decoder(mem[0], 0);

	put_pairs("0000:00:00.0 dpa 0x0 -> spa 0x1000000000\n");
	model_ready(&m);
	ck_assert_int_eq(query(0, 0)->source, SOURCE_RECORDED);
	ck_assert_int_eq(translator_usual_source(m.t, mem[0], d), SOURCE_ESTIMATE);
}
END_TEST

START_TEST(usual_source_is_the_rule_of_the_device)
{
	put_rules(RULES);
	model_ready(&m);
	ck_assert_int_eq(translator_usual_source(m.t, mem[0], endpoint_decoder(mem[0], 0)),
			 SOURCE_EMULATED);
}
END_TEST

START_TEST(a_repeated_pair_is_no_contradiction)
{
	put_pairs("0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n"
		  "0000:00:00.0 dpa 0x10ff -> spa 0x10000020ff\n");
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[0], 0x1080, BASE + 0x2080, SOURCE_RECORDED);
}
END_TEST

/* Recorded answers that no platform can give are rejected, with a reason. */
static const struct {
	const char *spa, *reason;
	bool regionless;
} invalid[] = {
	{"0x1000", "the recorded SPA 0x1000 for DPA 0x1000 of mem0 is in no CXL window", false},
	{"0x1000", "the recorded SPA 0x1000 for DPA 0x1000 of mem0 is in no CXL window", true},
	{"0x1f00002000", "the recorded SPA 0x1f00002000 for DPA 0x1000 of mem0 is outside region0",
	 false},
	{"0x1000004000", "is outside its interleave block of region0", false},
	{"0x1000001f00", "is outside its interleave block of region0", false},
};

START_TEST(an_invalid_answer_is_rejected_with_its_addresses)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "0000:00:00.0 dpa 0x1000 -> spa %s\n", invalid[_i].spa);
	put_pairs(text);
	if (invalid[_i].regionless)
		model_drop_region(&m, region);
	model_ready(&m);
	ck_assert(!query(0, 0x1000)->has_spa);
	expect_reason(query(0, 0x1000), invalid[_i].reason);
}
END_TEST

START_TEST(a_pair_outside_its_block_withdraws_the_intervals_of_its_region)
{
	const struct answer *a;

	put_pairs("0000:01:00.0 dpa 0x1000 -> spa 0x1000004000\n"
		  "0000:00:00.0 dpa 0x2000 -> spa 0x1000004100\n");
	model_ready(&m);
	for (unsigned int i = 0; i < 2; i++) {
		a = query(i, 0x7000);
		ck_assert(!a->has_spa && a->source == SOURCE_NONE);
		expect_reason_code(a, REASON_INTERVAL_REFUTED);
		ck_assert_str_eq(
			a->reason,
			"no interval of region0 is certain, because prm/pairs.txt:1 is outside its interleave block");
	}
	a = model_translate_spa(&m, BASE + 0x8000, BASE + 0x8000);
	ck_assert(!a->has_dpa && a->n_candidates == 0);
	expect_reason_code(a, REASON_INTERVAL_REFUTED);
	ck_assert_int_eq(translator_usual_source(m.t, mem[0], endpoint_decoder(mem[0], 0)),
			 SOURCE_NONE);
	/* Firmware's answers inside their blocks stay. */
	expect_both_ways(&m, mem[0], 0x2000, BASE + 0x4100, SOURCE_RECORDED);
}
END_TEST

START_TEST(an_answer_inside_another_region_is_rejected)
{
	mem[2] = model_memdev(&m, bridges[0]);
	(void)model_region(&m, window, BASE + 4 * MIB_256, mem + 2, 1);
	model_drop_region(&m, region);
	put_pairs("0000:00:00.0 dpa 0x1000 -> spa 0x1040001000\n");
	model_ready(&m);
	ck_assert(!query(0, 0x1000)->has_spa);
	expect_reason_code(query(0, 0x1000), REASON_SPA_OTHER_REGION);
	expect_reason(query(0, 0x1000), "is in region1, to which decoder");
	/* The decoders of the region answer, and the reason still names the invalid rule. */
	ck_assert_ptr_eq(
		model_translate_spa(&m, BASE + 4 * MIB_256 + 0x1000, BASE + 4 * MIB_256 + 0x1000)
			->memdev,
		mem[2]);
	ck_assert_int_eq(m.out.items[0].source, SOURCE_DECODER);
}
END_TEST

START_TEST(a_rule_with_other_ways_than_its_region_is_refused_whole)
{
	put_rules("[{\"bdf\":\"0000:00:00.0\",\"base\":\"0x1000000000\",\"ways\":4,"
		  "\"granularity\":256,\"position\":0}]");
	model_ready(&m);
	expect_note(
		"rule 1 (0000:00:00.0) contradicts region0, which has 2 interleave ways, granularity 256 and begins at 0x1000000000; it is not used");
	expect_estimate(0, 0x40, "only firmware knows");
	expect_estimate(0, 0x1000, "only firmware knows");
}
END_TEST

/* Blocks of the same size, so that the first half of each of its chunks would fit. */
START_TEST(a_rule_with_another_granularity_than_its_region_is_refused_whole)
{
	region->granularity = OPT_U64(512);
	put_rules("[" RULE("0000:00:00.0", 0) "]");
	model_ready(&m);
	expect_note("rule 1 (0000:00:00.0) contradicts region0");
	ck_assert_int_eq(query(0, 0)->source, SOURCE_ESTIMATE);
}
END_TEST

START_TEST(a_rule_with_another_base_than_its_region_is_refused_whole)
{
	put_rules("[{\"bdf\":\"0000:00:00.0\",\"base\":\"0x1010000000\",\"ways\":2,"
		  "\"granularity\":256,\"position\":0}]");
	model_ready(&m);
	expect_note("rule 1 (0000:00:00.0) contradicts region0");
	expect_estimate(0, 0, "only firmware knows");
}
END_TEST

START_TEST(an_error_of_firmware_leaves_only_the_estimate)
{
	put_pairs("0000:00:00.0 dpa 0x1000: error -22 (Invalid argument)\n"
		  "0000:00:00.0 dpa 0x2000: error -5\n");
	put_rules(RULES);
	model_ready(&m);
	expect_no_notes();
	expect_estimate(0, 0x1040,
			"the recorded handler answered with error -22 (Invalid argument); ");
	expect_estimate(0, 0x2000, "the recorded handler answered with error -5; ");
	ck_assert_int_eq(query(0, 0x2000)->first_reason, REASON_RECORDED_ERROR);
	expect_both_ways(&m, mem[0], 0x1100, BASE + 0x2200, SOURCE_EMULATED);
	ck_assert_int_eq(model_translate_spa(&m, BASE + 0x2000, BASE + 0x2000)->source,
			 SOURCE_ESTIMATE);
	ck_assert_int_eq(model_translate_dpa(&m, mem[0], 0xf00, 0x1100)->source, SOURCE_ESTIMATE);
}
END_TEST

START_TEST(a_pair_takes_precedence_over_an_error_in_its_chunk)
{
	put_pairs("0000:00:00.0 dpa 0x1000: error -4 (Interrupted system call)\n"
		  "0000:00:00.0 dpa 0x1040 -> spa 0x1000002040\n");
	model_ready(&m);
	expect_both_ways(&m, mem[0], 0x1000, BASE + 0x2000, SOURCE_RECORDED);
}
END_TEST

/* The same host with ordinary decoders. */
static void make_ordinary(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct decoder *d = endpoint_decoder(mem[i], 0);

		d->start = OPT_U64(BASE);
		d->size = region->size;
		d->ways = OPT_U64(2);
	}
}

START_TEST(ordinary_decoders_use_their_registers)
{
	make_ordinary();
	put_pairs("0000:00:00.0 dpa 0x1000 -> spa 0x1000002100\n"
		  "0000:01:00.0 dpa 0x1000 -> spa 0x1000002100\n"
		  "0000:01:00.0 dpa 0x3000 -> spa 0x1000006000\n");
	put_rules(RULES);
	model_ready(&m);
	expect_note(":1 and :2 contradict each other");
	expect_note("pairs.txt:3: DPA 0x3000 of 0000:01:00.0 is not at SPA 0x1000006000: decoder");
	expect_both_ways(&m, mem[0], 0x1000, BASE + 0x2000, SOURCE_DECODER);
	expect_both_ways(&m, mem[1], 0x3000, BASE + 0x6100, SOURCE_DECODER);
}
END_TEST

/* The device is at another position there: its rule would give the right block, and the other half
 * of it. */
START_TEST(a_rule_says_nothing_of_ordinary_decoders_without_arithmetic)
{
	const uint64_t base = BASE + 2 * MIB_256;
	struct memdev *const swapped[] = {mem[1], mem[0]};
	const struct answer *a;

	mem[0]->ram_size = mem[1]->ram_size = OPT_U64(2 * MIB_256);
	(void)model_region(&m, window, base, swapped, 2);
	put_rules(RULES);
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[1], MIB_256 + 0x1040, base + 0x2040, SOURCE_DECODER);
	expect_both_ways(&m, mem[1], 0x1040, BASE + 0x2140, SOURCE_EMULATED);
	(void)translator_unref(m.t);
	window->ways.present = false;
	model_ready(&m);
	a = query(1, MIB_256 + 0x1040);
	ck_assert(!a->exact && a->spa == base + 0x2000 && a->spa_last == base + 0x21ff);
	ck_assert(!model_translate_spa(&m, base + 0x2040, base + 0x2040)->exact);
	expect_both_ways(&m, mem[1], 0x1040, BASE + 0x2140, SOURCE_EMULATED);
}
END_TEST

START_TEST(a_rule_does_not_contradict_ordinary_decoders_without_arithmetic)
{
	mem[1]->ram_size = OPT_U64(2 * MIB_256);
	(void)model_region(&m, window, BASE + 2 * MIB_256, mem + 1, 1);
	put_rules(RULES);
	window->ways.present = false;
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[1], 0x1040, BASE + 0x2140, SOURCE_EMULATED);
}
END_TEST

START_TEST(a_pair_that_agrees_with_registers_is_not_noted)
{
	make_ordinary();
	put_pairs("0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n");
	model_ready(&m);
	expect_no_notes();
	expect_both_ways(&m, mem[0], 0x1000, BASE + 0x2000, SOURCE_DECODER);
}
END_TEST

START_TEST(ranges_are_intervals_with_exact_ends)
{
	const struct answer *a;

	put_pairs("0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n"
		  "0000:00:00.0 dpa 0x1100 -> spa 0x1000002200\n");
	model_ready(&m);
	a = model_translate_dpa(&m, mem[0], 0x1010, 0x10f0);
	ck_assert_int_eq(a->source, SOURCE_RECORDED);
	ck_assert(!a->exact);
	ck_assert_uint_eq(a->spa, BASE + 0x2010);
	ck_assert_uint_eq(a->spa_last, BASE + 0x20f0);
	ck_assert_str_eq(a->reason, "range: 225 bytes, contiguous");
	a = model_translate_dpa(&m, mem[0], 0x1010, 0x1110);
	ck_assert_int_eq(a->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->spa, BASE + 0x2000);
	ck_assert_uint_eq(a->spa_last, BASE + 0x23ff);
	a = model_translate_spa(&m, BASE + 0x2010, BASE + 0x2020);
	ck_assert_ptr_eq(a->memdev, mem[0]);
	ck_assert_uint_eq(a->dpa_last, 0x1020);
	ck_assert_int_eq(a->source, SOURCE_RECORDED);
}
END_TEST

START_TEST(a_range_of_a_rule_is_an_interval)
{
	const struct answer *a;

	put_rules(RULES);
	model_ready(&m);
	a = model_translate_dpa(&m, mem[1], 0x1000, 0x1fff);
	ck_assert_int_eq(a->source, SOURCE_EMULATED);
	ck_assert_str_eq(
		a->reason,
		"range: 4096 bytes, every 2nd 256-byte chunk of 0x1000002100..0x1000003fff");
	a = model_translate_spa(&m, BASE + 0x2010, BASE + 0x2410);
	ck_assert_uint_eq(a->n_candidates, 2);
	ck_assert_uint_eq(a->candidates[0].dpa, 0x1010);
	ck_assert_uint_eq(a->candidates[0].dpa_last, 0x1210);
	ck_assert_uint_eq(a->candidates[1].dpa, 0x1000);
	ck_assert_uint_eq(a->candidates[1].dpa_last, 0x11ff);
	a = model_translate_spa(&m, BASE + 0x2110, BASE + 0x2120);
	ck_assert_ptr_eq(a->memdev, mem[1]);
}
END_TEST

START_TEST(a_range_with_a_position_without_rule_is_estimated)
{
	put_rules("[" RULE("0000:00:00.0", 0) "]");
	model_ready(&m);
	ck_assert_int_eq(model_translate_spa(&m, BASE, BASE + 0xff)->source, SOURCE_EMULATED);
	ck_assert_int_eq(model_translate_spa(&m, BASE, BASE + 0x100)->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(m.out.items[0].n_candidates, 2);
	ck_assert_int_eq(model_translate_spa(&m, BASE + 0x100, BASE + 0x100)->source,
			 SOURCE_ESTIMATE);
}
END_TEST

START_TEST(without_region_an_spa_range_is_cut_at_the_rules)
{
	put_rules(RULES);
	model_drop_region(&m, region);
	model_ready(&m);
	(void)model_translate_spa(&m, 0, UINT64_MAX);
	ck_assert_uint_eq(m.out.n, 4);
	ck_assert_int_eq(m.out.items[1].source, SOURCE_EMULATED);
	ck_assert_uint_eq(m.out.items[1].spa_last, BASE + 2 * MIB_256 - 1);
	ck_assert_uint_eq(m.out.items[1].n_candidates, 2);
}
END_TEST

SUITE(check_handler)
{
	Suite *s = suite_create("handler");
	TCase *t = tcase_create("captured handler");

	tcase_add_checked_fixture(t, handler_setup, handler_teardown);
	tcase_add_test(t, a_pair_defines_its_chunk_in_both_directions);
	tcase_add_test(t, a_rule_by_bdf_or_serial_answers_every_address);
	tcase_add_test(t, pairs_take_precedence_over_rules);
	tcase_add_test(t, without_region_only_the_handler_answers);
	tcase_add_test(t, only_a_captured_host_has_a_handler);
	tcase_add_test(t, a_rule_for_a_device_of_unknown_size_uses_its_decoders);
	tcase_add_test(t, usual_source_skips_recorded_pairs);
	tcase_add_test(t, usual_source_is_the_rule_of_the_device);
	tcase_add_test(t, a_repeated_pair_is_no_contradiction);
	tcase_add_loop_test(t, an_invalid_answer_is_rejected_with_its_addresses, 0,
			    ARRAY_SIZE(invalid));
	tcase_add_test(t, an_answer_inside_another_region_is_rejected);
	tcase_add_test(t, a_pair_outside_its_block_withdraws_the_intervals_of_its_region);
	tcase_add_test(t, a_rule_with_other_ways_than_its_region_is_refused_whole);
	tcase_add_test(t, a_rule_with_another_granularity_than_its_region_is_refused_whole);
	tcase_add_test(t, a_rule_with_another_base_than_its_region_is_refused_whole);
	tcase_add_test(t, an_error_of_firmware_leaves_only_the_estimate);
	tcase_add_test(t, a_pair_takes_precedence_over_an_error_in_its_chunk);
	tcase_add_test(t, ordinary_decoders_use_their_registers);
	tcase_add_test(t, a_rule_says_nothing_of_ordinary_decoders_without_arithmetic);
	tcase_add_test(t, a_rule_does_not_contradict_ordinary_decoders_without_arithmetic);
	tcase_add_test(t, a_pair_that_agrees_with_registers_is_not_noted);
	tcase_add_test(t, ranges_are_intervals_with_exact_ends);
	tcase_add_test(t, a_range_of_a_rule_is_an_interval);
	tcase_add_test(t, a_range_with_a_position_without_rule_is_estimated);
	tcase_add_test(t, without_region_an_spa_range_is_cut_at_the_rules);
	suite_add_tcase(s, t);
	return s;
}
