// SPDX-License-Identifier: LGPL-2.1-or-later
/* Partition sizes and alert thresholds: what is sent, what is refused before, what is read back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "mailbox/command.h"
#include "tests/change/devices_util.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define MIB256	   (UINT64_C(256) << 20)
#define OUT(bytes) .out = bytes, .out_len = sizeof(bytes)
#define IN(bytes)  .in = bytes, .in_len = sizeof(bytes)

enum { IDENTIFY = 1, PARTITION = 5, SET_PARTITION = 9, ALERTS = 11, SET_ALERTS = 12 };

/* Units of 256 MiB: 8 in total, 1 only volatile, 2 only persistent, in steps of 1. */
static uint8_t identify[67] = {
	[0x10] = 8,
	[0x18] = 1,
	[0x20] = 2,
	[0x28] = 1,
};
static uint8_t before[32] = {[0] = 4, [8] = 4};
static uint8_t staged[32] = {[0] = 4, [8] = 4, [16] = 6, [24] = 2};
static const uint8_t set_six[10] = {6}; /* the kernel's ten bytes, flags 0: not at once */

static void expect_partitions(const uint8_t *info)
{
	fake_mailbox_expect(&(struct fake_command){IDENTIFY, OUT(identify)});
	fake_mailbox_expect(
		&(struct fake_command){PARTITION, .out = info, .out_len = sizeof(before)});
}

static int set_volatile(const char *memdev, uint64_t bytes)
{
	struct change c = change_of(CHANGE_PARTITIONS, memdev);

	c.volatile_bytes = bytes;
	return devices_change(change_partitions, &c);
}

START_TEST(partitions_are_staged_and_read_back)
{
	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(&(struct fake_command){SET_PARTITION, IN(set_six)});
	expect_partitions(staged);
	must_be_done(set_volatile("mem3", 6 * MIB256));
	fake_mailbox_finish();
}
END_TEST

START_TEST(partitions_that_are_not_shown_afterwards_are_incomplete)
{
	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(&(struct fake_command){SET_PARTITION, IN(set_six)});
	expect_partitions(before);
	ck_assert_int_eq(set_volatile("mem3", 6 * MIB256), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "shows no change"));
}
END_TEST

