// SPDX-License-Identifier: LGPL-2.1-or-later
/* The places that a self-test tries, on regions of all shapes. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "prm/interleave.h"
#include "selftest/plan.h"
#include "tests/lib/suites.h"

static struct plan_sample *samples;
static size_t n_samples;

static void make(const struct plan_region *r)
{
	free(samples);
	samples = NULL;
	ck_assert_int_eq(plan_make(r, &samples, &n_samples), 0);
}

static void teardown(void)
{
	free(samples);
	samples = NULL;
}

static bool has(enum plan_kind kind, bool by_dpa, unsigned int position, uint64_t address)
{
	for (size_t i = 0; i < n_samples; i++)
		if (samples[i].kind == kind && samples[i].by_dpa == by_dpa &&
		    samples[i].position == position && samples[i].address == address)
			return true;
	return false;
}

/* A line is there once, whatever its kind. */
static bool has_spa(uint64_t spa)
{
	for (size_t i = 0; i < n_samples; i++)
		if (!samples[i].by_dpa && samples[i].address == spa)
			return true;
	return false;
}

static struct plan_region region_of(unsigned int ways, unsigned int granularity)
{
	struct plan_region r = {.first = 0x200000000,
				.base = 0x200000000,
				.ways = ways,
				.granularity = granularity,
				.random = 20,
				.seed = 9};

	r.last = r.first + ways * 0x1000000ULL - 1;
	for (unsigned int i = 0; i < ways; i++)
		r.devices[i] = (struct plan_device){0x40000000, 0x40000000 + 0xffffff};
	return r;
}

static const struct {
	unsigned int ways, granularity;
} shapes[] = {{1, 256}, {2, 256}, {3, 256}, {4, 4096}, {6, 512}, {8, 16384}, {12, 256}, {16, 1024}};

START_TEST(all_samples_are_lines_of_the_region_or_of_its_devices)
{
	const struct plan_region r = region_of(shapes[_i].ways, shapes[_i].granularity);

	make(&r);
	for (size_t i = 0; i < n_samples; i++) {
		const struct plan_sample *s = &samples[i];

		ck_assert_uint_eq(s->address % 64, 0);
		ck_assert_uint_lt(s->position, r.ways);
		if (s->by_dpa) {
			ck_assert_uint_ge(s->address, r.devices[s->position].first);
			ck_assert_uint_le(s->address, r.devices[s->position].last);
		} else {
			ck_assert_uint_ge(s->address, r.first);
			ck_assert_uint_le(s->address, r.last);
		}
	}
}
END_TEST

START_TEST(ends_chunks_and_bits_are_tried)
{
	const struct plan_region r = region_of(shapes[_i].ways, shapes[_i].granularity);
	const uint64_t block = (uint64_t)r.ways * r.granularity;
	const uint64_t blocks[] = {r.first, r.last + 1 - block};

	make(&r);
	ck_assert(has(PLAN_REGION_START, false, 0, r.first));
	ck_assert(has(PLAN_REGION_END, false, 0, r.last - 63));
	for (unsigned int k = 0; k < r.ways; k++) {
		const uint64_t chunk = (uint64_t)k * r.granularity;

		for (size_t b = 0; b < 2; b++) {
			ck_assert(has_spa(blocks[b] + chunk));
			ck_assert(has_spa(blocks[b] + chunk + r.granularity - 64));
		}
		ck_assert(has(PLAN_DEVICE_START, true, k, 0x40000000));
		ck_assert(has(PLAN_DEVICE_END, true, k, 0x40ffffc0));
		ck_assert(has(PLAN_DEVICE_BIT, true, k, 0x40800000));
		ck_assert(has(PLAN_DEVICE_BIT, true, k, 0x407fffc0));
	}
	for (uint64_t bit = 64; bit < r.last - r.first; bit <<= 1) {
		ck_assert(has_spa(r.first + bit));
		ck_assert(has_spa(r.first + bit - 64));
	}
}
END_TEST

