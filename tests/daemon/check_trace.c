// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The daemon's trace ring in its event loop: FIFOs stand in for the kernel's pipes, which tests/vm
 * reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/log.h"
#include "daemon/trace.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"

enum { CPUS = 2, MANY_CPUS = 130, TURN_USEC = 50 * 1000 };

static struct scratch scratch;
static sd_event *event;
static struct trace *trace;
static struct records got;
static size_t room;
static bool is_compared;
static int n_cpus; /* of the instance */
static int pipes[MANY_CPUS];

static size_t get_room(void *userdata)
{
	(void)userdata;
	return room;
}

static bool get_compared(void *userdata)
{
	(void)userdata;
	return is_compared;
}

/* The last state that the callback was called with, and how often it was. */
static enum trace_state called_state;
static char called_text[ERROR_TEXT_MAX];
static size_t n_called;

static void on_state(void *userdata, enum trace_state state, const char *text)
{
	ck_assert_ptr_eq(userdata, &got);
	called_state = state;
	(void)snprintf(called_text, sizeof(called_text), "%s", text);
	n_called++;
}

static void begin(const char *path)
{
	const struct trace_callbacks callbacks = {.sink = collect,
						  .room = get_room,
						  .is_compared = get_compared,
						  .state = on_state,
						  .userdata = &got};
	struct error e;

	ck_assert_int_eq(trace_new(event, path, NULL, &callbacks, &trace, &e), 0);
}

