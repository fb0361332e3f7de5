// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The trace instance, emulated by a directory of files. A pipe is a regular file here, which
 * returns its pages once and then ends, unlike a drained pipe: tests/vm reads the kernel's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "events/instance.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;
static struct event_instance *in;
static struct records got;
static struct error e;

/* How many records of CPU 0 the kernel has given to readers; "" when it does not count them. */
static char read_events[32];

static void put_stats(unsigned cpu, unsigned commit_overrun, unsigned dropped, const char *now)
{
	char path[64], text[256];

	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	(void)snprintf(text, sizeof(text),
		       "entries: 0\noverrun: 0\ncommit overrun: %u\nbytes: 0\n"
		       "oldest event ts:     0.000000\nnow ts: %s\ndropped events: %u\n"
		       "%s",
		       commit_overrun, now, dropped, read_events);
	put_text(scratch.dirfd, path, text);
}

static void setup(void)
{
	scratch_setup(&scratch);
	in = NULL;
	read_events[0] = '\0';
	got = (struct records){0};
	e = (struct error){0};
	put_text(scratch.dirfd, "events/header_page", test_header_page);
	put_text(scratch.dirfd, "events/cxl/enable", "1\n");
	put_text(scratch.dirfd, "events/cxl/filter", "none\n");
	put_text(scratch.dirfd, "events/cxl/cxl_test/format", test_format);
	put_text(scratch.dirfd, "trace_clock", "local global [boot] tai\n");
	put_text(scratch.dirfd, "tracing_on", "1\n");
	put_text(scratch.dirfd, "buffer_percent", "0\n");
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		put_stats(cpu, 0, 0, "  100.000000");
		put_text(scratch.dirfd,
			 cpu ? "per_cpu/cpu1/trace_pipe_raw" : "per_cpu/cpu0/trace_pipe_raw", "");
	}
}

static void teardown(void)
{
	event_instance_close(in);
	records_done(&got);
	scratch_teardown(&scratch);
}

static int open_instance(void)
{
	return event_instance_open(scratch.path, NULL, &in, &e);
}

/* The number of a CPU's pipe; directories are not sorted. */
static size_t pipe_of(unsigned cpu)
{
	size_t i = 0;

	while (event_instance_ring(in, i)->cpu != cpu)
		i++;
	return i;
}

static void append(unsigned cpu, const void *data, size_t len)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	fd = openat(scratch.dirfd, path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	(void)close(fd);
}

/* Appends a page of two events to a CPU's pipe. */
static void feed(unsigned cpu, uint64_t time_ns)
{
	uint8_t payload[TEST_EVENT_BYTES];
	struct page page;

	page_begin(&page, time_ns);
	for (uint64_t dpa = 1; dpa <= 2; dpa++) {
		test_payload(payload, dpa);
		page_event(&page, 1, payload, sizeof(payload));
	}
	page_end(&page, 0);
	append(cpu, page.bytes, sizeof(page.bytes));
}

static int drain(unsigned cpu)
{
	return event_instance_read(in, pipe_of(cpu), INSTANCE_PAGES_PER_TURN, collect, &got, &e);
}

static void kernel_counts(unsigned n)
{
	(void)snprintf(read_events, sizeof(read_events), "read events: %u\n", n);
	put_stats(0, 0, 0, "  100.000000");
}

START_TEST(records_of_each_cpu_are_read)
{
	ck_assert_int_eq(open_instance(), 0);
	ck_assert_int_eq(event_instance_check(in, &e), 0);
	ck_assert_ptr_null(event_instance_problem(in));
	ck_assert_uint_eq(event_instance_pipes(in), 2);
	ck_assert_int_ge(event_instance_fd(in, 0), 0);
	ck_assert_int_eq(drain(1), 0);
	ck_assert_uint_eq(got.n, 0);
	feed(1, 1000);
	feed(1, 2000);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 0);
	ck_assert_int_eq(drain(1), 0);
	ck_assert_uint_eq(got.n, 4);
	ck_assert_uint_eq(got.items[3].cpu, 1);
	ck_assert_uint_eq(got.items[3].time_ns, 2002);
	ck_assert_str_eq(got.items[3].clock, "boot");
	ck_assert_uint_ne(got.items[3].instance, 0);
	ck_assert_uint_eq(event_instance_ring(in, pipe_of(1))->counts.records, 4);
}
END_TEST

START_TEST(records_from_before_the_opening_are_read)
{
	feed(0, 1000);
	ck_assert_int_eq(open_instance(), 0);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 2);
}
END_TEST

