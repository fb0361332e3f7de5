// SPDX-License-Identifier: LGPL-2.1-or-later
/* The history of readings: blocks, slots, clocks, age, and a file that cannot be used. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/log.h"
#include "redfish/state/history.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

enum {
	INTERVAL_S = 600,
	POINTS = HISTORY_DAY_S / INTERVAL_S,
	DAY = 20784, /* some day */
};
#define MIDNIGHT_S ((uint64_t)DAY * HISTORY_DAY_S)
#define DEVICE	   "cxl-0000000000000001"

static const struct history_limits limits = {INTERVAL_S, 30};
static char history_path[400];
static struct history *history;
static uint64_t boot_s; /* of the boot clock */

/* ---- blocks -----------------------------------------------------------------------------------
 */

static struct history_sample made_sample(uint32_t second, int64_t temperature)
{
	struct history_sample s = {.second = second};

	history_set(&s, HISTORY_TEMPERATURE, temperature);
	return s;
}

/* A day in which much changes: values come and go, some are at their limits. */
static struct history_samples busy_day(void)
{
	struct history_samples day = {0};

	for (uint32_t i = 0; i < POINTS; i++) {
		struct history_sample s =
			made_sample(i * INTERVAL_S, (int64_t)(i * 7919 % 60) - 20);

		if (i % 5 == 3)
			continue;
		if (i % 7 == 2)
			s.known = 0;
		history_set(&s, HISTORY_CORRECTED_VOLATILE, (int64_t)i * i * 1000);
		history_set(&s, HISTORY_CORRECTED_PERSISTENT, i % 2 ? UINT32_MAX : 0);
		history_set(&s, HISTORY_LINK_WIDTH, i < 40 ? 16 : 8);
		if (i > 20)
			history_set(&s, HISTORY_LINK_SPEED, 320);
		ck_assert_int_eq(history_insert(&day, &s), 0);
	}
	return day;
}

static void expect_same(const struct history_samples *a, const struct history_samples *b)
{
	ck_assert_uint_eq(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		ck_assert_uint_eq(a->items[i].second, b->items[i].second);
		ck_assert_uint_eq(a->items[i].known, b->items[i].known);
		for (enum history_value v = 0; v < HISTORY_VALUES; v++)
			if (history_knows(&a->items[i], v))
				ck_assert_int_eq(a->items[i].values[v], b->items[i].values[v]);
	}
}

START_TEST(block_has_the_samples_that_were_written)
{
	static uint8_t block[HISTORY_BLOCK_MAX(POINTS)];
	struct history_samples day = busy_day(), again = {0};
	const size_t len = history_block_write(&day, block, sizeof(block));

	ck_assert_uint_gt(len, 0);
	ck_assert_int_eq(history_block_read(block, len, &again), 0);
	expect_same(&day, &again);
	ck_assert_uint_eq(history_block_write(&day, block, len - 1), 0);
	history_samples_done(&again);
	history_samples_done(&day);
}
END_TEST

START_TEST(day_without_a_change_is_some_bytes)
{
	struct history_samples day = {0};
	uint8_t block[64];

	for (uint32_t i = 0; i < POINTS; i++) {
		struct history_sample s = made_sample(i * INTERVAL_S, 40);

		for (enum history_value v = HISTORY_LIFE_USED; v < HISTORY_VALUES; v++)
			history_set(&s, v, 100);
		ck_assert_int_eq(history_insert(&day, &s), 0);
	}
	ck_assert_uint_gt(history_block_write(&day, block, sizeof(block)), 0);
	history_samples_done(&day);
}
END_TEST

START_TEST(value_that_no_device_can_have_is_absent)
{
	struct history_sample s = {0};

	history_set(&s, HISTORY_TEMPERATURE, INT16_MAX + 1);
	history_set(&s, HISTORY_LIFE_USED, -1);
	history_set(&s, HISTORY_CORRECTED_VOLATILE, INT64_MAX);
	history_set(&s, HISTORY_LINK_WIDTH, 0);
	ck_assert_uint_eq(s.known, 0);
}
END_TEST

