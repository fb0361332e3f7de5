// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/deferred.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/thread.h"
#include "prm/firmware.h"

struct deferred {
	struct service *service;
	pthread_t thread;
	bool has_thread;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	struct deferred_job *first, **end;
	size_t n;
	bool stop;
};

/* Return: the next job, NULL when it is time to end and there is none left. */
static struct deferred_job *take(struct deferred *d, bool *ret_stop)
{
	struct deferred_job *job;

	(void)pthread_mutex_lock(&d->lock);
	while (!d->first && !d->stop)
		(void)pthread_cond_wait(&d->changed, &d->lock);
	job = d->first;
	if (job) {
		d->first = job->next;
		if (!d->first)
			d->end = &d->first;
		d->n--;
	}
	*ret_stop = d->stop;
	(void)pthread_mutex_unlock(&d->lock);
	return job;
}

static void answer(struct deferred *d, struct deferred_job *job)
{
	/* Nobody waits at the rate limit: who comes now would make all behind him wait, too. */
	struct firmware_timeout timeout = {.call_ms = DEFERRED_CALL_MS, .bucket_ms = 0};

	if (clock_monotonic_ms() - job->since_ms > DEFERRED_WAIT_MS)
		timeout.call_ms = 0;
	service_handle_asking(d->service, job->req, &timeout, &job->res);
}

static void *work(void *userdata)
{
	struct deferred *d = userdata;
	struct deferred_job *job;
	bool stop;

	while ((job = take(d, &stop))) {
		if (stop)
			service_refuse_busy(&job->res);
		else
			answer(d, job);
		job->done(job);
	}
	return NULL;
}

static int start(struct deferred *d)
{
	int r = thread_start(&d->thread, work, d);

	d->has_thread = r == 0;
	return r;
}

int deferred_new(struct service *service, struct deferred **ret, struct error *e)
{
	struct deferred *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return error_set(e, ENOMEM, "out of memory");
	d->service = service;
	d->end = &d->first;
	(void)pthread_mutex_init(&d->lock, NULL);
	(void)pthread_cond_init(&d->changed, NULL);
	r = start(d);
	if (r < 0) {
		(void)deferred_free(d);
		return error_set(e, r, "cannot start a thread: %s", strerror(-r));
	}
	*ret = d;
	return 0;
}

int deferred_add(struct deferred *d, struct deferred_job *job)
{
	int r = 0;

	job->next = NULL;
	job->since_ms = clock_monotonic_ms();
	(void)pthread_mutex_lock(&d->lock);
	if (d->stop) {
		r = -ESHUTDOWN;
	} else if (d->n >= DEFERRED_MAX) {
		r = -EBUSY;
	} else {
		*d->end = job;
		d->end = &job->next;
		d->n++;
		(void)pthread_cond_signal(&d->changed);
	}
	(void)pthread_mutex_unlock(&d->lock);
	return r;
}

void deferred_stop(struct deferred *d)
{
	(void)pthread_mutex_lock(&d->lock);
	d->stop = true;
	(void)pthread_cond_signal(&d->changed);
	(void)pthread_mutex_unlock(&d->lock);
	if (d->has_thread)
		(void)pthread_join(d->thread, NULL);
	d->has_thread = false;
}

struct deferred *deferred_free(struct deferred *d)
{
	if (!d)
		return NULL;
	deferred_stop(d);
	(void)pthread_cond_destroy(&d->changed);
	(void)pthread_mutex_destroy(&d->lock);
	free(d);
	return NULL;
}
