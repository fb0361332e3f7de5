// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The writing thread: its queues, the order of its tasks, and retries after failures.
#include "events/store_writer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "common/clock.h"
#include "common/thread.h"
#include "events/store_writer_private.h"

enum {
	RETRY_FIRST_MS = 250, /* after the first failure; twice as long after each further one */
	RETRY_MAX_MS = 16000,
	EXPIRE_MS = 60000, /* between two searches for expired entries */
	COUNTS_MS = 1000,
	QUEUE_KEPT = 64, /* up to so many events the memory of the queue is not freed */
};

/* All functions below hold the lock, except while they work on the store. */

static void writer_notice(struct store_writer *w, const char *text)
{
	if (!w->o.notice)
		return;
	pthread_mutex_unlock(&w->lock);
	w->o.notice(w->o.userdata, text);
	pthread_mutex_lock(&w->lock);
}

static void writer_back_off(struct store_writer *w)
{
	w->retry_ms = w->retry_ms ? w->retry_ms * 2 : RETRY_FIRST_MS;
	if (w->retry_ms > RETRY_MAX_MS)
		w->retry_ms = RETRY_MAX_MS;
	w->retry_at = clock_monotonic_ms() + w->retry_ms;
}

/* Reported once, not with every try. */
static void note_failure(struct store_writer *w, int r, const char *text)
{
	enum store_state state = r == -ENOSPC ? STORE_DISK_FULL : STORE_UNUSABLE;
	bool is_news = w->state != state;

	writer_back_off(w);
	w->expire_at = 0;
	w->state = state;
	(void)snprintf(w->text, sizeof(w->text), "%s", text);
	if (is_news)
		writer_notice(w, text);
}

/* Quotas and limits of the file are noticed when a commit fails. */
static bool has_little_space(const struct store_writer *w)
{
	struct statvfs fs;

	return w->path[0] && statvfs(w->path, &fs) == 0 &&
	       fs.f_bavail < STORE_SPACE_MIN / fs.f_frsize;
}

static void note_success(struct store_writer *w)
{
	char text[ERROR_TEXT_MAX];

	w->retry_ms = 0;
	if (has_little_space(w)) {
		(void)snprintf(
			text, sizeof(text),
			"less than %d MiB are free on the disk of %.200s: events wait in the kernel's trace rings, which overwrite the oldest ones when they are full; make space on the disk",
			STORE_SPACE_MIN >> 20, w->path);
		note_failure(w, -ENOSPC, text);
		return;
	}
	if (w->state == STORE_READY)
		return;
	w->state = STORE_READY;
	w->text[0] = '\0';
	writer_notice(w, "events can be stored again");
}

static void writer_use(struct store_writer *w, struct store *s)
{
	w->store = s;
	(void)snprintf(w->path, sizeof(w->path), "%s", s ? store_path(s) : "");
	/* Damage after a clean end, too: the disk may have lost what it had acknowledged. */
	w->checker.wanted = s;
	w->check_at = clock_monotonic_ms() + STORE_CHECK_HOURS * UINT64_C(3600000);
	/* So that it is tried again after a failure, even if no event comes. */
	w->expire_at = 0;
}

static void writer_open_store(struct store_writer *w)
{
	struct error e = {0};
	struct store *s = NULL;
	int r;

	pthread_mutex_unlock(&w->lock);
	r = store_open(&w->o, &s, &e);
	pthread_mutex_lock(&w->lock);
	writer_use(w, s);
	if (r < 0)
		note_failure(w, r, e.text);
}

static void writer_replace_store(struct store_writer *w, const char *why)
{
	struct store *s = w->store;

	checker_stop(w);
	writer_use(w, NULL);
	pthread_mutex_unlock(&w->lock);
	(void)store_set_aside(s, why);
	pthread_mutex_lock(&w->lock);
	writer_open_store(w);
	/* A disk that damages every new file must not fill up with them. */
	if (w->store)
		writer_back_off(w);
}

/* The file was removed or replaced: the one that has its name is used, or a new one. */
static void writer_reopen(struct store_writer *w, const char *why)
{
	struct store *s = w->store;

	checker_stop(w);
	writer_use(w, NULL);
	(void)snprintf(w->replaced, sizeof(w->replaced), "%s", why);
	writer_notice(w, why);
	if (w->o.above < store_next(s) - 1)
		w->o.above = store_next(s) - 1;
	pthread_mutex_unlock(&w->lock);
	(void)store_close(s);
	pthread_mutex_lock(&w->lock);
	writer_open_store(w);
}

