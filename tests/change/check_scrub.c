// SPDX-License-Identifier: LGPL-2.1-or-later
/* Patrol scrub and error check scrub: what is written where, read back, restored, and refused. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "sysfs/scrub.h"
#include "tests/change/devices_util.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define DEVICES "sys/bus/cxl/devices"
#define ENABLED "scrub0/enable_background"
#define CYCLE	"scrub0/current_cycle_duration"

static char written[8192];	    /* one line for each write */
static size_t n_written, fail_from; /* 0: none */
static int error_of_write;
static bool is_deaf;		   /* writes have no effect */
static const char *members[2];	   /* of the region, whose files Linux writes to them */
static size_t region_fails_behind; /* so many members are written; 0: all */

static void put_attribute(const char *object, const char *file, const char *text)
{
	char path[192];

	(void)snprintf(path, sizeof(path), DEVICES "/%s/cxl_%s/%s", object, object, file);
	set(path, text);
}

static void put_below(const char *object, const char *name)
{
	char path[192];

	(void)snprintf(path, sizeof(path), DEVICES "/%s/cxl_%s/%s", object, object, name);
	put_directory(tree, path);
}

static void put_scrub(const char *object, const char *cycle_s)
{
	put_below(object, "");
	put_below(object, "scrub0");
	put_attribute(object, ENABLED, "1\n");
	put_attribute(object, CYCLE, cycle_s);
	put_attribute(object, "scrub0/min_cycle_duration", "7200\n");
}

static void put_fru(const char *memdev, unsigned int number)
{
	static const char *const files[][2] = {
		{"log_entry_type", "0\n"}, {"mode", "1\n"}, {"threshold", "256\n"}};
	char name[64];

	(void)snprintf(name, sizeof(name), "ecs_fru%u", number);
	put_below(memdev, name);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)snprintf(name, sizeof(name), "ecs_fru%u/%s", number, files[i][0]);
		put_attribute(memdev, name, files[i][1]);
	}
}

/* Linux's side: cycles are cut to hours, and a region's go to its members one after the other. */
static int take(const char *object, const char *file, const char *value)
{
	const uint64_t number = strtoull(value, NULL, 0);
	char text[32];

	(void)snprintf(text, sizeof(text), "%llu\n",
		       (unsigned long long)(str_equal(file, CYCLE)
						    ? number / SCRUB_HOUR_S * SCRUB_HOUR_S
						    : number));
	put_attribute(object, file, text);
	if (!str_equal(object, "region2"))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (region_fails_behind && i == region_fails_behind)
			return -EIO;
		put_attribute(members[i], file, text);
	}
	return 0;
}

static int on_write(const char *path, const char *value)
{
	const char *below = str_after_prefix(path, "/" DEVICES "/");
	const char *object = below ? str_after_prefix(strchr(below, '/'), "/cxl_") : NULL;
	const char *file = object ? strchr(object, '/') : NULL;
	const size_t len = strlen(written);
	char name[32];

	ck_assert_ptr_nonnull(file);
	if (fail_from && ++n_written >= fail_from && error_of_write)
		return -error_of_write;
	(void)snprintf(written + len, sizeof(written) - len, "%s %s\n", object, value);
	if (is_deaf)
		return 0;
	(void)snprintf(name, sizeof(name), "%.*s", (int)(file - object), object);
	return take(name, file + 1, value);
}

static void enter_and_write(void)
{
	devices_enter();
	devices_on_write = on_write;
}

/* ---- patrol scrub ------------------------------------------------------------------------------
 */

static int scrub(const char *memdev, uint32_t fields, uint32_t enabled, uint64_t cycle_s)
{
	struct change c = change_of(CHANGE_SCRUB, memdev);
	struct error e = {0};

	c.scrub = (struct change_scrub){fields, enabled, cycle_s};
	ck_assert_msg(change_check(&c, &e) == 0, "%s", e.text);
	return devices_change(change_scrub, &c);
}

static void must_say(const char *text)
{
	ck_assert_msg(strstr(result.text, text) != NULL, "'%s' is not in '%s'", text, result.text);
}

