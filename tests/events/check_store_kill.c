// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The writing process is killed at random times, with the same file each time: each event that it
 * reported as committed is stored once, under the reported number, and numbers continue after it.
 * 50 kills by default, so that `make check` stays short, or CHECK_STORE_KILLS:
 *	CHECK_STORE_KILLS=200 ./check_store_kill
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "events/store_tables.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

enum {
	ROUNDS = 50,
	ALIVE_US = 30000, /* at most */
	BATCH_MAX = 12,
	AGAIN = 30, /* events that are added again after a kill */
	NUMBERS_MAX = 1000000,
	REPLACEMENTS = 100,
	REPLACED_US = 20000, /* in most cases a file has been replaced within this time */
};

/* A report of the child, after the call that committed it; each is one write to the pipe. */
struct report {
	uint64_t number; /* of made_event(); 0: the store is open */
	uint64_t seq;	 /* 0: it is pending */
};

DEFINE_ARRAY(struct report, reports);

static uint8_t *times_seen;    /* by number: entries */
static uint64_t *reported_seq; /* by number: the reported one; 0: none */
static bool *reported;	       /* by number: whether it was reported */

/* ---- the child: stores and reports, until it is killed ---- */

static void report_events(int fd, const struct report *r, size_t n)
{
	if (n && write(fd, r, n * sizeof(*r)) != (ssize_t)(n * sizeof(*r)))
		_exit(1);
}

static void finish(struct store *s, int fd, struct store_final *finals, const uint64_t *numbers,
		   size_t n)
{
	struct report out[BATCH_MAX];

	if (n && store_finish(s, finals, n, NULL) < 0)
		_exit(2);
	for (size_t i = 0; i < n; i++)
		out[i] = (struct report){.number = numbers[i], .seq = finals[i].seq};
	report_events(fd, out, n);
}

static void append(struct store *s, int fd, uint64_t first, size_t n)
{
	static struct stored_event events[BATCH_MAX];
	struct store_final finals[BATCH_MAX] = {0};
	uint64_t pending[BATCH_MAX];
	struct report out[BATCH_MAX];
	size_t n_out = 0, n_pending = 0;

	for (size_t i = 0; i < n; i++) {
		made_event(first + i, &events[i]);
		events[i].pending = (first + i) % 5 == 0;
	}
	if (store_append(s, events, n, NULL) < 0)
		_exit(3);
	for (size_t i = 0; i < n; i++) {
		if (events[i].outcome == STORE_DUPLICATE)
			continue;
		out[n_out++] = (struct report){
			.number = first + i,
			.seq = events[i].outcome == STORE_FINAL ? events[i].seq : 0};
		if (events[i].outcome != STORE_PENDING)
			continue;
		finals[n_pending].pending = events[i].seq;
		pending[n_pending++] = first + i;
	}
	report_events(fd, out, n_out);
	/* Some stay pending until the next start. */
	finish(s, fd, finals, pending, n_pending / 2);
}

static void child(int fd, uint64_t first, uint64_t seed)
{
	struct store *s;

	if (store_open(&options, &s, &error) < 0) {
		(void)fprintf(stderr, "%s\n", error.text);
		_exit(4);
	}
	report_events(fd, &(struct report){0}, 1);
	/* It is often killed in the middle of a checkpoint. */
	(void)sql_exec(s->db, "PRAGMA wal_autocheckpoint = 60");
	for (;;) {
		size_t n = made_random(seed++) % BATCH_MAX + 1;

		append(s, fd, first, n);
		first += n;
	}
}

/* ---- the parent: kills, and compares ---- */

static void drain(int fd, struct reports *ret)
{
	struct report r;
	ssize_t n;

	while ((n = read(fd, &r, sizeof(r))) == (ssize_t)sizeof(r)) {
		struct report *new;

		if (r.number == 0)
			continue;
		new = reports_add(ret);
		ck_assert_ptr_nonnull(new);
		*new = r;
	}
	ck_assert_int_eq(n, 0);
}

/* In three of four rounds the time starts when the store is open, as opening may take as long. */
static void run_child(uint64_t first, uint64_t round, struct reports *ret)
{
	int fds[2], status;
	struct report r;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		(void)close(fds[0]);
		child(fds[1], first, round * 1000);
	}
	(void)close(fds[1]);
	if (round % 4)
		ck_assert_int_eq(read(fds[0], &r, sizeof(r)), (ssize_t)sizeof(r));
	(void)usleep((useconds_t)(made_random(round) % ALIVE_US));
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFSIGNALED(status), "the child ended by itself: %d", WEXITSTATUS(status));
	drain(fds[0], ret);
	(void)close(fds[0]);
}

static uint64_t number_of(const struct stored_event *event)
{
	return (event->record.wall_ns.value - MADE_TIME) / 1000000;
}

