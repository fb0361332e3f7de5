// SPDX-License-Identifier: LGPL-2.1-or-later
/* When the monitor calls back: after a quiet time, and in a long series of events in time. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/monitor.h"
#include "sysfs/uevents.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static sd_event *event;
static struct monitor *monitor;
static int n_calls;
static uint64_t began, last_call;

/* ---- a clock that stands still, and what the monitor's timer is set to --------------------------
 */

static struct {
	uint64_t now_us; /* 0: the loop's own */
	uint64_t deadline_us;
} fake;

int __real_sd_event_now(sd_event *e, clockid_t clock, uint64_t *usec);
int __wrap_sd_event_now(sd_event *e, clockid_t clock, uint64_t *usec);
int __real_sd_event_source_set_time(sd_event_source *s, uint64_t usec);
int __wrap_sd_event_source_set_time(sd_event_source *s, uint64_t usec);

int __wrap_sd_event_now(sd_event *e, clockid_t clock, uint64_t *usec)
{
	if (fake.now_us == 0)
		return __real_sd_event_now(e, clock, usec);
	*usec = fake.now_us;
	return 0;
}

int __wrap_sd_event_source_set_time(sd_event_source *s, uint64_t usec)
{
	fake.deadline_us = usec;
	return __real_sd_event_source_set_time(s, usec);
}

/* ---- fixture ----------------------------------------------------------------------------------
 */

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

static const struct monitor_calls calls = {.changed = count, .userdata = &n_calls};

static void setup(void)
{
	struct error e;

	ck_assert_int_ge(sd_event_new(&event), 0);
	ck_assert_int_eq(monitor_new(event, false, &calls, &monitor, &e), 0);
	n_calls = 0;
	fake.now_us = 0;
	began = now_ms();
}

static void teardown(void)
{
	monitor = monitor_free(monitor);
	event = sd_event_unref(event);
}

/* Pokes at that time of the fake clock. Return: when the callback would be called. */
static uint64_t poke_at(uint64_t ms)
{
	fake.now_us = ms * 1000;
	monitor_poke(monitor);
	return fake.deadline_us / 1000;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void run_until_called(int n)
{
	const uint64_t until = now_ms() + WAIT_MAX_MS;

	while (n_calls < n && now_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_int_eq(n_calls, n);
}

static void run_for(uint64_t ms)
{
	const uint64_t until = now_ms() + ms;

	while (now_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 10000), 0);
}

START_TEST(callback_is_called_after_one_event_and_the_quiet_time)
{
	monitor_poke(monitor);
	run_until_called(1);
	ck_assert_uint_ge(last_call, MONITOR_QUIET_MS - 1);
	run_for((uint64_t)2 * MONITOR_QUIET_MS);
	ck_assert_int_eq(n_calls, 1);
}
END_TEST

START_TEST(callback_is_called_once_after_several_events)
{
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(poke_at(1000), 1000 + MONITOR_QUIET_MS);
	for (uint64_t ms = 1030; ms <= 1120; ms += 30)
		ck_assert_uint_eq(poke_at(ms), ms + MONITOR_QUIET_MS);
	run_until_called(1);
}
END_TEST

START_TEST(callback_is_called_after_two_seconds_of_events)
{
	for (uint64_t ms = 0; ms < MONITOR_STORM_MS - MONITOR_QUIET_MS; ms += 50)
		ck_assert_uint_eq(poke_at(1000 + ms), 1000 + ms + MONITOR_QUIET_MS);
	for (uint64_t ms = MONITOR_STORM_MS - MONITOR_QUIET_MS; ms < MONITOR_STORM_MS; ms += 50)
		ck_assert_uint_eq(poke_at(1000 + ms), 1000 + MONITOR_STORM_MS);
	run_until_called(1);
	/* The events after the callback cause another one. */
	ck_assert_uint_eq(poke_at(4000), 4000 + MONITOR_QUIET_MS);
	run_until_called(2);
}
END_TEST

START_TEST(callback_is_not_called_without_an_event)
{
	run_for((uint64_t)2 * MONITOR_QUIET_MS);
	ck_assert_int_eq(n_calls, 0);
}
END_TEST

START_TEST(event_after_the_callback_starts_a_new_series)
{
	monitor_poke(monitor);
	run_until_called(1);
	monitor_poke(monitor);
	run_until_called(2);
}
END_TEST

START_TEST(freed_monitor_does_not_call_back)
{
	monitor_poke(monitor);
	monitor = monitor_free(monitor);
	ck_assert_ptr_null(monitor);
	run_for((uint64_t)2 * MONITOR_QUIET_MS);
	ck_assert_int_eq(n_calls, 0);
	ck_assert_ptr_null(monitor_free(NULL));
}
END_TEST

START_TEST(udev_events_are_received_without_privilege)
{
	struct monitor *listening = NULL;
	struct error e;

	ck_assert_msg(monitor_new(event, true, &calls, &listening, &e) == 0, "%s", e.text);
	run_for(50);
	ck_assert_ptr_null(monitor_free(listening));
}
END_TEST

static const struct {
	const char *subsystem, *action, *name;
	bool is_block;
	uint64_t block;
} uevents[] = {
	{"memory", "online", "memory32", true, 32},
	{"memory", "online", "memory0", true, 0},
	{"memory", "offline", "memory32", false, 0},
	{"memory", "add", "memory32", false, 0},
	{"cpu", "online", "cpu3", false, 0},
	{"cpu", "online", "memory3", false, 0},
	{"memory", "online", "memory", false, 0},
	{"memory", "online", "memory-1", false, 0},
	{"memory", "online", "memory0x3", false, 0},
	{"memory", "online", "memory99999999999999999999", false, 0},
	{"memory", NULL, "memory32", false, 0},
	{NULL, "online", "memory32", false, 0},
	{"memory", "online", NULL, false, 0},
};

START_TEST(block_that_came_online_is_named)
{
	const struct uevent e =
		uevent_describe(uevents[_i].subsystem, uevents[_i].action, uevents[_i].name);

	ck_assert_int_eq(e.kind == UEVENT_BLOCK_ONLINE, uevents[_i].is_block);
	ck_assert_int_ne(e.kind, UEVENT_LOST);
	if (uevents[_i].is_block)
		ck_assert_uint_eq(e.block, uevents[_i].block);
}
END_TEST

SUITE(check_monitor)
{
	Suite *s = suite_create("monitor");
	TCase *tc = tcase_create("monitor");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, callback_is_called_after_one_event_and_the_quiet_time);
	tcase_add_test(tc, callback_is_called_once_after_several_events);
	tcase_add_test(tc, callback_is_called_after_two_seconds_of_events);
	tcase_add_test(tc, callback_is_not_called_without_an_event);
	tcase_add_test(tc, event_after_the_callback_starts_a_new_series);
	tcase_add_test(tc, freed_monitor_does_not_call_back);
	tcase_add_test(tc, udev_events_are_received_without_privilege);
	tcase_add_loop_test(tc, block_that_came_online_is_named, 0, ARRAY_SIZE(uevents));
	suite_add_tcase(s, tc);
	return s;
}
