// SPDX-License-Identifier: LGPL-2.1-or-later
/* Each way in which asking firmware can fail: what is said, what is kept, and how it goes on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "tests/lib/firmware_util.h"

/* Errors of entries: what is said, and whether it will be so the next time. */
static const struct {
	int error;
	bool lasts;
	const char *text;
} errors[] = {
	{-EINVAL, true, "EFI_INVALID_PARAMETER"},    {-ENOENT, true, "does not know the device"},
	{-EIO, true, "failed for this address"},     {-EROFS, true, "EFI_WRITE_PROTECTED"},
	{-EACCES, true, "EFI_SECURITY_VIOLATION"},   {-ENODATA, true, "without an address"},
	{-ERANGE, true, "beyond the device"},	     {-EOVERFLOW, true, "segments above 255"},
	{-ENODEV, false, "no CXL memory device"},    {-ENXIO, false, "not bound to cxl_pci"},
	{-ENOSPC, false, "out of resources"},	     {-EINTR, false, "EFI_ABORTED"},
	{-EOPNOTSUPP, false, "could not translate"}, {-ESHUTDOWN, false, "did not return"},
	{-ETIMEDOUT, false, "did not return"},	     {-EPROTO, false, "error -71"},
};
static int error_of_rule;

static int failing(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)bus, (void)dpa, (void)ret_spa;
	return error_of_rule;
}

START_TEST(errors_are_kept_only_when_they_last)
{
	struct firmware_answer a;

	error_of_rule = errors[_i].error;
	fake.rule = failing;
	start();
	expect_text(ask(0, 0x4000), FIRMWARE_ERROR, errors[_i].text);
	ck_assert_int_eq(peek(0, 0x4000, &a), errors[_i].lasts);
	fake.rule = fake_plain;
	if (errors[_i].lasts)
		expect_text(ask(0, 0x40ff), FIRMWARE_ERROR, errors[_i].text);
	else
		expect_spa(ask(0, 0x40ff), FAKE_BASE + 0x80ff);
	ck_assert_uint_eq(fake.calls, errors[_i].lasts ? 1 : 2);
}
END_TEST

START_TEST(a_segment_without_room_in_the_interface_is_not_asked_about)
{
	struct firmware_query q = {.segment = 0x10000};
	struct firmware_answer a;

	start();
	firmware_translate(f, &q, 1, &timeout, &a);
	expect_text(a, FIRMWARE_ERROR, "segments above 255");
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

/* The module's reasons. */
static const struct {
	unsigned int reason;
	enum firmware_state state;
	const char *name, *text;
} reasons[] = {
	{CXL_PRM_NO_PRMT, FIRMWARE_NO_PRMT, "no-prmt", "no ACPI table PRMT"},
	{CXL_PRM_BAD_PRMT, FIRMWARE_BAD_PRMT, "bad-prmt", "malformed"},
	{CXL_PRM_NO_HANDLER, FIRMWARE_NO_HANDLER, "no-handler", "no PRM handler"},
	{CXL_PRM_NULL_ADDRESS, FIRMWARE_NULL_ADDRESS, "null-address", "gives 0x0"},
	{CXL_PRM_BAD_ADDRESS, FIRMWARE_BAD_ADDRESS, "bad-address", "EFI runtime memory"},
	{CXL_PRM_NO_MEMMAP, FIRMWARE_NO_MEMMAP, "no-memory-map", "memory map"},
	{CXL_PRM_EFI_OFF, FIRMWARE_EFI_OFF, "efi-off", "switched off"},
	{CXL_PRM_NOT_IN_KERNEL, FIRMWARE_NOT_IN_KERNEL, "not-in-kernel", "did not register"},
	{CXL_PRM_WEDGED, FIRMWARE_WEDGED, "wedged", "wedged"},
	{4711, FIRMWARE_NOT_READY, "not-ready", "not ready"},
};

START_TEST(each_reason_of_the_module_has_its_words)
{
	fake.reason = reasons[_i].reason;
	start();
	ck_assert_int_eq(state(reasons[_i].text), reasons[_i].state);
	ck_assert_str_eq(firmware_state_name(reasons[_i].state), reasons[_i].name);
	ck_assert_ptr_nonnull(firmware_state_advice(reasons[_i].state));
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, reasons[_i].text);
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(without_device_the_module_is_not_loaded_until_it_is)
{
	struct firmware_answer a;

	ck_assert_int_eq(unlink(fake.path), 0);
	start();
	ck_assert_int_eq(state("not loaded"), FIRMWARE_NO_DEVICE);
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, "not loaded");
	ck_assert(!peek(0, 0, &a));
	expect_text(a, FIRMWARE_UNAVAILABLE, "not loaded");
	ck_assert_int_eq(mkdir(fake.path, 0700), 0);
	firmware_refresh(f);
	ck_assert_int_eq(state("Is a directory"), FIRMWARE_BROKEN);
	ck_assert_int_eq(rmdir(fake.path), 0);
	ck_assert_int_ge(fclose(fopen(fake.path, "w")), 0);
	firmware_refresh(f);
	expect_spa(ask(0, 0), FAKE_BASE);
}
END_TEST