static void make_instance(void)
{
	put_trace_instance(scratch.dirfd);
	for (int cpu = 0; cpu < n_cpus; cpu++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
		put_text(scratch.dirfd, path, "entries: 0\n");
		(void)snprintf(path, sizeof(path), "per_cpu/cpu%d/trace_pipe_raw", cpu);
		ck_assert_int_eq(mkfifoat(scratch.dirfd, path, 0600), 0);
		pipes[cpu] = openat(scratch.dirfd, path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		ck_assert_int_ge(pipes[cpu], 0);
	}
}

static void setup(void)
{
	log_setup("check_trace", LOG_LEVEL_ERR);
	scratch_setup(&scratch);
	ck_assert_int_ge(sd_event_new(&event), 0);
	trace = NULL;
	n_called = 0;
	got = (struct records){0};
	room = 2048;
	is_compared = true;
	n_cpus = CPUS;
	memset(pipes, -1, sizeof(pipes));
}

static void teardown(void)
{
	trace = trace_free(trace);
	event = sd_event_unref(event);
	for (int cpu = 0; cpu < MANY_CPUS; cpu++)
		if (pipes[cpu] >= 0)
			(void)close(pipes[cpu]);
	records_done(&got);
	scratch_teardown(&scratch);
}

/* One page with one record, whose address is @dpa. */
static void feed(int cpu, uint64_t dpa)
{
	uint8_t payload[TEST_EVENT_BYTES];
	struct page page;

	page_begin(&page, 1000 + dpa);
	test_payload(payload, dpa);
	page_event(&page, 1, payload, sizeof(payload));
	page_end(&page, 0);
	ck_assert_int_eq(write(pipes[cpu], page.bytes, sizeof(page.bytes)), sizeof(page.bytes));
}

/* Runs the loop until nothing happens for a while. */
static void turn(void)
{
	while (sd_event_run(event, TURN_USEC) > 0)
		;
}

static void expect_state(enum trace_state wanted, const char *part)
{
	ck_assert_int_eq(called_state, wanted);
	ck_assert_msg(strstr(called_text, part), "%s", called_text);
}

START_TEST(records_of_all_cpus_reach_the_sink)
{
	make_instance();
	begin(scratch.path);
	expect_state(TRACE_READING, "");
	feed(0, 1);
	feed(1, 2);
	feed(0, 3);
	turn();
	ck_assert_uint_eq(got.n, 3);
	ck_assert(trace_since(trace).present);
}
END_TEST

START_TEST(an_instance_that_comes_later_is_found)
{
	begin(scratch.path);
	expect_state(TRACE_NO_EVENTS, "events");
	ck_assert(!trace_since(trace).present);
	make_instance();
	trace_check(trace);
	expect_state(TRACE_READING, "");
	feed(1, 1);
	turn();
	ck_assert_uint_eq(got.n, 1);
}
END_TEST

START_TEST(state_is_reported_when_it_changes)
{
	begin(scratch.path);
	ck_assert_uint_eq(n_called, 1);
	trace_check(trace);
	ck_assert_uint_eq(n_called, 1);
	make_instance();
	trace_check(trace);
	ck_assert_uint_eq(n_called, 2);
	trace_check(trace);
	ck_assert_uint_eq(n_called, 2);
}
END_TEST

START_TEST(missing_instance_is_reported_with_what_to_do)
{
	char path[300];

	(void)snprintf(path, sizeof(path), "%s/none", scratch.path);
	begin(path);
	/* Each command is one that a shell finds. */
	expect_state(TRACE_ABSENT, "run 'systemctl restart cxl-redfish-helper', or");
}
END_TEST

START_TEST(records_without_room_stay_in_the_ring)
{
	make_instance();
	begin(scratch.path);
	room = 100;
	feed(0, 1);
	feed(1, 2);
	turn();
	ck_assert_uint_eq(got.n, 0);
	/* Room for a page is not worth the turn. */
	room = 200;
	trace_resume(trace);
	turn();
	ck_assert_uint_eq(got.n, 0);
	room = 2048;
	trace_resume(trace);
	turn();
	ck_assert_uint_eq(got.n, 2);
}
END_TEST

/* Records that are read before that is stored would not be missed at the next start. */
START_TEST(nothing_is_read_before_it_is_stored_how_much_was_read_earlier)
{
	make_instance();
	for (int cpu = 0; cpu < CPUS; cpu++)
		put_text(scratch.dirfd, cpu ? "per_cpu/cpu1/stats" : "per_cpu/cpu0/stats",
			 "read events: 5\n");
	is_compared = false;
	room = 0;
	begin(scratch.path);
	feed(0, 1);
	turn();
	ck_assert_uint_eq(got.n, 0);
	room = 2048;
	trace_resume(trace);
	turn();
	ck_assert_uint_eq(got.n, CPUS);
	for (size_t i = 0; i < CPUS; i++) {
		ck_assert_int_eq(got.items[i].type, EVENT_LOST_AT_END);
		ck_assert(opt_u64_is(got.items[i].read, 5));
	}
	is_compared = true;
	trace_resume(trace);
	turn();
	ck_assert_uint_eq(got.n, CPUS + 1);
	ck_assert(opt_u64_is(got.items[CPUS].read, 6));
	/* From here on the records count, and not what is on its way. */
	is_compared = false;
	feed(1, 2);
	turn();
	ck_assert_uint_eq(got.n, CPUS + 2);
}
END_TEST

static void kernel_counts(const char *text)
{
	for (int cpu = 0; cpu < n_cpus; cpu++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
		put_text(scratch.dirfd, path, text);
	}
}

/* Nothing wakes the service up when another program has read the records. */
START_TEST(losses_of_rings_that_stay_silent_are_found_by_the_check)
{
	make_instance();
	kernel_counts("read events: 0\n");
	begin(scratch.path);
	turn();
	ck_assert_uint_eq(got.n, CPUS); /* what was read before, for each */
	kernel_counts("read events: 231\n");
	room = 0;
	trace_check(trace);
	ck_assert_uint_eq(got.n, CPUS);
	room = 2048;
	trace_check(trace);
	trace_check(trace);
	ck_assert_uint_eq(got.n, 2 * CPUS);
	for (size_t i = CPUS; i < got.n; i++) {
		ck_assert_int_eq(got.items[i].type, EVENT_LOST);
		ck_assert(opt_u64_is(got.items[i].lost, 231));
	}
}
END_TEST

/* They are not all asked for at once, which would take the loop's time. */
START_TEST(losses_of_many_rings_are_found_by_a_few_checks)
{
	n_cpus = MANY_CPUS;
	make_instance();
	kernel_counts("read events: 0\n");
	begin(scratch.path);
	turn();
	ck_assert_uint_eq(got.n, MANY_CPUS);
	kernel_counts("read events: 7\n");
	trace_check(trace);
	ck_assert_uint_lt(got.n, 2 * MANY_CPUS);
	trace_check(trace);
	trace_check(trace);
	ck_assert_uint_eq(got.n, 2 * MANY_CPUS);
	trace_check(trace);
	ck_assert_uint_eq(got.n, 2 * MANY_CPUS);
}
END_TEST

START_TEST(no_more_is_read_at_a_time_than_there_is_room_for)
{
	make_instance();
	begin(scratch.path);
	room = 2 * 128;
	for (uint64_t i = 0; i < 5; i++)
		feed(0, i);
	ck_assert_int_gt(sd_event_run(event, TURN_USEC), 0);
	ck_assert_uint_eq(got.n, 2);
	turn();
	ck_assert_uint_eq(got.n, 5);
}
END_TEST

/* On a kernel with such pages: a page of them has more records than one of 4 KiB. */
START_TEST(a_ring_of_pages_of_64_kib_is_read_when_there_is_room_for_one)
{
	make_instance();
	put_text(scratch.dirfd, "events/header_page",
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:16;\tsize:65520;\tsigned:0;\n");
	begin(scratch.path);
	room = 1000;
	feed(0, 1);
	turn();
	ck_assert_uint_eq(got.n, 0);
	room = 1024;
	trace_resume(trace);
	turn();
	ck_assert_uint_eq(got.n, 1);
}
END_TEST

START_TEST(tracing_that_is_switched_off_is_reported)
{
	make_instance();
	begin(scratch.path);
	put_text(scratch.dirfd, "tracing_on", "0\n");
	trace_check(trace);
	expect_state(TRACE_PARTLY, "tracing is switched off");
	put_text(scratch.dirfd, "tracing_on", "1\n");
	trace_check(trace);
	expect_state(TRACE_READING, "");
}
END_TEST

START_TEST(a_damaged_page_does_not_end_the_reading)
{
	static const uint8_t bad[4096] = {[8] = 0xff, 0xff, 0xff, 0xff};

	make_instance();
	begin(scratch.path);
	ck_assert_int_eq(write(pipes[0], bad, sizeof(bad)), sizeof(bad));
	feed(0, 7);
	turn();
	ck_assert_uint_eq(got.n, 2);
	ck_assert_int_eq(got.items[0].type, EVENT_LOST);
	ck_assert_uint_eq(got.items[1].number[FIELD_DPA], 7);
}
END_TEST

/* A pipe cannot be made to fail here, but formats that are gone end the reading as well. */
START_TEST(pipe_that_fails_is_closed_and_opened_again)
{
	make_instance();
	begin(scratch.path);
	ck_assert_int_eq(renameat(scratch.dirfd, "events/cxl", scratch.dirfd, "events/old"), 0);
	ck_assert_int_eq(mkdirat(scratch.dirfd, "events/cxl", 0700), 0);
	feed(0, 1);
	turn();
	ck_assert_uint_eq(got.n, 0);
	expect_state(TRACE_PARTLY, "events");
	ck_assert_int_eq(unlinkat(scratch.dirfd, "events/cxl", AT_REMOVEDIR), 0);
	ck_assert_int_eq(renameat(scratch.dirfd, "events/old", scratch.dirfd, "events/cxl"), 0);
	trace_check(trace);
	expect_state(TRACE_READING, "");
	turn();
	ck_assert_uint_eq(got.n, 1);
}
END_TEST

SUITE(check_trace)
{
	Suite *suite = suite_create("trace ring in the loop");
	TCase *t = tcase_create("trace");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, records_of_all_cpus_reach_the_sink);
	tcase_add_test(t, an_instance_that_comes_later_is_found);
	tcase_add_test(t, state_is_reported_when_it_changes);
	tcase_add_test(t, missing_instance_is_reported_with_what_to_do);
	tcase_add_test(t, records_without_room_stay_in_the_ring);
	tcase_add_test(t, nothing_is_read_before_it_is_stored_how_much_was_read_earlier);
	tcase_add_test(t, losses_of_rings_that_stay_silent_are_found_by_the_check);
	tcase_add_test(t, losses_of_many_rings_are_found_by_a_few_checks);
	tcase_add_test(t, no_more_is_read_at_a_time_than_there_is_room_for);
	tcase_add_test(t, a_ring_of_pages_of_64_kib_is_read_when_there_is_room_for_one);
	tcase_add_test(t, tracing_that_is_switched_off_is_reported);
	tcase_add_test(t, a_damaged_page_does_not_end_the_reading);
	tcase_add_test(t, pipe_that_fails_is_closed_and_opened_again);
	suite_add_tcase(suite, t);
	return suite;
}