START_TEST(full_day_takes_no_more)
{
	struct history_samples day = {0};
	struct history_sample s = {0};

	for (s.second = 0; s.second < HISTORY_SAMPLES_MAX; s.second++)
		ck_assert_int_eq(history_insert(&day, &s), 0);
	ck_assert_int_eq(history_insert(&day, &s), -ENOSPC);
	s.second = 17;
	ck_assert_int_eq(history_insert(&day, &s), -EEXIST);
	history_samples_done(&day);
}
END_TEST

/* A block that is read after all has nothing that no day can have. */
static void expect_possible(const struct history_samples *day)
{
	ck_assert_uint_le(day->n, HISTORY_SAMPLES_MAX);
	for (size_t i = 0; i < day->n; i++) {
		struct history_sample s = {0};

		ck_assert_uint_lt(day->items[i].second, HISTORY_DAY_S);
		ck_assert(i == 0 || day->items[i - 1].second < day->items[i].second);
		for (enum history_value v = 0; v < HISTORY_VALUES; v++)
			if (history_knows(&day->items[i], v))
				history_set(&s, v, day->items[i].values[v]);
		ck_assert_uint_eq(s.known, day->items[i].known);
	}
}

START_TEST(changed_block_is_refused_or_possible)
{
	static uint8_t block[HISTORY_BLOCK_MAX(POINTS)];
	struct history_samples day = busy_day(), read;
	const size_t len = history_block_write(&day, block, sizeof(block));

	for (size_t i = 0; i < len; i++) {
		const uint8_t good = block[i];

		for (unsigned int bit = 0; bit < 8; bit++) {
			read = (struct history_samples){0};
			block[i] = (uint8_t)(good ^ 1U << bit);
			if (history_block_read(block, len, &read) == 0)
				expect_possible(&read);
			history_samples_done(&read);
		}
		block[i] = good;
		read = (struct history_samples){0};
		ck_assert_int_eq(history_block_read(block, i, &read), -EBADMSG);
	}
	history_samples_done(&day);
}
END_TEST

static const struct {
	const char *what;
	uint8_t bytes[24];
	size_t len;
} impossible[] = {
	{"nothing", {0}, 0},
	{"another version", {2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2}, 11},
	{"no sample", {1, 0}, 2},
	{"more samples than a day has", {1, 0xff, 0xff, 0x7f, 1, 1}, 6},
	{"a number without an end",
	 {1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1},
	 12},
	{"a run of no times", {1, 1, 0, 1, 2, 2, 2, 2, 2, 2, 2}, 11},
	{"a run of too many times", {1, 1, 2, 1, 2, 2, 2, 2, 2, 2, 2}, 11},
	{"a time twice", {1, 2, 1, 1, 1, 0, 4, 4, 4, 4, 4, 4, 4}, 13},
	{"a time after the day", {1, 1, 1, 0x81, 0xa3, 5, 2, 2, 2, 2, 2, 2, 2}, 13},
	{"a run of too many values", {1, 1, 1, 1, 4, 2, 2, 2, 2, 2, 2}, 11},
	{"a life used of 256 percent", {1, 1, 1, 1, 2, 3, 0x80, 4, 2, 2, 2, 2, 2}, 13},
	{"bytes behind it", {1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 0}, 12},
};

START_TEST(impossible_block_is_refused)
{
	static const uint8_t good[] = {1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2};
	struct history_samples day = {0};

	ck_assert_int_eq(history_block_read(good, sizeof(good), &day), 0);
	history_samples_done(&day);
	ck_assert_msg(history_block_read(impossible[_i].bytes, impossible[_i].len, &day) ==
			      -EBADMSG,
		      "%s", impossible[_i].what);
}
END_TEST

