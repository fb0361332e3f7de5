// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/firmware.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/thread.h"
#include "prm/firmware_private.h"

static int firmware_init_locks(struct firmware *f)
{
	if (pthread_mutex_init(&f->lock, NULL) != 0)
		return -ENOMEM;
	thread_cond_init(&f->work);
	thread_cond_init(&f->news);
	return 0;
}

int firmware_new(const char *path, struct firmware **ret)
{
	return firmware_new_opener(path, NULL, ret);
}

int firmware_new_opener(const char *path, struct opener *opener, struct firmware **ret)
{
	struct firmware *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->path = strdup(path);
	f->cache = firmware_cache_new(FIRMWARE_CHUNKS_MAX);
	f->geometries = calloc((size_t)FIRMWARE_GEOMETRIES_MAX * 2, sizeof(*f->geometries));
	if (!f->path || !f->cache || !f->geometries || firmware_init_locks(f) < 0) {
		firmware_cache_free(f->cache);
		free(f->geometries);
		free(f->path);
		free(f);
		return -ENOMEM;
	}
	f->refs = 1;
	f->opener = opener;
	f->cache_since_ms = clock_monotonic_ms();
	f->queue_end = &f->queue;
	firmware_refresh(f);
	*ret = f;
	return 0;
}

void firmware_refresh(struct firmware *f)
{
	struct firmware_visit visit;
	bool was_ready;
	int fd;

	if (!f)
		return;
	pthread_mutex_lock(&f->lock);
	was_ready = f->was_ready;
	pthread_mutex_unlock(&f->lock);
	fd = firmware_device_open(f, was_ready, &visit);
	if (fd >= 0)
		(void)close(fd);
	pthread_mutex_lock(&f->lock);
	firmware_note_visit(f, &visit);
	pthread_mutex_unlock(&f->lock);
}

/* Return: whether an answer can be given without a query; with the lock held. */
static bool answer_from_cache(struct firmware *f, const struct firmware_query *q,
			      struct firmware_answer *ret)
{
	*ret = (struct firmware_answer){.queried_dpa = q->dpa};
	if (f->stopping) {
		ret->result = FIRMWARE_UNAVAILABLE;
		ret->state = FIRMWARE_STOPPED;
		return true;
	}
	if (q->segment > UINT16_MAX) {
		/* Does not fit the interface, and the module rejects all above 255. */
		ret->result = FIRMWARE_ERROR;
		ret->error = -EOVERFLOW;
		return true;
	}
	if (!firmware_cache_get(f->cache, q, ret))
		return false;
	f->hits++;
	return true;
}

bool firmware_peek(struct firmware *f, const struct firmware_query *q, struct firmware_answer *ret)
{
	bool found;

	pthread_mutex_lock(&f->lock);
	found = answer_from_cache(f, q, ret);
	if (!found) {
		ret->result =
			f->state == FIRMWARE_READY ? FIRMWARE_NOT_QUERIED : FIRMWARE_UNAVAILABLE;
		ret->state = f->state;
	}
	pthread_mutex_unlock(&f->lock);
	return found;
}

bool firmware_can_query(struct firmware *f, const struct firmware_query *q)
{
	bool ready;

	pthread_mutex_lock(&f->lock);
	ready = f->state == FIRMWARE_READY && !f->stopping && q->segment <= UINT16_MAX;
	pthread_mutex_unlock(&f->lock);
	return ready;
}

/* One call of firmware_translate(), while it runs. */
struct firmware_request {
	struct firmware *f;
	const struct firmware_query *q;
	size_t n;
	bool uncached;
	struct firmware_timeout *timeout;
	struct firmware_answer *answers;
	struct firmware_job *own; /* of this attempt */
	struct firmware_job
		*jobs[FIRMWARE_BATCH_MAX]; /* the job of each query; NULL when answered */
	size_t places[FIRMWARE_BATCH_MAX]; /* and its index in that job */
};

static bool same_chunk(const struct firmware_query *a, const struct firmware_query *b)
{
	return a->segment == b->segment && a->bus == b->bus && a->devfn == b->devfn &&
	       FIRMWARE_CHUNK_OF(a->dpa) == FIRMWARE_CHUNK_OF(b->dpa);
}