START_TEST(an_address_is_planned_once)
{
	struct plan_region r = region_of(shapes[_i].ways, shapes[_i].granularity);

	r.random = 0;
	make(&r);
	for (size_t i = 0; i < n_samples; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert(samples[i].by_dpa != samples[k].by_dpa ||
				  samples[i].position != samples[k].position ||
				  samples[i].address != samples[k].address);
}
END_TEST

START_TEST(a_seed_gives_the_same_samples_again)
{
	struct plan_region r = region_of(4, 256);
	struct plan_sample *before;
	size_t n, differ = 0;

	make(&r);
	before = samples;
	n = n_samples;
	samples = NULL;
	make(&r);
	ck_assert_uint_eq(n_samples, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(samples[i].address, before[i].address);
		ck_assert_uint_eq(samples[i].position, before[i].position);
		ck_assert_int_eq(samples[i].kind, before[i].kind);
	}
	r.seed++;
	make(&r);
	ck_assert_uint_eq(n_samples, n);
	for (size_t i = 0; i < n; i++)
		differ += samples[i].address != before[i].address;
	/* Two of 40 random ones may be the same by chance. */
	ck_assert_uint_ge(differ, 38);
	free(before);
}
END_TEST

/* The smallest and the largest that there may be. */
START_TEST(a_region_of_a_line_and_one_of_all_addresses_have_plans)
{
	struct plan_region r = {.first = 0x1000,
				.last = 0x103f,
				.base = 0x1000,
				.ways = 1,
				.granularity = 256,
				.devices = {{0, 63}},
				.random = 3};

	make(&r);
	for (size_t i = 0; i < n_samples; i++)
		ck_assert_uint_eq(samples[i].address, samples[i].by_dpa ? 0 : 0x1000);
	r = (struct plan_region){.last = UINT64_MAX,
				 .ways = 1,
				 .granularity = 256,
				 .devices = {{0, UINT64_MAX}},
				 .random = 3};
	make(&r);
	ck_assert(has(PLAN_REGION_END, false, 0, UINT64_MAX & ~63ULL));
	ck_assert(has(PLAN_ADDRESS_BIT, false, 0, 1ULL << 63));
	ck_assert(has(PLAN_DEVICE_BIT, true, 0, 1ULL << 63));
}
END_TEST

/* Dax devices may begin later than the region, whose blocks count from its base. */
START_TEST(a_part_of_a_region_is_tried_only_there)
{
	struct plan_region r = region_of(2, 256);

	r.first = r.base + 0x200000;
	r.last = r.base + 0x3fffff;
	make(&r);
	for (size_t i = 0; i < n_samples; i++)
		ck_assert(samples[i].by_dpa ||
			  (samples[i].address >= r.first && samples[i].address <= r.last));
	ck_assert(has(PLAN_REGION_START, false, 0, r.first));
	ck_assert(has(PLAN_REGION_END, false, 0, r.last - 63));
}
END_TEST

SUITE(check_plan)
{
	const int n = (int)(sizeof(shapes) / sizeof(shapes[0]));
	Suite *s = suite_create("plan");
	TCase *t = tcase_create("plan");

	tcase_add_checked_fixture(t, NULL, teardown);
	tcase_add_loop_test(t, all_samples_are_lines_of_the_region_or_of_its_devices, 0, n);
	tcase_add_loop_test(t, ends_chunks_and_bits_are_tried, 0, n);
	tcase_add_loop_test(t, an_address_is_planned_once, 0, n);
	tcase_add_test(t, a_seed_gives_the_same_samples_again);
	tcase_add_test(t, a_region_of_a_line_and_one_of_all_addresses_have_plans);
	tcase_add_test(t, a_part_of_a_region_is_tried_only_there);
	suite_add_tcase(s, t);
	return s;
}
