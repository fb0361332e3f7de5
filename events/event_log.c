// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"

/* Connections kept for later requests: so many can read at a time without opening the file. */
enum { IDLE_MAX = 8 };

/* Counts that are remembered: of so many clients that read pages at the same time. */
enum { COUNTS_MAX = 32 };

struct remembered_count {
	struct event_filter filter; /* its device is the copy */
	char device[EVENT_DEVICE_MAX];
	uint64_t next, entries; /* as in struct store_info, of the entries that were counted */
	uint64_t n;
};

struct event_log {
	struct store_writer *writer;
	struct event_log_traits traits;
	pthread_mutex_t lock; /* guards what follows */
	struct store_reader *idle[IDLE_MAX];
	size_t n_idle;
	char path[STORE_PATH_MAX]; /* of the file that they read */
	struct remembered_count counts[COUNTS_MAX];
	size_t oldest_count; /* is forgotten next */
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

void event_log_set_limits(struct event_log *log, const struct store_limits *limits)
{
	log->traits.max_records = limits->max_records;
	log->traits.policy = limits->policy;
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

static bool same_opt(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static bool same_filter(const struct event_filter *a, const struct event_filter *b)
{
	return str_equal(a->device ? a->device : "", b->device ? b->device : "") &&
	       a->severities == b->severities && a->types == b->types && a->logs == b->logs &&
	       same_opt(a->created_first, b->created_first) &&
	       same_opt(a->created_last, b->created_last) && a->has_spa == b->has_spa &&
	       (!a->has_spa || (a->spa_first == b->spa_first && a->spa_last == b->spa_last));
}

static bool find_count(struct event_log *log, const struct event_filter *filter,
		       const struct store_info *info, uint64_t *ret)
{
	bool found = false;

	(void)pthread_mutex_lock(&log->lock);
	for (size_t i = 0; i < COUNTS_MAX && !found; i++) {
		const struct remembered_count *c = &log->counts[i];

		found = c->next == info->next && c->entries == info->entries &&
			same_filter(&c->filter, filter);
		if (found)
			*ret = c->n;
	}
	(void)pthread_mutex_unlock(&log->lock);
	return found;
}

static void remember_count(struct event_log *log, const struct event_filter *filter,
			   const struct store_info *info, uint64_t n)
{
	struct remembered_count *c;

	if (filter->device && strlen(filter->device) >= EVENT_DEVICE_MAX)
		return;
	(void)pthread_mutex_lock(&log->lock);
	c = &log->counts[log->oldest_count++ % COUNTS_MAX];
	*c = (struct remembered_count){
		.filter = *filter, .next = info->next, .entries = info->entries, .n = n};
	if (filter->device) {
		memcpy(c->device, filter->device, strlen(filter->device) + 1);
		c->filter.device = c->device;
	}
	(void)pthread_mutex_unlock(&log->lock);
}

int event_log_count(struct event_log *log, struct store_reader *r,
		    const struct event_filter *filter, uint64_t *ret, struct error *e)
{
	struct store_info info;
	int result;

	if (!filter->has_spa && !filter->created_first.present && !filter->created_last.present)
		return store_count(r, filter, ret, e);
	result = store_read_info(r, &info, e);
	if (result < 0 || find_count(log, filter, &info, ret))
		return result;
	result = store_count(r, filter, ret, e);
	if (result >= 0)
		remember_count(log, filter, &info, *ret);
	return result;
}

void event_log_reader_put(struct event_log *log, struct store_reader *r, int result)
{
	if (store_reader_found_damage(r) || result == -EBADMSG)
		store_writer_check(log->writer);
	store_reader_limit(r, NULL);
	/* A connection that failed is not kept; a new one may succeed. */
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

int event_log_add(struct event_log *log, const struct stored_event *event)
{
	return store_writer_add(log->writer, event);
}

int event_log_start(struct event_log *log, store_job *job, void *userdata)
{
	return store_writer_do(log->writer, job, userdata);
}
