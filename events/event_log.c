// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

/* Connections kept for later requests: so many can read at a time without opening the file. */
enum { IDLE_MAX = 8 };

struct event_log {
	struct store_writer *writer;
	struct event_log_traits traits;
	pthread_mutex_t lock; /* guards what follows */
	struct store_reader *idle[IDLE_MAX];
	size_t n_idle;
	char path[STORE_PATH_MAX]; /* of the file that they read */
};

int event_log_new(struct store_writer *writer, const struct event_log_traits *traits,
		  struct event_log **ret, struct error *e)
{
	struct event_log *log = calloc(1, sizeof(*log));

	if (!log)
		return error_set(e, ENOMEM, "out of memory");
	log->writer = writer;
	log->traits = *traits;
	(void)pthread_mutex_init(&log->lock, NULL);
	*ret = log;
	return 0;
}

static void drop_idle(struct event_log *log)
{
	while (log->n_idle > 0)
		(void)store_reader_close(log->idle[--log->n_idle]);
}

struct event_log *event_log_free(struct event_log *log)
{
	if (!log)
		return NULL;
	drop_idle(log);
	(void)pthread_mutex_destroy(&log->lock);
	free(log);
	return NULL;
}

const struct event_log_traits *event_log_traits(const struct event_log *log)
{
	return &log->traits;
}

void event_log_status(struct event_log *log, struct store_status *ret)
{
	store_writer_status(log->writer, ret);
}

/* Return: an idle connection to the file that is used now, NULL when there is none. */
static struct store_reader *take_idle(struct event_log *log, const char *path)
{
	struct store_reader *r = NULL;

	(void)pthread_mutex_lock(&log->lock);
	if (strcmp(log->path, path) != 0) {
		drop_idle(log);
		memcpy(log->path, path, strlen(path) + 1);
	}
	if (log->n_idle > 0)
		r = log->idle[--log->n_idle];
	(void)pthread_mutex_unlock(&log->lock);
	return r;
}

int event_log_reader_get(struct event_log *log, struct store_reader **ret, struct error *e)
{
	struct store_status status;
	struct store_reader *r;

	event_log_status(log, &status);
	if (!status.path[0])
		return error_set(e, ENOENT, "the event log is not available: %s", status.text);
	r = take_idle(log, status.path);
	if (!r)
		return store_reader_open(status.path, ret, e);
	*ret = r;
	return 0;
}

void event_log_reader_put(struct event_log *log, struct store_reader *r, int result)
{
	if (result == -EBADMSG)
		store_writer_check(log->writer);
	/* One that failed is not kept; a new connection may succeed. */
	if (result >= 0 || result == -ENOENT) {
		(void)pthread_mutex_lock(&log->lock);
		if (log->n_idle < IDLE_MAX)
			log->idle[log->n_idle++] = STEAL_PTR(r);
		(void)pthread_mutex_unlock(&log->lock);
	}
	(void)store_reader_close(r);
}

struct waited_job {
	store_job *job;
	void *userdata;
	int result;
	bool done;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

static int run_waited(struct store *store, void *userdata)
{
	struct waited_job *w = userdata;
	int r = store ? w->job(store, w->userdata) : -ESHUTDOWN;

	if (r == 1)
		return r;
	/* With the lock held until the end, because the waiting thread then frees the memory. */
	(void)pthread_mutex_lock(&w->lock);
	w->result = r;
	w->done = true;
	(void)pthread_cond_signal(&w->changed);
	(void)pthread_mutex_unlock(&w->lock);
	return r == -ESHUTDOWN ? 0 : r;
}

int event_log_do(struct event_log *log, store_job *job, void *userdata)
{
	struct waited_job w = {
		.job = job,
		.userdata = userdata,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	int r = store_writer_do(log->writer, run_waited, &w);

	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&w.lock);
	while (!w.done)
		(void)pthread_cond_wait(&w.changed, &w.lock);
	(void)pthread_mutex_unlock(&w.lock);
	return w.result;
}

int event_log_start(struct event_log *log, store_job *job, void *userdata)
{
	return store_writer_do(log->writer, job, userdata);
}
