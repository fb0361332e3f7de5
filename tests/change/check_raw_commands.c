// SPDX-License-Identifier: LGPL-2.1-or-later
/* Commands that Linux sends only as raw ones: what is sent, and where none is. */
#include <errno.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "mailbox/command.h"
#include "mailbox/memdev_ioctl.h"
#include "tests/change/devices_util.h"
#include "tests/change/fake_attributes.h"
#include "tests/lib/suites.h"

#define OUT(bytes) .out = bytes, .out_len = sizeof(bytes)
#define IN(bytes)  .in = bytes, .in_len = sizeof(bytes)
#define LOCKDOWN   "sys/kernel/security/lockdown"

enum { RAW = 2, GET_TIMESTAMP = 21 };
enum { SET_TIMESTAMP = 0x0301, GET_QOS = 0x4700, SET_QOS = 0x4701 };

/* 2026-03-04T05:06:07.089Z, one second later, and an hour later. */
#define NOW_NS UINT64_C(1772600767089000000)
static const uint8_t now[8] = {0x40, 0xbe, 0xec, 0x8a, 0x01, 0x8b, 0x99, 0x18};
static const uint8_t later[8] = {0x40, 0x88, 0x87, 0xc6, 0x01, 0x8b, 0x99, 0x18};
static const uint8_t much_later[8] = {0x40, 0x5e, 0xa5, 0xbb, 0x47, 0x8e, 0x99, 0x18};
static const uint8_t unset[8];

static void setup(void)
{
	devices_setup();
	fake_panic_on_warn = "0\n";
}

static int set_timestamp(void)
{
	struct change c = change_of(CHANGE_TIMESTAMP, "mem3");

	c.timestamp_ns = NOW_NS;
	return devices_change(change_timestamp, &c);
}

static void expect_get(const uint8_t bytes[static 8])
{
	fake_mailbox_expect(&(struct fake_command){GET_TIMESTAMP, .out = bytes, .out_len = 8});
}

static void expect_set(int error, unsigned int code)
{
	fake_mailbox_expect(&(struct fake_command){RAW, .raw = SET_TIMESTAMP, IN(now),
						   .error = error, .return_code = code});
}

START_TEST(a_timestamp_is_set_and_read_back)
{
	devices_enter();
	expect_get(unset);
	expect_set(0, MAILBOX_SUCCESS);
	expect_get(later);
	must_be_done(set_timestamp());
	fake_mailbox_finish();
}
END_TEST

/* The clock goes on, but not by an hour, and not backwards. */
START_TEST(another_timestamp_shown_afterwards_is_incomplete)
{
	devices_enter();
	expect_get(unset);
	expect_set(0, MAILBOX_SUCCESS);
	expect_get(_i == 0 ? much_later : unset);
	ck_assert_int_eq(set_timestamp(), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "but Get Timestamp shows"));
}
END_TEST

/* The machine would end, or might. */
START_TEST(nothing_is_sent_where_the_kernel_panics_on_warnings)
{
	fake_panic_on_warn = _i == 0 ? "1\n" : "";
	devices_enter();
	expect_get(unset);
	must_be_refused(set_timestamp(), EPERM, "panic_on_warn is not 0");
	fake_mailbox_finish();
}
END_TEST

START_TEST(nothing_is_sent_under_lockdown)
{
	set(LOCKDOWN, "none [integrity] confidentiality\n");
	devices_enter();
	expect_get(unset);
	must_be_refused(set_timestamp(), EPERM, "under lockdown");
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_kernel_that_could_be_locked_down_sends_it)
{
	set(LOCKDOWN, "[none] integrity confidentiality\n");
	devices_enter();
	expect_get(unset);
	expect_set(0, MAILBOX_SUCCESS);
	expect_get(now);
	must_be_done(set_timestamp());
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_kernel_without_raw_commands_is_named)
{
	devices_enter();
	expect_get(unset);
	expect_set(EPERM, 0);
	must_be_refused(set_timestamp(), EOPNOTSUPP, "CONFIG_CXL_MEM_RAW_COMMANDS");
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_device_that_does_not_answer_is_unknown)
{
	devices_enter();
	expect_get(unset);
	expect_set(ETIMEDOUT, 0);
	ck_assert_int_eq(set_timestamp(), -ETIMEDOUT);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
}
END_TEST

START_TEST(a_device_without_the_command_refuses_it)
{
	devices_enter();
	expect_get(unset);
	expect_set(0, MAILBOX_UNSUPPORTED);
	must_be_refused(set_timestamp(), EIO, "Set Timestamp: the device returned");
}
END_TEST

START_TEST(no_other_command_is_sent_as_a_raw_one)
{
	static const uint16_t allowed[] = {SET_TIMESTAMP, 0x4304, 0x4305, GET_QOS, SET_QOS};
	struct memdev_payloads p = {.input = unset};
	unsigned int code, n = 0;

	for (unsigned int opcode = 0; opcode <= UINT16_MAX; opcode++)
		n += memdev_raw_of((uint16_t)opcode) != NULL;
	ck_assert_uint_eq(n, ARRAY_SIZE(allowed));
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
		ck_assert_ptr_nonnull(memdev_raw_of(allowed[i]));
	ck_assert_int_eq(memdev_send_raw(-1, 0x4400, &p, &code), -EOPNOTSUPP);
}
END_TEST

