// SPDX-License-Identifier: LGPL-2.1-or-later
/* Poison, enabling, and erasing: what is written where, and what is refused. */
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "change/dax_wait.h"
#include "common/array.h"
#include "common/strutil.h"
#include "tests/change/devices_util.h"
#include "tests/change/slept_time.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define STATE "sys/bus/cxl/devices/mem3/security/state"

static char written[1024];	    /* one line for each write */
static size_t n_written, fail_from; /* 0: none */
static int error_of_write;

static int on_write(const char *path, const char *value)
{
	const size_t len = strlen(written);

	if (fail_from && ++n_written >= fail_from)
		return -error_of_write;
	(void)snprintf(written + len, sizeof(written) - len, "%s %s\n", path, value);
	return 0;
}

static void enter_and_write(void)
{
	devices_enter();
	devices_on_write = on_write;
}

/* ---- poison ------------------------------------------------------------------------------------
 */

static int poison(enum change_kind kind, const char *memdev, uint64_t address, uint64_t length)
{
	struct change c = change_of(kind, memdev);

	c.poison = (struct change_poison){address, length};
	return devices_change(change_poison, &c);
}

START_TEST(poison_is_written_line_by_line)
{
	enter_and_write();
	must_be_done(poison(CHANGE_POISON_INJECT, "mem3", 0x1000, 128));
	must_be_done(poison(CHANGE_POISON_CLEAR, "mem3", 0x7fffffc0, 64));
	ck_assert_str_eq(written, "/sys/kernel/debug/cxl/mem3/inject_poison 0x1000\n"
				  "/sys/kernel/debug/cxl/mem3/inject_poison 0x1040\n"
				  "/sys/kernel/debug/cxl/mem3/clear_poison 0x7fffffc0\n");
}
END_TEST

static const struct {
	uint64_t address, length;
	const char *text;
} ranges[] = {
	{0x7fffffc0, 128, "128 bytes from DPA 0x7fffffc0 on are beyond its capacity of 0x80000000"},
	{UINT64_MAX - 127, 64, "are beyond its capacity"},
	{0, 4097 * 64, "more than the 262144 that are changed at once"},
	{0, UINT64_MAX - 63, "more than the 262144"},
};

START_TEST(poison_out_of_range_is_refused)
{
	devices_enter();
	must_be_refused(poison(CHANGE_POISON_INJECT, "mem3", ranges[_i].address, ranges[_i].length),
			EINVAL, ranges[_i].text);
}
END_TEST

START_TEST(poison_is_refused_while_the_kernel_is_locked_down)
{
	enter_and_write();
	fail_from = 1;
	error_of_write = EPERM;
	must_be_refused(poison(CHANGE_POISON_INJECT, "mem3", 0, 64), EPERM, "is locked down");
}
END_TEST

START_TEST(poison_is_refused_without_the_file)
{
	put_directory(tree, "sys/kernel/debug/cxl");
	enter_and_write();
	fail_from = 1;
	error_of_write = ENOENT;
	must_be_refused(poison(CHANGE_POISON_CLEAR, "mem3", 0, 64), EOPNOTSUPP,
			"there is no /sys/kernel/debug/cxl/mem3/clear_poison");
}
END_TEST

START_TEST(poison_is_refused_without_debugfs)
{
	(void)renameat(tree, "sys/kernel/debug/cxl", tree, "sys/kernel/debug/other");
	enter_and_write();
	fail_from = 1;
	error_of_write = ENOENT;
	must_be_refused(poison(CHANGE_POISON_CLEAR, "mem3", 0, 64), EOPNOTSUPP,
			"debugfs only, which must be mounted");
}
END_TEST

START_TEST(poison_that_stops_half_way_names_the_lines)
{
	enter_and_write();
	fail_from = 3;
	error_of_write = EBUSY;
	ck_assert_int_eq(poison(CHANGE_POISON_INJECT, "mem3", 0x1000, 256), -EBUSY);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(
		strstr(result.text, "injected from DPA 0x1000 to 0x107f, and not from 0x1080 on"));
}
END_TEST

START_TEST(the_limit_of_injected_poison_is_named)
{
	enter_and_write();
	fail_from = 1;
	error_of_write = EBUSY;
	must_be_refused(poison(CHANGE_POISON_INJECT, "mem3", 0x1000, 64), EBUSY,
			"has as much injected poison as it can have at a time; clear some");
	must_be_refused(poison(CHANGE_POISON_CLEAR, "mem3", 0x1000, 64), EBUSY, "resource busy");
}
END_TEST