START_TEST(a_cycle_is_cut_to_hours_and_read_back)
{
	put_scrub("mem3", "43200\n");
	enter_and_write();
	must_be_done(scrub("mem3", CHANGE_SCRUB_CYCLE, 0, 8000));
	must_say("mem3: on, 2 h; before: on, 12 h");
	must_be_done(scrub("mem3", CHANGE_SCRUB_CYCLE | CHANGE_SCRUB_ENABLED, 0, 918000));
	must_say("mem3: off, 255 h; before: on, 2 h");
	ck_assert_str_eq(written, "mem3/" CYCLE " 8000\n"
				  "mem3/" CYCLE " 918000\n"
				  "mem3/" ENABLED " 0\n");
}
END_TEST

START_TEST(a_cycle_that_the_device_does_not_have_is_refused_with_its_bounds)
{
	put_scrub("mem3", "43200\n");
	enter_and_write();
	must_be_refused(scrub("mem3", CHANGE_SCRUB_CYCLE, 0, 7199), EINVAL,
			"mem3: its cycle can be from 7200 to 918000 s, and 7199 s is not");
	must_be_refused(scrub("mem3", CHANGE_SCRUB_CYCLE, 0, 0), EINVAL, "and 0 s is not");
	ck_assert_str_eq(written, "");
}
END_TEST

START_TEST(a_device_without_scrub_is_refused)
{
	enter_and_write();
	must_be_refused(scrub("mem3", CHANGE_SCRUB_ENABLED, 1, 0), EOPNOTSUPP,
			"mem3: Linux shows no patrol scrub of it");
	must_be_refused(scrub("mem99", CHANGE_SCRUB_ENABLED, 1, 0), ENOENT, "mem99");
}
END_TEST

static const struct {
	int error;
	const char *next;
	enum change_outcome outcome;
} errors[] = {
	{EPERM, "only from a process with CAP_SYS_RAWIO; start cxl-redfish-change-helper by",
	 CHANGE_REFUSED},
	{EINVAL, "give a cycle that is not below the shortest one shown", CHANGE_REFUSED},
	{EOPNOTSUPP, "the device does not let this be changed", CHANGE_REFUSED},
	{EBUSY, "repeat the request when that has ended", CHANGE_REFUSED},
	{ENXIO, "or is busy with another operation; see the kernel log", CHANGE_REFUSED},
	{ENOENT, "look whether the device or region is still there", CHANGE_REFUSED},
	{ETIMEDOUT, "the device did not answer", CHANGE_UNKNOWN},
	{EIO, "see the kernel log", CHANGE_REFUSED},
};

START_TEST(each_error_names_the_next_step)
{
	put_scrub("mem3", "43200\n");
	enter_and_write();
	fail_from = 1;
	error_of_write = errors[_i].error;
	ck_assert_int_eq(scrub("mem3", CHANGE_SCRUB_CYCLE, 0, 7200), -errors[_i].error);
	ck_assert_uint_eq(result.outcome, errors[_i].outcome);
	must_say("mem3: " CYCLE ": ");
	must_say(errors[_i].next);
}
END_TEST

START_TEST(a_setting_that_is_not_shown_is_reported)
{
	put_scrub("mem3", "43200\n");
	enter_and_write();
	is_deaf = true;
	ck_assert_int_eq(scrub("mem3", CHANGE_SCRUB_CYCLE, 0, 7200), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_INCOMPLETE);
	must_say("mem3 accepted the setting of patrol scrub, but shows on, 12 h");
}
END_TEST

START_TEST(what_was_written_before_a_failure_is_undone)
{
	put_scrub("mem3", "43200\n");
	enter_and_write();
	devices_on_write = on_write;
	fail_from = 2;
	error_of_write = EBUSY;
	ck_assert_int_eq(scrub("mem3", CHANGE_SCRUB_CYCLE | CHANGE_SCRUB_ENABLED, 0, 7200), -EBUSY);
	/* The write that undoes it fails, too. */
	ck_assert_uint_eq(result.outcome, CHANGE_INCOMPLETE);
	must_say(CYCLE " does not have its value of before again");
}
END_TEST

/* ---- a region ----------------------------------------------------------------------------------
 */