static int count_event(void *userdata, const struct stored_event *event)
{
	uint64_t *last = userdata, number = number_of(event);
	struct stored_event want;

	ck_assert_uint_lt(number, NUMBERS_MAX);
	ck_assert_uint_gt(event->seq, *last);
	*last = event->seq;
	times_seen[number]++;
	if (reported_seq[number])
		ck_assert_uint_eq(reported_seq[number], event->seq);
	made_event(number, &want);
	ck_assert_mem_eq(&event->record, &want.record, sizeof(want.record));
	return 0;
}

/* Reads entries after @last. Return: the last one. */
static uint64_t read_new(uint64_t last)
{
	struct event_page page = {.max = STORE_PAGE_MAX};
	uint64_t before;

	if (!reader && store_reader_open(path, &reader, &error) < 0)
		return last; /* killed before it created the file */
	do {
		before = page.from = last;
		ck_assert_int_eq(store_read_page(reader, &(struct event_filter){0}, &page,
						 count_event, &last, &error),
				 0);
	} while (last != before);
	return last;
}

/* Return: the highest number that was reported. */
static uint64_t note_reports(struct reports *reports, uint64_t last_seq, uint64_t highest)
{
	ARRAY_FOREACH(r, reports) {
		ck_assert_uint_lt(r->number, NUMBERS_MAX);
		reported[r->number] = true;
		if (r->seq) {
			/* Never a number from before this process. */
			ck_assert_uint_gt(r->seq, last_seq);
			ck_assert_uint_eq(reported_seq[r->number], 0);
			reported_seq[r->number] = r->seq;
		}
		if (r->number > highest)
			highest = r->number;
	}
	return highest;
}

/* The counts of the file are those of its entries, whenever the writer was killed. */
static void expect_counts(void)
{
	const bool stop = false;
	int r = store_check(reader, &stop, &error);

	ck_assert_msg(r == 0, "%s", error.text);
}

START_TEST(no_committed_event_is_lost_or_duplicated)
{
	const char *wanted = getenv("CHECK_STORE_KILLS");
	uint64_t rounds = wanted ? strtoull(wanted, NULL, 10) : ROUNDS;
	uint64_t last = 0, highest = 0, committed = 0;

	times_seen = calloc(NUMBERS_MAX, sizeof(*times_seen));
	reported_seq = calloc(NUMBERS_MAX, sizeof(*reported_seq));
	reported = calloc(NUMBERS_MAX, sizeof(*reported));
	ck_assert(times_seen && reported_seq && reported);
	options.max_records = NUMBERS_MAX;
	for (uint64_t round = 0; round < rounds; round++) {
		struct reports reports = {0};
		uint64_t first = highest > AGAIN ? highest - AGAIN : 1;

		run_child(first, round, &reports);
		committed += reports.n;
		highest = note_reports(&reports, last, highest);
		last = read_new(last);
		if (reader) /* not killed before it created the file */
			expect_counts();
		/* The next writer is alone, or another process reads all the time. */
		if (round % 2)
			reader = store_reader_close(reader);
		reports_done(&reports);
	}
	/* Events that were pending at the last kill. */
	ck_assert_int_eq(store_open(&options, &store, &error), 0);
	(void)read_new(last);
	/* Check takes some microseconds for each of its assertions. */
	for (uint64_t i = 0; i < NUMBERS_MAX; i++)
		if (times_seen[i] > 1 || (reported[i] && times_seen[i] == 0))
			ck_abort_msg("event %llu is stored %d times", (unsigned long long)i,
				     times_seen[i]);
	ck_assert_uint_gt(committed, 0);
	ck_assert_str_eq(notices, "");
	(void)printf("%llu kills, %llu events committed\n", (unsigned long long)rounds,
		     (unsigned long long)committed);
	free(times_seen);
	free(reported_seq);
	free(reported);
}
END_TEST

/* ---- killed while replacing a file ---- */

static void open_and_wait(void)
{
	struct store *s;

	if (store_open(&options, &s, NULL) < 0)
		_exit(1);
	(void)pause();
}

START_TEST(entries_survive_a_kill_while_their_file_is_replaced)
{
	make_store();
	for (uint64_t round = 0; round < REPLACEMENTS; round++) {
		pid_t pid;
		int status;

		scribble(path, 18, "\3", 1); /* the version of its format: it is renamed */
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			open_and_wait();
		(void)usleep((useconds_t)(made_random(round) % REPLACED_US));
		ck_assert_int_eq(kill(pid, SIGKILL), 0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert(WIFSIGNALED(status));
		reopen();
		ck_assert_uint_eq(list_all().n, 20);
		shut();
	}
}
END_TEST

SUITE(check_store_kill)
{
	Suite *s = suite_create("store-kill");
	TCase *t = tcase_create("kill");

	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_set_timeout(t, 600);
	tcase_add_test(t, entries_survive_a_kill_while_their_file_is_replaced);
	tcase_add_test(t, no_committed_event_is_lost_or_duplicated);
	suite_add_tcase(s, t);
	return s;
}
