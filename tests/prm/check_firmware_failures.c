// SPDX-License-Identifier: LGPL-2.1-or-later
/* Each way in which a query of firmware can fail: its text, what is cached, and the recovery. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "tests/lib/firmware_util.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/suites.h"

/* Longer than a test may take. */
enum { HOUR_MS = 60 * 60 * 1000 };

/* Errors of entries: the text, and whether the error is cached. */
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

START_TEST(only_permanent_errors_are_cached)
{
	struct firmware_answer a;

	error_of_rule = errors[_i].error;
	fake.rule = failing;
	client_start();
	expect_answer(client_query(0, 0x4000), FIRMWARE_ERROR, errors[_i].text);
	ck_assert_int_eq(peek(0, 0x4000, &a), errors[_i].lasts);
	fake.rule = fake_plain;
	if (errors[_i].lasts)
		expect_answer(client_query(0, 0x40ff), FIRMWARE_ERROR, errors[_i].text);
	else
		expect_spa(client_query(0, 0x40ff), FAKE_BASE + 0x80ff);
	ck_assert_uint_eq(fake.calls, errors[_i].lasts ? 1 : 2);
}
END_TEST

START_TEST(a_pci_segment_beyond_the_interface_is_not_queried)
{
	struct firmware_query q = {.segment = 0x10000};
	struct firmware_answer a;

	client_start();
	firmware_translate(firmware, &q, 1, &client_timeout, &a);
	expect_answer(a, FIRMWARE_ERROR, "segments above 255");
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

START_TEST(each_reason_of_the_module_has_a_text)
{
	fake.reason = reasons[_i].reason;
	client_start();
	ck_assert_int_eq(state(reasons[_i].text), reasons[_i].state);
	ck_assert_str_eq(firmware_state_name(reasons[_i].state), reasons[_i].name);
	ck_assert_ptr_nonnull(firmware_state_advice(reasons[_i].state));
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, reasons[_i].text);
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

START_TEST(a_missing_device_is_found_once_the_module_is_loaded)
{
	struct firmware_answer a;

	ck_assert_int_eq(unlink(fake.path), 0);
	client_start();
	ck_assert_int_eq(state("not loaded"), FIRMWARE_NO_DEVICE);
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "not loaded");
	ck_assert(!peek(0, 0, &a));
	expect_answer(a, FIRMWARE_UNAVAILABLE, "not loaded");
	ck_assert_int_eq(mkdir(fake.path, 0700), 0);
	firmware_refresh(firmware);
	ck_assert_int_eq(state("Is a directory"), FIRMWARE_BROKEN);
	ck_assert_int_eq(rmdir(fake.path), 0);
	ck_assert_int_ge(fclose(fopen(fake.path, "w")), 0);
	firmware_refresh(firmware);
	expect_spa(client_query(0, 0), FAKE_BASE);
}
END_TEST

START_TEST(a_device_without_permission_is_reported)
{
	ck_assert_int_eq(chmod(fake.path, 0), 0);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	client_start();
	ck_assert_int_eq(state("no permission to open"), FIRMWARE_NO_PERMISSION);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "no permission to open");
}
END_TEST

START_TEST(an_unknown_interface_version_is_not_used)
{
	fake.abi = CXL_PRM_ABI_VERSION + 1;
	client_start();
	ck_assert_int_eq(state("newer interface"), FIRMWARE_NEWER);
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "newer interface");
	fake.abi = 0;
	client_start();
	ck_assert_int_eq(state("does not behave"), FIRMWARE_BROKEN);
	fake.info_errno = ENOTTY;
	client_start();
	ck_assert_int_eq(state("Inappropriate ioctl"), FIRMWARE_BROKEN);
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "does not behave");
	ck_assert_uint_eq(fake.ioctls, 0);
}
END_TEST

static const int gone[] = {ENODEV, EBADF, ENXIO};

START_TEST(a_module_unloaded_in_use_is_reported)
{
	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	fake.translate_errno = gone[_i];
	expect_answer(client_query(0, 0x100), FIRMWARE_UNAVAILABLE, "unloaded while in use");
	ck_assert_int_eq(state("unloaded while in use"), FIRMWARE_UNLOADED);
	/* Cached answers stay valid. */
	expect_spa(client_query(0, 0), FAKE_BASE);
	fake.translate_errno = 0;
	firmware_refresh(firmware);
	expect_spa(client_query(0, 0x100), FAKE_BASE + 0x200);
	ck_assert_int_eq(unlink(fake.path), 0);
	expect_answer(client_query(0, 0x200), FIRMWARE_UNAVAILABLE, "unloaded while in use");
}
END_TEST

