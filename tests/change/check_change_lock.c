// SPDX-License-Identifier: LGPL-2.1-or-later
/* The exclusion of changes by each other, between threads, processes, and a process that was
 * killed. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "change/lock.h"
#include "common/clock.h"
#include "tests/change/slept_time.h"
#include "tests/lib/suites.h"

static char directory[] = "/tmp/check_change_lock.XXXXXX";
static char locks[64], file[80];

static void setup(void)
{
	memcpy(strrchr(directory, '.'), ".XXXXXX", sizeof(".XXXXXX"));
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(locks, sizeof(locks), "%s/locks", directory);
	snprintf(file, sizeof(file), "%s/lock", locks);
}

static void teardown(void)
{
	(void)unlink(file);
	(void)rmdir(locks);
	(void)unlink(locks);
	ck_assert_int_eq(rmdir(directory), 0);
}

static struct change change_of(enum change_kind kind, const char *object)
{
	struct change c = {.kind = kind};

	snprintf(c.object, sizeof(c.object), "%s", object);
	return c;
}

static struct change create_of(const char *first, const char *second)
{
	struct change c = change_of(CHANGE_REGION_CREATE, "decoder0.0");

	c.region.ways = 2;
	snprintf(c.region.positions[0].name, CHANGE_NAME_MAX, "%s", first);
	snprintf(c.region.positions[1].name, CHANGE_NAME_MAX, "%s", second);
	return c;
}

static int take(struct change c, struct change_lock *ret, struct error *e)
{
	*e = (struct error){0};
	return change_lock_take_in(locks, &c, ret, e);
}

/* Takes the lock of a change in a process, which then waits. Return: its id. */
static pid_t hold_in_process(struct change c)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct change_lock l;
		struct error e;

		byte = take(c, &l, &e) == 0 ? 'y' : 'n';
		_exit(write(ready[1], &byte, 1) == 1 ? pause() : 1);
	}
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 'y');
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void kill_process(pid_t pid)
{
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

static void assert_free(struct change c)
{
	struct change_lock l;
	struct error e;

	ck_assert_msg(take(c, &l, &e) == 0, "%s", e.text);
	ck_assert_int_ge(l.fd, 0);
	change_lock_release(&l);
	ck_assert_int_lt(l.fd, 0);
}

static void assert_busy(struct change c, const char *what)
{
	const uint64_t started = clock_monotonic_ms();
	struct change_lock l;
	struct error e;

	ck_assert_int_eq(take(c, &l, &e), -EBUSY);
	ck_assert_int_lt(l.fd, 0);
	ck_assert_uint_ge(clock_monotonic_ms() - started, CHANGE_LOCK_MS);
	ck_assert_msg(strstr(e.text, what), "%s", e.text);
}

START_TEST(file_and_directory_are_its_owners_only)
{
	struct stat st;

	assert_free(change_of(CHANGE_ALERTS, "mem0"));
	ck_assert_int_eq(stat(locks, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0700);
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
}
END_TEST

START_TEST(a_killed_process_does_not_keep_it)
{
	const struct change c = change_of(CHANGE_REGION_DESTROY, "region0");
	const pid_t pid = hold_in_process(c);

	assert_busy(c, "regions or memory of this host are being changed");
	kill_process(pid);
	assert_free(c);
}
END_TEST

START_TEST(all_changes_of_regions_and_memory_exclude_each_other)
{
	const pid_t pid = hold_in_process(change_of(CHANGE_REGION_DESTROY, "region0"));

	assert_busy(change_of(CHANGE_MEMORY_ONLINE, "region7"), "regions or memory");
	assert_busy(create_of("mem0", "mem1"), "regions or memory");
	assert_busy(change_of(CHANGE_MEMDEV_DISABLE, "mem0"), "regions or memory");
	assert_free(change_of(CHANGE_ALERTS, "mem0"));
	kill_process(pid);
}
END_TEST

START_TEST(a_region_is_not_made_of_a_device_that_is_being_erased)
{
	const pid_t pid = hold_in_process(change_of(CHANGE_OVERWRITE, "mem10"));

	assert_busy(create_of("mem1", "mem10"), "mem10 is being changed");
	assert_free(create_of("mem1", "mem0"));
	assert_free(change_of(CHANGE_OVERWRITE, "mem1"));
	assert_busy(change_of(CHANGE_ALERTS, "mem10"), "mem10 is being changed");
	kill_process(pid);
}
END_TEST

START_TEST(what_was_taken_before_is_given_back)
{
	const pid_t pid = hold_in_process(change_of(CHANGE_OVERWRITE, "mem1"));

	assert_busy(create_of("mem0", "mem1"), "mem1");
	assert_free(change_of(CHANGE_REGION_DESTROY, "region0"));
	assert_free(change_of(CHANGE_ALERTS, "mem0"));
	kill_process(pid);
}
END_TEST

static void *take_in_thread(void *userdata)
{
	struct change_lock *l = userdata;
	struct error e;

	(void)take(change_of(CHANGE_ALERTS, "mem0"), l, &e);
	return NULL;
}

START_TEST(threads_of_one_process_exclude_each_other)
{
	struct change_lock other = {.fd = -1};
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, take_in_thread, &other), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_ge(other.fd, 0);
	assert_busy(change_of(CHANGE_ALERTS, "mem0"), "mem0 is being changed");
	change_lock_release(&other);
	assert_free(change_of(CHANGE_ALERTS, "mem0"));
}
END_TEST

static struct change_lock other_lock;
static uint64_t other_ends_ms;

static void end_other(void)
{
	if (other_lock.fd >= 0 && slept_ms >= other_ends_ms)
		change_lock_release(&other_lock);
}

START_TEST(a_change_that_ends_soon_is_waited_for)
{
	const struct change c = change_of(CHANGE_ALERTS, "mem0");
	struct error e;

	ck_assert_int_eq(take(c, &other_lock, &e), 0);
	other_ends_ms = slept_ms + CHANGE_LOCK_MS - 100;
	sleep_in_a_moment(end_other);
	assert_free(c);
	ck_assert_int_lt(other_lock.fd, 0);
	ck_assert_uint_ge(slept_ms, other_ends_ms);
}
END_TEST

START_TEST(a_device_twice_is_locked_once)
{
	assert_free(create_of("mem3", "mem3"));
}
END_TEST

START_TEST(a_name_that_is_no_memory_device_is_refused)
{
	static const char *const names[] = {"region0", "mem", "mem1x", "memory",
					    "mem18446744073709551615"};
	struct change_lock l;
	struct error e;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ck_assert_int_eq(take(change_of(CHANGE_ALERTS, names[i]), &l, &e), -ENOENT);
		ck_assert_ptr_nonnull(strstr(e.text, names[i]));
		ck_assert_int_lt(l.fd, 0);
	}
}
END_TEST

