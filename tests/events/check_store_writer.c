// SPDX-License-Identifier: LGPL-2.1-or-later
/* The writing thread: order, reports of commits, the queue, and recovery after failures. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "events/store_tables.h"
#include "events/store_rebuild.h"
#include "events/store_writer.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { REPORTED_MAX = 20000, THREADS = 4, EACH = 400 };

static struct store_writer *writer;

/* The linker replaces this by a disk that has so many free blocks; 0: as many as it has. */
int __real_statvfs(const char *restrict file, struct statvfs *restrict ret);
int __wrap_statvfs(const char *restrict file, struct statvfs *restrict ret);
static _Atomic(fsblkcnt_t) free_blocks;

int __wrap_statvfs(const char *restrict file, struct statvfs *restrict ret)
{
	const int r = __real_statvfs(file, ret);

	if (r == 0 && free_blocks)
		ret->f_bavail = free_blocks;
	return r;
}

/* Reports of the callbacks; written by the writer's thread. */
static struct {
	pthread_mutex_t lock;
	size_t n, n_finals, unseen;
	uint64_t seq[REPORTED_MAX];
	enum store_outcome outcome[REPORTED_MAX];
	uint64_t lost;
	struct store_final final;
} reported = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void writer_on_committed(void *userdata, const struct stored_event *events, size_t n)
{
	struct stored_event got;

	(void)userdata;
	pthread_mutex_lock(&reported.lock);
	for (size_t i = 0; i < n && reported.n < REPORTED_MAX; i++) {
		reported.outcome[reported.n] = events[i].outcome;
		reported.seq[reported.n++] = events[i].seq;
		if (events[i].record.type == EVENT_LOST)
			reported.lost += events[i].record.lost.value;
		/* Read by another connection, so it is committed. */
		if (reader && events[i].outcome == STORE_FINAL &&
		    store_read_one(reader, events[i].seq, &got, NULL) != 0)
			reported.unseen++;
	}
	pthread_mutex_unlock(&reported.lock);
}

static void writer_on_finished(void *userdata, const struct store_final *finals, size_t n)
{
	(void)userdata;
	pthread_mutex_lock(&reported.lock);
	reported.final = finals[n - 1];
	reported.n_finals += n;
	pthread_mutex_unlock(&reported.lock);
}

static void writer_setup(void)
{
	store_setup();
	options.max_records = 100000;
}

static void writer_teardown(void)
{
	writer = store_writer_free(writer);
	store_teardown();
}

static void writer_start(void)
{
	const struct store_callbacks callbacks = {.committed = writer_on_committed,
						  .finished = writer_on_finished};

	ck_assert_int_eq(store_writer_new(&options, &callbacks, &writer, &error), 0);
}

static void writer_stop(void)
{
	writer = store_writer_free(writer);
}

static size_t n_reported(void)
{
	size_t n;

	pthread_mutex_lock(&reported.lock);
	n = reported.n + reported.n_finals;
	pthread_mutex_unlock(&reported.lock);
	return n;
}

static struct store_status status(void)
{
	struct store_status s;

	store_writer_status(writer, &s);
	return s;
}

static int add(uint64_t i, bool pending)
{
	struct stored_event event;

	made_event(i, &event);
	event.pending = pending;
	return store_writer_add(writer, &event);
}

static void open_reader(void)
{
	reader = store_reader_close(reader);
	ck_assert_int_eq(store_reader_open(status().path, &reader, &error), 0);
}

START_TEST(committed_events_are_reported_in_order)
{
	writer_start();
	open_reader();
	for (uint64_t i = 0; i < 500; i++)
		ck_assert_int_eq(add(i, false), 0);
	ck_assert_int_eq(add(3, false), 0);
	WAIT_UNTIL(n_reported() == 501);
	for (size_t i = 0; i < 500; i++) {
		ck_assert_int_eq(reported.outcome[i], STORE_FINAL);
		ck_assert_uint_eq(reported.seq[i], i + 1);
	}
	ck_assert_int_eq(reported.outcome[500], STORE_DUPLICATE);
	ck_assert_uint_eq(reported.unseen, 0);
	ck_assert_uint_eq(list_all().n, 500);
	ck_assert_int_eq(status().state, STORE_READY);
}
END_TEST

