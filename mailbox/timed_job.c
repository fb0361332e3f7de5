// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/timed_job.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/strutil.h"
#include "common/thread.h"

/* Shared by the thread that runs it and the one that waits; freed by the last of the two. */
struct timed_job {
	const struct timed_job_ops *ops;
	void *state;
	char name[TIMED_JOB_NAME_MAX];
	atomic_bool abandoned; /* set with the lock held */
	bool done;	       /* guarded by the lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_done = PTHREAD_COND_INITIALIZER;
static struct timed_job
	*hanging[TIMED_JOBS_HANGING_MAX]; /* guarded by the lock, as is their number */
static size_t n_hanging;

static void *timed_job_thread(void *userdata)
{
	struct timed_job *job = userdata;
	bool abandoned;

	job->ops->run(job->state, &job->abandoned);
	(void)pthread_mutex_lock(&lock);
	job->done = true;
	abandoned = job->abandoned;
	for (size_t i = 0; i < n_hanging; i++)
		if (hanging[i] == job)
			hanging[i] = hanging[--n_hanging];
	(void)pthread_cond_broadcast(&job_done);
	(void)pthread_mutex_unlock(&lock);
	if (abandoned) {
		job->ops->free(job->state);
		free(job);
	}
	return NULL;
}

static int timed_job_start(struct timed_job *job)
{
	pthread_t thread;
	int r = thread_start(&thread, timed_job_thread, job);

	return r < 0 ? r : -pthread_detach(thread);
}

static int timed_job_check_hanging(const char *name)
{
	int r;

	(void)pthread_mutex_lock(&lock);
	r = n_hanging < TIMED_JOBS_HANGING_MAX ? 0 : -EUSERS;
	for (size_t i = 0; i < n_hanging; i++)
		if (str_equal(hanging[i]->name, name))
			r = -ETIMEDOUT;
	(void)pthread_mutex_unlock(&lock);
	return r;
}

/* Return: whether it is done; if not, it belongs to its thread. */
static bool timed_job_wait(struct timed_job *job)
{
	struct timespec until;
	bool done;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += TIMED_JOB_SECONDS;
	(void)pthread_mutex_lock(&lock);
	while (!job->done && pthread_cond_clockwait(&job_done, &lock, CLOCK_MONOTONIC, &until) == 0)
		;
	done = job->done;
	if (!done) {
		/* It fits: only one thread at a time comes here, after timed_job_check_hanging().
		 */
		job->abandoned = true;
		hanging[n_hanging++] = job;
	}
	(void)pthread_mutex_unlock(&lock);
	return done;
}

int timed_job_run(const char *name, const struct timed_job_ops *ops, void *state)
{
	struct timed_job *job = NULL;
	int r = timed_job_check_hanging(name);

	if (r == 0) {
		job = calloc(1, sizeof(*job));
		r = job ? 0 : -ENOMEM;
	}
	if (r == 0) {
		job->ops = ops;
		job->state = state;
		(void)snprintf(job->name, sizeof(job->name), "%s", name);
		atomic_init(&job->abandoned, false);
		r = timed_job_start(job);
	}
	if (r == 0 && !timed_job_wait(job))
		return -ETIMEDOUT;
	free(job);
	if (r < 0)
		ops->free(state);
	return r;
}