START_TEST(other_partitions_shown_afterwards_are_incomplete)
{
	uint8_t other[32];

	memcpy(other, staged, sizeof(other));
	other[16] = 5;
	other[24] = 3;
	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(&(struct fake_command){SET_PARTITION, IN(set_six)});
	expect_partitions(other);
	ck_assert_int_eq(set_volatile("mem3", 6 * MIB256), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
}
END_TEST

START_TEST(a_device_that_is_silent_afterwards_is_unknown)
{
	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(&(struct fake_command){SET_PARTITION, IN(set_six)});
	fake_mailbox_expect(&(struct fake_command){IDENTIFY, .error = ETIMEDOUT});
	ck_assert_int_eq(set_volatile("mem3", 6 * MIB256), -ETIMEDOUT);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
}
END_TEST

START_TEST(a_command_that_times_out_is_unknown)
{
	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(&(struct fake_command){SET_PARTITION, IN(set_six), .error = ETIMEDOUT});
	ck_assert_int_eq(set_volatile("mem3", 6 * MIB256), -ETIMEDOUT);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
}
END_TEST

static const struct {
	uint64_t bytes;
	const char *text;
} sizes[] = {
	{0, "of 2048 MiB, from 256 MiB to 1536 MiB can be volatile"},
	{7 * MIB256, "1792 MiB of volatile memory cannot be had"},
	{UINT64_MAX, "is more than its capacity of 2048 MiB"},
	{2 * MIB256 + 1, "in steps of 256 MiB from 256 MiB on"},
	{MIB256 + MIB256 / 2, "in steps of 256 MiB from 256 MiB on"},
};

START_TEST(sizes_that_cannot_be_had_are_refused)
{
	devices_enter();
	expect_partitions(before);
	must_be_refused(set_volatile("mem3", sizes[_i].bytes), EINVAL, sizes[_i].text);
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_device_without_alignment_has_fixed_partitions)
{
	identify[0x28] = 0;
	devices_enter();
	expect_partitions(before);
	must_be_refused(set_volatile("mem3", 4 * MIB256), EOPNOTSUPP, "cannot be partitioned");
}
END_TEST

START_TEST(contradictions_of_the_device_are_refused)
{
	before[8] = 3;
	devices_enter();
	expect_partitions(before);
	must_be_refused(set_volatile("mem3", 4 * MIB256), EIO, "are not the total capacity");
}
END_TEST

START_TEST(capacities_that_overflow_are_refused)
{
	memset(identify + 0x10, 0xff, 8);
	devices_enter();
	expect_partitions(before);
	must_be_refused(set_volatile("mem3", 4 * MIB256), EIO, "no valid capacities");
}
END_TEST

START_TEST(a_short_answer_is_refused)
{
	devices_enter();
	fake_mailbox_expect(&(struct fake_command){IDENTIFY, .out = identify, .out_len = 0x11});
	fake_mailbox_expect(&(struct fake_command){PARTITION, OUT(before)});
	must_be_refused(set_volatile("mem3", 4 * MIB256), EIO, "no valid capacities");
}
END_TEST

START_TEST(an_answer_that_claims_to_be_too_long_is_refused)
{
	devices_enter();
	fake_mailbox_expect(
		&(struct fake_command){IDENTIFY, OUT(identify), .claimed_len = UINT32_MAX});
	must_be_refused(set_volatile("mem3", 4 * MIB256), EMSGSIZE, "Identify Memory Device");
}
END_TEST

START_TEST(a_device_without_the_command_is_refused)
{
	fake_mailbox.supported &= ~(1U << SET_PARTITION);
	devices_enter();
	expect_partitions(before);
	must_be_refused(set_volatile("mem3", 4 * MIB256), EOPNOTSUPP,
			"mem3 does not support Set Partition Info");
}
END_TEST

START_TEST(a_value_the_device_refuses_is_invalid)
{
	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(&(struct fake_command){SET_PARTITION, IN(set_six), .return_code = 2});
	must_be_refused(set_volatile("mem3", 6 * MIB256), EINVAL, "Invalid Input");
}
END_TEST

START_TEST(a_device_that_is_busy_is_to_be_asked_again)
{
	static const unsigned int codes[] = {MAILBOX_RETRY_REQUIRED, MAILBOX_BUSY};

	devices_enter();
	expect_partitions(before);
	fake_mailbox_expect(
		&(struct fake_command){SET_PARTITION, IN(set_six), .return_code = codes[_i]});
	must_be_refused(set_volatile("mem3", 6 * MIB256), EBUSY, "; repeat the request");
}
END_TEST

START_TEST(a_device_in_a_region_keeps_its_partitions)
{
	devices_enter();
	must_be_refused(set_volatile("mem0", 4 * MIB256), EBUSY,
			"is part of region2, by decoder4.0");
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_device_without_endpoint_keeps_its_partitions)
{
	drop("sys/bus/cxl/devices/mem3/driver");
	devices_enter();
	must_be_refused(set_volatile("mem3", 4 * MIB256), ENODEV, "enable it first");
}
END_TEST

START_TEST(another_device_is_not_changed)
{
	struct change c = change_of(CHANGE_PARTITIONS, "mem3");

	devices_enter();
	c.identity = 0xb;
	must_be_refused(devices_change(change_partitions, &c), ESTALE, "another memory device");
	/* A device without a serial number has a place. */
	c.identity = 0;
	(void)snprintf(c.place, sizeof(c.place), "0000:ff:00.0");
	must_be_refused(devices_change(change_partitions, &c), ESTALE, "another memory device");
	must_be_refused(set_volatile("mem99", 0), ENOENT, "no memory device mem99");
}
END_TEST

START_TEST(a_mailbox_that_cannot_be_opened_is_named)
{
	drop("dev/cxl/mem3");
	devices_enter();
	must_be_refused(set_volatile("mem3", 4 * MIB256), ENOENT, "/dev/cxl/mem3");
}
END_TEST

/* ---- alerts ------------------------------------------------------------------------------------
 */

/* All programmable, none valid; critical at 95 %, 85 and -10 degrees. */
static uint8_t none[16] = {0, 0x1f, 95, 0, 85, 0, 0xf6, 0xff};
static uint8_t now[16];

static int set_alerts(const struct change_alerts *a)
{
	struct change c = change_of(CHANGE_ALERTS, "mem3");

	c.alerts = *a;
	return devices_change(change_alerts, &c);
}

START_TEST(thresholds_are_set_and_read_back)
{
	static const uint8_t input[12] = {0x1f, 0x1f, 90, 0, 80, 0, 0xfb, 0xff, 0xf4, 1, 0x58, 2};
	const struct change_alerts a = {.fields = 0x1f,
					.enable = 0x1f,
					.thresholds[ALERT_LIFE_USED] = 90,
					.thresholds[ALERT_OVER_TEMPERATURE] = 80,
					.thresholds[ALERT_UNDER_TEMPERATURE] = -5,
					.thresholds[ALERT_CORRECTED_VOLATILE] = 500,
					.thresholds[ALERT_CORRECTED_PERSISTENT] = 600};
	static const uint8_t after[16] = {0x1f, 0x1f, 95,   90,	  85,	0, 0xf6, 0xff,
					  80,	0,    0xfb, 0xff, 0xf4, 1, 0x58, 2};

	devices_enter();
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(none)});
	fake_mailbox_expect(&(struct fake_command){SET_ALERTS, IN(input)});
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(after)});
	must_be_done(set_alerts(&a));
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_threshold_is_disabled)
{
	static const uint8_t input[12] = {0x02};
	const struct change_alerts a = {.fields = 1 << ALERT_OVER_TEMPERATURE};

	devices_enter();
	memcpy(now, none, sizeof(now));
	now[0] = 0x02;
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(now)});
	fake_mailbox_expect(&(struct fake_command){SET_ALERTS, IN(input)});
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(none)});
	must_be_done(set_alerts(&a));
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_threshold_that_is_not_shown_afterwards_is_incomplete)
{
	static const uint8_t input[12] = {0x01, 0x01, 90};
	const struct change_alerts a = {
		.fields = 1, .enable = 1, .thresholds[ALERT_LIFE_USED] = 90};

	devices_enter();
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(none)});
	fake_mailbox_expect(&(struct fake_command){SET_ALERTS, IN(input)});
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(none)});
	ck_assert_int_eq(set_alerts(&a), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
}
END_TEST