START_TEST(a_pending_event_is_finished_once)
{
	struct event_answer answer = {
		.source = SOURCE_PRM, .has_spa = true, .spa = 64, .spa_last = 64};

	writer_start();
	ck_assert_int_eq(add(1, true), 0);
	WAIT_UNTIL(n_reported() == 1);
	ck_assert_int_eq(reported.outcome[0], STORE_PENDING);
	ck_assert_int_eq(store_writer_finish(writer, reported.seq[0], &answer), 0);
	WAIT_UNTIL(n_reported() == 2);
	ck_assert_uint_eq(reported.final.pending, reported.seq[0]);
	ck_assert_uint_gt(reported.final.seq, 0);
	ck_assert_int_eq(store_writer_finish(writer, reported.seq[0], &answer), 0);
	WAIT_UNTIL(n_reported() == 3);
	ck_assert_uint_eq(reported.final.seq, 0);
}
END_TEST

START_TEST(queued_events_are_stored_at_the_end)
{
	writer_start();
	for (uint64_t i = 0; i < 1500; i++)
		ck_assert_int_eq(add(i, false), 0);
	writer_stop();
	ck_assert_uint_eq(n_reported(), 1500);
	reopen();
	ck_assert_uint_eq(list_all().n, 1500);
	ck_assert(!store_was_unclean(store));
}
END_TEST

static void *add_some(void *userdata)
{
	uint64_t first = *(const uint64_t *)userdata;

	for (uint64_t i = 0; i < EACH; i++)
		while (add(first + i, false) == -ENOBUFS)
			(void)usleep(1000);
	return NULL;
}

