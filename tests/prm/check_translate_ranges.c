// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ranges on hosts built in memory: extents without gaps, intervals that hold every address. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

enum { RANDOM_RANGES = 60 };

static void build_xor(void)
{
	static const uint64_t xormaps[] = {0x2020900, 0x4041200};

	build(4, 4, BASE);
	model_cedt(&m, 1, xormaps, 2);
}

static void build_three_way(void)
{
	build(3, 3, BASE);
}

static void build_cached(void)
{
	build_usual();
	region->size = OPT_U64(8 * MIB_256);
	region->extended_linear_cache_size = OPT_U64(4 * MIB_256);
	for (unsigned int i = 0; i < 4; i++)
		endpoint_decoder(mem[i], 0)->start = OPT_U64(BASE + 4 * MIB_256);
}

static void (*const exact_hosts[])(void) = {build_usual, build_xor, build_three_way, build_cached};

START_TEST(a_dpa_range_is_cut_at_decoders_gaps_and_the_end)
{
	build_usual();
	mem[0]->pmem_size = OPT_U64(2 * MIB_256);
	(void)model_region(&m, window, BASE + 8 * MIB_256, mem, 1);
	endpoint_decoder(mem[0], 1)->dpa_resource = OPT_U64(2 * MIB_256);
	endpoint_decoder(mem[0], 1)->dpa_size = OPT_U64(MIB_256);
	m.regions[1] = NULL;
	m.host.n_regions = 1;
	endpoint_decoder(mem[0], 1)->region = NULL;
	model_ready(&m);
	(void)model_translate_dpa(&m, mem[0], 0x100, UINT64_MAX);
	ck_assert_uint_eq(m.out.n, 4);
	ck_assert_uint_eq(m.out.items[0].dpa_last, MIB_256 - 1);
	ck_assert_int_eq(m.out.items[0].source, SOURCE_DECODER);
	ck_assert_uint_eq(m.out.items[0].spa, BASE + 0x400);
	ck_assert_uint_eq(m.out.items[0].spa_last, BASE + 4 * MIB_256 - 0x301);
	expect_reason(
		&m.out.items[0],
		"range: 268435200 bytes, every 4th 256-byte chunk of 0x1000000400..0x103ffffcff");
	expect_reason(&m.out.items[1], "no endpoint decoder maps DPA 0x10000000..0x1fffffff");
	expect_reason(&m.out.items[2], "is committed but in no region");
	expect_reason(&m.out.items[3], "DPA 0x30000000 is beyond the capacity");
}
END_TEST

START_TEST(a_dpa_range_inside_one_chunk_is_contiguous)
{
	const struct answer *a;

	build_usual();
	model_ready(&m);
	a = model_translate_dpa(&m, mem[1], 0x110, 0x1ff);
	ck_assert_uint_eq(m.out.n, 1);
	ck_assert(!a->exact);
	ck_assert_uint_eq(a->spa, BASE + 0x510);
	ck_assert_uint_eq(a->spa_last, BASE + 0x5ff);
	ck_assert_str_eq(a->reason, "range: 240 bytes, contiguous");
}
END_TEST

START_TEST(a_one_way_dpa_range_is_contiguous)
{
	const struct answer *a;

	build(1, 1, BASE);
	model_ready(&m);
	a = model_translate_dpa(&m, mem[0], 0x1000, 0x1fff);
	ck_assert_uint_eq(a->spa, BASE + 0x1000);
	ck_assert_uint_eq(a->spa_last, BASE + 0x1fff);
	ck_assert_str_eq(a->reason, "range: 4096 bytes, contiguous");
}
END_TEST