START_TEST(poison_without_an_answer_is_not_known)
{
	enter_and_write();
	fail_from = 3;
	error_of_write = _i == 0 ? ETIMEDOUT : EINTR;
	ck_assert_int_eq(poison(CHANGE_POISON_CLEAR, "mem3", 0x1000, 256), -error_of_write);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(
		result.text,
		"cleared from DPA 0x1000 to 0x107f; of DPA 0x1080 to 0x10bf it is not known"));
	fail_from = 1;
	ck_assert_int_eq(poison(CHANGE_POISON_CLEAR, "mem3", 0x1000, 256), -error_of_write);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
}
END_TEST

static bool cancel_soon(void *userdata)
{
	unsigned int *calls = userdata;

	return (*calls)++ >= 2;
}

START_TEST(poison_is_cancelled_between_two_lines)
{
	unsigned int calls = 0;

	enter_and_write();
	devices_context.cancelled = cancel_soon;
	devices_context.userdata = &calls;
	ck_assert_int_eq(poison(CHANGE_POISON_INJECT, "mem3", 0, 256), -ECANCELED);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "and not from 0x80 on"));
}
END_TEST

/* ---- enabled -----------------------------------------------------------------------------------
 */

#define DRIVER_LINK "sys/bus/cxl/devices/mem3/driver"

static int enabled(enum change_kind kind, const char *memdev)
{
	struct change c = change_of(kind, memdev);

	return devices_change(change_memdev_enabled, &c);
}

static int write_of_driver(const char *path, const char *value)
{
	ck_assert_str_eq(value, "mem3");
	if (strstr(path, "/cxl_mem/unbind"))
		drop(DRIVER_LINK);
	else
		put_symlink(tree, DRIVER_LINK, "/sys/bus/cxl/drivers/cxl_mem");
	return on_write(path, value);
}

START_TEST(a_device_is_disabled)
{
	devices_enter();
	devices_on_write = write_of_driver;
	must_be_done(enabled(CHANGE_MEMDEV_DISABLE, "mem3"));
	ck_assert_str_eq(written, "/sys/bus/cxl/drivers/cxl_mem/unbind mem3\n");
}
END_TEST

START_TEST(a_device_that_keeps_its_driver_is_not_disabled)
{
	enter_and_write();
	must_be_refused(enabled(CHANGE_MEMDEV_DISABLE, "mem3"), EIO, "keeps it");
}
END_TEST

START_TEST(a_device_in_use_is_not_disabled)
{
	devices_enter();
	must_be_refused(enabled(CHANGE_MEMDEV_DISABLE, "mem0"), EBUSY,
			"its memory is part of region2, by decoder4.0; destroy the region first");
}
END_TEST

START_TEST(a_decoder_without_region_is_in_use)
{
	set("sys/bus/cxl/devices/decoder4.0/dpa_size", "0x10000000\n");
	devices_enter();
	must_be_refused(enabled(CHANGE_MEMDEV_DISABLE, "mem3"), EBUSY,
			"its decoder decoder4.0 has memory without a region");
}
END_TEST

START_TEST(what_is_enabled_is_not_enabled_again)
{
	devices_enter();
	must_be_done(enabled(CHANGE_MEMDEV_ENABLE, "mem3"));
}
END_TEST

START_TEST(a_device_is_enabled)
{
	drop(DRIVER_LINK);
	devices_enter();
	devices_on_write = on_write;
	must_be_refused(enabled(CHANGE_MEMDEV_ENABLE, "mem3"), EIO, "does not accept it");
	ck_assert_str_eq(written, "/sys/bus/cxl/drivers/cxl_mem/bind mem3\n");
	fail_from = 1;
	error_of_write = ENXIO;
	must_be_refused(enabled(CHANGE_MEMDEV_ENABLE, "mem3"), ENXIO, "No such device");
	must_be_done(enabled(CHANGE_MEMDEV_DISABLE, "mem3"));
}
END_TEST

/* ---- the light of a slot -----------------------------------------------------------------------
 */

#define LIGHT "sys/bus/pci/slots/5/attention"

static int write_light(const char *path, const char *value)
{
	set(LIGHT, value);
	return on_write(path, value);
}

static int light(const char *memdev, unsigned int on)
{
	struct change c = change_of(CHANGE_LIGHT, memdev);

	c.on = on;
	return devices_change(change_light, &c);
}

START_TEST(the_light_of_a_slot_is_switched_and_read_back)
{
	put_directory(tree, "sys/bus/pci/slots/5");
	set("sys/bus/pci/slots/5/address", "0000:e0:00\n");
	set(LIGHT, "0\n");
	devices_enter();
	devices_on_write = write_light;
	must_be_done(light("mem3", 1));
	must_be_done(light("mem3", 0));
	ck_assert_str_eq(written, "/" LIGHT " 2\n/" LIGHT " 0\n");
	devices_on_write = on_write; /* the controller does nothing */
	ck_assert_int_eq(light("mem3", 1), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "does not show it"));
	must_be_refused(light("mem2", 1), ENODEV, "in no slot with an attention indicator");
	fail_from = 1;
	error_of_write = ENODEV;
	must_be_refused(light("mem3", 1), ENODEV, "cannot be switched: No such device");
}
END_TEST