/* Handles the result of a call of the store. Return: whether it succeeded. */
static bool note_result(struct store_writer *w, int r, const struct error *e)
{
	if (r >= 0)
		note_success(w);
	else if (r == -EBADMSG)
		writer_replace_store(w, e->text);
	else if (r == -ESTALE)
		writer_reopen(w, e->text);
	else
		note_failure(w, r, e->text);
	return r >= 0;
}

/* As many as are contiguous; others are added after them. */
static size_t next_batch(const struct store_writer *w)
{
	size_t n = w->queued < STORE_BATCH_MAX ? w->queued : STORE_BATCH_MAX;

	return n < STORE_QUEUE_MAX - w->head ? n : STORE_QUEUE_MAX - w->head;
}

static void drop_batch(struct store_writer *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w->refused += w->queue[w->head + i].outcome == STORE_REFUSED;
	w->head = (w->head + n) % STORE_QUEUE_MAX;
	w->queued -= n;
	if (w->queued > 0)
		return;
	/* Few events use the same few pages again; the memory of a storm is freed. */
	w->head = 0;
	if (w->highest > QUEUE_KEPT) {
		free(w->queue);
		w->queue = NULL;
	}
	w->highest = 0;
}

/* Counts of incidents that were not written with their entries are written soon. */
static void expect_counts(struct store_writer *w)
{
	const uint64_t soon = clock_monotonic_ms() + COUNTS_MS;

	if (store_lags(w->store) && w->expire_at > soon)
		w->expire_at = soon;
}

static int writer_append(struct store_writer *w, struct stored_event *events, size_t n,
			 struct error *e)
{
	int r;

	pthread_mutex_unlock(&w->lock);
	r = store_append(w->store, events, n, e);
	if (r == 0)
		w->callbacks.committed(w->callbacks.userdata, events, n);
	pthread_mutex_lock(&w->lock);
	if (r == 0)
		expect_counts(w);
	return r;
}

static bool append_batch(struct store_writer *w)
{
	size_t n = next_batch(w);
	struct error e = {0};
	int r = writer_append(w, w->queue + w->head, n, &e);

	if (r == 0)
		drop_batch(w, n);
	return note_result(w, r, &e);
}

/* Identified by its time alone, because no ring has it. */
static bool append_loss(struct store_writer *w)
{
	uint64_t now = clock_realtime_ns(), n = w->dropped - w->dropped_reported;
	struct error e = {0};
	int r;

	w->loss = (struct stored_event){
		.severity = EVENT_WARNING,
		.stored_ns = now,
		.record = {.type = EVENT_LOST,
			   .event = "queue",
			   .time_ns = now,
			   .wall_ns = OPT_U64(now),
			   .lost = OPT_U64(n)},
	};
	r = writer_append(w, &w->loss, 1, &e);
	if (r == 0)
		w->dropped_reported += n;
	return note_result(w, r, &e);
}

static bool finish_batch(struct store_writer *w)
{
	struct finals *batch = &w->finishing;
	struct error e = {0};
	int r;

	if (batch->n == 0) {
		*batch = w->finals;
		w->finals = (struct finals){0};
	}
	pthread_mutex_unlock(&w->lock);
	r = store_finish(w->store, batch->items, batch->n, &e);
	if (r == 0) {
		w->callbacks.finished(w->callbacks.userdata, batch->items, batch->n);
		finals_done(batch);
	}
	pthread_mutex_lock(&w->lock);
	if (r == 0)
		expect_counts(w);
	return note_result(w, r, &e);
}

static bool writer_expire(struct store_writer *w)
{
	uint64_t now = clock_realtime_ns();
	struct error e = {0};
	bool more = false;
	int r;

	pthread_mutex_unlock(&w->lock);
	r = store_expire(w->store, now, &more, &e);
	/* An empty transaction succeeds on a full disk, too. */
	if (r == 0 && w->state != STORE_READY)
		r = store_probe(w->store, &e);
	pthread_mutex_lock(&w->lock);
	if (r == 0)
		w->expire_at = more ? 0 : clock_monotonic_ms() + EXPIRE_MS;
	return note_result(w, r, &e);
}