START_TEST(a_device_for_others_needs_permission)
{
	ck_assert_int_eq(chmod(fake.path, 0), 0);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	start();
	ck_assert_int_eq(state("no permission to open"), FIRMWARE_NO_PERMISSION);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, "no permission to open");
}
END_TEST

START_TEST(a_newer_or_another_interface_is_not_used)
{
	fake.abi = CXL_PRM_ABI_VERSION + 1;
	start();
	ck_assert_int_eq(state("newer interface"), FIRMWARE_NEWER);
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, "newer interface");
	fake.abi = 0;
	start();
	ck_assert_int_eq(state("does not behave"), FIRMWARE_BROKEN);
	fake.info_errno = ENOTTY;
	start();
	ck_assert_int_eq(state("Inappropriate ioctl"), FIRMWARE_BROKEN);
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, "does not behave");
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

static const int gone[] = {ENODEV, EBADF, ENXIO};

START_TEST(a_module_unloaded_in_use_says_so)
{
	start();
	expect_spa(ask(0, 0), FAKE_BASE);
	fake.translate_errno = gone[_i];
	expect_text(ask(0, 0x100), FIRMWARE_UNAVAILABLE, "unloaded while in use");
	ck_assert_int_eq(state("unloaded while in use"), FIRMWARE_UNLOADED);
	/* What firmware has said is still so. */
	expect_spa(ask(0, 0), FAKE_BASE);
	fake.translate_errno = 0;
	firmware_refresh(f);
	expect_spa(ask(0, 0x100), FAKE_BASE + 0x200);
	ck_assert_int_eq(unlink(fake.path), 0);
	expect_text(ask(0, 0x200), FIRMWARE_UNAVAILABLE, "unloaded while in use");
}
END_TEST

START_TEST(at_the_rate_limit_the_impatient_are_told_at_once)
{
	struct firmware_answer a;

	fake.bucket = 1;
	start();
	expect_spa(ask(0, 0), FAKE_BASE);
	expect_text(ask(0, 0x100), FIRMWARE_RATE_LIMITED, "rate limited");
	ck_assert(!peek(0, 0x100, &a));
	ck_assert_uint_eq(fake.ioctls, 2);
	fake.bucket = 1;
	expect_spa(ask(0, 0x100), FAKE_BASE + 0x200);
}
END_TEST

static void *refill(void *arg)
{
	(void)arg;
	for (int i = 0; i < 8; i++) {
		(void)usleep(5000);
		fake_lock();
		fake.bucket += 2;
		fake_unlock();
	}
	return NULL;
}

START_TEST(at_the_rate_limit_the_patient_wait_and_ask_again)
{
	struct firmware_query q[16];
	struct firmware_answer a[16];
	pthread_t thread;

	for (size_t i = 0; i < 16; i++)
		q[i] = question(1, i * 256);
	fake.bucket = 0;
	start();
	timeout.bucket_ms = 60000;
	ck_assert_int_eq(pthread_create(&thread, NULL, refill, NULL), 0);
	firmware_translate(f, q, 16, &timeout, a);
	pthread_join(thread, NULL);
	for (size_t i = 0; i < 16; i++)
		expect_spa(a[i], FAKE_BASE + i * 512 + 256);
	ck_assert_uint_eq(fake.calls, 16);
	ck_assert_uint_lt(timeout.bucket_ms, 60000);
	ck_assert_uint_gt(timeout.bucket_ms, 0);
}
END_TEST

START_TEST(timeout_with_the_rate_limit_ends_in_all)
{
	uint64_t begun = clock_monotonic_ms();

	fake.bucket = 0;
	start();
	timeout.bucket_ms = 120;
	expect_text(ask(0, 0), FIRMWARE_RATE_LIMITED, "rate limited");
	ck_assert_uint_ge(clock_monotonic_ms() - begun, 120);
	ck_assert_uint_eq(timeout.bucket_ms, 0);
	fake.ioctls = 0;
	expect_text(ask(0, 0), FIRMWARE_RATE_LIMITED, "rate limited");
	ck_assert_uint_eq(fake.ioctls, 1);
}
END_TEST

START_TEST(after_a_wedge_firmware_is_left_alone)
{
	error_of_rule = -ETIMEDOUT;
	fake.rule = failing;
	fake.reason_after = CXL_PRM_WEDGED;
	start();
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, "wedged");
	ck_assert_int_eq(state("wedged"), FIRMWARE_WEDGED);
	for (uint64_t dpa = 0; dpa < 0x10000; dpa += 0x100)
		expect_text(ask(1, dpa), FIRMWARE_UNAVAILABLE, "wedged");
	ck_assert_uint_eq(fake.ioctls, 1);
	/* The module was loaded again. */
	fake.reason = fake.reason_after = CXL_PRM_READY;
	fake.rule = fake_plain;
	firmware_refresh(f);
	expect_spa(ask(0, 0), FAKE_BASE);
}
END_TEST

