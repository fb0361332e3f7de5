// SPDX-License-Identifier: LGPL-2.1-or-later
/* HDM decoder arithmetic: published vectors, a second formulation, and what must be rejected. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <check.h>

#include "common/array.h"
#include "prm/interleave.h"
#include "tests/lib/suites.h"
#include "tests/prm/interleave_vectors.h"

#define MIB_256 (256ULL << 20)

enum { ROUND_TRIPS = 1000000 };

static const unsigned int all_ways[] = {1, 2, 3, 4, 6, 8, 12, 16};

/* ck_assert() writes a mark to a file each time it holds; a million times is too much. */
#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("not so: %s", #condition);                                    \
	} while (0)

/* A 4-way region over a 4-way window, which the tests modify. */
static struct interleave sound(void)
{
	return (struct interleave){
		.base = 16 * MIB_256,
		.dpa_size = MIB_256,
		.ways = 4,
		.granularity = 256,
		.position = 1,
		.root_ways = 4,
		.root_granularity = 256,
	};
}

static void set_up(struct interleave *m)
{
	const char *reason = "";

	if (interleave_setup(m, &reason) != 0)
		ck_abort_msg("refused: %s", reason);
}

static void assert_there_and_back(const struct interleave *m, uint64_t d, uint64_t hpa)
{
	uint64_t v;

	ck_assert_int_eq(interleave_to_hpa(m, d, &v), 0);
	ck_assert_uint_eq(v, hpa);
	ck_assert_int_eq(interleave_to_dpa(m, hpa, &v), 0);
	ck_assert_uint_eq(v, d);
}

START_TEST(published_vectors_hold_for_modulo_and_xor)
{
	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		struct interleave m = {
			.dpa_size = 1ULL << 36,
			.ways = vectors[i].ways,
			.granularity = 256,
			.position = vectors[i].position,
			.root_ways = vectors[i].root_ways,
			.root_granularity = 256,
		};

		set_up(&m);
		assert_there_and_back(&m, vectors[i].dpa, vectors[i].modulo);
		m.n_xormaps = interleave_xormap_count(m.root_ways);
		for (unsigned int j = 0; j < m.n_xormaps; j++)
			m.xormaps[j] = vector_xormaps[j];
		set_up(&m);
		assert_there_and_back(&m, vectors[i].dpa, vectors[i].xor);
	}
}
END_TEST

/*
 * The same computation, as plain as possible: integer division instead of masks, bits counted one
 * by one, and the position of an unaligned 3-way region found by trying all of them.
 */
static uint64_t plain_xor(const struct interleave *m, uint64_t hpa)
{
	for (unsigned int i = 0; i < m->n_xormaps; i++) {
		unsigned int bit = 0, ones = 0;

		while (!(m->xormaps[i] >> bit & 1))
			bit++;
		for (unsigned int b = 0; b < 64; b++)
			ones += (hpa >> b & 1) && (m->xormaps[i] >> b & 1);
		hpa &= ~(1ULL << bit);
		hpa |= (uint64_t)(ones % 2) << bit;
	}
	return hpa;
}

static uint64_t plain_to_hpa(const struct interleave *m, uint64_t d)
{
	const uint64_t g = m->granularity, w = m->ways;

	if (m->root_ways % 3 == 0 && m->base % (m->root_ways * MIB_256) != 0) {
		for (uint64_t q = 0; q < m->root_ways; q++) {
			uint64_t hpa = m->base + (d / g * w + q) * g + d % g;

			if (hpa / g % m->root_ways == m->position)
				return plain_xor(m, hpa);
		}
		ck_abort_msg("no position fits");
	}
	return plain_xor(m, m->base + (d / g * w + m->position) * g + d % g);
}

static uint64_t random_state;

static uint64_t random_u64(void)
{
	/* xorshift64*: the same numbers everywhere for the same seed */
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 2685821657736338717ULL;
}

