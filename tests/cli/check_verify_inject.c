// SPDX-License-Identifier: LGPL-2.1-or-later
/* Round trips of a self-test end at the first line that may stay poisoned, and at memory that is
 * gone; a device that refuses a line ends none. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "cli/verify_inject.h"
#include "selftest/marker.h"
#include "tests/lib/suites.h"

enum { N_POINTS = 4 };

static char trace[] = "/tmp/check_verify_inject.XXXXXX";
static const struct memdev memdev = {.name = "mem0"};
static struct region_target target = {.memdev = &memdev};
static struct region region = {.name = "region0", .targets = &target, .n_targets = 1};
static struct judge_point points[N_POINTS];
static struct selftest_memory memory;
static struct round_trip_bench bench;
static struct inject_report report;
static struct cli cli;
static unsigned int n_reads, n_injected, n_cleared;
static unsigned int gone_at, stays_at; /* numbers of the point, from 1; 0: none */

static int read_memory(void *userdata, uint64_t spa, uint8_t *line, struct error *e)
{
	(void)userdata;
	(void)spa;
	memset(line, 0, MARKER_LINE);
	return ++n_reads == gone_at ? error_set(e, EIO, "SIGBUS") : 0;
}

/* The device refuses each injection. */
static int change(const char *name, bool inject, uint64_t dpa)
{
	ck_assert_str_eq(name, "mem0");
	ck_assert_uint_eq(dpa, points[n_reads - 1].dpa);
	if (inject) {
		n_injected++;
		return -EBUSY;
	}
	return ++n_cleared == stays_at ? -EIO : 0;
}

static void set_up(void)
{
	const int fd = mkstemp(trace);

	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	for (unsigned int i = 0; i < N_POINTS; i++)
		points[i] = (struct judge_point){.spa = 0x110000000 + 64 * i, .dpa = 64 * i};
	memory = (struct selftest_memory){.read = read_memory};
	bench = (struct round_trip_bench){.memory = &memory, .change = change, .trace = trace};
	report = (struct inject_report){.region = &region,
					.points = points,
					.n_points = N_POINTS,
					.summary.right = N_POINTS};
	n_reads = n_injected = n_cleared = gone_at = stays_at = 0;
}

static void tear_down(void)
{
	(void)unlink(trace);
	memcpy(strrchr(trace, '.') + 1, "XXXXXX", sizeof("XXXXXX"));
}

START_TEST(a_line_that_may_stay_poisoned_is_the_last_one)
{
	stays_at = 2;
	ck_assert_int_eq(inject_make_trips(&cli, &bench, &report), 0);
	ck_assert_uint_eq(report.n_round_trips, 2);
	ck_assert_uint_eq(n_injected, 2);
	ck_assert_ptr_eq(report.ended_by, report.round_trips[1].error);
	ck_assert_msg(strstr(report.ended_by, "mem0: clear_poison of DPA 0x40 (SPA 0x110000040 of "
					      "region0): "),
		      "%s", report.ended_by);
	ck_assert(!inject_is_ok(&report));
}
END_TEST

START_TEST(memory_that_is_gone_ends_round_trips)
{
	gone_at = 3;
	ck_assert_int_eq(inject_make_trips(&cli, &bench, &report), 0);
	ck_assert_uint_eq(report.n_round_trips, 3);
	ck_assert_uint_eq(n_injected, 2);
	ck_assert_uint_eq(n_cleared, 2);
	ck_assert_ptr_eq(report.ended_by, report.round_trips[2].error);
}
END_TEST

START_TEST(a_line_that_is_refused_ends_no_other)
{
	ck_assert_int_eq(inject_make_trips(&cli, &bench, &report), 0);
	ck_assert_uint_eq(report.n_round_trips, N_POINTS);
	ck_assert_uint_eq(n_cleared, N_POINTS);
	ck_assert_ptr_null(report.ended_by);
	for (unsigned int i = 0; i < N_POINTS; i++)
		ck_assert_msg(strstr(report.round_trips[i].error, "mem0: inject_poison of DPA "),
			      "%s", report.round_trips[i].error);
}
END_TEST

SUITE(check_verify_inject)
{
	Suite *s = suite_create("round trips of a report");
	TCase *t = tcase_create("trips");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, a_line_that_may_stay_poisoned_is_the_last_one);
	tcase_add_test(t, memory_that_is_gone_ends_round_trips);
	tcase_add_test(t, a_line_that_is_refused_ends_no_other);
	suite_add_tcase(s, t);
	return s;
}