START_TEST(an_io_error_may_be_the_end_of_efi)
{
	struct firmware_answer a;

	error_of_rule = -EIO;
	fake.rule = failing;
	fake.reason_after = CXL_PRM_EFI_OFF;
	start();
	expect_text(ask(0, 0), FIRMWARE_UNAVAILABLE, "switched off");
	ck_assert(!peek(0, 0, &a));
	ck_assert_int_eq(state("switched off"), FIRMWARE_EFI_OFF);
}
END_TEST

START_TEST(slow_firmware_is_waited_for_only_so_long)
{
	struct firmware_answer a;
	uint64_t begun;

	fake.hold = true;
	start();
	timeout.call_ms = 50;
	expect_text(ask(0, 0x40), FIRMWARE_TOO_SLOW, "slow");
	/* Who comes behind does not wait again. */
	timeout.call_ms = 40;
	begun = clock_monotonic_ms();
	for (int i = 1; i < 100; i++)
		expect_text(ask(0, 0x100U * (unsigned int)i), FIRMWARE_TOO_SLOW, "slow");
	ck_assert_uint_lt(clock_monotonic_ms() - begun, 2000);
	fake_lock();
	ck_assert_uint_eq(fake.ioctls, 1);
	fake_unlock();
	/* The answer is not lost. */
	fake_release();
	while (!peek(0, 0, &a))
		(void)usleep(1000);
	expect_spa(a, FAKE_BASE);
	timeout.call_ms = 60000;
	expect_spa(ask(0, 0x100), FAKE_BASE + 0x200);
}
END_TEST

START_TEST(slow_answers_are_a_condition)
{
	fake.call_us = (FIRMWARE_SLOW_CALL_MS + 10) * 1000;
	start();
	expect_spa(ask(0, 0), FAKE_BASE);
	ck_assert_int_eq(state("ms for one address"), FIRMWARE_SLOW);
	fake.call_us = 0;
	expect_spa(ask(0, 0x100), FAKE_BASE + 0x200);
	ck_assert_int_eq(state("answers through"), FIRMWARE_READY);
}
END_TEST

static int other_low_bits(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)fake_plain(bus, dpa, ret_spa);
	*ret_spa ^= 1;
	return 0;
}

START_TEST(other_low_bits_are_rejected_by_name)
{
	fake.rule = other_low_bits;
	start();
	expect_text(ask(0, 0x1040), FIRMWARE_LOW_BITS,
		    "SPA 0x1000002041 for DPA 0x1040 is rejected: the low 8 bits of DPA and SPA "
		    "differ");
	expect_text(ask(0, 0x1050), FIRMWARE_LOW_BITS, "SPA 0x1000002041 for DPA 0x1040");
	ck_assert_uint_eq(fake.calls, 1);
}
END_TEST

static int one_for_both(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)bus;
	return fake_plain(0, dpa, ret_spa);
}

START_TEST(two_chunks_at_one_spa_are_both_rejected_by_name)
{
	struct firmware_query q[2] = {question(0, 0x2010), question(1, 0x2010)};
	struct firmware_answer a[2];

	fake.rule = one_for_both;
	start();
	expect_spa(ask(0, 0x1040), FAKE_BASE + 0x2040);
	expect_text(ask(1, 0x1040), FIRMWARE_SHARED,
		    "SPA 0x1000002040 for DPA 0x1040 is rejected: firmware gave the same SPA for "
		    "DPA 0x1040 "
		    "of 0000:00:00.0");
	expect_text(ask(0, 0x1050), FIRMWARE_SHARED, "DPA 0x1050 of 0000:01:00.0");
	firmware_translate(f, q, 2, &timeout, a);
	expect_text(a[0], FIRMWARE_SHARED, "of 0000:01:00.0");
	expect_text(a[1], FIRMWARE_SHARED, "of 0000:00:00.0");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("firmware failures");
	TCase *t = tcase_create("failures");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(t, client_setup, client_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, errors_are_kept_only_when_they_last, 0, ARRAY_SIZE(errors));
	tcase_add_test(t, a_segment_without_room_in_the_interface_is_not_asked_about);
	tcase_add_loop_test(t, each_reason_of_the_module_has_its_words, 0, ARRAY_SIZE(reasons));
	tcase_add_test(t, without_device_the_module_is_not_loaded_until_it_is);
	tcase_add_test(t, a_device_for_others_needs_permission);
	tcase_add_test(t, a_newer_or_another_interface_is_not_used);
	tcase_add_loop_test(t, a_module_unloaded_in_use_says_so, 0, ARRAY_SIZE(gone));
	tcase_add_test(t, at_the_rate_limit_the_impatient_are_told_at_once);
	tcase_add_test(t, at_the_rate_limit_the_patient_wait_and_ask_again);
	tcase_add_test(t, timeout_with_the_rate_limit_ends_in_all);
	tcase_add_test(t, after_a_wedge_firmware_is_left_alone);
	tcase_add_test(t, an_io_error_may_be_the_end_of_efi);
	tcase_add_test(t, slow_firmware_is_waited_for_only_so_long);
	tcase_add_test(t, slow_answers_are_a_condition);
	tcase_add_test(t, other_low_bits_are_rejected_by_name);
	tcase_add_test(t, two_chunks_at_one_spa_are_both_rejected_by_name);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
