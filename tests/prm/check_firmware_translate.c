// SPDX-License-Identifier: LGPL-2.1-or-later
/* Translating through firmware: which answers are accepted, in both directions. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/firmware_host.h"
#include "tests/lib/suites.h"

START_TEST(firmware_answers_every_address_in_both_directions)
{
	uint64_t spa, dpa;
	uint64_t x = 7;

	fake.rule = rules[_i % 2];
	if (_i >= 2)
		model_drop_region(&m, region);
	ready();
	for (unsigned int i = 0; i < 4000; i++) {
		uint8_t bus = (uint8_t)(i & 1);

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		dpa = i < 2 ? 0 : i < 4 ? MIB_256 - 1 : (x >> 20) % MIB_256;
		ck_assert_int_eq(fake.rule(bus, dpa, &spa), 0);
		expect_exact(query_device(bus, dpa), mem[bus], dpa, spa);
		expect_exact(query_spa(spa), mem[bus], dpa, spa);
	}
}
END_TEST

START_TEST(a_search_takes_one_query_for_each_member)
{
	ready();
	expect_exact(query_spa(BASE + 0x2140), mem[1], 0x1040, BASE + 0x2140);
	ck_assert_uint_eq(fake.calls, 2);
	ck_assert_uint_eq(fake.ioctls, 1);
	/* The whole block is known now. */
	expect_exact(query_spa(BASE + 0x2000), mem[0], 0x1000, BASE + 0x2000);
	expect_exact(query_device(0, 0x10ff), mem[0], 0x10ff, BASE + 0x20ff);
	ck_assert_uint_eq(fake.calls, 2);
}
END_TEST

START_TEST(an_error_is_remembered_until_the_address_is_translated)
{
	struct firmware_status s;

	fake.rule = fake_page_of_errors;
	ready();
	(void)query_device(1, 0x4040);
	firmware_status(m.firmware, &s);
	ck_assert_uint_eq(s.n_failing, 1);
	ck_assert_str_eq(
		s.failing,
		"0000:01:00.0, DPA 0x4040: the PRM handler failed for this address (EFI_DEVICE_ERROR)");
	fake.rule = fake_plain;
	firmware_invalidate(m.firmware);
	(void)query_device(1, 0x4140);
	firmware_status(m.firmware, &s);
	ck_assert_uint_eq(s.n_failing, 1);
	(void)query_device(1, 0x4080);
	firmware_status(m.firmware, &s);
	ck_assert_uint_eq(s.n_failing, 0);
	ck_assert_str_eq(s.failing, "");
}
END_TEST

START_TEST(translation_without_timeout_uses_the_cache_and_reports_not_queried)
{
	const struct answer *a;

	ready();
	a = model_translate_dpa(&m, mem[0], 0x1040, 0x1040);
	expect_estimated(a, 0x1000, "firmware has not been queried yet; region0 uses Normalized");
	ck_assert(a->not_queried);
	expect_reason_code(a, REASON_FIRMWARE_NOT_QUERIED);
	expect_reason_code(a, REASON_NORMALIZED);
	expect_reason_code(a, REASON_ESTIMATED);
	a = model_translate_spa(&m, BASE + 0x2040, BASE + 0x2040);
	ck_assert(a->not_queried && a->source == SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->n_candidates, 2);
	ck_assert_uint_eq(fake.ioctls, 0);
	(void)query_device(0, 0x1000);
	expect_exact(model_translate_dpa(&m, mem[0], 0x1040, 0x1040), mem[0], 0x1040,
		     BASE + 0x2040);
	expect_exact(model_translate_spa(&m, BASE + 0x2040, BASE + 0x2040), mem[0], 0x1040,
		     BASE + 0x2040);
	ck_assert_uint_eq(fake.ioctls, 1);
}
END_TEST

static enum answer_source usual_source(void)
{
	return translator_usual_source(m.t, mem[0], endpoint_decoder(mem[0], 0));
}

START_TEST(usual_source_is_firmware_while_it_can_be_queried)
{
	ready();
	ck_assert_int_eq(usual_source(), SOURCE_PRM);
	ck_assert_uint_eq(fake.ioctls, 0);
	firmware_stop(m.firmware);
	ck_assert_int_eq(usual_source(), SOURCE_ESTIMATE);
}
END_TEST

START_TEST(usual_source_of_a_decoder_without_region_needs_firmware)
{
	model_drop_region(&m, region);
	ready();
	ck_assert_int_eq(usual_source(), SOURCE_PRM);
	firmware_stop(m.firmware);
	ck_assert_int_eq(usual_source(), SOURCE_NONE);
}
END_TEST