/* ---- the file ---------------------------------------------------------------------------------
 */

static void setup(void)
{
	log_setup("check_history", LOG_LEVEL_ERR);
	store_setup();
	boot_s = 1000;
	(void)snprintf(history_path, sizeof(history_path), "%s/" HISTORY_FILE, directory);
	ck_assert_int_eq(history_new(history_path, &limits, &history, &error), 0);
}

static void teardown(void)
{
	history = history_free(history);
	store_teardown();
}

/* Writes a sample of a device at a time of the wall clock. Return: as history_write(). */
static int write_of(const char *device, uint64_t at_s, int64_t temperature)
{
	struct history_reading reading = {.sample = made_sample(0, temperature)};
	const struct history_readings one = {.items = &reading, .n = 1};
	uint64_t slot_s;

	(void)snprintf(reading.device, sizeof(reading.device), "%s", device);
	ck_assert(history_claim(history, at_s, &slot_s));
	return history_write(history, slot_s, boot_s, &one, &error);
}

static void write_sample(uint64_t at_s, int64_t temperature)
{
	int r = write_of(DEVICE, at_s, temperature);

	ck_assert_msg(r == 0, "%s", error.text);
}

/* Both clocks run @s, then a sample follows. */
static void sample_after(uint64_t *wall_s, uint64_t s)
{
	*wall_s += s;
	boot_s += s;
	write_sample(*wall_s, 1);
}

/* The samples of two days as "SECOND:TEMPERATURE " each, from the first of the two on. */
static const char *samples_of(const char *device, uint64_t day)
{
	static char text[8192];
	struct history_points points;
	size_t n = 0;
	int r = history_read(history, device, day * HISTORY_DAY_S, (day + 2) * HISTORY_DAY_S,
			     &points, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	text[0] = '\0';
	for (size_t i = 0; i < points.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%" PRIu64 ":%" PRId64 " ",
				      points.items[i].at_s - day * HISTORY_DAY_S,
				      points.items[i].sample.values[HISTORY_TEMPERATURE]);
	history_points_done(&points);
	return text;
}

/* The days of the device, counted from DAY, as "0 1 ". */
static const char *days(void)
{
	static char text[1024];
	struct history_days list;
	size_t n = 0;

	ck_assert_int_eq(history_list_days(history, DEVICE, &list, &error), 0);
	text[0] = '\0';
	for (size_t i = 0; i < list.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%" PRId64 " ",
				      (int64_t)list.items[i] - DAY);
	history_days_done(&list);
	return text;
}

START_TEST(sample_is_at_the_beginning_of_its_slot)
{
	uint64_t slot_s;

	write_sample(MIDNIGHT_S + 7, 20);
	ck_assert(!history_claim(history, MIDNIGHT_S + 599, &slot_s));
	write_sample(MIDNIGHT_S + 600, 21);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "0:20 600:21 ");
	ck_assert_str_eq(samples_of("cxl-0000000000000002", DAY), "");
}
END_TEST

START_TEST(missed_slot_is_a_gap)
{
	write_sample(MIDNIGHT_S, 20);
	write_sample(MIDNIGHT_S + 3000, 21);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "0:20 3000:21 ");
}
END_TEST

START_TEST(days_are_of_utc)
{
	write_sample(MIDNIGHT_S + HISTORY_DAY_S - 1, 20);
	write_sample(MIDNIGHT_S + HISTORY_DAY_S, 21);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "85800:20 86400:21 ");
	ck_assert_str_eq(days(), "0 1 ");
}
END_TEST

START_TEST(step_backwards_replaces_no_sample)
{
	write_sample(MIDNIGHT_S + 600, 20);
	write_sample(MIDNIGHT_S + 1800, 21);
	write_sample(MIDNIGHT_S + 600, 30);
	write_sample(MIDNIGHT_S + 1200, 31);
	write_sample(MIDNIGHT_S + 1800, 32);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "600:20 1200:31 1800:21 ");
}
END_TEST

