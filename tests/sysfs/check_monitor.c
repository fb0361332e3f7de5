// SPDX-License-Identifier: LGPL-2.1-or-later
/* When the monitor calls back: after a quiet time, and in a long series of events in time. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <check.h>

#include "common/cleanup.h"
#include "sysfs/monitor.h"

/* A loaded machine is late; it is never early. */
enum { LATE_MS = 400 };

static sd_event *event;
static struct monitor *monitor;
static int n_calls;
static uint64_t began, last_call;

static uint64_t now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void count(void *userdata)
{
	ck_assert_ptr_eq(userdata, &n_calls);
	n_calls++;
	last_call = now_ms() - began;
}

static void setup(void)
{
	struct error e;

	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(monitor_new(event, false, count, &n_calls, &monitor, &e), 0);
	n_calls = 0;
	began = now_ms();
}

static void teardown(void)
{
	monitor = monitor_free(monitor);
	event = sd_event_unref(event);
}

/* Runs the loop until @ms after the start of the test, poking every @every ms (0: never). */
static void run_until(uint64_t ms, uint64_t every)
{
	uint64_t next = now_ms() - began + every, at;

	while ((at = now_ms() - began) < ms) {
		uint64_t until = every > 0 && next < ms ? next : ms;

		if (until > at)
			ck_assert_int_ge(sd_event_run(event, (until - at) * 1000), 0);
		if (every > 0 && now_ms() - began >= next) {
			monitor_poke(monitor);
			next += every;
		}
	}
}

START_TEST(callback_is_called_after_one_event_and_the_quiet_time)
{
	monitor_poke(monitor);
	run_until(MONITOR_QUIET_MS + LATE_MS, 0);
	ck_assert_int_eq(n_calls, 1);
	ck_assert_uint_ge(last_call, MONITOR_QUIET_MS - 1);
}
END_TEST

START_TEST(callback_is_called_once_after_several_events)
{
	for (int i = 0; i < 100; i++)
		monitor_poke(monitor);
	run_until(120, 30);
	monitor_poke(monitor);
	run_until(120 + MONITOR_QUIET_MS + LATE_MS, 0);
	ck_assert_int_eq(n_calls, 1);
	ck_assert_uint_ge(last_call, 120 + MONITOR_QUIET_MS - 1);
}
END_TEST

START_TEST(callback_is_called_after_two_seconds_of_events)
{
	monitor_poke(monitor);
	run_until(MONITOR_STORM_MS + LATE_MS, 50);
	ck_assert_int_eq(n_calls, 1);
	ck_assert_uint_ge(last_call, MONITOR_STORM_MS - 1);
	/* The events after the callback cause another one. */
	run_until(MONITOR_STORM_MS + 2 * LATE_MS + MONITOR_QUIET_MS, 0);
	ck_assert_int_eq(n_calls, 2);
}
END_TEST

START_TEST(callback_is_not_called_without_an_event)
{
	run_until(MONITOR_QUIET_MS + LATE_MS, 0);
	ck_assert_int_eq(n_calls, 0);
}
END_TEST

START_TEST(event_after_the_callback_starts_a_new_series)
{
	monitor_poke(monitor);
	run_until(MONITOR_QUIET_MS + LATE_MS, 0);
	ck_assert_int_eq(n_calls, 1);
	monitor_poke(monitor);
	run_until(2 * (MONITOR_QUIET_MS + LATE_MS), 0);
	ck_assert_int_eq(n_calls, 2);
}
END_TEST

START_TEST(freed_monitor_does_not_call_back)
{
	monitor_poke(monitor);
	monitor = monitor_free(monitor);
	ck_assert_ptr_null(monitor);
	run_until(MONITOR_QUIET_MS + LATE_MS, 0);
	ck_assert_int_eq(n_calls, 0);
	ck_assert_ptr_null(monitor_free(NULL));
}
END_TEST

START_TEST(udev_events_are_received_without_privilege)
{
	struct monitor *listening = NULL;
	struct error e;

	ck_assert_msg(monitor_new(event, true, count, &n_calls, &listening, &e) == 0, "%s", e.text);
	run_until(50, 0);
	ck_assert_ptr_null(monitor_free(listening));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("monitor");
	TCase *tc = tcase_create("monitor");
	SRunner *sr;
	int failed;

	tcase_set_timeout(tc, 30);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, callback_is_called_after_one_event_and_the_quiet_time);
	tcase_add_test(tc, callback_is_called_once_after_several_events);
	tcase_add_test(tc, callback_is_called_after_two_seconds_of_events);
	tcase_add_test(tc, callback_is_not_called_without_an_event);
	tcase_add_test(tc, event_after_the_callback_starts_a_new_series);
	tcase_add_test(tc, freed_monitor_does_not_call_back);
	tcase_add_test(tc, udev_events_are_received_without_privilege);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