static bool job_find(const struct firmware_job *job, const struct firmware_query *q, size_t *ret)
{
	for (size_t i = 0; job && i < job->n; i++) {
		if (!same_chunk(&job->queries[i], q))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* Return: the queued or running job with the same query, or NULL. */
static struct firmware_job *find_in_flight(struct firmware *f, const struct firmware_query *q,
					   size_t *ret_place)
{
	struct firmware_job *job = f->current;

	if (job && !job->uncached && job->epoch == f->epoch && job_find(job, q, ret_place))
		return job;
	for (job = f->queue; job; job = job->next)
		if (!job->uncached && job->epoch == f->epoch && job_find(job, q, ret_place))
			return job;
	return NULL;
}

/* Adds query @i to a job that has it, or to the own job. Return: 0 or -ENOMEM. */
static int request_add(struct firmware_request *a, size_t i)
{
	struct firmware_job *job = NULL;

	if (!a->uncached) {
		job = find_in_flight(a->f, &a->q[i], &a->places[i]);
		if (job)
			a->f->coalesced++;
		else if (job_find(a->own, &a->q[i], &a->places[i]))
			job = a->own;
	}
	if (!job) {
		if (!a->own)
			a->own = calloc(1, sizeof(*a->own));
		job = a->own;
		if (!job)
			return -ENOMEM;
		job->epoch = a->f->epoch;
		job->uncached = a->uncached;
		a->places[i] = job->n;
		job->queries[job->n++] = a->q[i];
	}
	job->refs++;
	a->jobs[i] = job;
	return 0;
}

/* A device that failed a moment ago is not tried again for each of a million addresses. */
static bool is_known_unavailable(const struct firmware *f)
{
	return f->state != FIRMWARE_READY &&
	       clock_monotonic_ms() - f->state_since_ms < FIRMWARE_RECHECK_MS;
}

/* The thread has been in firmware for longer than the caller would wait: do not wait. */
static bool is_stuck(const struct firmware_request *a)
{
	return a->f->current && clock_monotonic_ms() - a->f->current_since_ms > a->timeout->call_ms;
}

/* Return: false at the timeout; with the lock held. */
static bool firmware_wait_until(struct firmware *f, uint64_t ms)
{
	struct timespec end = {.tv_sec = (time_t)(ms / 1000),
			       .tv_nsec = (long)(ms % 1000) * 1000000};

	return pthread_cond_timedwait(&f->news, &f->lock, &end) != ETIMEDOUT;
}

static void request_set_result(struct firmware_request *a, size_t i, enum firmware_result result)
{
	a->answers[i] =
		(struct firmware_answer){.result = result,
					 .state = a->f->stopping ? FIRMWARE_STOPPED : a->f->state,
					 .queried_dpa = a->q[i].dpa};
}

/* Waits for the job of query @i, until @end at most, and takes its answer. */
static void request_collect(struct firmware_request *a, size_t i, uint64_t end)
{
	struct firmware_job *job = a->jobs[i];
	const struct firmware_answer *there;

	while (!job->done && !a->f->stopping)
		if (!firmware_wait_until(a->f, end))
			break;
	there = &job->answers[a->places[i]];
	if (job->done) {
		a->answers[i] = *there;
		if (there->result == FIRMWARE_TRANSLATED || there->result == FIRMWARE_SHARED) {
			a->answers[i].spa =
				FIRMWARE_CHUNK_OF(there->spa) + a->q[i].dpa % FIRMWARE_CHUNK;
			a->answers[i].queried_dpa = a->q[i].dpa;
		}
	} else {
		request_set_result(a, i, a->f->stopping ? FIRMWARE_UNAVAILABLE : FIRMWARE_TOO_SLOW);
	}
	a->jobs[i] = firmware_job_unref(job);
}

/* One attempt for all queries that are still open. */
static void request_round(struct firmware_request *a, const bool *open)
{
	uint64_t end = clock_monotonic_ms() + a->timeout->call_ms;

	a->own = NULL;
	for (size_t i = 0; i < a->n; i++) {
		if (!open[i] || (!a->uncached && answer_from_cache(a->f, &a->q[i], &a->answers[i])))
			continue;
		if (a->f->stopping || is_known_unavailable(a->f))
			request_set_result(a, i, FIRMWARE_UNAVAILABLE);
		else if (a->timeout->call_ms == 0 || is_stuck(a) || request_add(a, i) < 0)
			request_set_result(a, i, FIRMWARE_TOO_SLOW);
	}
	if (a->own && firmware_submit(a->f, a->own) < 0)
		end = 0; /* no thread: as if it timed out */
	for (size_t i = 0; i < a->n; i++)
		if (a->jobs[i])
			request_collect(a, i, end);
}

/* Waits until the token bucket should have @n tokens. Return: false at the timeout. */
static bool wait_for_bucket(struct firmware_request *a, size_t n)
{
	unsigned int rate = a->f->info.rate ? a->f->info.rate : 1;
	uint64_t ms = (n * 1000 + rate - 1) / rate, end, now, begun = clock_monotonic_ms();
	unsigned int left = a->timeout->bucket_ms;

	if (left == 0)
		return false;
	/* In steps, because the bucket is shared and may fill earlier. */
	if (ms > 250)
		ms = 250;
	if (ms > left)
		ms = left;
	end = begun + ms;
	while (!a->f->stopping && (now = clock_monotonic_ms()) < end)
		(void)firmware_wait_until(a->f, end);
	now = clock_monotonic_ms();
	a->timeout->bucket_ms = now - begun < left ? left - (unsigned int)(now - begun) : 0;
	return !a->f->stopping;
}

static void request_run(struct firmware_request *a)
{
	bool open[FIRMWARE_BATCH_MAX];
	size_t limited;

	for (size_t i = 0; i < a->n; i++)
		open[i] = true;
	pthread_mutex_lock(&a->f->lock);
	do {
		request_round(a, open);
		limited = 0;
		for (size_t i = 0; i < a->n; i++) {
			open[i] = open[i] && a->answers[i].result == FIRMWARE_RATE_LIMITED;
			limited += open[i];
		}
	} while (limited && wait_for_bucket(a, limited));
	pthread_mutex_unlock(&a->f->lock);
}

void firmware_translate(struct firmware *f, const struct firmware_query *q, size_t n,
			struct firmware_timeout *timeout, struct firmware_answer *ret)
{
	struct firmware_request a = {.f = f, .q = q, .n = n, .timeout = timeout, .answers = ret};

	if (timeout)
		request_run(&a);
	for (size_t i = 0; !timeout && i < n; i++)
		(void)firmware_peek(f, &q[i], &ret[i]);
}

void firmware_translate_uncached(struct firmware *f, const struct firmware_query *q, size_t n,
				 struct firmware_timeout *timeout, struct firmware_answer *ret)
{
	struct firmware_request a = {
		.f = f, .q = q, .n = n, .timeout = timeout, .answers = ret, .uncached = true};

	request_run(&a);
}