START_TEST(the_time_of_day_is_derived_from_the_trace_clock)
{
	struct timespec now;

	ck_assert_int_eq(open_instance(), 0);
	feed(0, 98500000000); /* the clock shows 100 s */
	ck_assert_int_eq(drain(0), 0);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	ck_assert(got.items[0].wall_ns.present);
	ck_assert_double_eq_tol((double)got.items[0].wall_ns.value / 1e9, (double)now.tv_sec - 1.5,
				2);
	/* Read again each time, because both clocks advance, and one may be set. */
	put_stats(0, 0, 0, "  200.000000");
	feed(0, 98500000000);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_double_eq_tol((double)got.items[2].wall_ns.value / 1e9,
				(double)now.tv_sec - 101.5, 2);
	/* x86-tsc */
	put_stats(0, 0, 0, "123456789");
	feed(0, 5);
	ck_assert_int_eq(drain(0), 0);
	ck_assert(!got.items[4].wall_ns.present);
}
END_TEST

START_TEST(losses_shown_only_by_stats_are_reported_once)
{
	put_stats(0, 1, 2, "  100.000000"); /* reported by an earlier reader */
	ck_assert_int_eq(open_instance(), 0);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 0);
	put_stats(0, 3, 7, "  101.000000");
	feed(0, 1000);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 3);
	ck_assert_int_eq(got.items[0].type, EVENT_LOST);
	ck_assert(opt_u64_is(got.items[0].lost, 7));
	ck_assert_uint_eq(got.items[0].time_ns, 101000000000);
	ck_assert_uint_eq(event_instance_ring(in, pipe_of(0))->counts.lost, 7);
}
END_TEST

START_TEST(records_say_how_many_of_the_instance_were_read)
{
	struct stat st;

	ck_assert_int_eq(stat(scratch.path, &st), 0);
	kernel_counts(30);
	ck_assert_int_eq(open_instance(), 0);
	event_instance_compare(in, pipe_of(0), collect, &got);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_int_eq(got.items[0].type, EVENT_LOST_AT_END);
	ck_assert(opt_u64_is(got.items[0].read, 30));
	ck_assert_uint_eq(got.items[0].time_ns, 100000000000);
	ck_assert(got.items[0].wall_ns.present);
	feed(0, 1000);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 3);
	ck_assert(opt_u64_is(got.items[2].read, 32));
	ck_assert_uint_eq(got.items[2].instance, st.st_ino);
	kernel_counts(32);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 3);
}
END_TEST

START_TEST(records_that_another_reader_took_are_lost)
{
	kernel_counts(0);
	ck_assert_int_eq(open_instance(), 0);
	feed(0, 1000);
	ck_assert_int_eq(drain(0), 0);
	kernel_counts(9);
	feed(0, 2000);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 5);
	ck_assert_int_eq(got.items[2].type, EVENT_LOST);
	ck_assert(opt_u64_is(got.items[2].lost, 7));
	ck_assert(opt_u64_is(got.items[2].read, 9));
	ck_assert(opt_u64_is(got.items[4].read, 11));
}
END_TEST

START_TEST(losses_of_a_silent_ring_are_found_by_looking)
{
	kernel_counts(0);
	ck_assert_int_eq(open_instance(), 0);
	kernel_counts(9);
	event_instance_look(in, pipe_of(1), collect, &got);
	ck_assert_uint_eq(got.n, 0);
	event_instance_look(in, pipe_of(0), collect, &got);
	event_instance_look(in, pipe_of(0), collect, &got);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_int_eq(got.items[0].type, EVENT_LOST);
	ck_assert(opt_u64_is(got.items[0].lost, 9));
	ck_assert(opt_u64_is(got.items[0].read, 9));
}
END_TEST

START_TEST(ring_that_was_emptied_counts_from_0_again)
{
	kernel_counts(30);
	ck_assert_int_eq(open_instance(), 0);
	kernel_counts(0);
	feed(0, 1000);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 3);
	ck_assert(opt_u64_is(got.items[0].lost, 0));
	ck_assert(opt_u64_is(got.items[0].read, 0));
	ck_assert(opt_u64_is(got.items[2].read, 2));
}
END_TEST

/* How many records it had is not known, but the kernel has counted them. */
START_TEST(after_a_damaged_page_the_kernel_counts)
{
	char junk[4096];

	memset(junk, 0xff, sizeof(junk));
	kernel_counts(0);
	ck_assert_int_eq(open_instance(), 0);
	append(0, junk, sizeof(junk));
	feed(0, 1);
	ck_assert_int_eq(drain(0), -EBADMSG);
	/* The file of this test has the count of the beginning. */
	ck_assert_uint_eq(got.n, 4);
	ck_assert_int_eq(got.items[1].type, EVENT_LOST);
	ck_assert(opt_u64_is(got.items[1].lost, 0));
}
END_TEST