START_TEST(every_address_of_a_dpa_range_is_in_its_interval)
{
	exact_hosts[_i]();
	model_ready(&m);
	srand(1);
	for (unsigned int i = 0; i < RANDOM_RANGES; i++) {
		const struct memdev *d = mem[i % 3];
		uint64_t first = (uint64_t)(unsigned int)rand() % (MIB_256 - 0x4000);
		uint64_t last = first + 1 + (uint64_t)(unsigned int)rand() % 0x3000;
		struct answer range = *model_translate_dpa(&m, d, first, last);

		ck_assert(!range.exact);
		for (uint64_t dpa = first;; dpa = dpa + 97 < last ? dpa + 97 : last) {
			const struct answer *a = model_translate_dpa(&m, d, dpa, dpa);

			ck_assert(a->exact && a->spa >= range.spa && a->spa <= range.spa_last);
			ck_assert(dpa != first || a->spa == range.spa);
			ck_assert(dpa != last || a->spa == range.spa_last);
			if (dpa == last)
				break;
		}
	}
}
END_TEST

/* The answers for every single chunk of the range, to compare with the answer for the range. */
struct event_stats {
	const struct memdev *memdev;
	uint64_t dpa, dpa_last;
};

static size_t event_stats_chunks(uint64_t first, uint64_t last, struct event_stats stats[static 16])
{
	size_t n = 0;

	for (uint64_t spa = first;; spa = (spa | 0xff) + 1) {
		uint64_t end = (spa | 0xff) < last ? spa | 0xff : last;
		struct answer a = *model_translate_spa(&m, spa, spa);
		size_t i = 0;

		ck_assert(a.has_dpa);
		while (i < n && stats[i].memdev != a.memdev)
			i++;
		if (i == n)
			stats[n++] = (struct event_stats){a.memdev, a.dpa, a.dpa};
		if (a.dpa + (end - spa) > stats[i].dpa_last)
			stats[i].dpa_last = a.dpa + (end - spa);
		if (a.dpa < stats[i].dpa)
			stats[i].dpa = a.dpa;
		if (end == last)
			return n;
	}
}

START_TEST(an_spa_range_has_all_its_devices_with_their_dpa_ranges)
{
	exact_hosts[_i]();
	model_ready(&m);
	srand(2);
	for (unsigned int i = 0; i < RANDOM_RANGES; i++) {
		uint64_t first = BASE + (uint64_t)(unsigned int)rand() % (3 * MIB_256 - 0x4000);
		uint64_t last =
			first + 1 + (uint64_t)(unsigned int)rand() % (i % 2 ? 0x300 : 0x3000);
		struct answer range = *model_translate_spa(&m, first, last);
		struct event_stats stats[16];
		size_t n;

		if (i == 0)
			range = *model_translate_spa(&m, first = BASE, last = BASE + 1);
		ck_assert_uint_eq(m.out.n, 1);
		n = event_stats_chunks(first, last, stats);
		ck_assert(!range.exact);
		ck_assert_uint_eq(range.n_candidates, n);
		ck_assert((range.memdev != NULL) == (n == 1));
		for (size_t j = 0; j < n; j++) {
			size_t c = 0;

			while (c < n && range.candidates[c].memdev != stats[j].memdev)
				c++;
			ck_assert_uint_lt(c, n);
			ck_assert_uint_eq(range.candidates[c].dpa, stats[j].dpa);
			ck_assert_uint_eq(range.candidates[c].dpa_last, stats[j].dpa_last);
		}
	}
}
END_TEST

START_TEST(an_spa_range_is_cut_at_windows_and_regions)
{
	struct decoder *second;

	build_usual();
	second = model_window(&m, bridges, 1);
	mem[4] = model_memdev(&m, bridges[0]);
	(void)model_region(&m, second, BASE + MODEL_WINDOW_SIZE + MIB_256, mem + 4, 1);
	model_cedt(&m, 0, NULL, 0);
	model_ready(&m);
	(void)model_translate_spa(&m, 0, UINT64_MAX);
	ck_assert_uint_eq(m.out.n, 7);
	expect_reason(&m.out.items[0], "SPA 0x0..0xfffffffff is in no CXL window");
	ck_assert_ptr_eq(m.out.items[1].region, region);
	ck_assert_uint_eq(m.out.items[1].n_candidates, 4);
	ck_assert_uint_eq(m.out.items[1].candidates[3].dpa_last, MIB_256 - 1);
	expect_reason(&m.out.items[1], "range: 1073741824 bytes of region0 on 4 of 4 devices");
	expect_reason(&m.out.items[2], "is in window decoder0.0 but in no region");
	ck_assert_ptr_eq(m.out.items[3].window, second);
	ck_assert_ptr_eq(m.out.items[4].memdev, mem[4]);
	ck_assert(m.out.items[4].has_dpa && m.out.items[4].dpa == 0);
	ck_assert_ptr_eq(m.out.items[5].window, second);
	ck_assert_ptr_null(m.out.items[6].window);
}
END_TEST

