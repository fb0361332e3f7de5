// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The client's thread, which sends the queued batches to the device one at a time.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/thread.h"
#include "prm/firmware_private.h"

struct firmware_job *firmware_job_unref(struct firmware_job *job)
{
	if (job && --job->refs == 0)
		free(job);
	return NULL;
}

/*
 * Errors that repeat for the same chunk until the topology changes. A device that is not bound, or
 * firmware without resources, may succeed the next time.
 */
static bool is_permanent(int error)
{
	switch (error) {
	case -EINVAL:
	case -ENOENT:
	case -EIO:
	case -EROFS:
	case -EACCES:
	case -ENODATA:
	case -ERANGE:
	case -EOVERFLOW:
		return true;
	default:
		return false;
	}
}

static struct firmware_answer classify_entry(const struct cxl_prm_entry *entry,
					     enum firmware_state state)
{
	struct firmware_answer a = {
		.queried_dpa = entry->dpa, .spa = entry->spa, .error = entry->error};

	if (entry->error == -EAGAIN)
		a.result = FIRMWARE_RATE_LIMITED;
	else if (entry->error && state != FIRMWARE_READY)
		a.result = FIRMWARE_UNAVAILABLE;
	else if (entry->error)
		a.result = FIRMWARE_ERROR;
	else if ((entry->spa ^ entry->dpa) % FIRMWARE_CHUNK != 0)
		a.result = FIRMWARE_LOW_BITS;
	else
		a.result = FIRMWARE_TRANSLATED;
	a.state = state;
	return a;
}

static bool is_lasting(const struct firmware_answer *a)
{
	return a->result == FIRMWARE_TRANSLATED || a->result == FIRMWARE_LOW_BITS ||
	       (a->result == FIRMWARE_ERROR && is_permanent(a->error));
}

/* A later answer may have shown that an earlier one is wrong. */
static void recheck(struct firmware *f, struct firmware_job *job)
{
	for (size_t i = 0; i < job->n; i++)
		if (job->answers[i].result == FIRMWARE_TRANSLATED)
			(void)firmware_cache_get(f->cache, &job->queries[i], &job->answers[i]);
}

/* Fills in the job's answers; with the lock held. */
static void classify_entries(struct firmware *f, struct firmware_job *job,
			     const struct cxl_prm_entry *entries, bool filled,
			     enum firmware_state state)
{
	for (size_t i = 0; i < job->n; i++) {
		struct firmware_answer *a = &job->answers[i];

		*a = filled ? classify_entry(&entries[i], state)
			    : (struct firmware_answer){.result = FIRMWARE_UNAVAILABLE,
						       .state = state,
						       .queried_dpa = job->queries[i].dpa};
		if (!job->uncached && job->epoch == f->epoch && is_lasting(a))
			firmware_cache_put(f->cache, &job->queries[i], a);
	}
	if (!job->uncached && job->epoch == f->epoch)
		recheck(f, job);
	for (size_t i = 0; i < job->n; i++)
		firmware_note_answer(f, &job->queries[i], &job->answers[i]);
}

static void note_duration(struct firmware *f, const struct cxl_prm_entry *entries, size_t n)
{
	uint64_t ms = clock_monotonic_ms() - f->current_since_ms;
	size_t tried = 0;

	for (size_t i = 0; i < n; i++)
		tried += entries[i].error != -EAGAIN;
	if (tried)
		f->call_ms = (unsigned int)(ms / tried);
	f->queried += tried;
}

static void run_job(struct firmware *f, struct firmware_job *job)
{
	struct cxl_prm_entry entries[FIRMWARE_BATCH_MAX] = {0};
	bool was_ready = f->was_ready, filled;
	struct firmware_visit visit;

	for (size_t i = 0; i < job->n; i++) {
		entries[i].segment = (uint16_t)job->queries[i].segment;
		entries[i].bus = job->queries[i].bus;
		entries[i].devfn = job->queries[i].devfn;
		entries[i].dpa = job->queries[i].dpa;
	}
	pthread_mutex_unlock(&f->lock);
	filled = firmware_device_translate(f, was_ready, entries, job->n, &visit);
	pthread_mutex_lock(&f->lock);
	firmware_note_visit(f, &visit);
	if (filled)
		note_duration(f, entries, job->n);
	classify_entries(f, job, entries, filled, visit.state);
}

static void firmware_destroy(struct firmware *f)
{
	pthread_mutex_destroy(&f->lock);
	pthread_cond_destroy(&f->work);
	pthread_cond_destroy(&f->news);
	firmware_cache_free(f->cache);
	free(f->geometries);
	free(f->path);
	free(f);
}

static void *firmware_thread(void *userdata)
{
	struct firmware *f = userdata;
	bool last;

	pthread_mutex_lock(&f->lock);
	while (!f->stopping) {
		struct firmware_job *job = f->queue;

		if (!job) {
			pthread_cond_wait(&f->work, &f->lock);
			continue;
		}
		f->queue = job->next;
		if (!f->queue)
			f->queue_end = &f->queue;
		/* With one reference left every waiter has timed out: skip it. */
		if (job->refs > 1) {
			f->current = job;
			f->current_since_ms = clock_monotonic_ms();
			run_job(f, job);
			f->current = NULL;
			job->done = true;
			pthread_cond_broadcast(&f->news);
		}
		firmware_job_unref(job);
	}
	while (f->queue) {
		struct firmware_job *job = f->queue;

		f->queue = job->next;
		firmware_job_unref(job);
	}
	last = --f->refs == 0;
	pthread_mutex_unlock(&f->lock);
	if (last)
		firmware_destroy(f);
	return NULL;
}

static int firmware_thread_start(struct firmware *f)
{
	int r;

	f->refs++;
	r = thread_start(&f->thread, firmware_thread, f);
	if (r < 0) {
		f->refs--;
		return -EAGAIN;
	}
	f->has_thread = true;
	return 0;
}

int firmware_submit(struct firmware *f, struct firmware_job *job)
{
	if (!f->has_thread && firmware_thread_start(f) < 0)
		return -EAGAIN;
	job->refs++;
	job->next = NULL;
	*f->queue_end = job;
	f->queue_end = &job->next;
	pthread_cond_signal(&f->work);
	return 0;
}

void firmware_stop(struct firmware *f)
{
	pthread_mutex_lock(&f->lock);
	f->stopping = true;
	pthread_cond_broadcast(&f->work);
	pthread_cond_broadcast(&f->news);
	pthread_mutex_unlock(&f->lock);
}

struct firmware *firmware_free(struct firmware *f)
{
	pthread_t thread;
	bool join, last;

	if (!f)
		return NULL;
	firmware_stop(f);
	pthread_mutex_lock(&f->lock);
	thread = f->thread;
	/* It can be in firmware for minutes: then it is detached and frees the client itself. */
	join = f->has_thread && !f->current;
	if (f->has_thread && f->current)
		pthread_detach(thread);
	pthread_mutex_unlock(&f->lock);
	if (join)
		pthread_join(thread, NULL);
	pthread_mutex_lock(&f->lock);
	last = --f->refs == 0;
	pthread_mutex_unlock(&f->lock);
	if (last)
		firmware_destroy(f);
	return NULL;
}