START_TEST(a_device_that_only_the_helper_sees_is_not_unloaded)
{
	const struct sockaddr_un none = {.sun_family = AF_UNIX};
	struct opener *opener;

	ck_assert_int_eq(
		opener_new((const struct sockaddr *)&none, sizeof(none), OPENER_SHARED, &opener),
		0);
	opener_set_up(opener, true);
	ck_assert_int_eq(firmware_new_opener(fake.path, opener, &firmware), 0);
	expect_spa(client_query(0, 0), FAKE_BASE);
	ck_assert_int_eq(unlink(fake.path), 0);
	opener_set_up(opener, false);
	expect_answer(client_query(0, 0x100), FIRMWARE_UNAVAILABLE, "no permission to open");
	firmware_refresh(firmware);
	ck_assert_int_eq(state("no permission to open"), FIRMWARE_NO_PERMISSION);
	firmware = firmware_free(firmware);
	(void)opener_free(opener);
}
END_TEST

START_TEST(at_the_rate_limit_a_caller_without_timeout_returns_at_once)
{
	struct firmware_answer a;

	fake.bucket = 1;
	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	expect_answer(client_query(0, 0x100), FIRMWARE_RATE_LIMITED, "rate limited");
	ck_assert(!peek(0, 0x100, &a));
	ck_assert_uint_eq(fake.ioctls, 2);
	fake.bucket = 1;
	expect_spa(client_query(0, 0x100), FAKE_BASE + 0x200);
}
END_TEST

static void *refill(void *arg)
{
	(void)arg;
	fake_wait_for_ioctls(1); /* which finds nothing */
	for (int i = 0; i < 8; i++) {
		(void)usleep(5000);
		fake_lock();
		fake.bucket += 2;
		fake_unlock();
	}
	return NULL;
}

START_TEST(at_the_rate_limit_a_caller_with_timeout_waits_and_retries)
{
	struct firmware_query q[16];
	struct firmware_answer a[16];
	pthread_t thread;

	for (size_t i = 0; i < 16; i++)
		q[i] = query_of(1, i * 256);
	fake.bucket = 0;
	client_start();
	client_timeout.bucket_ms = 60000;
	ck_assert_int_eq(pthread_create(&thread, NULL, refill, NULL), 0);
	firmware_translate(firmware, q, 16, &client_timeout, a);
	pthread_join(thread, NULL);
	for (size_t i = 0; i < 16; i++)
		expect_spa(a[i], FAKE_BASE + i * 512 + 256);
	ck_assert_uint_eq(fake.calls, 16);
	ck_assert_uint_lt(client_timeout.bucket_ms, 60000);
	ck_assert_uint_gt(client_timeout.bucket_ms, 0);
}
END_TEST

START_TEST(the_timeout_at_the_rate_limit_is_a_total)
{
	uint64_t begun = clock_monotonic_ms();

	fake.bucket = 0;
	client_start();
	client_timeout.bucket_ms = 120;
	expect_answer(client_query(0, 0), FIRMWARE_RATE_LIMITED, "rate limited");
	ck_assert_uint_ge(clock_monotonic_ms() - begun, 120);
	ck_assert_uint_eq(client_timeout.bucket_ms, 0);
	fake.ioctls = 0;
	expect_answer(client_query(0, 0), FIRMWARE_RATE_LIMITED, "rate limited");
	ck_assert_uint_eq(fake.ioctls, 1);
}
END_TEST

START_TEST(a_wedged_module_is_not_called)
{
	error_of_rule = -ETIMEDOUT;
	fake.rule = failing;
	fake.reason_after = CXL_PRM_WEDGED;
	client_start();
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "wedged");
	ck_assert_int_eq(state("wedged"), FIRMWARE_WEDGED);
	for (uint64_t dpa = 0; dpa < 0x10000; dpa += 0x100)
		expect_answer(client_query(1, dpa), FIRMWARE_UNAVAILABLE, "wedged");
	ck_assert_uint_eq(fake.ioctls, 1);
	/* The module was loaded again. */
	fake.reason = fake.reason_after = CXL_PRM_READY;
	fake.rule = fake_plain;
	firmware_refresh(firmware);
	expect_spa(client_query(0, 0), FAKE_BASE);
}
END_TEST

START_TEST(an_io_error_reads_whether_efi_services_are_on)
{
	struct firmware_answer a;

	error_of_rule = -EIO;
	fake.rule = failing;
	fake.reason_after = CXL_PRM_EFI_OFF;
	client_start();
	expect_answer(client_query(0, 0), FIRMWARE_UNAVAILABLE, "switched off");
	ck_assert(!peek(0, 0, &a));
	ck_assert_int_eq(state("switched off"), FIRMWARE_EFI_OFF);
}
END_TEST

static size_t ioctls(void)
{
	size_t n;

	fake_lock();
	n = fake.ioctls;
	fake_unlock();
	return n;
}