START_TEST(a_range_over_the_cache_is_cut_where_cxl_memory_begins)
{
	build_cached();
	model_ready(&m);
	(void)model_translate_spa(&m, BASE + 4 * MIB_256 - 0x100, BASE + 4 * MIB_256 + 0xff);
	ck_assert_uint_eq(m.out.n, 2);
	ck_assert_ptr_eq(m.out.items[0].memdev, mem[3]);
	expect_reason(&m.out.items[0], "DRAM that caches region0");
	ck_assert_ptr_eq(m.out.items[1].memdev, mem[0]);
}
END_TEST

START_TEST(an_estimated_range_covers_whole_blocks)
{
	const struct answer *a;

	build(2, 4, BASE);
	model_ready(&m);
	a = model_translate_dpa(&m, mem[0], 0x1040, 0x1240);
	ck_assert_int_eq(a->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->spa, BASE + 0x4000);
	ck_assert_uint_eq(a->spa_last, BASE + 0x4bff);
	expect_reason(a, "range: 513 bytes, estimated as whole interleave blocks of 1024 bytes");
	a = model_translate_spa(&m, BASE + 0x3ff, BASE + 0x400);
	ck_assert_uint_eq(a->n_candidates, 4);
	ck_assert_uint_eq(a->candidates[2].dpa, 0);
	ck_assert_uint_eq(a->candidates[2].dpa_last, 0x1ff);
}
END_TEST

START_TEST(a_thousand_devices_are_prepared_and_found)
{
	struct port *bridge = NULL;

	for (unsigned int r = 0; r < 64; r++) {
		struct memdev *members[16];

		bridge = model_bridge(&m);
		window = model_window(&m, &bridge, 1);
		for (unsigned int i = 0; i < 16; i++)
			members[i] = model_memdev(&m, bridge);
		(void)model_region(&m, window, window->start.value, members, 16);
	}
	model_ready(&m);
	ck_assert_uint_eq(m.host.n_memdevs, 1024);
	for (size_t i = 0; i < 1024; i++)
		expect_both_ways(&m, m.memdevs[i], 0x12340,
				 BASE + i / 16 * MODEL_WINDOW_SIZE + 0x123000 + i % 16 * 0x100 +
					 0x40,
				 SOURCE_DECODER);
}
END_TEST

SUITE(check_translate_ranges)
{
	Suite *s = suite_create("translate_ranges");
	TCase *t = tcase_create("ranges");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, model_setup, model_teardown);
	tcase_add_test(t, a_dpa_range_is_cut_at_decoders_gaps_and_the_end);
	tcase_add_test(t, a_dpa_range_inside_one_chunk_is_contiguous);
	tcase_add_test(t, a_one_way_dpa_range_is_contiguous);
	tcase_add_loop_test(t, every_address_of_a_dpa_range_is_in_its_interval, 0,
			    ARRAY_SIZE(exact_hosts));
	tcase_add_loop_test(t, an_spa_range_has_all_its_devices_with_their_dpa_ranges, 0,
			    ARRAY_SIZE(exact_hosts));
	tcase_add_test(t, an_spa_range_is_cut_at_windows_and_regions);
	tcase_add_test(t, a_range_over_the_cache_is_cut_where_cxl_memory_begins);
	tcase_add_test(t, an_estimated_range_covers_whole_blocks);
	tcase_add_test(t, a_thousand_devices_are_prepared_and_found);
	suite_add_tcase(s, t);
	return s;
}