/* Also while nothing can be stored: clearing the log may make space on a full disk. */
static void run_job(struct store_writer *w)
{
	struct writer_job *job = w->jobs;
	struct store *s = w->stopping ? NULL : w->store;
	int r;

	w->jobs = job->next;
	if (!w->jobs)
		w->jobs_end = &w->jobs;
	pthread_mutex_unlock(&w->lock);
	r = job->run(s, job->userdata);
	pthread_mutex_lock(&w->lock);
	if (r > 0 && s) {
		job->next = NULL;
		*w->jobs_end = job;
		w->jobs_end = &job->next;
		return;
	}
	free(job);
	if (r == -EBADMSG && s)
		writer_replace_store(w, "the event log is damaged");
	else if (r == -ESTALE && s)
		writer_reopen(w, "the event log was removed or replaced while it was in use");
	else if (r == -ENOSPC && s)
		note_failure(w, r, "no space left on the disk, or a limit or quota is reached");
}

static bool has_finals(const struct store_writer *w)
{
	return w->finals.n > 0 || w->finishing.n > 0;
}

/*
 * Events first, then their final answers, then expired entries.
 *
 * Return: whether something was done, so that there may be more.
 */
static bool store_something(struct store_writer *w)
{
	static bool (*const tasks[])(struct store_writer * w) = {append_batch, append_loss,
								 finish_batch, writer_expire};
	bool did = false;

	if (!w->store) {
		writer_open_store(w);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(tasks); i++) {
		bool wanted[] = {w->queued > 0, w->dropped > w->dropped_reported, has_finals(w),
				 clock_monotonic_ms() >= w->expire_at};

		if (!wanted[i])
			continue;
		did = true;
		if (!tasks[i](w))
			break;
	}
	return did;
}

static void take_limits(struct store_writer *w)
{
	w->new_limits = false;
	w->o.max_records = w->limits.max_records;
	w->o.max_age_ns = w->limits.max_age_ns;
	w->o.policy = w->limits.policy;
	if (w->store)
		store_set_limits(w->store, &w->limits);
	w->expire_at = 0;
}

static bool work_once(struct store_writer *w)
{
	struct error e = {0};
	bool did = false;
	int r;

	if (w->new_limits)
		take_limits(w);
	if (w->jobs) {
		run_job(w);
		did = true;
	}
	r = checker_take(w, &e);
	if (r == -EBADMSG && w->store)
		writer_replace_store(w, e.text);
	else if (r < 0 && r != -ECANCELED)
		writer_notice(w, e.text);
	if (w->retry_ms && clock_monotonic_ms() < w->retry_at)
		return did;
	if (clock_monotonic_ms() >= w->check_at)
		w->checker.wanted = true;
	if (w->checker.wanted && w->store) {
		w->checker.wanted = false;
		w->check_at = clock_monotonic_ms() + STORE_CHECK_HOURS * UINT64_C(3600000);
		checker_start(w);
	}
	return store_something(w) || did;
}

static void wait_for_work(struct store_writer *w)
{
	uint64_t until = w->retry_ms ? w->retry_at : w->expire_at;
	struct timespec t = {.tv_sec = (time_t)(until / 1000),
			     .tv_nsec = (long)(until % 1000) * 1000000};

	(void)pthread_cond_clockwait(&w->work, &w->lock, CLOCK_MONOTONIC, &t);
}

/* Queued events are tried once: the end of the service does not wait for space on a disk. */
static void store_queued(struct store_writer *w)
{
	if (!w->store)
		writer_open_store(w);
	while (w->store && w->queued > 0 && append_batch(w))
		;
}

static void writer_end(struct store_writer *w)
{
	char text[96];

	checker_stop(w);
	store_queued(w);
	if (w->store && w->queued == 0 && w->dropped > w->dropped_reported)
		(void)append_loss(w);
	while (w->store && w->queued == 0 && has_finals(w) && finish_batch(w))
		;
	while (w->jobs)
		run_job(w);
	if (w->queued > 0) {
		(void)snprintf(text, sizeof(text),
			       "events that could not be stored and are lost: %zu", w->queued);
		writer_notice(w, text);
	}
	w->store = store_close(w->store);
}