START_TEST(a_link_in_place_of_the_file_is_not_followed)
{
	char target[96];
	struct change_lock l;
	struct error e;

	snprintf(target, sizeof(target), "%s/target", directory);
	ck_assert_int_eq(mkdir(locks, 0700), 0);
	ck_assert_int_eq(symlink(target, file), 0);
	ck_assert_int_eq(take(change_of(CHANGE_ALERTS, "mem0"), &l, &e), -ELOOP);
	ck_assert_ptr_nonnull(strstr(e.text, file));
	ck_assert_int_lt(access(target, F_OK), 0);
}
END_TEST

START_TEST(a_link_in_place_of_the_directory_is_not_followed)
{
	struct change_lock l;
	struct error e;

	ck_assert_int_eq(symlink("/tmp", locks), 0);
	ck_assert_int_eq(take(change_of(CHANGE_ALERTS, "mem0"), &l, &e), -ENOTDIR);
	ck_assert_int_lt(l.fd, 0);
}
END_TEST

SUITE(check_change_lock)
{
	Suite *suite = suite_create("change/lock");
	TCase *tc = tcase_create("lock");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, file_and_directory_are_its_owners_only);
	tcase_add_test(tc, a_killed_process_does_not_keep_it);
	tcase_add_test(tc, all_changes_of_regions_and_memory_exclude_each_other);
	tcase_add_test(tc, a_region_is_not_made_of_a_device_that_is_being_erased);
	tcase_add_test(tc, what_was_taken_before_is_given_back);
	tcase_add_test(tc, threads_of_one_process_exclude_each_other);
	tcase_add_test(tc, a_change_that_ends_soon_is_waited_for);
	tcase_add_test(tc, a_device_twice_is_locked_once);
	tcase_add_test(tc, a_name_that_is_no_memory_device_is_refused);
	tcase_add_test(tc, a_link_in_place_of_the_file_is_not_followed);
	tcase_add_test(tc, a_link_in_place_of_the_directory_is_not_followed);
	suite_add_tcase(suite, tc);
	return suite;
}