/* Invalid answers of firmware: an offset to the right one, by bus. */
static uint64_t wrong_by[2];

static int wrong(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)fake_plain(bus, dpa, ret_spa);
	*ret_spa += wrong_by[bus];
	return 0;
}

static const struct {
	uint64_t by[2];
	enum answer_reason code;
	const char *reason;
} invalid_answers[] = {
	{{0x2000000000ULL, 0},
	 REASON_SPA_NO_WINDOW,
	 "firmware's SPA 0x3000002040 for DPA 0x1040 of mem0 is in no CXL window; region0 uses"},
	{{4 * MIB_256, 0},
	 REASON_SPA_OUTSIDE_REGION,
	 "firmware's SPA 0x1040002040 for DPA 0x1040 of mem0 is outside region0"},
	{{512, 0},
	 REASON_SPA_OUTSIDE_BLOCK,
	 "firmware's SPA 0x1000002240 for DPA 0x1040 of mem0 is outside its interleave block of region0"},
	{{1, 0},
	 REASON_SPA_LOW_BITS,
	 "firmware's SPA 0x1000002041 for DPA 0x1040 is rejected: the low 8 bits of DPA and SPA differ"},
	{{256, 0},
	 REASON_SPA_SHARED,
	 "firmware's SPA 0x1000002140 for DPA 0x1040 is rejected: firmware gave the same SPA for DPA 0x1040 of 0000:01:00.0"},
};

