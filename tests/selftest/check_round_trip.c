// SPDX-License-Identifier: LGPL-2.1-or-later
/* Round trips: the record of the kernel, and that no line is injected into the memory of others or
 * stays poisoned in silence. A test has the place of the device, and a file that of the trace. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "selftest/dax_memory.h"
#include "selftest/marker.h"
#include "selftest/round_trip.h"
#include "tests/lib/suites.h"

/* ---- the record -------------------------------------------------------------------------------
 */

#define HEAD                                                                                       \
	"# tracer: nop\n#\n# entries-in-buffer/entries-written: 2/2   #P:2\n#\n"                   \
	"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
#define LINE(memdev, type, hpa, dpa)                                                               \
	"         cxl-spa-812     [001] .....   214.071234: cxl_poison: memdev=" memdev            \
	" host=0000:0d:00.0 serial=43968 trace_type=" type                                         \
	" region=region0 region_uuid=00000000-0000-0000-0000-000000000000 hpa=0x" hpa              \
	" hpa_alias0=0xffffffffffffffff dpa=0x" dpa                                                \
	" dpa_length=0x40 source=Unknown flags= overflow_time=0\n"

START_TEST(the_record_of_the_injection_is_read)
{
	char text[] = HEAD LINE("mem1", "Inject", "110000100", "9000")
		LINE("mem0", "Clear", "110000200", "7000")
			LINE("mem0", "Inject", "110000040", "1040")
				LINE("mem0", "Inject", "110000080", "2040");
	struct round_trip_record r;

	ck_assert_int_eq(round_trip_parse(text, "mem0", &r), 0);
	ck_assert_uint_eq(r.dpa, 0x1040);
	ck_assert(opt_u64_is(r.hpa, 0x110000040));
}
END_TEST

START_TEST(a_record_without_hpa_has_none)
{
	char text[] = HEAD LINE("mem0", "Inject", "ffffffffffffffff", "1040");
	struct round_trip_record r;

	ck_assert_int_eq(round_trip_parse(text, "mem0", &r), 0);
	ck_assert(!r.hpa.present);
}
END_TEST

START_TEST(a_trace_without_the_record_has_none)
{
	static const char *const texts[] = {
		"",
		HEAD,
		HEAD LINE("mem1", "Inject", "110000040", "1040"),
		HEAD LINE("mem0", "Clear", "110000040", "1040"),
		HEAD LINE("mem0", "List", "110000040", "1040"),
		"cxl_poison: memdev=mem0 trace_type=Inject\n",
		"cxl_poison: memdev=mem0 host=0000:0d:00.0 serial=1 trace_type=Inject dpa=zz\n",
	};
	struct round_trip_record r;
	char text[2048];

	(void)snprintf(text, sizeof(text), "%s", texts[_i]);
	ck_assert_int_eq(round_trip_parse(text, "mem0", &r), -ENODATA);
}
END_TEST

/* ---- a line -----------------------------------------------------------------------------------
 */

enum { CLEARS_MAX = 16 };

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_ENDS = sizeof(ends) / sizeof(ends[0]) };

static char trace[] = "/tmp/check_round_trip.XXXXXX";
static struct selftest_memory memory;
static struct round_trip_bench bench;
static const struct round_trip_line line = {
	.memdev = "mem0", .region = "region0", .dpa = 0x1040, .spa = 0x110000040};
static struct round_trip_record record;
static struct error e;
static int read_result, inject_result, clear_results[CLEARS_MAX];
static unsigned int n_reads, n_injected, n_cleared;
static bool sends_signals, is_poisoned;
static volatile sig_atomic_t n_signals;

static int read_memory(void *userdata, uint64_t spa, uint8_t *bytes, struct error *error)
{
	(void)userdata;
	ck_assert_uint_eq(spa, line.spa);
	ck_assert_uint_eq(n_injected, n_reads);
	n_reads++;
	memset(bytes, 0, MARKER_LINE);
	return read_result < 0 ? error_set(error, read_result, "SIGBUS") : 0;
}

static void send_signals(void)
{
	for (unsigned int i = 0; i < N_ENDS; i++)
		ck_assert_int_eq(kill(getpid(), ends[i]), 0);
	ck_assert_int_eq(n_signals, 0);
}

