// SPDX-License-Identifier: LGPL-2.1-or-later
/* Translating through firmware where the kernel created no region: the geometry comes from
 * firmware, too. */
#include <errno.h>
#include <stdlib.h>

#include <check.h>

#include "tests/lib/firmware_host.h"
#include "tests/lib/suites.h"

static void setup(void)
{
	firmware_host_setup();
	model_drop_region(&m, region);
}

START_TEST(the_geometry_is_derived_once)
{
	ready();
	expect_exact(query_spa(BASE + 0x2140), mem[1], 0x1040, BASE + 0x2140);
	/* For each decoder its ends and the next chunk; then one query of each. */
	ck_assert_uint_eq(fake.calls, 2 * 3 + 2);
	expect_exact(query_spa(BASE + 0x4140), mem[1], 0x2040, BASE + 0x4140);
	ck_assert_uint_eq(fake.calls, 2 * 3 + 4);
	firmware_invalidate(m.firmware);
	expect_exact(query_spa(BASE + 0x4140), mem[1], 0x2040, BASE + 0x4140);
	ck_assert_uint_eq(fake.calls, 2 * (2 * 3 + 2) + 2);
	/* An SPA in the window that no decoder reaches causes no query. */
	ck_assert(!query_spa(BASE + 4 * MIB_256)->has_dpa);
	ck_assert_uint_eq(fake.calls, 2 * (2 * 3 + 2) + 2);
}
END_TEST

/* The plain rule, moved outside the windows. */
static int fake_elsewhere(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	int r = fake_plain(bus, dpa, ret_spa);

	*ret_spa += 1ULL << 42;
	return r;
}

START_TEST(no_interval_is_outside_the_windows)
{
	const struct answer *a;

	fake.rule = fake_elsewhere;
	ready();
	(void)query_spa(BASE + 0x2140);
	a = query_device(0, 0x1000);
	ck_assert(!a->has_spa && a->source == SOURCE_NONE);
	expect_reason(a, "is in no CXL window");
}
END_TEST

/* Right low bits, in the window, but each chunk one interleave block too far. */
static int fake_next_block(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	int r = fake_plain(bus, dpa, ret_spa);

	*ret_spa += 512;
	return r;
}

START_TEST(answers_that_imply_no_interleave_set_are_rejected)
{
	const struct answer *a;

	fake.rule = fake_next_block;
	ready();
	a = query_device((unsigned int)_i, 0x1040);
	ck_assert(!a->has_spa && !a->exact && a->source == SOURCE_NONE);
	expect_reason(a, "are not the ends of an interleave set, so all of its answers for mem");
	a = query_spa(BASE + 0x2040);
	ck_assert(!a->has_dpa && !a->exact);
	expect_reason(a, "are not the ends of an interleave set");
	expect_reason_code(a, REASON_SPA_NO_INTERLEAVE_SET);
	a = query_device(1U - (unsigned int)_i, 0);
	ck_assert(!a->has_spa);
}
END_TEST

/* Right but for one chunk in the middle. */
static int fake_one_off(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return dpa / 256 == 0x10 ? fake_next_block(bus, dpa, ret_spa)
				 : fake_plain(bus, dpa, ret_spa);
}

START_TEST(one_answer_outside_its_block_is_rejected)
{
	const struct answer *a;

	fake.rule = fake_one_off;
	ready();
	expect_estimated(query_device(0, 0x1040), 0x1000,
			 "is outside the interleave block of 512 bytes");
	expect_exact(query_device(0, 0x1240), mem[0], 0x1240, BASE + 0x2440);
	a = query_spa(BASE + 0x2440);
	expect_exact(a, mem[0], 0x1240, BASE + 0x2440);
	a = query_spa(BASE + 0x2040);
	ck_assert(!a->exact);
	expect_reason(a, "is outside the interleave block of 512 bytes");
	expect_reason_code(a, REASON_SPA_OUTSIDE_BLOCK);
}
END_TEST

/* Both devices at the SPAs of the first one. */
static int fake_shared(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return fake_plain(bus > 1 ? bus : 0, dpa, ret_spa);
}