START_TEST(kernel_that_does_not_count_is_not_compared)
{
	put_text(scratch.dirfd, "per_cpu/cpu0/stats", "entries: 0\n");
	ck_assert_int_eq(open_instance(), 0);
	event_instance_compare(in, pipe_of(0), collect, &got);
	feed(0, 1);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 2);
	ck_assert(!got.items[0].read.present);
}
END_TEST

START_TEST(one_call_reads_a_limited_number_of_pages)
{
	ck_assert_int_eq(open_instance(), 0);
	for (uint64_t i = 0; i < INSTANCE_PAGES_PER_TURN + 3; i++)
		feed(0, i);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 2 * INSTANCE_PAGES_PER_TURN);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 2 * (INSTANCE_PAGES_PER_TURN + 3));
}
END_TEST

START_TEST(formats_are_read_again_after_the_module_was_reloaded)
{
	static const char other[] =
		"name: cxl_other\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:u64 serial;\toffset:24;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";

	ck_assert_int_eq(open_instance(), 0);
	feed(0, 1);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_str_eq(got.items[0].event, "cxl_test");
	ck_assert_int_eq(renameat(scratch.dirfd, "events/cxl", scratch.dirfd, "events/moved"), 0);
	/* Between unloading and loading. */
	ck_assert_int_eq(drain(0), 0);
	put_text(scratch.dirfd, "events/cxl/cxl_other/format", other);
	feed(0, 2);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_str_eq(got.items[2].event, "cxl_other");
	ck_assert(opt_u64_is(event_number(&got.items[2], FIELD_SERIAL), 1));
	ck_assert(!event_number(&got.items[2], FIELD_DPA).present);
}
END_TEST

START_TEST(a_damaged_page_does_not_end_reading)
{
	char junk[4096];

	memset(junk, 0xff, sizeof(junk));
	ck_assert_int_eq(open_instance(), 0);
	feed(0, 1);
	append(0, junk, sizeof(junk));
	feed(0, 2);
	ck_assert_int_eq(drain(0), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "CPU 0: "));
	ck_assert_uint_eq(got.n, 5);
	ck_assert_int_eq(got.items[2].type, EVENT_LOST);
	ck_assert_int_eq(drain(0), 0);
}
END_TEST

START_TEST(a_format_that_cannot_be_used_is_named)
{
	put_text(scratch.dirfd, "events/cxl/cxl_dram/format", "name: cxl_dram\nID: 9\nformat:\n");
	ck_assert_int_eq(open_instance(), 0);
	ck_assert_ptr_nonnull(strstr(event_instance_problem(in), "cxl/cxl_dram/format"));
	feed(0, 1);
	ck_assert_int_eq(drain(0), 0);
	ck_assert_uint_eq(got.n, 2);
}
END_TEST

static const struct {
	const char *file, *text, *said;
} settings[] = {
	{"tracing_on", "0\n", "tracing is switched off"},
	{"events/cxl/enable", "0\n", "not all CXL events are enabled"},
	{"events/cxl/enable", "X\n", "not all CXL events are enabled"},
	{"buffer_percent", "50\n", "records are read late"},
};

START_TEST(an_instance_that_does_not_record_is_reported)
{
	ck_assert_int_eq(open_instance(), 0);
	put_text(scratch.dirfd, settings[_i].file, settings[_i].text);
	ck_assert_int_eq(event_instance_check(in, &e), -ENODATA);
	ck_assert_ptr_nonnull(strstr(e.text, settings[_i].said));
	ck_assert_ptr_nonnull(strstr(e.text, "cxl-redfish-trace"));
}
END_TEST

START_TEST(tracing_began_when_the_instance_was_created)
{
	struct timespec now;

	ck_assert_int_eq(open_instance(), 0);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	ck_assert(event_instance_since(in).present);
	ck_assert_double_eq_tol((double)event_instance_since(in).value / 1e9, (double)now.tv_sec,
				30);
}
END_TEST

START_TEST(without_an_instance_the_message_names_the_command)
{
	ck_assert_int_eq(event_instance_open("/nonexistent/instance", NULL, &in, &e), -ENOENT);
	ck_assert_ptr_nonnull(strstr(e.text, "/nonexistent/instance"));
	ck_assert_ptr_nonnull(strstr(e.text, "cxl-redfish-trace"));
}
END_TEST