static void write_record(void)
{
	FILE *f = fopen(trace, "a");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(HEAD LINE("mem0", "Inject", "110000040", "1040"), f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static int change(const char *memdev, bool inject, uint64_t dpa)
{
	ck_assert_str_eq(memdev, "mem0");
	ck_assert_uint_eq(dpa, line.dpa);
	if (sends_signals)
		send_signals();
	if (!inject) {
		const int r = clear_results[n_cleared++];

		is_poisoned = is_poisoned && r < 0;
		return r;
	}
	n_injected++;
	/* The command may have been carried out in spite of an error. */
	is_poisoned = true;
	if (inject_result == 0)
		write_record();
	return inject_result;
}

static void set_up(void)
{
	int fd = mkstemp(trace);

	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	memory = (struct selftest_memory){.read = read_memory};
	bench = (struct round_trip_bench){.memory = &memory, .change = change, .trace = trace};
	read_result = inject_result = 0;
	memset(clear_results, 0, sizeof(clear_results));
	n_reads = n_injected = n_cleared = 0;
	sends_signals = is_poisoned = false;
	n_signals = 0;
	record = (struct round_trip_record){0};
	e = (struct error){0};
}

static void tear_down(void)
{
	(void)unlink(trace);
	(void)snprintf(strrchr(trace, '.') + 1, sizeof("XXXXXX"), "XXXXXX");
}

static enum round_trip_end make(void)
{
	return round_trip_make(&bench, &line, &record, &e);
}

static void says(const char *text)
{
	ck_assert_msg(strstr(e.text, text), "%s", e.text);
}

START_TEST(a_line_is_read_injected_and_cleared)
{
	for (unsigned int i = 1; i <= 2; i++) {
		ck_assert_int_eq(make(), ROUND_TRIP_MADE);
		ck_assert_uint_eq(record.dpa, 0x1040);
		ck_assert_uint_eq(n_reads, i);
		ck_assert_uint_eq(n_injected, i);
		ck_assert_uint_eq(n_cleared, i);
		ck_assert(!is_poisoned);
	}
}
END_TEST

START_TEST(nothing_is_injected_into_memory_that_cannot_be_read)
{
	read_result = -EIO;
	ck_assert_int_eq(make(), ROUND_TRIP_GONE);
	says("no more poison was injected, as another program may have the memory now: SIGBUS");
	ck_assert_uint_eq(n_injected + n_cleared, 0);
}
END_TEST

/* A file that became shorter gives SIGBUS, as a dax device does after it changed its driver. */
START_TEST(a_map_that_was_taken_away_ends_round_trips)
{
	char path[] = "/tmp/check_round_trip_map.XXXXXX";
	struct dax_memory *dax = NULL;
	int fd = mkstemp(path), r;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 4096), 0);
	r = dax_memory_open(path, 0x110000000, 0x110000fff, &dax, &e);
	ck_assert_int_eq(unlink(path), 0);
	if (r == -EOPNOTSUPP) {
		(void)fprintf(stderr, "not tested: %s\n", e.text);
		(void)close(fd);
		return;
	}
	ck_assert_int_eq(r, 0);
	memory = dax_memory_interface(dax);
	ck_assert_int_eq(make(), ROUND_TRIP_MADE);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	(void)close(fd);
	ck_assert_int_eq(make(), ROUND_TRIP_GONE);
	says("SPA 0x110000040 cannot be read (SIGBUS)");
	ck_assert_uint_eq(n_injected, 1);
	(void)dax_memory_close(dax);
}
END_TEST

START_TEST(a_line_that_stays_poisoned_is_named_with_the_way_out)
{
	static const int errors[] = {-EIO, -ETIMEDOUT, -ENXIO};

	clear_results[0] = errors[_i];
	ck_assert_int_eq(make(), ROUND_TRIP_POISONED);
	ck_assert_uint_eq(n_cleared, 1);
	says("mem0: clear_poison of DPA 0x1040 (SPA 0x110000040 of region0): ");
	says("may stay poisoned");
	says("echo 0x1040 >/sys/kernel/debug/cxl/mem0/clear_poison");
}
END_TEST

START_TEST(a_clear_that_a_signal_ended_is_repeated)
{
	clear_results[0] = clear_results[1] = -EINTR;
	ck_assert_int_eq(make(), ROUND_TRIP_MADE);
	ck_assert_uint_eq(n_cleared, 3);
	ck_assert(!is_poisoned);
}
END_TEST

START_TEST(a_clear_that_always_ends_so_is_not_repeated_for_ever)
{
	for (unsigned int i = 0; i < CLEARS_MAX; i++)
		clear_results[i] = -EINTR;
	ck_assert_int_eq(make(), ROUND_TRIP_POISONED);
	says("may stay poisoned");
}
END_TEST

START_TEST(an_injection_that_failed_is_cleared)
{
	inject_result = _i ? -ETIMEDOUT : -EINTR;
	ck_assert_int_eq(make(), ROUND_TRIP_FAILED);
	says("mem0: inject_poison of DPA 0x1040: ");
	ck_assert_uint_eq(n_cleared, 1);
	ck_assert(!is_poisoned);
}
END_TEST

static void count_signal(int number)
{
	(void)number;
	n_signals++;
}

START_TEST(signals_wait_until_the_line_is_cleared)
{
	const struct sigaction action = {.sa_handler = count_signal};

	for (unsigned int i = 0; i < N_ENDS; i++)
		ck_assert_int_eq(sigaction(ends[i], &action, NULL), 0);
	sends_signals = true;
	ck_assert_int_eq(make(), ROUND_TRIP_MADE);
	ck_assert_int_eq(n_signals, N_ENDS);
	ck_assert_uint_eq(n_cleared, 1);
}
END_TEST

static TCase *records(void)
{
	TCase *t = tcase_create("records");

	tcase_add_test(t, the_record_of_the_injection_is_read);
	tcase_add_test(t, a_record_without_hpa_has_none);
	tcase_add_loop_test(t, a_trace_without_the_record_has_none, 0, 7);
	return t;
}

static TCase *lines(void)
{
	TCase *t = tcase_create("lines");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, a_line_is_read_injected_and_cleared);
	tcase_add_test(t, nothing_is_injected_into_memory_that_cannot_be_read);
	tcase_add_test(t, a_map_that_was_taken_away_ends_round_trips);
	tcase_add_loop_test(t, a_line_that_stays_poisoned_is_named_with_the_way_out, 0, 3);
	tcase_add_test(t, a_clear_that_a_signal_ended_is_repeated);
	tcase_add_test(t, a_clear_that_always_ends_so_is_not_repeated_for_ever);
	tcase_add_loop_test(t, an_injection_that_failed_is_cleared, 0, 2);
	tcase_add_test(t, signals_wait_until_the_line_is_cleared);
	return t;
}

SUITE(check_round_trip)
{
	Suite *s = suite_create("round trips");

	suite_add_tcase(s, records());
	suite_add_tcase(s, lines());
	return s;
}