static int region_scrub_to(uint32_t fields, uint32_t enabled, uint64_t cycle_s)
{
	struct change c = change_of(CHANGE_REGION_SCRUB, "region2");

	c.scrub = (struct change_scrub){fields, enabled, cycle_s};
	return devices_change(change_region_scrub, &c);
}

/* Both members of region2, of normalized-7.3, have other cycles. */
static void enter_region(void)
{
	const struct region *region;

	enter();
	region = host_region(host, "region2");
	ck_assert_ptr_nonnull(region);
	ck_assert_uint_eq(region->n_targets, 2);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		ck_assert_ptr_nonnull(region->targets[i].memdev);
		members[i] = region->targets[i].memdev->name;
		put_scrub(members[i], i == 0 ? "43200\n" : "86400\n");
	}
	put_scrub("region2", "86400\n");
	devices_root = fake_live_root();
	devices_context = (struct change_context){.root = &devices_root, .image = -1};
	devices_on_write = on_write;
}

static void must_say_of(const char *member, const char *what)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "%s%s", member, what);
	must_say(text);
}

START_TEST(a_rate_of_a_region_says_what_it_overwrote)
{
	enter_region();
	must_be_done(region_scrub_to(CHANGE_SCRUB_CYCLE, 0, 14400));
	ck_assert_str_eq(written, "region2/" CYCLE " 14400\n");
	must_say("region2: on, 4 h; overwritten: ");
	must_say_of(members[0], ": on, 12 h");
	must_say_of(members[1], ": on, 24 h");
	must_be_done(region_scrub_to(CHANGE_SCRUB_CYCLE, 0, 14400));
	ck_assert_str_eq(result.text, "region2: on, 4 h");
}
END_TEST