static void *writer_thread(void *userdata)
{
	struct store_writer *w = userdata;

	pthread_mutex_lock(&w->lock);
	while (!w->stopping) {
		if (w->flushing) {
			store_queued(w);
			w->flushing = false;
			pthread_cond_broadcast(&w->flushed);
		}
		if (!work_once(w) && !w->stopping && !w->flushing && !w->jobs && !w->new_limits)
			wait_for_work(w);
	}
	writer_end(w);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static struct store_writer *writer_destroy(struct store_writer *w)
{
	(void)store_close(w->store);
	finals_done(&w->finals);
	finals_done(&w->finishing);
	free(w->queue);
	(void)pthread_cond_destroy(&w->work);
	(void)pthread_cond_destroy(&w->flushed);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
	return NULL;
}

int store_writer_new(const struct store_options *o, const struct store_callbacks *callbacks,
		     struct store_writer **ret, struct error *e)
{
	struct store_writer *w;

	if (o->max_records == 0)
		return error_set(e, EINVAL, "the maximum number of entries must be at least 1");
	w = calloc(1, sizeof(*w));
	if (!w)
		return error_set(e, ENOMEM, "out of memory");
	(void)pthread_mutex_init(&w->lock, NULL);
	(void)pthread_cond_init(&w->work, NULL);
	(void)pthread_cond_init(&w->flushed, NULL);
	w->jobs_end = &w->jobs;
	w->o = *o;
	w->o.stop = &w->stop_replacing;
	w->callbacks = *callbacks;
	/* On the caller's thread, so that readers find it at once. */
	pthread_mutex_lock(&w->lock);
	writer_open_store(w);
	pthread_mutex_unlock(&w->lock);
	if (thread_start(&w->thread, writer_thread, w) < 0) {
		(void)writer_destroy(w);
		return error_set(e, EAGAIN, "cannot start the thread that stores events");
	}
	*ret = w;
	return 0;
}

struct store_writer *store_writer_free(struct store_writer *w)
{
	if (!w)
		return NULL;
	__atomic_store_n(&w->stop_replacing, true, __ATOMIC_RELEASE);
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	(void)pthread_join(w->thread, NULL);
	return writer_destroy(w);
}

void store_writer_flush(struct store_writer *w)
{
	__atomic_store_n(&w->stop_replacing, true, __ATOMIC_RELEASE);
	pthread_mutex_lock(&w->lock);
	w->flushing = true;
	pthread_cond_signal(&w->work);
	while (w->flushing)
		(void)pthread_cond_wait(&w->flushed, &w->lock);
	pthread_mutex_unlock(&w->lock);
}

static bool make_queue(struct store_writer *w)
{
	if (!w->queue)
		w->queue = calloc(STORE_QUEUE_MAX, sizeof(*w->queue));
	return w->queue != NULL;
}

int store_writer_add(struct store_writer *w, const struct stored_event *event)
{
	int r = -ENOBUFS;

	pthread_mutex_lock(&w->lock);
	if (w->queued == STORE_QUEUE_MAX || !make_queue(w)) {
		w->dropped++;
	} else {
		w->queue[(w->head + w->queued++) % STORE_QUEUE_MAX] = *event;
		if (w->queued > w->highest)
			w->highest = w->queued;
		r = 0;
	}
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	return r;
}

size_t store_writer_room(struct store_writer *w)
{
	size_t room;

	pthread_mutex_lock(&w->lock);
	room = w->state == STORE_READY ? STORE_QUEUE_MAX - w->queued : 0;
	/* Now, and not with the next commit: others fill the disk. The thread reports it. */
	if (room && has_little_space(w)) {
		room = 0;
		w->expire_at = 0;
		pthread_cond_signal(&w->work);
	}
	pthread_mutex_unlock(&w->lock);
	return room;
}

int store_writer_finish(struct store_writer *w, uint64_t pending, const struct event_answer *answer)
{
	struct store_final *final;

	pthread_mutex_lock(&w->lock);
	final = finals_add(&w->finals);
	if (final)
		*final = (struct store_final){.pending = pending, .answer = *answer};
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	return final ? 0 : -ENOMEM;
}

int store_writer_do(struct store_writer *w, store_job *run, void *userdata)
{
	struct writer_job *job = malloc(sizeof(*job));

	if (!job)
		return -ENOMEM;
	*job = (struct writer_job){.run = run, .userdata = userdata};
	pthread_mutex_lock(&w->lock);
	*w->jobs_end = job;
	w->jobs_end = &job->next;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	return 0;
}

void store_writer_look(struct store_writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->expire_at = 0;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

void store_writer_set_limits(struct store_writer *w, const struct store_limits *limits)
{
	pthread_mutex_lock(&w->lock);
	w->limits = *limits;
	w->new_limits = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

void store_writer_check(struct store_writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->checker.wanted = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

void store_writer_status(struct store_writer *w, struct store_status *ret)
{
	pthread_mutex_lock(&w->lock);
	*ret = (struct store_status){
		.state = w->state,
		.queued = w->queued,
		.dropped = w->dropped,
		.refused = w->refused,
		.checking = w->checker.running,
	};
	memcpy(ret->text, w->text, sizeof(ret->text));
	memcpy(ret->path, w->path, sizeof(ret->path));
	memcpy(ret->replaced, w->replaced, sizeof(ret->replaced));
	pthread_mutex_unlock(&w->lock);
}