START_TEST(devices_with_the_same_spa_are_both_rejected)
{
	const struct answer *a;

	fake.rule = fake_shared;
	ready();
	a = query_spa(BASE + 0x2040);
	ck_assert(!a->has_dpa && !a->exact);
	expect_reason(a, "is rejected: firmware gave the same SPA for DPA");
	/* Now that it is known, for every address of both. */
	for (unsigned int i = 0; i < 2; i++) {
		a = query_device(i, 0x7040);
		ck_assert(!a->exact && !a->has_spa);
		expect_reason(a, "is rejected: firmware gave the same SPA for DPA");
	}
}
END_TEST

START_TEST(an_spa_that_firmware_maps_outside_the_windows_has_a_reason)
{
	fake.rule = fake_elsewhere;
	ready();
	ck_assert(!query_spa(BASE + 0x2040)->has_dpa);
	expect_reason(&out.items[0], "is in no CXL window; SPA 0x1000002040 is in window");
}
END_TEST

START_TEST(the_rate_limit_leaves_no_unchecked_answer)
{
	const struct answer *a;

	fake.bucket = 1;
	ready();
	a = query_device(0, 0x1040);
	ck_assert(!a->has_spa);
	expect_reason(a, "rate limited");
	fake.bucket = 100;
	expect_exact(query_device(0, 0x1040), mem[0], 0x1040, BASE + 0x2040);
}
END_TEST

static int errors_at_the_end(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return dpa >= MIB_256 - 0x1000 ? -EIO : fake_plain(bus, dpa, ret_spa);
}

START_TEST(an_error_at_an_end_affects_no_other_address)
{
	char text[FIRMWARE_TEXT_MAX];

	fake.rule = errors_at_the_end;
	ready();
	expect_exact(query_device(0, 0x1040), mem[0], 0x1040, BASE + 0x2040);
	expect_doubts(&out.items[0], 1U << DOUBT_GEOMETRY_UNKNOWN);
	/* Without timeout the same. */
	expect_exact(model_translate_dpa(&m, mem[0], 0x1040, 0x1040), mem[0], 0x1040,
		     BASE + 0x2040);
	ck_assert(firmware_failure(m.firmware, &(struct firmware_query){.bus = 0}, text));
	ck_assert_str_eq(
		text, "DPA 0xfffffff: the PRM handler failed for this address (EFI_DEVICE_ERROR)");
	ck_assert(!firmware_failure(m.firmware, &(struct firmware_query){.bus = 1}, text));
}
END_TEST

START_TEST(translation_without_timeout_uses_the_cached_geometry)
{
	const struct answer *a;

	ready();
	a = model_translate_spa(&m, BASE + 0x2040, BASE + 0x2040);
	ck_assert(!a->has_dpa && a->not_queried);
	expect_reason(a, "firmware has not been queried yet; SPA 0x1000002040 is in window");
	(void)query_spa(BASE + 0x2040);
	expect_exact(model_translate_spa(&m, BASE + 0x2040, BASE + 0x2040), mem[0], 0x1040,
		     BASE + 0x2040);
	a = model_translate_dpa(&m, mem[0], 0x9000, 0x9000);
	ck_assert(a->not_queried);
	expect_estimated(a, 0x9000, "which are derived from firmware's other answers");
}
END_TEST

SUITE(check_firmware_regionless)
{
	Suite *s = suite_create("firmware without region");
	TCase *t = tcase_create("regionless");

	tcase_add_checked_fixture(t, setup, firmware_host_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, the_geometry_is_derived_once);
	tcase_add_test(t, no_interval_is_outside_the_windows);
	tcase_add_loop_test(t, answers_that_imply_no_interleave_set_are_rejected, 0, 2);
	tcase_add_test(t, one_answer_outside_its_block_is_rejected);
	tcase_add_test(t, devices_with_the_same_spa_are_both_rejected);
	tcase_add_test(t, an_spa_that_firmware_maps_outside_the_windows_has_a_reason);
	tcase_add_test(t, the_rate_limit_leaves_no_unchecked_answer);
	tcase_add_test(t, an_error_at_an_end_affects_no_other_address);
	tcase_add_test(t, translation_without_timeout_uses_the_cached_geometry);
	suite_add_tcase(s, t);
	return s;
}
