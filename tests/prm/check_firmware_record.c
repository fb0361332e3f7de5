// SPDX-License-Identifier: LGPL-2.1-or-later
/* Uses of many answers of firmware: verification of a decoder, and recordings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "prm/capture_pairs.h"
#include "prm/verify.h"
#include "tests/lib/firmware_host.h"
#include "tests/lib/suites.h"

START_TEST(verification_counts_agreement_with_ways_and_granularity)
{
	struct verification v;
	bool permuted = _i & 1, regionless = _i & 2;

	fake.rule = rules[permuted];
	if (regionless)
		model_drop_region(&m, region);
	ready();
	ck_assert_int_eq(translator_verify(m.t, endpoint_decoder(mem[1], 0), 1000, &timeout, &v),
			 0);
	ck_assert_str_eq(v.reason, "");
	ck_assert_uint_eq(v.sampled, 1000);
	ck_assert_uint_eq(v.answered, 1000);
	ck_assert_uint_eq(v.in_block, 1000);
	ck_assert_uint_eq(v.ways, 2);
	ck_assert_uint_eq(v.granularity, 256);
	ck_assert_uint_eq(v.position, 1);
	ck_assert_int_eq(v.from_region, !regionless);
	ck_assert_int_eq(v.disagrees, permuted);
	if (permuted) {
		uint64_t spa;

		ck_assert(v.agree > 400 && v.agree < 600);
		(void)fake_permuted(1, v.dpa, &spa);
		ck_assert_uint_eq(v.spa, spa);
		(void)fake_plain(1, v.dpa, &spa);
		ck_assert_uint_eq(v.expected, spa);
	} else {
		ck_assert_uint_eq(v.agree, 1000);
	}
	ck_assert_uint_eq(v.repeated, 1000);
	ck_assert_uint_eq(v.changed, 0);
}
END_TEST

/* Plain at first, permuted after as many queries as the first pass has. */
static int changing_rule(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	return fake.calls <= 1000 ? fake_plain(bus, dpa, ret_spa)
				  : fake_permuted(bus, dpa, ret_spa);
}

START_TEST(verification_finds_answers_that_change)
{
	struct verification v;
	uint64_t before, after;

	fake.rule = changing_rule;
	ready();
	ck_assert_int_eq(translator_verify(m.t, endpoint_decoder(mem[1], 0), 1000, &timeout, &v),
			 0);
	ck_assert_uint_eq(v.agree, 1000);
	ck_assert_uint_eq(v.repeated, 1000);
	ck_assert(v.changed > 400 && v.changed < 600);
	(void)fake_plain(1, v.changed_dpa, &before);
	(void)fake_permuted(1, v.changed_dpa, &after);
	ck_assert_uint_eq(v.changed_before, before);
	ck_assert_uint_eq(v.changed_after, after);
}
END_TEST

START_TEST(verification_reports_why_answers_are_missing)
{
	struct verification v;

	fake.bucket = 100;
	ready();
	ck_assert_int_eq(translator_verify(m.t, endpoint_decoder(mem[0], 0), 1000, &timeout, &v),
			 0);
	ck_assert_uint_eq(v.sampled, 1000);
	ck_assert_uint_eq(v.answered, 100);
	ck_assert_uint_eq(v.agree, 100);
	ck_assert_ptr_nonnull(strstr(v.reason, "rate limited"));
	ck_assert_int_eq(v.reason_code, REASON_RATE_LIMITED);
	ck_assert_uint_eq(v.repeated, 0);
	ck_assert_int_eq(translator_verify(m.t, window, 10, &timeout, &v), -EINVAL);
}
END_TEST

START_TEST(a_recording_contains_the_answers_of_firmware)
{
	const char *line;
	struct recording r;
	char text[128];
	size_t n = 0;

	fake.rule = fake_page_of_errors;
	ready();
	ck_assert(record_wanted(m.t));
	ck_assert_int_eq(record_pairs(m.t, &r), 0);
	ck_assert_str_eq(r.missed, "");
	ck_assert_uint_eq(r.queried, r.written);
	ck_assert_uint_eq(fake.calls, r.queried);
	ck_assert_uint_ge(r.written, 2 * (RECORD_SPACED + RECORD_RANDOM));
	ck_assert_uint_eq(strlen(r.text), r.len);
	for (line = strchr(r.text, '\n'); line; line = strchr(line + 1, '\n'))
		n++;
	ck_assert_uint_eq(n, r.written + 2);
	(void)snprintf(text, sizeof(text),
		       "# mem0 %s serial 0xabc0 at 0000:00:00.0\n"
		       "0000:00:00.0 dpa 0x0 -> spa 0x1000000000\n",
		       endpoint_decoder(mem[0], 0)->name);
	ck_assert_ptr_nonnull(strstr(r.text, text));
	ck_assert_ptr_nonnull(strstr(r.text, "\n0000:01:00.0 dpa 0xfffffff -> spa 0x101fffffff\n"));
	ck_assert_ptr_nonnull(
		strstr(r.text, "\n0000:00:00.0 dpa 0x4000: error -5 (Input/output error)\n"));
	free(r.text);
}
END_TEST

START_TEST(an_incomplete_recording_has_a_reason)
{
	struct recording r;

	ready();
	fake.translate_errno = ENODEV;
	ck_assert_int_eq(record_pairs(m.t, &r), 0);
	ck_assert_ptr_null(r.text);
	ck_assert_uint_eq(r.written, 0);
	ck_assert_int_eq(r.missed_reason, REASON_FIRMWARE_UNAVAILABLE);
	ck_assert_str_eq(r.missed, "the kernel module cxl_prm was unloaded while in use");
}
END_TEST

SUITE(check_firmware_record)
{
	Suite *s = suite_create("firmware record");
	TCase *t = tcase_create("many answers");

	tcase_add_checked_fixture(t, firmware_host_setup, firmware_host_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, verification_counts_agreement_with_ways_and_granularity, 0, 4);
	tcase_add_test(t, verification_finds_answers_that_change);
	tcase_add_test(t, verification_reports_why_answers_are_missing);
	tcase_add_test(t, a_recording_contains_the_answers_of_firmware);
	tcase_add_test(t, an_incomplete_recording_has_a_reason);
	suite_add_tcase(s, t);
	return s;
}
