// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/job.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "common/clock.h"
#include "common/thread.h"

const struct job_limits job_limits_default = {
	.queued = JOBS_QUEUED_MAX,
	.queue_ms = JOB_QUEUE_MS,
	.run_ms = JOB_RUN_MS,
};

struct job {
	atomic_uint references;
	struct jobs *jobs;
	const struct job_ops *ops;
	void *state;
	uint64_t submitted_ms, started_ms;
	unsigned int run_ms;
	bool late;
	atomic_bool cancelled, runs_late;

	/* Guarded by jobs->lock. */
	TAILQ_ENTRY(job) in_queue;
	bool abandoned, abandon_returned;
};

TAILQ_HEAD(job_list, job);

/* A thread of a class. */
struct job_worker {
	struct job_queue *queue;
	struct job *running;
	pthread_t thread;
	bool has_thread, ended;
};

struct job_queue {
	struct jobs *jobs;
	pthread_cond_t changed;
	struct job_list waiting;
	size_t n, n_idle; /* jobs that wait; threads that do */
	unsigned int n_workers;
	struct job_worker workers[JOB_THREADS_MAX];
};

struct jobs {
	struct job_limits limits;
	pthread_mutex_t lock; /* guards what follows, and the queues */
	pthread_cond_t ended; /* a thread has, or abandon() has returned, or a job was cancelled */
	struct job_queue queues[JOB_CLASSES];
	bool stop;
};

/* The threads of classes that have more than one. */
static const unsigned int threads_of[JOB_CLASSES] = {
	[JOB_CAPACITY] = JOB_CAPACITY_THREADS,
	[JOB_DEVICE_CHANGES] = JOB_THREADS_MAX,
	[JOB_SCANS] = JOB_SCAN_THREADS,
};

struct job *job_ref(struct job *job)
{
	atomic_fetch_add_explicit(&job->references, 1, memory_order_relaxed);
	return job;
}

struct job *job_unref(struct job *job)
{
	if (job && atomic_fetch_sub_explicit(&job->references, 1, memory_order_acq_rel) == 1)
		free(job);
	return NULL;
}

/* ---- completion -------------------------------------------------------------------------
 */