START_TEST(thresholds_out_of_range_are_refused)
{
	devices_enter();
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(none)});
	must_be_refused(set_alerts(&(struct change_alerts){
				.fields = 1, .enable = 1, .thresholds[ALERT_LIFE_USED] = 101}),
			EINVAL, "from 0 to 100 percent");
	must_be_refused(set_alerts(&(struct change_alerts){.fields = 0}), EINVAL, "not valid");
	must_be_refused(set_alerts(&(struct change_alerts){.fields = 0x20}), EINVAL, "not valid");
	must_be_refused(set_alerts(&(struct change_alerts){.fields = 1, .enable = 2}), EINVAL,
			"not valid");
	fake_mailbox_finish();
}
END_TEST

static const struct change_alerts beyond[] = {
	{.fields = 1, .enable = 1, .thresholds[ALERT_LIFE_USED] = 96},
	{.fields = 2, .enable = 2, .thresholds[ALERT_OVER_TEMPERATURE] = 86},
	{.fields = 4, .enable = 4, .thresholds[ALERT_UNDER_TEMPERATURE] = -11},
};

START_TEST(thresholds_beyond_the_critical_ones_are_refused)
{
	devices_enter();
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(none)});
	must_be_refused(set_alerts(&beyond[_i]), EINVAL,
			"would come after the device's critical threshold");
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_threshold_that_is_not_programmable_is_refused)
{
	devices_enter();
	memcpy(now, none, sizeof(now));
	now[1] = 0x1e;
	fake_mailbox_expect(&(struct fake_command){ALERTS, OUT(now)});
	must_be_refused(set_alerts(&(struct change_alerts){
				.fields = 1, .enable = 1, .thresholds[ALERT_LIFE_USED] = 90}),
			EOPNOTSUPP, "reports that it is not programmable");
	fake_mailbox_finish();
}
END_TEST