START_TEST(members_get_their_values_again_when_one_fails)
{
	char expected[128];

	enter_region();
	region_fails_behind = 1;
	ck_assert_int_eq(region_scrub_to(CHANGE_SCRUB_CYCLE, 0, 14400), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	(void)snprintf(expected, sizeof(expected), "region2/" CYCLE " 14400\n%s/" CYCLE " 43200\n",
		       members[0]);
	ck_assert_str_eq(written, expected);
}
END_TEST

START_TEST(a_member_that_cannot_be_restored_is_named)
{
	enter_region();
	region_fails_behind = 1;
	fail_from = 2;
	error_of_write = EBUSY;
	ck_assert_int_eq(region_scrub_to(CHANGE_SCRUB_CYCLE, 0, 14400), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_INCOMPLETE);
	must_say_of(members[0], " does not have its value of before again");
}
END_TEST

/* ---- error check scrub -------------------------------------------------------------------------
 */

static int ecs(uint32_t fields, uint32_t per_fru, uint32_t codewords, uint32_t threshold)
{
	struct change c = change_of(CHANGE_ECS, "mem3");

	c.ecs = (struct change_ecs){fields, per_fru, codewords, threshold};
	return devices_change(change_ecs, &c);
}

START_TEST(error_check_scrub_is_set_on_all_frus)
{
	put_scrub("mem3", "43200\n");
	put_fru("mem3", 0);
	put_fru("mem3", 1);
	enter_and_write();
	must_be_done(
		ecs(CHANGE_ECS_PER_FRU | CHANGE_ECS_CODEWORDS | CHANGE_ECS_THRESHOLD, 1, 0, 4096));
	must_say(
		"mem3: threshold 4096, mode rows, entries for each FRU; before: threshold 256, mode codewords, entries for each DRAM");
	ck_assert_str_eq(written, "mem3/ecs_fru0/log_entry_type 1\nmem3/ecs_fru0/mode 0\n"
				  "mem3/ecs_fru0/threshold 4096\n"
				  "mem3/ecs_fru1/log_entry_type 1\nmem3/ecs_fru1/mode 0\n"
				  "mem3/ecs_fru1/threshold 4096\n");
}
END_TEST

START_TEST(frus_get_their_values_again_when_one_fails)
{
	put_scrub("mem3", "43200\n");
	put_fru("mem3", 0);
	put_fru("mem3", 1);
	enter_and_write();
	is_deaf = true;
	ck_assert_int_eq(ecs(CHANGE_ECS_THRESHOLD, 0, 0, 1024), -EIO);
	must_say("but threshold of its FRUs does not show 1024");
	is_deaf = false;
	fail_from = 2;
	error_of_write = EBUSY;
	n_written = 0;
	ck_assert_int_eq(ecs(CHANGE_ECS_THRESHOLD, 0, 0, 1024), -EBUSY);
	ck_assert_uint_eq(result.outcome, CHANGE_INCOMPLETE);
	must_say("ecs_fru0/threshold does not have its value of before again");
}
END_TEST

START_TEST(a_device_without_error_check_scrub_is_refused)
{
	put_scrub("mem3", "43200\n");
	enter_and_write();
	must_be_refused(ecs(CHANGE_ECS_THRESHOLD, 0, 0, 256), EOPNOTSUPP,
			"mem3: Linux shows no error check scrub of it");
	for (unsigned int i = 0; i <= SCRUB_FRUS_MAX; i++)
		put_fru("mem3", i);
	must_be_refused(ecs(CHANGE_ECS_THRESHOLD, 0, 0, 256), EOPNOTSUPP, "it has 33 FRUs");
}
END_TEST

/* ---- form --------------------------------------------------------------------------------------
 */

static const struct {
	struct change_scrub scrub;
	struct change_ecs ecs;
} malformed[] = {
	{{0, 1, 0}, {0, 0, 0, 256}},
	{{4, 1, 0}, {8, 0, 0, 256}},
	{{CHANGE_SCRUB_ENABLED, 2, 0}, {CHANGE_ECS_PER_FRU, 2, 0, 0}},
	{{CHANGE_SCRUB_CYCLE, 0, SCRUB_CYCLE_S_MAX + 1}, {CHANGE_ECS_CODEWORDS, 0, 2, 0}},
	{{CHANGE_SCRUB_CYCLE, 0, UINT64_MAX}, {CHANGE_ECS_THRESHOLD, 0, 0, 512}},
};

START_TEST(malformed_settings_are_refused)
{
	struct change c = change_of(CHANGE_SCRUB, "mem3");
	struct error e = {0};

	c.scrub = malformed[_i].scrub;
	ck_assert_int_eq(change_check(&c, &e), -EINVAL);
	c = change_of(CHANGE_REGION_SCRUB, "region0");
	c.scrub = malformed[_i].scrub;
	ck_assert_int_eq(change_check(&c, &e), -EINVAL);
	c = change_of(CHANGE_ECS, "mem3");
	c.ecs = malformed[_i].ecs;
	ck_assert_int_eq(change_check(&c, &e), -EINVAL);
	ck_assert_uint_eq(change_needs(CHANGE_ECS), ALLOW_SCRUB);
}
END_TEST

SUITE(check_scrub)
{
	Suite *s = suite_create("scrub");
	TCase *t = tcase_create("devices"), *u = tcase_create("regions");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, devices_setup, devices_teardown);
	tcase_add_test(t, a_cycle_is_cut_to_hours_and_read_back);
	tcase_add_test(t, a_cycle_that_the_device_does_not_have_is_refused_with_its_bounds);
	tcase_add_test(t, a_device_without_scrub_is_refused);
	tcase_add_loop_test(t, each_error_names_the_next_step, 0, ARRAY_SIZE(errors));
	tcase_add_test(t, a_setting_that_is_not_shown_is_reported);
	tcase_add_test(t, what_was_written_before_a_failure_is_undone);
	tcase_add_test(t, error_check_scrub_is_set_on_all_frus);
	tcase_add_test(t, frus_get_their_values_again_when_one_fails);
	tcase_add_test(t, a_device_without_error_check_scrub_is_refused);
	tcase_add_loop_test(t, malformed_settings_are_refused, 0, ARRAY_SIZE(malformed));
	suite_add_tcase(s, t);
	tcase_set_timeout(u, 60);
	tcase_add_checked_fixture(u, devices_setup_used, devices_teardown);
	tcase_add_test(u, a_rate_of_a_region_says_what_it_overwrote);
	tcase_add_test(u, members_get_their_values_again_when_one_fails);
	tcase_add_test(u, a_member_that_cannot_be_restored_is_named);
	suite_add_tcase(s, u);
	return s;
}