static void seed_random(void)
{
	const char *seed = getenv("CHECK_INTERLEAVE_SEED");

	/* The same numbers each time, but where there is the time for others. */
	random_state = getenv("MACHINE_SECONDS") ? (uint64_t)time(NULL) * 2654435761u : 1;
	if (seed)
		random_state = strtoull(seed, NULL, 0);
	if (random_state == 0)
		random_state = 1;
	printf("CHECK_INTERLEAVE_SEED=%llu\n", (unsigned long long)random_state);
}

static void random_xormaps(struct interleave *m)
{
	unsigned int shift = (unsigned int)__builtin_ctz(m->granularity);
	uint64_t block;

	m->n_xormaps = interleave_xormap_count(m->root_ways);
	block = ((1ULL << m->n_xormaps) - 1) << shift;
	for (unsigned int i = 0; i < m->n_xormaps; i++)
		m->xormaps[i] = (random_u64() & 0xfffffffffffULL & ~(block | (block - 1))) |
				1ULL << (shift + i);
}

/*
 * Any valid region: all ways, granularities, positions, over all windows; half of them by
 * XOR. The cache of an extended linear cache moves the base up by half of the region.
 */
static struct interleave random_region(void)
{
	struct interleave m = {0};
	uint64_t r = random_u64();

	do {
		m.ways = all_ways[random_u64() % ARRAY_SIZE(all_ways)];
		m.root_ways = all_ways[random_u64() % ARRAY_SIZE(all_ways)];
	} while (m.ways % m.root_ways != 0 || m.ways / m.root_ways % 3 == 0);
	m.granularity = 256u << random_u64() % 7;
	m.root_granularity = m.granularity;
	m.position = (unsigned int)(random_u64() % m.ways);
	m.dpa_size = (1 + random_u64() % 1024) * MIB_256;
	m.base = random_u64() % 4096 * MIB_256;
	if (m.root_ways % 3 == 0 && m.ways != m.root_ways)
		m.base *= m.root_ways;
	if (r & 1)
		m.base += m.ways * m.dpa_size;
	if (r & 2)
		random_xormaps(&m);
	return m;
}

static void assert_held_by_nobody_else(struct interleave m, uint64_t hpa)
{
	uint64_t d;

	m.position = (m.position + 1) % m.ways;
	set_up(&m);
	MUST(interleave_to_dpa(&m, hpa, &d) == (m.ways == 1 ? 0 : -ENXIO));
}

START_TEST(a_million_round_trips_agree_with_a_plain_formulation)
{
	unsigned int unaligned = 0, xored = 0;

	seed_random();
	for (unsigned int i = 0; i < ROUND_TRIPS;) {
		struct interleave m = random_region();

		set_up(&m);
		unaligned += m.unaligned_mod3;
		xored += m.n_xormaps > 0;
		for (unsigned int j = 0; j < 20; j++, i++) {
			uint64_t d = random_u64() % m.dpa_size, hpa, back, first, last;

			MUST(interleave_to_hpa(&m, d, &hpa) == 0);
			MUST(hpa == plain_to_hpa(&m, d));
			MUST(interleave_to_dpa(&m, hpa, &back) == 0 && back == d);
			first = m.base + d / m.granularity * m.granularity * m.ways;
			last = first + (uint64_t)m.granularity * m.ways - 1;
			MUST(hpa >= first && hpa <= last);
			MUST(first >= m.base && last - m.base < m.size);
			if (j == 0)
				assert_held_by_nobody_else(m, hpa);
		}
	}
	ck_assert_uint_gt(unaligned, ROUND_TRIPS / 20 / 50);
	ck_assert_uint_gt(xored, ROUND_TRIPS / 20 / 10);
}
END_TEST

START_TEST(each_address_of_a_block_has_one_device)
{
	seed_random();
	for (unsigned int i = 0; i < 2000; i++) {
		struct interleave m = random_region();
		uint64_t block, d;

		set_up(&m);
		block = random_u64() % (m.dpa_size / m.granularity) * m.granularity * m.ways;
		for (unsigned int chunk = 0; chunk < m.ways; chunk++) {
			unsigned int holders = 0;

			for (m.position = 0; m.position < m.ways; m.position++) {
				set_up(&m);
				holders += interleave_to_dpa(&m,
							     m.base + block + chunk * m.granularity,
							     &d) == 0;
			}
			m.position = 0;
			MUST(holders == 1);
		}
	}
}
END_TEST