START_TEST(interval_may_change_within_a_day)
{
	write_sample(MIDNIGHT_S + 600, 20);
	history_set_limits(history, &(struct history_limits){60, 30});
	write_sample(MIDNIGHT_S + 700, 21);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "600:20 660:21 ");
}
END_TEST

START_TEST(old_days_are_removed_when_the_clock_was_steady)
{
	uint64_t wall_s = MIDNIGHT_S;

	write_sample(MIDNIGHT_S - 31 * HISTORY_DAY_S, 10);
	write_sample(MIDNIGHT_S - 30 * HISTORY_DAY_S, 10);
	write_sample(MIDNIGHT_S + 9 * HISTORY_DAY_S, 10); /* by a clock that was wrong */
	write_sample(wall_s, 11);
	for (unsigned int i = 0; i < 5; i++)
		sample_after(&wall_s, INTERVAL_S);
	ck_assert_str_eq(days(), "-31 -30 0 9 ");
	sample_after(&wall_s, INTERVAL_S);
	ck_assert_str_eq(days(), "-30 0 ");
	/* From the next day on, too. */
	while (wall_s < MIDNIGHT_S + HISTORY_DAY_S)
		sample_after(&wall_s, INTERVAL_S);
	ck_assert_str_eq(days(), "0 1 ");
}
END_TEST

START_TEST(step_of_the_clock_removes_nothing)
{
	uint64_t wall_s = MIDNIGHT_S;

	for (unsigned int i = 0; i < 12; i++)
		sample_after(&wall_s, INTERVAL_S);
	/* Years ahead for less than an hour, and back. */
	wall_s += 1000 * (uint64_t)HISTORY_DAY_S;
	for (unsigned int i = 0; i < 5; i++)
		sample_after(&wall_s, INTERVAL_S);
	wall_s -= 1000 * (uint64_t)HISTORY_DAY_S;
	sample_after(&wall_s, INTERVAL_S);
	ck_assert_str_eq(days(), "0 1000 ");
}
END_TEST

START_TEST(sample_survives_a_kill_of_the_process)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		write_sample(MIDNIGHT_S, 20);
		(void)kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_str_eq(samples_of(DEVICE, DAY), "0:20 ");
}
END_TEST