/* Where the kernel has no events it has no instance, either; nothing is to be run. */
START_TEST(without_cxl_events_no_instance_is_missing)
{
	char path[300];

	put_directory(scratch.dirfd, "events/cxl");
	put_directory(scratch.dirfd, "instances");
	(void)snprintf(path, sizeof(path), "%s/instances/cxl-redfish", scratch.path);
	ck_assert_int_eq(event_instance_open(path, NULL, &in, &e), -ENOENT);
	ck_assert_ptr_nonnull(strstr(e.text, "cxl-redfish-trace"));
	ck_assert_int_eq(renameat(scratch.dirfd, "events/cxl", scratch.dirfd, "events/moved"), 0);
	ck_assert_int_eq(event_instance_open(path, NULL, &in, &e), -EOPNOTSUPP);
	ck_assert_ptr_null(strstr(e.text, "cxl-redfish-trace"));
}
END_TEST

START_TEST(without_cxl_events_the_module_is_named)
{
	ck_assert_int_eq(renameat(scratch.dirfd, "events/cxl", scratch.dirfd, "events/moved"), 0);
	ck_assert_int_eq(open_instance(), -EOPNOTSUPP);
	if (access("/sys/bus/cxl", F_OK) < 0)
		ck_assert_ptr_nonnull(strstr(e.text, "cxl_core"));
	else
		ck_assert_ptr_nonnull(strstr(e.text, "Linux 6.3 or newer"));
}
END_TEST

static int open_without_privileges(void *arg, struct error *err)
{
	struct event_instance *mine = NULL;

	return event_instance_open(arg, NULL, &mine, err);
}

START_TEST(without_permission_the_capability_is_named)
{
	if (getuid() != 0)
		return;
	ck_assert_int_eq(chmod(scratch.path, 0700), 0);
	ck_assert_int_eq(in_child(ORDINARY_USER, open_without_privileges, scratch.path, &e),
			 -EACCES);
	ck_assert_ptr_nonnull(strstr(e.text, "CAP_DAC_READ_SEARCH"));
}
END_TEST

START_TEST(too_few_descriptors_are_reported)
{
	struct rlimit limit;
	char path[64];

	for (unsigned cpu = 2; cpu < 40; cpu++) {
		(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
		put_text(scratch.dirfd, path, "");
	}
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 30;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_int_eq(open_instance(), -EMFILE);
	ck_assert_ptr_nonnull(strstr(e.text, "LimitNOFILE="));
}
END_TEST

START_TEST(an_instance_without_cpus_is_refused)
{
	ck_assert_int_eq(renameat(scratch.dirfd, "per_cpu", scratch.dirfd, "moved"), 0);
	ck_assert_int_eq(open_instance(), -ENOENT);
	put_directory(scratch.dirfd, "per_cpu");
	ck_assert_int_eq(open_instance(), -EINVAL);
}
END_TEST

SUITE(check_instance)
{
	Suite *suite = suite_create("events instance");
	TCase *t = tcase_create("instance");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, records_of_each_cpu_are_read);
	tcase_add_test(t, records_from_before_the_opening_are_read);
	tcase_add_test(t, the_time_of_day_is_derived_from_the_trace_clock);
	tcase_add_test(t, losses_shown_only_by_stats_are_reported_once);
	tcase_add_test(t, records_say_how_many_of_the_instance_were_read);
	tcase_add_test(t, records_that_another_reader_took_are_lost);
	tcase_add_test(t, losses_of_a_silent_ring_are_found_by_looking);
	tcase_add_test(t, ring_that_was_emptied_counts_from_0_again);
	tcase_add_test(t, after_a_damaged_page_the_kernel_counts);
	tcase_add_test(t, kernel_that_does_not_count_is_not_compared);
	tcase_add_test(t, one_call_reads_a_limited_number_of_pages);
	tcase_add_test(t, formats_are_read_again_after_the_module_was_reloaded);
	tcase_add_test(t, a_damaged_page_does_not_end_reading);
	tcase_add_test(t, a_format_that_cannot_be_used_is_named);
	tcase_add_loop_test(t, an_instance_that_does_not_record_is_reported, 0,
			    ARRAY_SIZE(settings));
	tcase_add_test(t, tracing_began_when_the_instance_was_created);
	tcase_add_test(t, without_an_instance_the_message_names_the_command);
	tcase_add_test(t, without_cxl_events_no_instance_is_missing);
	tcase_add_test(t, without_cxl_events_the_module_is_named);
	tcase_add_test(t, without_permission_the_capability_is_named);
	tcase_add_test(t, too_few_descriptors_are_reported);
	tcase_add_test(t, an_instance_without_cpus_is_refused);
	suite_add_tcase(suite, t);
	return suite;
}