START_TEST(an_empty_alert_configuration_is_refused)
{
	devices_enter();
	fake_mailbox_expect(&(struct fake_command){ALERTS, .out = none, .out_len = 1});
	must_be_refused(set_alerts(&(struct change_alerts){
				.fields = 1, .enable = 1, .thresholds[ALERT_LIFE_USED] = 90}),
			EIO, "has not reported an alert configuration");
}
END_TEST

SUITE(check_device_mailbox)
{
	Suite *s = suite_create("device_mailbox");
	TCase *t = tcase_create("partitions"), *a = tcase_create("alerts");
	TCase *u = tcase_create("in use");

	if (!have_namespaces())
		return NULL;
	tcase_add_checked_fixture(t, devices_setup, devices_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, partitions_are_staged_and_read_back);
	tcase_add_test(t, partitions_that_are_not_shown_afterwards_are_incomplete);
	tcase_add_test(t, other_partitions_shown_afterwards_are_incomplete);
	tcase_add_test(t, a_device_that_is_silent_afterwards_is_unknown);
	tcase_add_test(t, a_command_that_times_out_is_unknown);
	tcase_add_loop_test(t, sizes_that_cannot_be_had_are_refused, 0,
			    sizeof(sizes) / sizeof(sizes[0]));
	tcase_add_test(t, a_device_without_alignment_has_fixed_partitions);
	tcase_add_test(t, contradictions_of_the_device_are_refused);
	tcase_add_test(t, capacities_that_overflow_are_refused);
	tcase_add_test(t, a_short_answer_is_refused);
	tcase_add_test(t, an_answer_that_claims_to_be_too_long_is_refused);
	tcase_add_test(t, a_device_without_the_command_is_refused);
	tcase_add_test(t, a_value_the_device_refuses_is_invalid);
	tcase_add_loop_test(t, a_device_that_is_busy_is_to_be_asked_again, 0, 2);
	tcase_add_test(t, a_device_without_endpoint_keeps_its_partitions);
	tcase_add_test(t, another_device_is_not_changed);
	tcase_add_test(t, a_mailbox_that_cannot_be_opened_is_named);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(a, devices_setup, devices_teardown);
	tcase_set_timeout(a, 60);
	tcase_add_test(a, thresholds_are_set_and_read_back);
	tcase_add_test(a, a_threshold_is_disabled);
	tcase_add_test(a, a_threshold_that_is_not_shown_afterwards_is_incomplete);
	tcase_add_test(a, thresholds_out_of_range_are_refused);
	tcase_add_loop_test(a, thresholds_beyond_the_critical_ones_are_refused, 0,
			    sizeof(beyond) / sizeof(beyond[0]));
	tcase_add_test(a, a_threshold_that_is_not_programmable_is_refused);
	tcase_add_test(a, an_empty_alert_configuration_is_refused);
	suite_add_tcase(s, a);
	tcase_add_checked_fixture(u, devices_setup_used, devices_teardown);
	tcase_set_timeout(u, 60);
	tcase_add_test(u, a_device_in_a_region_keeps_its_partitions);
	suite_add_tcase(s, u);
	return s;
}