/* The job is in no queue and does not run. Its state is released. */
static void job_end(struct job *job, int result)
{
	job->ops->end(job, job->state, result);
	if (job->ops->free)
		job->ops->free(job->state);
	(void)job_unref(job);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

static void queue_remove(struct job_queue *q, struct job *job)
{
	TAILQ_REMOVE(&q->waiting, job, in_queue);
	q->n--;
}

/* Return: the next job, which runs from now on; NULL when the thread is to end. */
static struct job *worker_take(struct job_worker *w)
{
	struct job_queue *q = w->queue;
	struct jobs *jobs = q->jobs;
	struct job *job;

	(void)pthread_mutex_lock(&jobs->lock);
	q->n_idle++;
	while (TAILQ_EMPTY(&q->waiting) && !jobs->stop)
		(void)pthread_cond_wait(&q->changed, &jobs->lock);
	q->n_idle--;
	job = jobs->stop ? NULL : TAILQ_FIRST(&q->waiting);
	if (job) {
		queue_remove(q, job);
		job->started_ms = clock_monotonic_ms();
		job->late = job->started_ms - job->submitted_ms > jobs->limits.queue_ms;
		w->running = job;
	}
	(void)pthread_mutex_unlock(&jobs->lock);
	return job;
}

/* abandon() must not get a state that was released. */
static void worker_finish(struct job_worker *w, struct job *job)
{
	struct jobs *jobs = w->queue->jobs;

	(void)pthread_mutex_lock(&jobs->lock);
	w->running = NULL;
	while (job->abandoned && !job->abandon_returned)
		(void)pthread_cond_wait(&jobs->ended, &jobs->lock);
	(void)pthread_mutex_unlock(&jobs->lock);
}

static void *job_thread(void *userdata)
{
	struct job_worker *w = userdata;
	struct jobs *jobs = w->queue->jobs;
	struct job *job;

	while ((job = worker_take(w))) {
		int result = -ETIMEDOUT;

		if (!job->late || job->ops->runs_late || atomic_load(&job->runs_late))
			result = job->ops->run(job, job->state);
		worker_finish(w, job);
		job_end(job, result);
	}
	(void)pthread_mutex_lock(&jobs->lock);
	w->ended = true;
	(void)pthread_cond_broadcast(&jobs->ended);
	(void)pthread_mutex_unlock(&jobs->lock);
	return NULL;
}

static void queue_init(struct job_queue *q, struct jobs *jobs, unsigned int n_workers)
{
	q->jobs = jobs;
	TAILQ_INIT(&q->waiting);
	(void)pthread_cond_init(&q->changed, NULL);
	q->n_workers = n_workers > 0 ? n_workers : 1;
	for (unsigned int i = 0; i < q->n_workers; i++)
		q->workers[i].queue = q;
}

int jobs_new(const struct job_limits *limits, struct jobs **ret, struct error *e)
{
	struct jobs *jobs = calloc(1, sizeof(*jobs));

	if (!jobs)
		return error_set(e, ENOMEM, "out of memory");
	jobs->limits = *limits;
	(void)pthread_mutex_init(&jobs->lock, NULL);
	thread_cond_init(&jobs->ended);
	for (size_t i = 0; i < JOB_CLASSES; i++)
		queue_init(&jobs->queues[i], jobs, threads_of[i]);
	*ret = jobs;
	return 0;
}

/* With the lock held. Return: a queued job, to be ended; NULL when there is none. */
static struct job *first_queued(struct jobs *jobs)
{
	for (size_t i = 0; i < JOB_CLASSES; i++) {
		struct job *job = TAILQ_FIRST(&jobs->queues[i].waiting);

		if (job) {
			queue_remove(&jobs->queues[i], job);
			return job;
		}
	}
	return NULL;
}

/* With the lock held. */
static void queue_cancel_running(struct job_queue *q)
{
	for (unsigned int i = 0; i < q->n_workers; i++)
		if (q->workers[i].running)
			atomic_store(&q->workers[i].running->cancelled, true);
}

/* Ends what is queued, cancels what runs and wakes all threads. */
static void stop_all(struct jobs *jobs)
{
	struct job *job;

	(void)pthread_mutex_lock(&jobs->lock);
	jobs->stop = true;
	for (size_t i = 0; i < JOB_CLASSES; i++) {
		queue_cancel_running(&jobs->queues[i]);
		(void)pthread_cond_broadcast(&jobs->queues[i].changed);
	}
	(void)pthread_cond_broadcast(&jobs->ended);
	while ((job = first_queued(jobs))) {
		(void)pthread_mutex_unlock(&jobs->lock);
		job_end(job, -ESHUTDOWN);
		(void)pthread_mutex_lock(&jobs->lock);
	}
	(void)pthread_mutex_unlock(&jobs->lock);
}

static void job_abandon(struct jobs *jobs, struct job *job)
{
	if (job->ops->abandon)
		job->ops->abandon(job, job->state);
	(void)pthread_mutex_lock(&jobs->lock);
	job->abandon_returned = true;
	(void)pthread_cond_broadcast(&jobs->ended);
	(void)pthread_mutex_unlock(&jobs->lock);
	(void)job_unref(job);
}

/* Return: whether the thread has ended, and is joined. */
static bool worker_join(struct job_worker *w, uint64_t until_ms)
{
	struct jobs *jobs = w->queue->jobs;
	struct job *job = NULL;
	bool ended;
	int r = 0;

	(void)pthread_mutex_lock(&jobs->lock);
	while (w->has_thread && !w->ended && r == 0)
		r = thread_cond_wait_until(&jobs->ended, &jobs->lock, until_ms);
	ended = !w->has_thread || w->ended;
	if (!ended && w->running && !w->running->abandoned) {
		job = job_ref(w->running);
		job->abandoned = true;
	}
	(void)pthread_mutex_unlock(&jobs->lock);
	if (w->has_thread && ended) {
		(void)pthread_join(w->thread, NULL);
		w->has_thread = false;
	}
	if (job)
		job_abandon(jobs, job);
	return ended;
}

/* Return: whether all threads of a class have ended. */
static bool queue_join(struct job_queue *q, uint64_t until_ms)
{
	bool all = true;

	for (unsigned int i = 0; i < q->n_workers; i++)
		all &= worker_join(&q->workers[i], until_ms);
	return all;
}

bool jobs_stop(struct jobs *jobs, unsigned int wait_ms)
{
	uint64_t until = clock_monotonic_ms() + wait_ms;
	bool all = true;

	stop_all(jobs);
	for (size_t i = 0; i < JOB_CLASSES; i++)
		all &= queue_join(&jobs->queues[i], until);
	return all;
}

struct jobs *jobs_free(struct jobs *jobs)
{
	if (!jobs)
		return NULL;
	(void)jobs_stop(jobs, UINT_MAX);
	for (size_t i = 0; i < JOB_CLASSES; i++)
		(void)pthread_cond_destroy(&jobs->queues[i].changed);
	(void)pthread_cond_destroy(&jobs->ended);
	(void)pthread_mutex_destroy(&jobs->lock);
	free(jobs);
	return NULL;
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

/* With the lock held. Return: 0 when a thread will take one more job, now or later. */
static int queue_start_worker(struct job_queue *q)
{
	unsigned int i = 0;
	int r;

	if (q->n < q->n_idle)
		return 0;
	while (i < q->n_workers && q->workers[i].has_thread)
		i++;
	if (i == q->n_workers)
		return 0;
	r = thread_start(&q->workers[i].thread, job_thread, &q->workers[i]);
	if (r == 0)
		q->workers[i].has_thread = true;
	return i > 0 ? 0 : r;
}

/* With the lock held. Return: 0 when the job was queued. */
static int queue_add(struct jobs *jobs, struct job *job)
{
	struct job_queue *q = &jobs->queues[job->ops->class];
	int r;

	if (jobs->stop)
		return -ESHUTDOWN;
	if (q->n >= jobs->limits.queued)
		return -EBUSY;
	r = queue_start_worker(q);
	if (r < 0)
		return r;
	TAILQ_INSERT_TAIL(&q->waiting, job, in_queue);
	q->n++;
	(void)pthread_cond_signal(&q->changed);
	return 0;
}

int job_submit(struct jobs *jobs, const struct job_ops *ops, void *state, struct job **ret)
{
	struct job *job = calloc(1, sizeof(*job));
	int r;

	if (!job)
		return -ENOMEM;
	/* One reference until it has ended, and the caller's. */
	atomic_init(&job->references, ret ? 2 : 1);
	job->jobs = jobs;
	job->ops = ops;
	job->state = state;
	job->submitted_ms = clock_monotonic_ms();
	job->run_ms = jobs->limits.run_ms;
	(void)pthread_mutex_lock(&jobs->lock);
	r = queue_add(jobs, job);
	(void)pthread_mutex_unlock(&jobs->lock);
	if (r < 0)
		free(job);
	else if (ret)
		*ret = job;
	return r;
}

void job_run_late(struct job *job)
{
	atomic_store(&job->runs_late, true);
}

/* With the lock held. Whether it is in its queue: jobs_stop() may be ending it. */
static bool is_waiting(const struct job *job)
{
	const struct job *waiting = TAILQ_FIRST(&job->jobs->queues[job->ops->class].waiting);

	while (waiting && waiting != job)
		waiting = TAILQ_NEXT(waiting, in_queue);
	return waiting;
}

void job_cancel(struct job *job)
{
	struct jobs *jobs = job->jobs;
	bool waiting;

	(void)pthread_mutex_lock(&jobs->lock);
	atomic_store(&job->cancelled, true);
	waiting = is_waiting(job);
	if (waiting)
		queue_remove(&jobs->queues[job->ops->class], job);
	(void)pthread_cond_broadcast(&jobs->ended);
	(void)pthread_mutex_unlock(&jobs->lock);
	if (waiting)
		job_end(job, -ECANCELED);
}

bool job_is_cancelled(struct job *job)
{
	return atomic_load(&job->cancelled);
}

bool job_is_late(const struct job *job)
{
	return job->late;
}

uint64_t job_deadline_ms(const struct job *job)
{
	return job->started_ms + job->run_ms;
}

void job_set_run_ms(struct job *job, unsigned int run_ms)
{
	job->run_ms = run_ms;
}

int job_wait(struct job *job, uint64_t until_ms)
{
	struct jobs *jobs = job->jobs;
	int r = 0;

	(void)pthread_mutex_lock(&jobs->lock);
	while (!job_is_cancelled(job) && r == 0)
		r = thread_cond_wait_until(&jobs->ended, &jobs->lock, until_ms);
	(void)pthread_mutex_unlock(&jobs->lock);
	return job_is_cancelled(job) ? -ECANCELED : 0;
}
