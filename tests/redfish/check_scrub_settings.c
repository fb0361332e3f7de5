// SPDX-License-Identifier: LGPL-2.1-or-later
/* Settings of scrub are known over starts of the service. */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "redfish/state/scrub_settings.h"
#include "tests/lib/suites.h"

static char directory[64], path[96];
static struct state *state;
static struct error error;

static void open_state(void)
{
	state = state_free(state);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
}

static void setup(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/check_scrub.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	open_state();
}

static void teardown(void)
{
	char command[96];

	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* The first device has another name than it had when it was set. */
static const struct memdev devices[] = {
	{.name = "mem4", .serial = {0xabc0, true}, .enabled = true},
	{.name = "mem1", .serial = {0xabc1, true}, .enabled = true},
};
static const struct memdev *const memdevs[] = {&devices[0], &devices[1]};
static const struct host machine = {.memdevs = memdevs, .n_memdevs = 2};

static struct scrub_set a_set(uint64_t time_ns)
{
	return (struct scrub_set){.time_ns = time_ns,
				  .by = "admin",
				  .text = "mem0: on, 2 h; before: on, 12 h",
				  .cycle_s = OPT_U64(7200)};
}

static void keep(const char *device, enum scrub_kind kind, uint64_t time_ns)
{
	const struct scrub_set set = a_set(time_ns);

	ck_assert_msg(scrub_settings_keep(state, device, kind, &set, &error) == 0, "%s",
		      error.text);
}

static struct scrub_set loaded(const struct memdev *m, enum scrub_kind kind)
{
	struct scrub_set set;

	open_state();
	ck_assert_msg(scrub_settings_load(state, &machine, &error) == 0, "%s", error.text);
	scrub_set_of(m, kind, &set);
	return set;
}

START_TEST(a_setting_is_known_after_a_start_by_the_device_and_not_its_name)
{
	struct scrub_set set;

	keep("cxl-000000000000abc0", SCRUB_PATROL, 1);
	keep("cxl-000000000000abc0", SCRUB_PATROL, 77);
	set = loaded(&devices[0], SCRUB_PATROL);
	ck_assert_uint_eq(set.time_ns, 77);
	ck_assert_str_eq(set.by, "admin");
	ck_assert_str_eq(set.text, "mem0: on, 2 h; before: on, 12 h");
	ck_assert(opt_u64_is(set.cycle_s, 7200));
	ck_assert(!set.enabled.present);
	ck_assert_uint_eq(loaded(&devices[0], SCRUB_ECS).time_ns, 0);
	ck_assert_uint_eq(loaded(&devices[1], SCRUB_PATROL).time_ns, 0);
}
END_TEST

START_TEST(a_switched_off_scrub_is_not_one_that_was_not_set)
{
	struct scrub_set set = a_set(5);

	set.enabled = OPT_BOOL(false);
	ck_assert_int_eq(
		scrub_settings_keep(state, "cxl-000000000000abc1", SCRUB_PATROL, &set, &error), 0);
	set = loaded(&devices[1], SCRUB_PATROL);
	ck_assert(set.enabled.present && !set.enabled.value);
}
END_TEST

START_TEST(of_more_devices_than_there_is_room_for_the_oldest_is_forgotten)
{
	char device[STABLE_ID_MAX + 1];

	keep("cxl-000000000000abc0", SCRUB_PATROL, 1);
	keep("cxl-000000000000abc1", SCRUB_PATROL, 2);
	for (unsigned int i = 0; i < SCRUB_SETS_MAX - 1; i++) {
		(void)snprintf(device, sizeof(device), "cxl-%016x", i + 1);
		keep(device, SCRUB_PATROL, 3 + i);
	}
	ck_assert_uint_eq(loaded(&devices[0], SCRUB_PATROL).time_ns, 0);
	ck_assert_uint_eq(loaded(&devices[1], SCRUB_PATROL).time_ns, 2);
}
END_TEST

SUITE(check_scrub_settings)
{
	Suite *s = suite_create("settings of scrub");
	TCase *t = tcase_create("settings");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_setting_is_known_after_a_start_by_the_device_and_not_its_name);
	tcase_add_test(t, a_switched_off_scrub_is_not_one_that_was_not_set);
	tcase_add_test(t, of_more_devices_than_there_is_room_for_the_oldest_is_forgotten);
	suite_add_tcase(s, t);
	return s;
}