START_TEST(unaligned_three_way_begins_with_the_device_its_absolute_address_chooses)
{
	struct interleave m = {
		.base = 16 * MIB_256, /* chunk number 16 Mi, which modulo 3 is 1 */
		.dpa_size = MIB_256,
		.ways = 3,
		.granularity = 256,
		.position = 1,
		.root_ways = 3,
		.root_granularity = 256,
	};

	set_up(&m);
	ck_assert(m.unaligned_mod3);
	assert_there_and_back(&m, 0, m.base);
	assert_there_and_back(&m, 0x100, m.base + 0x300);
	m.position = 0;
	set_up(&m);
	assert_there_and_back(&m, 0, m.base + 0x200);
}
END_TEST

START_TEST(addresses_outside_are_out_of_range)
{
	struct interleave m = sound();
	uint64_t v = 7;

	set_up(&m);
	ck_assert_int_eq(interleave_to_hpa(&m, m.dpa_size, &v), -ERANGE);
	ck_assert_int_eq(interleave_to_hpa(&m, UINT64_MAX, &v), -ERANGE);
	ck_assert_int_eq(interleave_to_dpa(&m, m.base - 1, &v), -ERANGE);
	ck_assert_int_eq(interleave_to_dpa(&m, m.base + m.size, &v), -ERANGE);
	ck_assert_int_eq(interleave_to_dpa(&m, 0, &v), -ERANGE);
	ck_assert_int_eq(interleave_to_dpa(&m, m.base, &v), -ENXIO);
	ck_assert_uint_eq(v, 7);
}
END_TEST

START_TEST(a_region_may_end_at_the_last_address_but_not_beyond_it)
{
	struct interleave m = sound();

	m.base = UINT64_MAX - 4 * MIB_256 + 1;
	set_up(&m);
	assert_there_and_back(&m, MIB_256 - 1, UINT64_MAX - 2 * 256);
	m.base += 1024;
	ck_assert_int_eq(interleave_setup(&m, NULL), -EINVAL);
}
END_TEST

START_TEST(invalid_parameters_are_rejected_with_a_reason)
{
	static const struct interleave spoilt[] = {
		{.ways = 5},
		{.ways = 0},
		{.ways = 32},
		{.ways = 0x80000004},
		{.granularity = 128},
		{.granularity = 32768},
		{.granularity = 384},
		{.granularity = 1u << 31},
		{.position = 4},
		{.position = UINT32_MAX},
		{.root_ways = 8},
		{.root_ways = 3},
		{.root_ways = 5},
		{.root_ways = 2, .root_granularity = 512},
		{.root_ways = 2, .root_granularity = 1},
		{.ways = 12},
		{.ways = 3, .root_ways = 1, .position = 1},
		{.dpa_size = MIB_256 + 128},
		{.dpa_size = 1ULL << 62},
		{.dpa_size = UINT64_MAX - 255},
		{.base = 512},
		{.base = MIB_256 + 128},
	};

	for (size_t i = 0; i < ARRAY_SIZE(spoilt); i++) {
		struct interleave m = sound();
		const char *reason = NULL;

#define SPOIL(field)                                                                               \
	if (spoilt[i].field)                                                                       \
	m.field = spoilt[i].field
		SPOIL(ways);
		SPOIL(granularity);
		SPOIL(position);
		SPOIL(root_ways);
		SPOIL(root_granularity);
		SPOIL(dpa_size);
		SPOIL(base);
		if (i == 1)
			m.ways = 0;
		ck_assert_msg(interleave_setup(&m, &reason) == -EINVAL, "case %zu accepted", i);
		ck_assert_ptr_nonnull(reason);
	}
}
END_TEST