/* ---- overwriting -------------------------------------------------------------------------------
 */

static unsigned int n_reports;
static uint64_t ends_at_ms;
static const char *made; /* a directory that the kernel makes by then; NULL */

static void end_when_due(void)
{
	if (ends_at_ms && slept_ms >= ends_at_ms && made)
		put_directory(tree, made);
	else if (ends_at_ms && slept_ms >= ends_at_ms)
		set(STATE, "disabled\n");
}

static int write_and_be_slow(const char *path, const char *value)
{
	set(STATE, "sanitize\n");
	return on_write(path, value);
}

static void count_report(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	ck_assert_uint_eq(p->total, 0);
	n_reports++;
}

static int overwrite(const char *memdev)
{
	struct change c = change_of(CHANGE_OVERWRITE, memdev);

	sleep_in_a_moment(end_when_due);
	return devices_change(change_overwrite, &c);
}

START_TEST(a_device_is_overwritten_and_waited_for)
{
	devices_enter();
	devices_on_write = write_and_be_slow;
	devices_context.progress = count_report;
	ends_at_ms = slept_ms + 5000;
	must_be_done(overwrite("mem3"));
	ck_assert_str_eq(written, "/sys/bus/cxl/devices/mem3/security/sanitize 1\n");
	ck_assert_uint_ge(n_reports, 4);
	ck_assert_uint_ge(slept_ms, ends_at_ms);
}
END_TEST

START_TEST(a_device_that_needs_more_than_a_day_is_left_alone)
{
	devices_enter();
	devices_on_write = write_and_be_slow;
	ck_assert_int_eq(overwrite("mem3"), -ETIMEDOUT);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "the device goes on"));
}
END_TEST

START_TEST(overwriting_cannot_be_cancelled)
{
	unsigned int calls = 0;

	devices_enter();
	devices_on_write = write_and_be_slow;
	devices_context.cancelled = cancel_soon;
	devices_context.userdata = &calls;
	ck_assert_int_eq(overwrite("mem3"), -ECANCELED);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(result.text, "cannot be cancelled"));
}
END_TEST

static int write_and_vanish(const char *path, const char *value)
{
	drop(STATE);
	return on_write(path, value);
}

START_TEST(a_device_that_vanishes_meanwhile_is_unknown)
{
	devices_enter();
	devices_on_write = write_and_vanish;
	ck_assert_int_eq(overwrite("mem3"), -ENOENT);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
}
END_TEST

static const struct {
	const char *state;
	int code;
	const char *text;
} states[] = {
	{"sanitize\n", EBUSY, "is being overwritten already"},
	{"unlocked\n", EPERM, "its security state is unlocked; disable the passphrase first"},
	{"locked\n", EPERM, "its security state is locked"},
	{"frozen\n", EPERM, "its security state is frozen"},
	{"\n", EPERM, "its security state is "},
	{"\033[31mdisabled\n", EINVAL, "cannot be read"},
	{"disabled\n\ndisabled", EINVAL, "cannot be read"},
	{"a state that is longer than any state of any kernel\n", EINVAL, "cannot be read"},
};

START_TEST(a_device_in_another_state_is_not_overwritten)
{
	set(STATE, states[_i].state);
	devices_enter();
	must_be_refused(overwrite("mem3"), states[_i].code, states[_i].text);
}
END_TEST

START_TEST(a_device_without_the_command_is_not_overwritten)
{
	enter_and_write();
	fail_from = 1;
	error_of_write = ENOENT;
	must_be_refused(overwrite("mem3"), EOPNOTSUPP,
			"mem3 has no mem3/security/sanitize: the device does not support");
}
END_TEST

START_TEST(a_device_in_use_is_not_overwritten)
{
	devices_enter();
	must_be_refused(overwrite("mem0"), EBUSY, "is part of region2");
}
END_TEST

START_TEST(a_device_without_passphrase_is_erased)
{
	struct change c = change_of(CHANGE_SECURE_ERASE, "mem3");

	enter_and_write();
	must_be_done(devices_change(change_security, &c));
	ck_assert_str_eq(written, "/sys/bus/cxl/devices/mem3/security/erase 1\n");
}
END_TEST

/* ---- a region that is there with an enabled device ----------------------------------------------
 */

#define REGION "sys/bus/cxl/devices/region7"