/* ---- QoS --------------------------------------------------------------------------------------
 */

/* Congestion is on, so that it must stay so; reserved bits are set, which must not be sent. */
static const uint8_t control_off[] = {0xfd, 10, 25, 0xf8}, control_on[] = {0xff, 10, 25, 0xf8},
		     sent_on[] = {0x03, 10, 25, 0x08}, sent_off[] = {0x01, 10, 25, 0x08};

static int throttle(uint32_t on)
{
	struct change c = change_of(CHANGE_THROTTLING, "mem3");

	c.on = on;
	return devices_change(change_throttling, &c);
}

static void expect_control(const uint8_t *bytes, size_t len)
{
	fake_mailbox_expect(
		&(struct fake_command){RAW, .raw = GET_QOS, .out = bytes, .out_len = len});
}

static void expect_control_sent(const uint8_t *bytes, unsigned int code)
{
	fake_mailbox_expect(&(struct fake_command){RAW, .raw = SET_QOS, .in = bytes, .in_len = 4,
						   .return_code = code});
}

START_TEST(throughput_reduction_is_set_and_the_rest_stays)
{
	devices_enter();
	expect_control(control_off, 4);
	expect_control_sent(sent_on, MAILBOX_SUCCESS);
	expect_control(control_on, 4);
	must_be_done(throttle(1));
	ck_assert_uint_eq(result.qos.temporary_throughput_reduction, 1);
	expect_control(control_on, 4);
	expect_control_sent(sent_off, MAILBOX_SUCCESS);
	expect_control(control_off, 4);
	must_be_done(throttle(0));
	ck_assert_uint_eq(result.qos.temporary_throughput_reduction, 0);
	fake_mailbox_finish();
}
END_TEST

START_TEST(reading_the_qos_control_sends_nothing_else)
{
	const struct change c = change_of(CHANGE_QOS_READ, "mem3");

	devices_enter();
	expect_control(control_on, 4);
	must_be_done(devices_change(change_qos_read, &c));
	ck_assert_uint_eq(result.qos.egress_port_congestion, 1);
	ck_assert_uint_eq(result.qos.egress_severe, 25);
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_control_that_is_too_short_is_not_written_back)
{
	devices_enter();
	expect_control(control_on, 3);
	must_be_refused(throttle(0), EIO, "fewer than 4");
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_device_without_qos_control_is_named)
{
	const struct change c = change_of(CHANGE_QOS_READ, "mem3");

	devices_enter();
	fake_mailbox_expect(
		&(struct fake_command){RAW, .raw = GET_QOS, .return_code = MAILBOX_UNSUPPORTED});
	must_be_refused(devices_change(change_qos_read, &c), EIO,
			"Get SLD QoS Control: the device returned Unsupported");
}
END_TEST

START_TEST(a_control_that_is_shown_otherwise_afterwards_is_incomplete)
{
	devices_enter();
	expect_control(control_off, 4);
	expect_control_sent(sent_on, MAILBOX_SUCCESS);
	expect_control(control_off, 4);
	ck_assert_int_eq(throttle(1), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "shows the contrary"));
	/* Without an answer to the last command it is not known. */
	expect_control(control_off, 4);
	expect_control_sent(sent_on, MAILBOX_SUCCESS);
	fake_mailbox_expect(&(struct fake_command){RAW, .raw = GET_QOS, .error = ETIMEDOUT});
	ck_assert_int_eq(throttle(1), -ETIMEDOUT);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
}
END_TEST

START_TEST(a_driver_without_raw_commands_is_named)
{
	devices_enter();
	expect_get(unset);
	expect_set(ENOTTY, 0);
	must_be_refused(set_timestamp(), EOPNOTSUPP, "knows none (ENOTTY)");
}
END_TEST

SUITE(check_raw_commands)
{
	Suite *s = suite_create("raw commands");
	TCase *t = tcase_create("timestamp");

	tcase_add_checked_fixture(t, setup, devices_teardown);
	tcase_add_test(t, a_timestamp_is_set_and_read_back);
	tcase_add_loop_test(t, another_timestamp_shown_afterwards_is_incomplete, 0, 2);
	tcase_add_loop_test(t, nothing_is_sent_where_the_kernel_panics_on_warnings, 0, 2);
	tcase_add_test(t, nothing_is_sent_under_lockdown);
	tcase_add_test(t, a_kernel_that_could_be_locked_down_sends_it);
	tcase_add_test(t, a_kernel_without_raw_commands_is_named);
	tcase_add_test(t, a_device_that_does_not_answer_is_unknown);
	tcase_add_test(t, a_device_without_the_command_refuses_it);
	tcase_add_test(t, no_other_command_is_sent_as_a_raw_one);
	tcase_add_test(t, a_driver_without_raw_commands_is_named);
	suite_add_tcase(s, t);
	t = tcase_create("QoS");
	tcase_add_checked_fixture(t, setup, devices_teardown);
	tcase_add_test(t, throughput_reduction_is_set_and_the_rest_stays);
	tcase_add_test(t, reading_the_qos_control_sends_nothing_else);
	tcase_add_test(t, a_control_that_is_too_short_is_not_written_back);
	tcase_add_test(t, a_device_without_qos_control_is_named);
	tcase_add_test(t, a_control_that_is_shown_otherwise_afterwards_is_incomplete);
	suite_add_tcase(s, t);
	return s;
}