START_TEST(slow_firmware_ends_in_a_timeout)
{
	struct firmware_answer a;

	fake.hold = true;
	client_start();
	client_timeout.call_ms = 50;
	/* A query whose caller has gone before firmware was called is dropped. */
	do
		expect_answer(client_query(0, 0x40), FIRMWARE_TOO_SLOW, "slow");
	while (ioctls() == 0);
	/* Later callers do not wait again: if they did, the test would end by its timeout. */
	pass_monotonic_ms(HOUR_MS);
	client_timeout.call_ms = HOUR_MS - 1;
	for (unsigned int i = 1; i < 100; i++)
		expect_answer(client_query(0, 0x100 * i), FIRMWARE_TOO_SLOW, "slow");
	ck_assert_uint_eq(ioctls(), 1);
	/* The answer is not lost; after an hour it would be an old one. */
	pass_monotonic_ms(-HOUR_MS);
	fake_release();
	while (!peek(0, 0, &a))
		(void)usleep(1000);
	expect_spa(a, FAKE_BASE);
	client_timeout.call_ms = 60000;
	expect_spa(client_query(0, 0x100), FAKE_BASE + 0x200);
}
END_TEST

START_TEST(slow_answers_set_the_state_slow)
{
	fake.call_us = (FIRMWARE_SLOW_CALL_MS + 10) * 1000;
	client_start();
	expect_spa(client_query(0, 0), FAKE_BASE);
	ck_assert_int_eq(state("ms for one address"), FIRMWARE_SLOW);
	fake.call_us = 0;
	fake_wait_until_quick(firmware);
	expect_spa(client_query(0, 0), FAKE_BASE);
	ck_assert_int_eq(state("answers through"), FIRMWARE_READY);
}
END_TEST

static int other_low_bits(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)fake_plain(bus, dpa, ret_spa);
	*ret_spa ^= 1;
	return 0;
}

START_TEST(differing_low_bits_are_rejected_with_the_addresses)
{
	fake.rule = other_low_bits;
	client_start();
	expect_answer(
		client_query(0, 0x1040), FIRMWARE_LOW_BITS,
		"SPA 0x1000002041 for DPA 0x1040 is rejected: the low 8 bits of DPA and SPA differ");
	expect_answer(client_query(0, 0x1050), FIRMWARE_LOW_BITS,
		      "SPA 0x1000002041 for DPA 0x1040");
	ck_assert_uint_eq(fake.calls, 1);
}
END_TEST

static int one_for_both(uint8_t bus, uint64_t dpa, uint64_t *ret_spa)
{
	(void)bus;
	return fake_plain(0, dpa, ret_spa);
}

START_TEST(two_chunks_at_one_spa_are_both_rejected_with_the_addresses)
{
	struct firmware_query q[2] = {query_of(0, 0x2010), query_of(1, 0x2010)};
	struct firmware_answer a[2];

	fake.rule = one_for_both;
	client_start();
	expect_spa(client_query(0, 0x1040), FAKE_BASE + 0x2040);
	expect_answer(
		client_query(1, 0x1040), FIRMWARE_SHARED,
		"SPA 0x1000002040 for DPA 0x1040 is rejected: firmware gave the same SPA for DPA 0x1040 of 0000:00:00.0");
	expect_answer(client_query(0, 0x1050), FIRMWARE_SHARED, "DPA 0x1050 of 0000:01:00.0");
	firmware_translate(firmware, q, 2, &client_timeout, a);
	expect_answer(a[0], FIRMWARE_SHARED, "of 0000:01:00.0");
	expect_answer(a[1], FIRMWARE_SHARED, "of 0000:00:00.0");
}
END_TEST

SUITE(check_firmware_failures)
{
	Suite *s = suite_create("firmware failures");
	TCase *t = tcase_create("failures");

	tcase_add_checked_fixture(t, client_setup, client_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, only_permanent_errors_are_cached, 0, ARRAY_SIZE(errors));
	tcase_add_test(t, a_pci_segment_beyond_the_interface_is_not_queried);
	tcase_add_loop_test(t, each_reason_of_the_module_has_a_text, 0, ARRAY_SIZE(reasons));
	tcase_add_test(t, a_missing_device_is_found_once_the_module_is_loaded);
	tcase_add_test(t, a_device_without_permission_is_reported);
	tcase_add_test(t, an_unknown_interface_version_is_not_used);
	tcase_add_loop_test(t, a_module_unloaded_in_use_is_reported, 0, ARRAY_SIZE(gone));
	tcase_add_test(t, a_device_that_only_the_helper_sees_is_not_unloaded);
	tcase_add_test(t, at_the_rate_limit_a_caller_without_timeout_returns_at_once);
	tcase_add_test(t, at_the_rate_limit_a_caller_with_timeout_waits_and_retries);
	tcase_add_test(t, the_timeout_at_the_rate_limit_is_a_total);
	tcase_add_test(t, a_wedged_module_is_not_called);
	tcase_add_test(t, an_io_error_reads_whether_efi_services_are_on);
	tcase_add_test(t, slow_firmware_ends_in_a_timeout);
	tcase_add_test(t, slow_answers_set_the_state_slow);
	tcase_add_test(t, differing_low_bits_are_rejected_with_the_addresses);
	tcase_add_test(t, two_chunks_at_one_spa_are_both_rejected_with_the_addresses);
	suite_add_tcase(s, t);
	return s;
}