static int write_and_make_region(const char *path, const char *value)
{
	put_directory(tree, REGION "/dax_region7");
	return write_of_driver(path, value);
}

static void enable_with_region(void)
{
	drop(DRIVER_LINK);
	devices_enter();
	devices_on_write = write_and_make_region;
	sleep_in_a_moment(end_when_due);
	must_be_done(enabled(CHANGE_MEMDEV_ENABLE, "mem3"));
}

START_TEST(the_dax_device_of_a_region_is_waited_for)
{
	ends_at_ms = slept_ms + 5000;
	made = REGION "/dax_region7/dax7.0/driver";
	enable_with_region();
	ck_assert_uint_ge(slept_ms, ends_at_ms);
	ck_assert_uint_lt(slept_ms, ends_at_ms + 1000);
}
END_TEST

START_TEST(a_dax_device_that_does_not_come_is_not_waited_for_longer)
{
	const uint64_t start = slept_ms;

	ends_at_ms = slept_ms + 5000;
	made = REGION "/dax_region7/dax7.0"; /* without driver */
	enable_with_region();
	ck_assert_uint_ge(slept_ms - start, DAX_WAIT_MS);
	ck_assert_uint_lt(slept_ms - start, DAX_WAIT_MS + 1000);
}
END_TEST

START_TEST(a_region_without_dax_region_is_not_waited_for)
{
	const uint64_t start = slept_ms;

	put_directory(tree, REGION);
	drop(DRIVER_LINK);
	devices_enter();
	devices_on_write = write_of_driver;
	sleep_in_a_moment(NULL);
	must_be_done(enabled(CHANGE_MEMDEV_ENABLE, "mem3"));
	ck_assert_uint_eq(slept_ms, start);
}
END_TEST

static TCase *poison_case(void)
{
	TCase *t = tcase_create("poison");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, devices_setup, devices_teardown);
	tcase_add_test(t, poison_is_written_line_by_line);
	tcase_add_loop_test(t, poison_out_of_range_is_refused, 0, ARRAY_SIZE(ranges));
	tcase_add_test(t, poison_is_refused_while_the_kernel_is_locked_down);
	tcase_add_test(t, poison_is_refused_without_the_file);
	tcase_add_test(t, poison_is_refused_without_debugfs);
	tcase_add_test(t, poison_that_stops_half_way_names_the_lines);
	tcase_add_test(t, the_limit_of_injected_poison_is_named);
	tcase_add_loop_test(t, poison_without_an_answer_is_not_known, 0, 2);
	tcase_add_test(t, poison_is_cancelled_between_two_lines);
	return t;
}

static TCase *enabled_case(void)
{
	TCase *t = tcase_create("enabled");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, devices_setup, devices_teardown);
	tcase_add_test(t, a_device_is_disabled);
	tcase_add_test(t, a_device_that_keeps_its_driver_is_not_disabled);
	tcase_add_test(t, a_decoder_without_region_is_in_use);
	tcase_add_test(t, what_is_enabled_is_not_enabled_again);
	tcase_add_test(t, a_device_is_enabled);
	tcase_add_test(t, the_light_of_a_slot_is_switched_and_read_back);
	tcase_add_test(t, the_dax_device_of_a_region_is_waited_for);
	tcase_add_test(t, a_dax_device_that_does_not_come_is_not_waited_for_longer);
	tcase_add_test(t, a_region_without_dax_region_is_not_waited_for);
	return t;
}

static TCase *erase_case(void)
{
	TCase *t = tcase_create("erase");

	tcase_add_checked_fixture(t, devices_setup, devices_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_device_is_overwritten_and_waited_for);
	tcase_add_test(t, a_device_that_needs_more_than_a_day_is_left_alone);
	tcase_add_test(t, overwriting_cannot_be_cancelled);
	tcase_add_test(t, a_device_that_vanishes_meanwhile_is_unknown);
	tcase_add_loop_test(t, a_device_in_another_state_is_not_overwritten, 0, ARRAY_SIZE(states));
	tcase_add_test(t, a_device_without_the_command_is_not_overwritten);
	tcase_add_test(t, a_device_without_passphrase_is_erased);
	return t;
}

static TCase *used_case(void)
{
	TCase *t = tcase_create("used");

	tcase_add_checked_fixture(t, devices_setup_used, devices_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_device_in_use_is_not_disabled);
	tcase_add_test(t, a_device_in_use_is_not_overwritten);
	return t;
}

SUITE(check_device_state)
{
	Suite *s = suite_create("device_state");

	if (!have_namespaces())
		return NULL;
	suite_add_tcase(s, poison_case());
	suite_add_tcase(s, enabled_case());
	suite_add_tcase(s, erase_case());
	suite_add_tcase(s, used_case());
	return s;
}