START_TEST(an_empty_share_is_rejected)
{
	struct interleave m = sound();

	m.dpa_size = 0;
	ck_assert_int_eq(interleave_setup(&m, NULL), -EINVAL);
}
END_TEST

START_TEST(xor_maps_that_could_name_a_wrong_page_are_rejected)
{
	static const struct {
		int error;
		unsigned int n;
		uint64_t maps[4];
	} bad[] = {
		{-EINVAL, 1, {0x2020900}},			 /* too few */
		{-EINVAL, 3, {0x2020900, 0x4041200, 0x1010400}}, /* too many */
		{-EINVAL, 4, {0x2020900, 0x4041200, 0x1010400, 0x800}},
		{-EINVAL, 5, {0x2020900, 0x4041200}},
		{-ERANGE, 2, {0x2020900, 0x1010400}}, /* toggles bit 10, not in the block */
		{-ERANGE, 2, {0x2020980, 0x4041200}}, /* toggles bit 7 */
		{-ENOTUNIQ, 2, {0, 0x4041200}},
		{-ENOTUNIQ, 2, {0x2020900, 0x4041100}}, /* the same bit twice */
		{-EDOM, 2, {0x4041200, 0x2020900}},	/* in the other order */
		{-ENOTUNIQ, 2, {0x100, 0x100}},
		{-ENOTUNIQ, 2, {0x300, 0x300}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct interleave m = sound();
		const char *reason = NULL;

		m.n_xormaps = bad[i].n;
		for (size_t j = 0; j < ARRAY_SIZE(bad[i].maps); j++)
			m.xormaps[j] = bad[i].maps[j];
		ck_assert_msg(interleave_setup(&m, &reason) == bad[i].error, "case %zu", i);
		ck_assert_ptr_nonnull(reason);
	}
}
END_TEST

START_TEST(unaligned_three_way_with_several_devices_below_a_bridge_is_rejected)
{
	struct interleave m = sound();

	m.ways = 6;
	m.root_ways = 3;
	ck_assert_int_eq(interleave_setup(&m, NULL), -EINVAL);
	m.base = 15 * MIB_256;
	set_up(&m);
}
END_TEST

START_TEST(encodings_follow_the_specification)
{
	static const unsigned int maps[] = {0, 1, 0, 2, 1, 3, 2, 4};

	for (size_t i = 0; i < ARRAY_SIZE(all_ways); i++) {
		ck_assert(interleave_ways_valid(all_ways[i]));
		ck_assert_uint_eq(interleave_xormap_count(all_ways[i]), maps[i]);
	}
	ck_assert(!interleave_ways_valid(0x100000004ULL));
	ck_assert_uint_eq(interleave_xormap_count(5), 0);
	for (uint64_t g = 1; g <= 1ULL << 40; g <<= 1)
		ck_assert(interleave_granularity_valid(g) == (g >= 256 && g <= 16384));
	ck_assert(!interleave_granularity_valid(0));
	ck_assert(!interleave_granularity_valid(768));
}
END_TEST

SUITE(check_interleave)
{
	Suite *s = suite_create("interleave");
	TCase *t = tcase_create("arithmetic");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, published_vectors_hold_for_modulo_and_xor);
	tcase_add_test(t, a_million_round_trips_agree_with_a_plain_formulation);
	tcase_add_test(t, each_address_of_a_block_has_one_device);
	tcase_add_test(t, unaligned_three_way_begins_with_the_device_its_absolute_address_chooses);
	tcase_add_test(t, addresses_outside_are_out_of_range);
	tcase_add_test(t, a_region_may_end_at_the_last_address_but_not_beyond_it);
	tcase_add_test(t, invalid_parameters_are_rejected_with_a_reason);
	tcase_add_test(t, an_empty_share_is_rejected);
	tcase_add_test(t, xor_maps_that_could_name_a_wrong_page_are_rejected);
	tcase_add_test(t, unaligned_three_way_with_several_devices_below_a_bridge_is_rejected);
	tcase_add_test(t, encodings_follow_the_specification);
	suite_add_tcase(s, t);
	return s;
}