START_TEST(history_is_for_its_owner_alone)
{
	struct stat st;

	(void)umask(0);
	write_sample(MIDNIGHT_S, 20);
	ck_assert_int_eq(stat(history_path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
}
END_TEST

START_TEST(damaged_row_has_no_samples_and_is_begun_anew)
{
	write_sample(MIDNIGHT_S, 20);
	ck_assert_int_eq(write_of("cxl-0000000000000002", MIDNIGHT_S + 600, 30), 0);
	run_sql(history_path, "UPDATE history SET block = x'01ffffff' WHERE device = '" DEVICE "'");
	ck_assert_str_eq(samples_of(DEVICE, DAY), "");
	ck_assert_str_eq(samples_of("cxl-0000000000000002", DAY), "600:30 ");
	write_sample(MIDNIGHT_S + 1200, 21);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "1200:21 ");
	run_sql(history_path, "UPDATE history SET block = x''");
	ck_assert_str_eq(samples_of(DEVICE, DAY), "");
}
END_TEST

static const struct {
	const char *what;
	long offset;
} damages[] = {{"the first bytes", 0}, {"a page in the middle", 4096}};

START_TEST(damaged_file_is_kept_under_another_name)
{
	char noise[4096];

	memset(noise, 0x5a, sizeof(noise));
	for (uint64_t i = 0; i < POINTS; i++)
		write_sample(MIDNIGHT_S + i * INTERVAL_S, (int64_t)i);
	scribble(history_path, damages[_i].offset, noise, sizeof(noise));
	/* Damage that is found while the file is used is an error once. */
	(void)write_of(DEVICE, MIDNIGHT_S + HISTORY_DAY_S, 20);
	ck_assert_int_eq(write_of(DEVICE, MIDNIGHT_S + HISTORY_DAY_S + 600, 21), 0);
	ck_assert_ptr_nonnull(strstr(samples_of(DEVICE, DAY + 1), "600:21 "));
	ck_assert_uint_eq(count_files(HISTORY_FILE ".damaged"), 1);
}
END_TEST

START_TEST(file_of_a_newer_version_is_refused_and_stays)
{
	char *before, *after;
	size_t n, m;

	write_sample(MIDNIGHT_S, 20);
	run_sql(history_path, "PRAGMA user_version = 99");
	before = contents(history_path, &n);
	ck_assert_int_eq(write_of(DEVICE, MIDNIGHT_S + 600, 21), -EPROTONOSUPPORT);
	after = contents(history_path, &m);
	ck_assert_uint_eq(n, m);
	ck_assert_mem_eq(before, after, n);
	free(before);
	free(after);
}
END_TEST

START_TEST(slot_is_tried_again_after_a_full_disk)
{
	int r;

	write_sample(MIDNIGHT_S, 20);
	limit_files(4096);
	r = write_of(DEVICE, MIDNIGHT_S + 600, 21);
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(r, -ENOSPC);
	write_sample(MIDNIGHT_S + 601, 22);
	ck_assert_str_eq(samples_of(DEVICE, DAY), "0:20 600:22 ");
}
END_TEST

START_TEST(two_processes_do_not_share_a_history)
{
	struct history *other = NULL;
	struct history_points points;

	write_sample(MIDNIGHT_S, 20);
	ck_assert_int_eq(history_new(history_path, &limits, &other, &error), 0);
	ck_assert_int_eq(history_read(other, DEVICE, MIDNIGHT_S, MIDNIGHT_S + 1, &points, &error),
			 -EBUSY);
	(void)history_free(other);
}
END_TEST

SUITE(check_history)
{
	Suite *s = suite_create("history");
	TCase *block = tcase_create("block"), *file = tcase_create("file");

	tcase_set_timeout(block, 120);
	tcase_add_test(block, block_has_the_samples_that_were_written);
	tcase_add_test(block, day_without_a_change_is_some_bytes);
	tcase_add_test(block, value_that_no_device_can_have_is_absent);
	tcase_add_test(block, full_day_takes_no_more);
	tcase_add_test(block, changed_block_is_refused_or_possible);
	tcase_add_loop_test(block, impossible_block_is_refused, 0, ARRAY_SIZE(impossible));
	suite_add_tcase(s, block);
	tcase_add_checked_fixture(file, setup, teardown);
	tcase_set_timeout(file, 120);
	tcase_add_test(file, sample_is_at_the_beginning_of_its_slot);
	tcase_add_test(file, missed_slot_is_a_gap);
	tcase_add_test(file, days_are_of_utc);
	tcase_add_test(file, step_backwards_replaces_no_sample);
	tcase_add_test(file, interval_may_change_within_a_day);
	tcase_add_test(file, old_days_are_removed_when_the_clock_was_steady);
	tcase_add_test(file, step_of_the_clock_removes_nothing);
	tcase_add_test(file, sample_survives_a_kill_of_the_process);
	tcase_add_test(file, history_is_for_its_owner_alone);
	tcase_add_test(file, damaged_row_has_no_samples_and_is_begun_anew);
	tcase_add_loop_test(file, damaged_file_is_kept_under_another_name, 0, ARRAY_SIZE(damages));
	tcase_add_test(file, file_of_a_newer_version_is_refused_and_stays);
	tcase_add_test(file, slot_is_tried_again_after_a_full_disk);
	tcase_add_test(file, two_processes_do_not_share_a_history);
	suite_add_tcase(s, file);
	return s;
}