START_TEST(an_invalid_answer_is_rejected_with_its_addresses)
{
	struct firmware_status status;

	memcpy(wrong_by, invalid_answers[_i].by, sizeof(wrong_by));
	fake.rule = wrong;
	ready();
	if (invalid_answers[_i].by[0] == 256)
		(void)query_device(1, 0x1040);
	expect_estimated(query_device(0, 0x1040), 0x1000, invalid_answers[_i].reason);
	ck_assert_int_eq(out.items[0].first_reason, invalid_answers[_i].code);
	firmware_status(m.firmware, &status);
	ck_assert_int_eq(status.rejected_reason, invalid_answers[_i].code);
	ck_assert_uint_eq(strspn(status.rejected, " ;"), 0);
	/* The search rejects it, too. */
	ck_assert_int_eq(query_spa(BASE + 0x2040)->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(out.items[0].n_candidates, 2);
	ck_assert_msg(strstr(out.items[0].reason, "firmware's SPA") != NULL, "%s",
		      out.items[0].reason);
}
END_TEST

START_TEST(an_error_for_one_page_leaves_its_estimate)
{
	fake.rule = fake_page_of_errors;
	if (_i)
		model_drop_region(&m, region);
	ready();
	expect_estimated(query_device(1, 0x4040), 0x4000, "EFI_DEVICE_ERROR");
	if (!_i)
		ck_assert_int_eq(query_spa(BASE + 0x8040)->source, SOURCE_ESTIMATE);
	expect_reason(query_spa(BASE + 0x8040), "EFI_DEVICE_ERROR");
	expect_reason_code(&out.items[0], REASON_FIRMWARE_ERROR);
	expect_exact(query_device(1, 0x5040), mem[1], 0x5040, BASE + 0xa140);
}
END_TEST

START_TEST(an_unavailable_handler_is_the_reason)
{
	fake.reason = CXL_PRM_EFI_OFF;
	if (_i)
		model_drop_region(&m, region);
	ready();
	if (_i)
		expect_reason(query_device(0, 0x1040), "switched off until the next boot");
	else
		expect_estimated(query_device(0, 0x1040), 0x1000,
				 "switched off until the next boot");
	ck_assert(!out.items[0].not_queried);
	expect_reason_code(&out.items[0], REASON_FIRMWARE_UNAVAILABLE);
	expect_reason(query_spa(BASE + 0x2040), "switched off until the next boot");
}
END_TEST

START_TEST(an_interval_at_the_rate_limit_has_that_reason)
{
	fake.bucket = 0;
	ready();
	expect_estimated(query_device(0, 0x1040), 0x1000, "rate limited");
	ck_assert_int_eq(query_spa(BASE + 0x2040)->source, SOURCE_ESTIMATE);
	expect_reason(&out.items[0], "rate limited");
	expect_reason_code(&out.items[0], REASON_RATE_LIMITED);
}
END_TEST

START_TEST(a_range_is_exact_within_a_chunk_and_otherwise_an_interval)
{
	const struct answer *a;

	ready();
	a = query_range(0, 0x1010, 0x10f0);
	ck_assert_int_eq(a->source, SOURCE_PRM);
	ck_assert(!a->exact);
	ck_assert_uint_eq(a->spa, BASE + 0x2010);
	ck_assert_uint_eq(a->spa_last, BASE + 0x20f0);
	a = query_spa_range(BASE + 0x2110, BASE + 0x2120);
	ck_assert_int_eq(a->source, SOURCE_PRM);
	ck_assert_ptr_eq(a->memdev, mem[1]);
	ck_assert_uint_eq(a->dpa, 0x1010);
	ck_assert_uint_eq(a->dpa_last, 0x1020);
	fake.calls = 0;
	a = query_range(0, 0, MIB_256 - 1);
	ck_assert_int_eq(a->source, SOURCE_ESTIMATE);
	ck_assert_uint_eq(a->spa_last, BASE + 2 * MIB_256 - 1);
	ck_assert_uint_eq(fake.calls, 0);
}
END_TEST

START_TEST(ordinary_decoders_never_use_firmware)
{
	model_cedt(&m, 0, NULL, 0);
	for (unsigned int i = 0; i < 2; i++) {
		struct decoder *d = endpoint_decoder(mem[i], 0);

		d->start = OPT_U64(BASE);
		d->size = region->size;
		d->ways = OPT_U64(2);
	}
	ready();
	ck_assert_int_eq(query_device(0, 0x1040)->source, SOURCE_DECODER);
	ck_assert_int_eq(query_spa(BASE + 0x2040)->source, SOURCE_DECODER);
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(an_spa_that_unknown_windows_cannot_confirm_is_doubtful)
{
	ready();
	expect_doubts(query_device(0, 0x1040), 0);
	m.t = translator_unref(m.t);
	window->start.present = false;
	model_ready(&m);
	ck_assert_int_eq(query_device(0, 0x1040)->source, SOURCE_PRM);
	expect_doubts(&out.items[0], 1U << DOUBT_SPA_UNVERIFIED | 1U << DOUBT_WINDOW_UNVERIFIED);
}
END_TEST

START_TEST(a_captured_host_does_not_use_firmware_of_this_machine)
{
	model_captured(&m, -1);
	ready();
	expect_estimated(query_device(0, 0x1040), 0x1000, "only firmware knows");
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(a_host_without_normalized_addressing_does_not_report_missing_firmware)
{
	fake.reason = CXL_PRM_NO_PRMT;
	for (unsigned int i = 0; i < 2; i++)
		endpoint_decoder(mem[i], 0)->start.present = false;
	endpoint_decoder(mem[0], 0)->ways.present = false;
	endpoint_decoder(mem[1], 0)->ways.present = false;
	ready();
	ck_assert_ptr_null(strstr(query_device(0, 0x1040)->reason, "PRMT"));
}
END_TEST

START_TEST(a_device_without_pci_address_is_not_queried)
{
	mem[0]->bdf = NULL;
	ready();
	expect_estimated(query_device(0, 0x1040), 0x1000, "only firmware knows");
	expect_exact(query_device(1, 0x1040), mem[1], 0x1040, BASE + 0x2140);
}
END_TEST

SUITE(check_firmware_translate)
{
	Suite *s = suite_create("firmware translate");
	TCase *t = tcase_create("accepted");

	tcase_add_checked_fixture(t, firmware_host_setup, firmware_host_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, firmware_answers_every_address_in_both_directions, 0, 4);
	tcase_add_test(t, a_search_takes_one_query_for_each_member);
	tcase_add_test(t, usual_source_is_firmware_while_it_can_be_queried);
	tcase_add_test(t, usual_source_of_a_decoder_without_region_needs_firmware);
	tcase_add_test(t, an_error_is_remembered_until_the_address_is_translated);
	tcase_add_test(t, translation_without_timeout_uses_the_cache_and_reports_not_queried);
	tcase_add_loop_test(t, an_invalid_answer_is_rejected_with_its_addresses, 0,
			    ARRAY_SIZE(invalid_answers));
	tcase_add_loop_test(t, an_error_for_one_page_leaves_its_estimate, 0, 2);
	tcase_add_loop_test(t, an_unavailable_handler_is_the_reason, 0, 2);
	tcase_add_test(t, an_interval_at_the_rate_limit_has_that_reason);
	tcase_add_test(t, a_range_is_exact_within_a_chunk_and_otherwise_an_interval);
	tcase_add_test(t, ordinary_decoders_never_use_firmware);
	tcase_add_test(t, an_spa_that_unknown_windows_cannot_confirm_is_doubtful);
	tcase_add_test(t, a_captured_host_does_not_use_firmware_of_this_machine);
	tcase_add_test(t, a_host_without_normalized_addressing_does_not_report_missing_firmware);
	tcase_add_test(t, a_device_without_pci_address_is_not_queried);
	suite_add_tcase(s, t);
	return s;
}