START_TEST(threads_can_add_events_concurrently)
{
	pthread_t threads[THREADS];
	uint64_t firsts[THREADS];

	writer_start();
	for (size_t i = 0; i < THREADS; i++) {
		firsts[i] = i * EACH;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, add_some, &firsts[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	writer_stop();
	reopen();
	ck_assert_uint_eq(list_all().n, THREADS * EACH);
}
END_TEST

/* ---- a full disk, no disk ---- */

START_TEST(while_the_disk_is_full_events_are_queued_and_drops_counted)
{
	size_t before, n_added = 0;
	struct listed l;

	writer_start();
	ck_assert_int_eq(add(0, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	limit_files(100 * 1024);
	ck_assert_int_eq(add(1, false), 0);
	WAIT_UNTIL(status().state == STORE_DISK_FULL);
	ck_assert_ptr_nonnull(strstr(status().text, "no space left"));
	/* Check writes each assertion to a file, which has the same limit. */
	for (uint64_t i = 2; i <= STORE_QUEUE_MAX; i++)
		n_added += add(i, false) == 0;
	ck_assert_uint_eq(n_added, STORE_QUEUE_MAX - 1);
	ck_assert_uint_eq(store_writer_room(writer), 0);
	for (uint64_t i = 0; i < 10; i++)
		ck_assert_int_eq(add(10000 + i, false), -ENOBUFS);
	ck_assert_uint_eq(status().dropped, 10);
	ck_assert_uint_eq(status().queued, STORE_QUEUE_MAX);
	before = n_reported();
	limit_files(RLIM_INFINITY);
	WAIT_UNTIL(status().queued == 0 && n_reported() == before + STORE_QUEUE_MAX + 1);
	ck_assert_int_eq(status().state, STORE_READY);
	ck_assert_uint_eq(reported.lost, 10);
	writer_stop();
	/* Once each, not for every attempt. */
	ck_assert_ptr_nonnull(strstr(notices, "no space left"));
	ck_assert_ptr_null(strstr(strstr(notices, "no space left") + 1, "no space left"));
	ck_assert_ptr_nonnull(strstr(notices, "can be stored again"));
	reopen();
	l = list_all();
	ck_assert_uint_eq(l.n, 2 + STORE_QUEUE_MAX);
	ck_assert_uint_eq(count(&(struct event_filter){.types = 1 << EVENT_LOST}), 1);
}
END_TEST

/* A trace ring outlives the process, and is longer. */
START_TEST(there_is_no_room_while_the_disk_is_full)
{
	writer_start();
	ck_assert_int_eq(add(0, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	limit_files(100 * 1024);
	for (uint64_t i = 1; i < 100; i++)
		(void)add(i, false);
	WAIT_UNTIL(status().state == STORE_DISK_FULL);
	ck_assert_uint_eq(store_writer_room(writer), 0);
	limit_files(RLIM_INFINITY);
	WAIT_UNTIL(status().state == STORE_READY && status().queued == 0);
	ck_assert_uint_eq(store_writer_room(writer), STORE_QUEUE_MAX);
}
END_TEST

START_TEST(before_the_disk_is_full_there_is_no_room_either)
{
	writer_start();
	ck_assert_int_eq(add(0, false), 0);
	WAIT_UNTIL(n_reported() == 1 && store_writer_room(writer) == STORE_QUEUE_MAX);
	free_blocks = 100;
	ck_assert_uint_eq(store_writer_room(writer), 0);
	WAIT_UNTIL(status().state == STORE_DISK_FULL);
	ck_assert_ptr_nonnull(strstr(status().text, "less than 4 MiB are free"));
	/* Events that are queued nevertheless are stored. */
	for (uint64_t i = 1; i < 600; i++)
		ck_assert_int_eq(add(i, false), 0);
	store_writer_flush(writer);
	ck_assert_uint_eq(n_reported(), 600);
	free_blocks = 0;
	WAIT_UNTIL(status().state == STORE_READY);
	ck_assert_uint_eq(store_writer_room(writer), STORE_QUEUE_MAX);
}
END_TEST

START_TEST(flush_returns_when_what_was_queued_is_stored)
{
	writer_start();
	for (uint64_t i = 0; i < 1500; i++)
		ck_assert_int_eq(add(i, false), 0);
	store_writer_flush(writer);
	ck_assert_uint_eq(n_reported(), 1500);
	/* Others may add more. */
	ck_assert_int_eq(add(1500, false), 0);
	store_writer_flush(writer);
	ck_assert_uint_eq(n_reported(), 1501);
}
END_TEST

START_TEST(flush_tries_once_while_the_disk_is_full)
{
	size_t queued;

	writer_start();
	ck_assert_int_eq(add(0, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	limit_files(100 * 1024);
	for (uint64_t i = 1; i < 1000; i++)
		(void)add(i, false);
	store_writer_flush(writer);
	queued = status().queued; /* the thread tries again by itself */
	limit_files(RLIM_INFINITY);
	ck_assert_uint_gt(queued, 0);
	store_writer_flush(writer);
	ck_assert_uint_eq(n_reported(), 1000);
}
END_TEST

START_TEST(dropped_events_are_reported_at_the_end)
{
	writer_start();
	ck_assert_int_eq(add(0, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	limit_files(100 * 1024);
	for (uint64_t i = 1; i < 2 * STORE_QUEUE_MAX; i++)
		(void)add(i, false);
	WAIT_UNTIL(status().state == STORE_DISK_FULL);
	ck_assert_uint_gt(status().dropped, 0);
	limit_files(RLIM_INFINITY);
	writer_stop();
	ck_assert_uint_gt(reported.lost, 0);
	reopen();
	ck_assert_uint_eq(count(&(struct event_filter){.types = 1 << EVENT_LOST}), 1);
	ck_assert_uint_eq(list_all().n + reported.lost, 2 * STORE_QUEUE_MAX + 1);
}
END_TEST

START_TEST(opening_the_store_is_tried_again)
{
	char sub[400], name[420];

	(void)snprintf(sub, sizeof(sub), "%s/later", directory);
	(void)snprintf(name, sizeof(name), "%s/events.db", sub);
	options.path = name;
	writer_start();
	WAIT_UNTIL(status().state == STORE_UNUSABLE);
	ck_assert_str_eq(status().path, "");
	ck_assert_int_eq(add(1, false), 0);
	ck_assert_int_eq(mkdir(sub, 0700), 0);
	WAIT_UNTIL(n_reported() == 1);
	ck_assert_int_eq(status().state, STORE_READY);
	ck_assert_str_eq(status().path, name);
	writer_stop();
}
END_TEST

START_TEST(events_not_stored_at_the_end_are_reported_as_lost)
{
	char name[420];

	(void)snprintf(name, sizeof(name), "%s/never/events.db", directory);
	options.path = name;
	writer_start();
	for (uint64_t i = 0; i < 3; i++)
		ck_assert_int_eq(add(i, false), 0);
	writer_stop();
	ck_assert_ptr_nonnull(strstr(notices, "events that could not be stored and are lost: 3"));
}
END_TEST

/* ---- damage ---- */

/* Damages a page in the middle of a store of 600 events that was not closed. */
static void make_damaged(void)
{
	char command[1200], junk[4096];

	reopen();
	put_many(0, 600);
	reopen();
	put_many(600, 1);
	(void)snprintf(command, sizeof(command), "cp %s %s/copy; cp %s-wal %s/copy-wal", path,
		       directory, path, directory);
	ck_assert_int_eq(system(command), 0);
	shut();
	(void)snprintf(command, sizeof(command), "mv %s/copy %s; mv %s/copy-wal %s-wal", directory,
		       path, directory, path);
	ck_assert_int_eq(system(command), 0);
	memset(junk, 0xa5, sizeof(junk));
	scribble(path, 60 * 4096, junk, sizeof(junk));
}

/* Without the write-ahead log the end was clean, or a reader found the damage. */
static void expect_damage_found(void)
{
	WAIT_UNTIL(count_files("events.db.damaged-") == 1 && status().path[0]);
	ck_assert_int_eq(add(100000, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	ck_assert_int_eq(reported.outcome[0], STORE_FINAL);
	ck_assert_uint_gt(reported.seq[0], 1000000);
	ck_assert_int_eq(status().state, STORE_READY);
	WAIT_UNTIL(!status().checking);
	writer_stop();
	ck_assert_ptr_nonnull(strstr(notices, aside()));
	ck_assert_uint_eq(count_files("events.db.damaged-"), 1);
}

START_TEST(after_an_unclean_end_damage_is_detected_in_the_background)
{
	make_damaged();
	writer_start();
	expect_damage_found();
}
END_TEST

START_TEST(after_a_clean_end_damage_is_detected_in_the_background)
{
	char wal[320];

	make_damaged();
	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	ck_assert_int_eq(unlink(wal), 0);
	writer_start();
	expect_damage_found();
}
END_TEST

START_TEST(sound_file_passes_the_check)
{
	writer_start();
	ck_assert_int_eq(add(5000, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	store_writer_check(writer);
	WAIT_UNTIL(!status().checking);
	writer_stop();
	ck_assert_uint_eq(count_files("events.db.damaged-"), 0);
	ck_assert_str_eq(notices, "");
}
END_TEST

/* Neither the event nor its number is lost, and nothing is acknowledged that is not in the file. */
START_TEST(removed_file_is_noticed_before_an_event_is_reported)
{
	writer_start();
	ck_assert_int_eq(add(1, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(add(2, false), 0);
	WAIT_UNTIL(n_reported() == 2);
	ck_assert_uint_gt(reported.seq[1], 1000000);
	ck_assert_ptr_nonnull(strstr(status().replaced, "was removed or replaced"));
	open_reader();
	ck_assert_uint_eq(list_all().n, 1);
	ck_assert_uint_eq(list_all().seq[0], reported.seq[1]);
	writer_stop();
	ck_assert_ptr_nonnull(strstr(notices, "was removed or replaced"));
}
END_TEST

START_TEST(replaced_file_is_noticed_and_numbers_continue_above)
{
	char other[320];

	reopen();
	put_many(100, 5);
	shut();
	(void)snprintf(other, sizeof(other), "%s.other", path);
	ck_assert_int_eq(rename(path, other), 0);
	writer_start();
	for (uint64_t i = 0; i < 10; i++)
		ck_assert_int_eq(add(i, false), 0);
	WAIT_UNTIL(n_reported() == 10);
	ck_assert_int_eq(rename(other, path), 0);
	ck_assert_int_eq(add(50, false), 0);
	WAIT_UNTIL(n_reported() == 11);
	ck_assert_uint_gt(reported.seq[10], reported.seq[9]);
	open_reader();
	ck_assert_uint_eq(list_all().n, 6);
}
END_TEST

START_TEST(removed_directory_is_noticed_and_events_wait_for_it)
{
	char moved[320];

	writer_start();
	ck_assert_int_eq(add(1, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	(void)snprintf(moved, sizeof(moved), "%s.moved", directory);
	ck_assert_int_eq(rename(directory, moved), 0);
	ck_assert_int_eq(add(2, false), 0);
	WAIT_UNTIL(status().state == STORE_UNUSABLE);
	ck_assert_uint_eq(n_reported(), 1);
	ck_assert_uint_eq(status().queued, 1);
	ck_assert_int_eq(rename(moved, directory), 0);
	WAIT_UNTIL(n_reported() == 2);
	open_reader();
	ck_assert_uint_eq(list_all().n, 2);
	ck_assert_int_eq(status().state, STORE_READY);
}
END_TEST

/* The disk stays full until the test has seen it: the next try of the thread would be well. */
static int job_without_space(struct store *s, void *userdata)
{
	(void)userdata;
	free_blocks = 100;
	return s ? -ENOSPC : 0;
}

START_TEST(full_disk_found_by_a_job_is_shown)
{
	writer_start();
	ck_assert_int_eq(store_writer_do(writer, job_without_space, NULL), 0);
	WAIT_UNTIL(status().state == STORE_DISK_FULL);
	free_blocks = 0;
	WAIT_UNTIL(status().state == STORE_READY);
	writer_stop();
	ck_assert_ptr_nonnull(strstr(notices, "no space left on the disk, or a limit"));
}
END_TEST

START_TEST(a_check_does_not_delay_the_end)
{
	writer_start();
	for (uint64_t i = 0; i < 2000; i++)
		ck_assert_int_eq(add(i, false), 0);
	WAIT_UNTIL(n_reported() == 2000);
	for (int i = 0; i < 20; i++) {
		store_writer_check(writer);
		(void)usleep((useconds_t)i * 300);
		writer_stop();
		writer_start();
	}
	writer_stop();
	ck_assert_uint_eq(count_files("events.db.damaged-"), 0);
}
END_TEST

/* ---- jobs ---- */

static int jobs_done, jobs_without;

static int note_job(struct store *s, void *userdata)
{
	int *order = userdata;

	if (order)
		*order = ++jobs_done;
	else
		jobs_done++;
	jobs_without += s == NULL;
	return 0;
}

static int clear_some(struct store *s, void *userdata)
{
	uint64_t *upto = userdata;
	bool more;
	int r;

	if (*upto == 0)
		*upto = store_next(s) - 1;
	r = store_clear(s, NULL, *upto, &more, &error);
	if (r < 0)
		return r;
	__atomic_add_fetch(&jobs_done, 1, __ATOMIC_RELEASE);
	return more;
}

START_TEST(jobs_are_done_in_order_and_in_steps)
{
	int first = 0, second = 0;
	uint64_t upto = 0;

	writer_start();
	ck_assert_int_eq(store_writer_do(writer, note_job, &first), 0);
	ck_assert_int_eq(store_writer_do(writer, note_job, &second), 0);
	for (uint64_t i = 0; i < 2 * STORE_STEP; i++)
		ck_assert_int_eq(add(i, false), 0);
	WAIT_UNTIL(n_reported() == 2 * STORE_STEP);
	ck_assert_int_eq(first, 1);
	ck_assert_int_eq(second, 2);
	ck_assert_int_eq(store_writer_do(writer, clear_some, &upto), 0);
	WAIT_UNTIL(__atomic_load_n(&jobs_done, __ATOMIC_ACQUIRE) == 5);
	ck_assert_int_eq(add(9999, false), 0);
	writer_stop();
	reopen();
	ck_assert_uint_eq(list_all().n, 1);
	ck_assert_int_eq(jobs_without, 0);
}
END_TEST

static int job_never_done(struct store *s, void *userdata)
{
	int *ended = userdata;

	if (s)
		return 1;
	++*ended;
	return 0;
}

START_TEST(jobs_are_called_without_a_store_at_the_end)
{
	int ended = 0;

	writer_start();
	ck_assert_int_eq(store_writer_do(writer, job_never_done, &ended), 0);
	ck_assert_int_eq(store_writer_do(writer, job_never_done, &ended), 0);
	ck_assert_int_eq(add(1, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	writer_stop();
	ck_assert_int_eq(ended, 2);
}
END_TEST

START_TEST(jobs_are_called_without_a_store_when_none_is_open)
{
	char name[420];

	(void)snprintf(name, sizeof(name), "%s/never/events.db", directory);
	options.path = name;
	writer_start();
	ck_assert_int_eq(store_writer_do(writer, note_job, NULL), 0);
	writer_stop();
	ck_assert_int_eq(jobs_without, 1);
}
END_TEST

static int job_damaged(struct store *s, void *userdata)
{
	(void)s, (void)userdata;
	return -EBADMSG;
}

START_TEST(damage_found_by_a_job_is_handled)
{
	writer_start();
	ck_assert_int_eq(store_writer_do(writer, job_damaged, NULL), 0);
	WAIT_UNTIL(count_files("events.db.damaged-") == 1 && status().path[0]);
	ck_assert_int_eq(add(1, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	ck_assert_int_eq(reported.outcome[0], STORE_FINAL);
}
END_TEST

static double cpu_seconds(void)
{
	struct timespec now;

	ck_assert_int_eq(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Return: whether the process sleeps for most of half a second. */
static bool sleeps(void)
{
	const double before = cpu_seconds();

	(void)usleep(500000);
	return cpu_seconds() - before < 0.02;
}

START_TEST(after_damage_the_thread_sleeps_when_there_is_nothing_to_store)
{
	writer_start();
	ck_assert_int_eq(add(1, false), 0);
	WAIT_UNTIL(n_reported() == 1);
	ck_assert_int_eq(store_writer_do(writer, job_damaged, NULL), 0);
	WAIT_UNTIL(count_files("events.db.damaged-") == 1 && status().path[0]);
	WAIT_UNTIL(sleeps());
}
END_TEST

START_TEST(after_a_full_disk_old_entries_expire)
{
	reopen();
	put_many(0, 2000);
	shut();
	options.max_records = 10;
	limit_files(40 * 1024);
	writer_start();
	WAIT_UNTIL(status().state == STORE_DISK_FULL);
	WAIT_UNTIL(sleeps());
	limit_files(RLIM_INFINITY);
	WAIT_UNTIL(status().state == STORE_READY);
	writer_stop();
	reopen();
	ck_assert_uint_eq(list_all().n, 10);
}
END_TEST

START_TEST(refused_events_are_counted)
{
	options.max_records = 2;
	options.policy = STORE_NEVER_OVERWRITES;
	writer_start();
	for (uint64_t i = 0; i < 5; i++)
		ck_assert_int_eq(add(i, false), 0);
	WAIT_UNTIL(n_reported() == 5);
	WAIT_UNTIL(status().refused == 3);
	ck_assert_int_eq(reported.outcome[4], STORE_REFUSED);
}
END_TEST

START_TEST(limits_can_be_changed)
{
	const struct store_limits less = {.max_records = 10, .policy = STORE_WRAPS_WHEN_FULL};
	const struct store_limits full = {.max_records = 2, .policy = STORE_NEVER_OVERWRITES};
	const struct event_filter all = {0};
	uint64_t n = 0, next = 50;

	writer_start();
	for (uint64_t i = 0; i < 50; i++)
		ck_assert_int_eq(add(i, false), 0);
	WAIT_UNTIL(n_reported() == 50);
	ck_assert_int_eq(store_reader_open(path, &reader, &error), 0);
	store_writer_set_limits(writer, &less);
	/* Without an event. */
	WAIT_UNTIL(store_count(reader, &all, &n, &error) == 0 && n == 10);
	store_writer_set_limits(writer, &full);
	/* Another one each time: some may be stored before the thread has the new limits. */
	WAIT_UNTIL(add(next++, false) == 0 && status().refused > 0);
	ck_assert_int_eq(store_count(reader, &all, &n, &error), 0);
	ck_assert_uint_le(n, 11);
}
END_TEST

SUITE(check_store_writer)
{
	Suite *s = suite_create("store-writer");
	TCase *t = tcase_create("thread");

	tcase_add_checked_fixture(t, writer_setup, writer_teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, committed_events_are_reported_in_order);
	tcase_add_test(t, a_pending_event_is_finished_once);
	tcase_add_test(t, queued_events_are_stored_at_the_end);
	tcase_add_test(t, threads_can_add_events_concurrently);
	tcase_add_test(t, while_the_disk_is_full_events_are_queued_and_drops_counted);
	tcase_add_test(t, there_is_no_room_while_the_disk_is_full);
	tcase_add_test(t, before_the_disk_is_full_there_is_no_room_either);
	tcase_add_test(t, flush_returns_when_what_was_queued_is_stored);
	tcase_add_test(t, flush_tries_once_while_the_disk_is_full);
	tcase_add_test(t, dropped_events_are_reported_at_the_end);
	tcase_add_test(t, opening_the_store_is_tried_again);
	tcase_add_test(t, events_not_stored_at_the_end_are_reported_as_lost);
	tcase_add_test(t, after_an_unclean_end_damage_is_detected_in_the_background);
	tcase_add_test(t, after_a_clean_end_damage_is_detected_in_the_background);
	tcase_add_test(t, sound_file_passes_the_check);
	tcase_add_test(t, removed_file_is_noticed_before_an_event_is_reported);
	tcase_add_test(t, replaced_file_is_noticed_and_numbers_continue_above);
	tcase_add_test(t, removed_directory_is_noticed_and_events_wait_for_it);
	tcase_add_test(t, full_disk_found_by_a_job_is_shown);
	tcase_add_test(t, a_check_does_not_delay_the_end);
	tcase_add_test(t, jobs_are_done_in_order_and_in_steps);
	tcase_add_test(t, jobs_are_called_without_a_store_at_the_end);
	tcase_add_test(t, jobs_are_called_without_a_store_when_none_is_open);
	tcase_add_test(t, damage_found_by_a_job_is_handled);
	tcase_add_test(t, after_damage_the_thread_sleeps_when_there_is_nothing_to_store);
	tcase_add_test(t, after_a_full_disk_old_entries_expire);
	tcase_add_test(t, refused_events_are_counted);
	tcase_add_test(t, limits_can_be_changed);
	suite_add_tcase(s, t);
	return s;
}
