// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/tasks/tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "http/handler.h"
#include "redfish/core/render.h"
#include "redfish/core/job.h"
#include "redfish/core/system_id.h"
#include "redfish/tasks/state_tasks.h"

enum { RETRY_MS = 1000 };

/* A request that is watched, or a task. Freed when it is in no list and has no submitter. */
struct task_watch {
	struct tasks *tasks;
	TAILQ_ENTRY(task_watch) in;
	struct task task;
	struct task_parts parts;
	_Atomic(struct http_pending *) *pending; /* NULL after its end */
	struct job *job;			 /* NULL before tasks_attach(), and after its end */
	struct representation *answer;
	uint64_t due_ms;
	bool can_cancel, cancel;
	bool at_once;  /* the job waits until it is a task */
	bool is_task;  /* answered with 202, or about to be */
	bool detached; /* tasks_attach() was called */
	bool active;   /* tasks_end() was not called */
	bool changed, progressed;
	bool unwritten; /* the database could not be written */
	bool announced_end;
	unsigned int announced_percent;
};

TAILQ_HEAD(watch_list, task_watch);

struct removed_task {
	TAILQ_ENTRY(removed_task) in;
	struct task task;
};

TAILQ_HEAD(removed_list, removed_task);

struct tasks {
	struct worker worker;  /* its lock guards what follows */
	pthread_mutex_t write; /* held from the copy of a task until it is written; taken first */
	struct tasks_listener listener;
	unsigned int after_ms;
	struct state *state;
	bool loaded, failing;
	uint64_t retry_ms;
	struct watch_list watched, all; /* all: tasks, by Id */
	struct removed_list removed;
	size_t n_active, n_all;
	uint64_t last_id, progress_ms;
};

/* ---- lists, with the lock held ----------------------------------------------------------------
 */

static void watch_free(struct task_watch *w)
{
	task_parts_clear(&w->parts);
	(void)representation_unref(w->answer);
	(void)job_unref(w->job);
	free(w);
}

/* Changes that the thread has not announced yet are announced. */
static void remove_task(struct tasks *ts, struct task_watch *w)
{
	struct removed_task *gone = calloc(1, sizeof(*gone));

	TAILQ_REMOVE(&ts->all, w, in);
	ts->n_all--;
	if (gone) {
		gone->task = w->task;
		TAILQ_INSERT_TAIL(&ts->removed, gone, in);
		worker_wake(&ts->worker);
	}
	watch_free(w);
}

/* @user: whose; NULL: anyone's */
static struct task_watch *oldest_ended(struct tasks *ts, const char *user)
{
	struct task_watch *w = TAILQ_FIRST(&ts->all);

	while (w && (w->active || !w->detached || (user && !str_equal(w->task.user, user))))
		w = TAILQ_NEXT(w, in);
	return w;
}

/* A user with tasks of their own does not remove what others need to see. */
static void remove_oldest(struct tasks *ts, const char *user)
{
	struct task_watch *w = oldest_ended(ts, user);

	if (!w)
		w = oldest_ended(ts, NULL);
	if (w)
		remove_task(ts, w);
}

static void add_task(struct tasks *ts, struct task_watch *w)
{
	TAILQ_INSERT_TAIL(&ts->all, w, in);
	if (++ts->n_all > TASKS_MAX)
		remove_oldest(ts, w->task.user);
}

static struct task_watch *find_task(struct tasks *ts, uint64_t id)
{
	struct task_watch *w = TAILQ_FIRST(&ts->all);

	while (w && w->task.id != id)
		w = TAILQ_NEXT(w, in);
	return w;
}

/* ---- the state database -----------------------------------------------------------------------
 */

static struct representation *stored_body(const char *answer, size_t len)
{
	struct json_writer body = {0};

	if (answer && len > 0 && len <= TASK_ANSWER_MAX)
		put_raw_bytes(&body, answer, len);
	return body.len > 0 ? redfish_body_new(&body, CONTENT_TYPE_JSON) : NULL;
}

static int load_one(void *userdata, const struct task *t, const char *answer, size_t len)
{
	struct tasks *ts = userdata;
	struct task_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->tasks = ts;
	w->task = *t;
	w->task.n_parts = 0;
	w->is_task = w->detached = w->announced_end = true;
	if (!task_has_ended(t)) {
		w->task.state = TASK_INTERRUPTED;
		/* When its process ended is not known: now it is known that it has. */
		w->task.ended_ns = clock_realtime_ns();
		w->changed = true;
		w->announced_end = false;
	}
	w->answer = stored_body(answer, len);
	worker_lock(&ts->worker);
	add_task(ts, w);
	worker_unlock(&ts->worker);
	return 0;
}

/* Loads a part of a task that was loaded before it. */
static int load_part(void *userdata, uint64_t id, const struct task_part *part, const char *answer,
		     size_t len)
{
	struct tasks *ts = userdata;
	struct task_watch *w;
	struct task_part *p;

	worker_lock(&ts->worker);
	w = find_task(ts, id);
	p = w ? task_parts_find(&w->parts, part->name) : NULL;
	if (p) {
		*p = *part;
		p->answer = stored_body(answer, len);
		w->task.n_parts = (unsigned int)w->parts.n;
		if (w->task.state == TASK_INTERRUPTED)
			task_parts_settle(&w->parts, TASK_INTERRUPTED);
	}
	worker_unlock(&ts->worker);
	return 0;
}

/* Not with the lock held. */
static void load_tasks(struct tasks *ts)
{
	struct error e = {0};
	uint64_t last = 0;
	int r = state_read_tasks(ts->state, load_one, load_part, ts, &last, &e);

	worker_lock(&ts->worker);
	ts->loaded = r >= 0;
	if (r >= 0 && last > ts->last_id)
		ts->last_id = last;
	if (r < 0 && !ts->failing)
		log_warning("tasks cannot be read: %s", e.text);
	ts->failing = r < 0;
	ts->retry_ms = clock_monotonic_ms() + RETRY_MS;
	worker_unlock(&ts->worker);
}

static void note_written(struct tasks *ts, int r, const struct error *e)
{
	if (r < 0 && !ts->failing)
		log_warning("tasks are kept in memory only: %s", e->text);
	if (r >= 0 && ts->failing)
		log_info("tasks can be stored again");
	ts->failing = r < 0;
}

/*
 * Writes a task as it is now. With the lock held, which is released meanwhile; `write` makes sure
 * that no older copy is written later.
 */
static void write_task(struct tasks *ts, struct task_watch *w, enum state_durability durability)
{
	_cleanup_representation_ struct representation *answer = NULL;
	_cleanup_task_parts_ struct task_parts parts = {0};
	struct task copy = w->task;
	struct error e = {0};
	int r;

	w->changed = w->progressed = false;
	w->unwritten = ts->state && !ts->loaded;
	if (!ts->state || !ts->loaded)
		return;
	answer = w->answer ? representation_ref(w->answer) : NULL;
	r = task_parts_copy(&w->parts, &parts);
	worker_unlock(&ts->worker);
	if (r == 0)
		r = state_put_task(ts->state, durability, &copy, &parts,
				   answer ? answer->bytes : NULL, answer ? answer->len : 0, &e);
	worker_lock(&ts->worker);
	note_written(ts, r, &e);
	w = find_task(ts, copy.id);
	if (w)
		w->unwritten = r < 0;
	if (r < 0)
		ts->retry_ms = clock_monotonic_ms() + RETRY_MS;
}

/* ---- the thread -------------------------------------------------------------------------------
 */

/* Each with the lock held, which is released meanwhile. Return: whether there was something. */

static bool accept_due(struct tasks *ts, uint64_t now_ms)
{
	struct task_watch *w = TAILQ_FIRST(&ts->watched);
	struct http_pending *pending;
	struct task copy;

	if (!w || w->due_ms > now_ms)
		return false;
	TAILQ_REMOVE(&ts->watched, w, in);
	w->is_task = true;
	pending = atomic_exchange(w->pending, NULL);
	if (ts->state && !ts->loaded && ts->last_id == 0)
		ts->last_id = clock_realtime_ns() / 1000000; /* above all that are stored */
	w->task.id = ++ts->last_id;
	add_task(ts, w);
	if (w->at_once)
		worker_wake(&ts->worker); /* tasks_begin() */
	if (w->job)
		job_run_late(w->job);
	/* It may end meanwhile, and be removed: only the copy is used after it was written. */
	copy = w->task;
	worker_unlock(&ts->worker);
	(void)pthread_mutex_lock(&ts->write);
	worker_lock(&ts->worker);
	w = find_task(ts, copy.id);
	if (w) {
		copy = w->task;
		write_task(ts, w, STATE_DURABLE);
		w = find_task(ts, copy.id);
		if (w)
			w->progressed = w->task.percent > 0; /* to be announced */
	}
	worker_unlock(&ts->worker);
	(void)pthread_mutex_unlock(&ts->write);
	if (pending)
		ts->listener.accepted(ts->listener.userdata, &copy, pending);
	ts->listener.happened(ts->listener.userdata, &copy, TASK_STARTED);
	worker_lock(&ts->worker);
	return true;
}

static struct task_watch *find_changed(struct tasks *ts, uint64_t now_ms)
{
	const bool progress = now_ms >= ts->progress_ms;
	const bool again = !ts->worker.stop && ts->loaded && now_ms >= ts->retry_ms;
	struct task_watch *w;

	TAILQ_FOREACH(w, &ts->all, in)
	if (w->changed || (progress && w->progressed) || (again && w->unwritten))
		return w;
	return NULL;
}

/* Return: whether the change is an event. */
static bool next_event(struct task_watch *w, enum task_event *ret)
{
	bool ended = task_has_ended(&w->task);

	*ret = ended ? TASK_ENDED : TASK_PROGRESSED;
	if (ended ? w->announced_end : w->task.percent == w->announced_percent)
		return false;
	w->announced_end = ended;
	w->announced_percent = w->task.percent;
	return true;
}

static bool write_changed(struct tasks *ts, uint64_t now_ms)
{
	struct task_watch *w = find_changed(ts, now_ms);
	enum task_event event;
	struct task copy;
	bool announce;

	if (!w) {
		if (now_ms >= ts->progress_ms)
			ts->progress_ms = now_ms + TASK_PROGRESS_MS;
		return false;
	}
	worker_unlock(&ts->worker);
	(void)pthread_mutex_lock(&ts->write);
	worker_lock(&ts->worker);
	w = find_changed(ts, now_ms);
	if (!w) {
		worker_unlock(&ts->worker);
		(void)pthread_mutex_unlock(&ts->write);
		worker_lock(&ts->worker);
		return true;
	}
	announce = next_event(w, &event);
	copy = w->task;
	write_task(ts, w, task_has_ended(&copy) ? STATE_DURABLE : STATE_LAZY);
	worker_unlock(&ts->worker);
	(void)pthread_mutex_unlock(&ts->write);
	if (announce)
		ts->listener.happened(ts->listener.userdata, &copy, event);
	worker_lock(&ts->worker);
	return true;
}

static bool write_removed(struct tasks *ts)
{
	struct removed_task *gone = TAILQ_FIRST(&ts->removed);
	struct error e = {0};
	int r = 0;

	if (!gone)
		return false;
	TAILQ_REMOVE(&ts->removed, gone, in);
	worker_unlock(&ts->worker);
	if (ts->state)
		r = state_remove_task(ts->state, gone->task.id, &e);
	ts->listener.happened(ts->listener.userdata, &gone->task, TASK_REMOVED);
	free(gone);
	worker_lock(&ts->worker);
	note_written(ts, r, &e);
	return true;
}

static bool load_again(struct tasks *ts, uint64_t now_ms)
{
	if (!ts->state || ts->loaded || now_ms < ts->retry_ms)
		return false;
	worker_unlock(&ts->worker);
	load_tasks(ts);
	worker_lock(&ts->worker);
	return true;
}

static uint64_t next_wake(const struct tasks *ts, uint64_t now_ms)
{
	const struct task_watch *first = TAILQ_FIRST(&ts->watched);
	uint64_t next = first ? first->due_ms : now_ms + WORKER_FOREVER;

	if (ts->n_active > 0 && ts->progress_ms < next)
		next = ts->progress_ms;
	if (ts->state && (!ts->loaded || ts->failing) && ts->retry_ms < next)
		next = ts->retry_ms;
	return next;
}

static void *tasks_thread(void *userdata)
{
	struct tasks *ts = userdata;

	worker_lock(&ts->worker);
	while (!ts->worker.stop) {
		uint64_t now = clock_monotonic_ms();

		if (accept_due(ts, now) || write_changed(ts, now) || write_removed(ts) ||
		    load_again(ts, now))
			continue;
		/* The next attempt to write, if there is anything to be written then. */
		if (ts->failing && now >= ts->retry_ms)
			ts->retry_ms = now + RETRY_MS;
		(void)worker_wait(&ts->worker, next_wake(ts, now));
	}
	while (write_changed(ts, clock_monotonic_ms()) || write_removed(ts))
		;
	worker_unlock(&ts->worker);
	worker_ended(&ts->worker);
	return NULL;
}

/* With the lock held. Return: whether there is a thread. */
static bool have_thread(struct tasks *ts)
{
	return ts->worker.started ||
	       (!ts->worker.stop && worker_start(&ts->worker, tasks_thread, ts, NULL) == 0);
}

/* ---- lifetime ---------------------------------------------------------------------------------
 */

struct tasks *tasks_new(unsigned int after_ms, const struct tasks_listener *listener)
{
	struct tasks *ts = calloc(1, sizeof(*ts));

	if (!ts)
		return NULL;
	worker_init(&ts->worker);
	(void)pthread_mutex_init(&ts->write, NULL);
	TAILQ_INIT(&ts->watched);
	TAILQ_INIT(&ts->all);
	TAILQ_INIT(&ts->removed);
	ts->after_ms = after_ms;
	ts->listener = *listener;
	return ts;
}

void tasks_set_state(struct tasks *ts, struct state *st)
{
	ts->state = st;
	load_tasks(ts);
	worker_lock(&ts->worker);
	(void)have_thread(ts);
	worker_unlock(&ts->worker);
}

bool tasks_stop(struct tasks *ts, unsigned int wait_ms)
{
	return !ts || worker_stop(&ts->worker, wait_ms);
}

struct tasks *tasks_free(struct tasks *ts)
{
	struct task_watch *w;
	struct removed_task *gone;

	if (!ts)
		return NULL;
	(void)tasks_stop(ts, UINT_MAX);
	while ((w = TAILQ_FIRST(&ts->all))) {
		TAILQ_REMOVE(&ts->all, w, in);
		watch_free(w);
	}
	while ((gone = TAILQ_FIRST(&ts->removed))) {
		TAILQ_REMOVE(&ts->removed, gone, in);
		free(gone);
	}
	worker_done(&ts->worker);
	(void)pthread_mutex_destroy(&ts->write);
	free(ts);
	return NULL;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

/* With the lock held. All others have the same limit: they are in the order of their ends. */
static void add_watched(struct tasks *ts, struct task_watch *w)
{
	if (w->at_once)
		TAILQ_INSERT_HEAD(&ts->watched, w, in);
	else
		TAILQ_INSERT_TAIL(&ts->watched, w, in);
	if (TAILQ_FIRST(&ts->watched) == w)
		worker_wake(&ts->worker);
}

int tasks_watch(struct tasks *ts, const struct task *request,
		_Atomic(struct http_pending *) *pending, unsigned int traits,
		struct task_watch **ret)
{
	struct task_watch *w = calloc(1, sizeof(*w));
	int r = 0;

	if (!w)
		return -ENOMEM;
	w->tasks = ts;
	w->task = *request;
	w->task.state = TASK_PENDING;
	w->task.started_ns = clock_realtime_ns();
	w->pending = pending;
	w->can_cancel = traits & TASK_CAN_CANCEL;
	w->at_once = traits & TASK_AT_ONCE;
	w->active = true;
	w->due_ms = clock_monotonic_ms() + (w->at_once ? 0 : ts->after_ms);
	worker_lock(&ts->worker);
	if (ts->n_active >= TASKS_MAX || !have_thread(ts))
		r = -EBUSY;
	if (r == 0) {
		ts->n_active++;
		add_watched(ts, w);
	}
	worker_unlock(&ts->worker);
	if (r < 0)
		free(w);
	else
		*ret = w;
	return r;
}

void tasks_attach(struct task_watch *w, struct job *job)
{
	struct tasks *ts = w->tasks;
	bool unused = false;

	worker_lock(&ts->worker);
	w->detached = true;
	if (w->active) {
		w->job = job;
		if (w->is_task && job)
			job_run_late(job);
		job = NULL;
	} else {
		unused = !w->is_task;
	}
	worker_unlock(&ts->worker);
	(void)job_unref(job);
	if (unused)
		watch_free(w);
}

void tasks_begin(struct task_watch *w)
{
	struct tasks *ts = w->tasks;

	worker_lock(&ts->worker);
	while (w->at_once && !w->is_task && !ts->worker.stop)
		(void)worker_await(&ts->worker, clock_monotonic_ms() + WORKER_FOREVER);
	worker_unlock(&ts->worker);
	(void)pthread_mutex_lock(&ts->write);
	worker_lock(&ts->worker);
	w->task.began = true;
	if (w->task.state == TASK_PENDING)
		w->task.state = TASK_RUNNING;
	if (w->is_task)
		write_task(ts, w, STATE_DURABLE);
	worker_unlock(&ts->worker);
	(void)pthread_mutex_unlock(&ts->write);
}

/* With the lock held: what follows from the parts. */
static void note_parts(struct task_watch *w)
{
	w->task.n_parts = (unsigned int)w->parts.n;
	if (w->task.total == 0)
		w->task.percent = task_parts_percent(&w->parts);
	w->progressed = true;
}

void tasks_progress(struct task_watch *w, uint64_t done, uint64_t total, const char *unit)
{
	struct tasks *ts = w->tasks;

	worker_lock(&ts->worker);
	w->task.done = done > total ? total : done;
	w->task.total = total;
	if (total > 0)
		w->task.percent = task_percent(done, total);
	(void)snprintf(w->task.unit, sizeof(w->task.unit), "%s", unit);
	w->progressed = true;
	worker_unlock(&ts->worker);
}

void tasks_progress_part(struct task_watch *w, const char *part, uint64_t done, uint64_t total,
			 const char *unit)
{
	struct tasks *ts = w->tasks;
	struct task_part *p;

	worker_lock(&ts->worker);
	p = task_parts_find(&w->parts, part);
	if (p && unit)
		task_part_progress(p, done, total, unit);
	note_parts(w);
	worker_unlock(&ts->worker);
}

void tasks_end_part(struct task_watch *w, const char *part, int result,
		    struct representation *answer)
{
	struct tasks *ts = w->tasks;
	struct task_part *p;
	enum task_state state = result == 0 ? TASK_COMPLETED : TASK_EXCEPTION;

	if (result == -ECANCELED)
		state = TASK_CANCELLED;
	worker_lock(&ts->worker);
	p = task_parts_find(&w->parts, part);
	if (p)
		task_part_end(p, state, answer);
	else
		(void)representation_unref(answer);
	note_parts(w);
	worker_unlock(&ts->worker);
}

static enum task_state final_state(const struct task_watch *w, int result, unsigned int status)
{
	if (result == -ECANCELED && w->cancel)
		return TASK_CANCELLED;
	if (result == -ECANCELED || result == -ESHUTDOWN)
		return TASK_INTERRUPTED;
	return status < 400 ? TASK_COMPLETED : TASK_EXCEPTION;
}

static void take_answer(struct task_watch *w, const struct http_reply *reply)
{
	const char *location = http_reply_value(reply, "Location");
	char uri[RESOURCE_URI_MAX];

	w->task.status = reply->status;
	if (location)
		(void)snprintf(w->task.location, sizeof(w->task.location), "%s",
			       system_id_read_any(location, uri));
	if (reply->body && !reply->shared && reply->body->len > 0 &&
	    reply->body->len <= TASK_ANSWER_MAX)
		w->answer = representation_ref(reply->body);
}

void tasks_end(struct task_watch *w, int result, const struct http_reply *reply)
{
	struct tasks *ts = w->tasks;
	struct job *job;
	bool unused = false;

	worker_lock(&ts->worker);
	job = w->job;
	w->job = NULL;
	w->pending = NULL;
	w->active = false;
	ts->n_active--;
	if (w->is_task) {
		w->task.state = final_state(w, result, reply->status);
		w->task.ended_ns = clock_realtime_ns();
		if (w->task.state == TASK_COMPLETED) {
			w->task.percent = 100;
			w->task.done = w->task.total;
		}
		task_parts_settle(&w->parts, w->task.state);
		take_answer(w, reply);
		w->changed = true;
		worker_wake(&ts->worker);
	} else {
		TAILQ_REMOVE(&ts->watched, w, in);
		unused = w->detached;
	}
	worker_unlock(&ts->worker);
	(void)job_unref(job);
	if (unused)
		watch_free(w);
}

/* ---- by Id ------------------------------------------------------------------------------------
 */

size_t tasks_list(struct tasks *ts, uint64_t ret[static TASKS_MAX])
{
	struct task_watch *w;
	size_t n = 0;

	worker_lock(&ts->worker);
	TAILQ_FOREACH(w, &ts->all, in)
	if (n < TASKS_MAX)
		ret[n++] = w->task.id;
	worker_unlock(&ts->worker);
	return n;
}

bool tasks_get(struct tasks *ts, uint64_t id, struct task *ret, struct representation **ret_answer)
{
	struct task_watch *w;

	*ret_answer = NULL;
	worker_lock(&ts->worker);
	w = find_task(ts, id);
	if (w) {
		*ret = w->task;
		*ret_answer = w->answer ? representation_ref(w->answer) : NULL;
	}
	worker_unlock(&ts->worker);
	return w;
}

bool tasks_get_part(struct tasks *ts, uint64_t id, size_t number, struct task_part *ret)
{
	struct task_watch *w;
	bool found;

	worker_lock(&ts->worker);
	w = find_task(ts, id);
	found = w && number >= 1 && number <= w->parts.n;
	if (found) {
		*ret = w->parts.items[number - 1];
		if (ret->answer)
			(void)representation_ref(ret->answer);
	}
	worker_unlock(&ts->worker);
	return found;
}

/* With the lock held. Return: the job to be cancelled, one reference. */
static int begin_cancel(struct task_watch *w, struct job **ret)
{
	if (w->task.began && !w->can_cancel)
		return -EBUSY;
	if (!w->job)
		return -EBUSY;
	w->cancel = true;
	w->task.state = TASK_CANCELLING;
	*ret = job_ref(w->job);
	return 0;
}

int tasks_remove(struct tasks *ts, uint64_t id)
{
	struct task_watch *w;
	struct job *job = NULL;
	int r = 0;

	worker_lock(&ts->worker);
	w = find_task(ts, id);
	if (!w)
		r = -ENOENT;
	else if (w->active)
		r = begin_cancel(w, &job);
	else if (!w->detached)
		r = -EBUSY;
	else
		remove_task(ts, w);
	worker_unlock(&ts->worker);
	if (!job)
		return r;
	/* May end the job at once, and so the task. */
	job_cancel(job);
	(void)job_unref(job);
	return 0;
}

void tasks_cancel_of(struct tasks *ts, const char *user)
{
	uint64_t ids[TASKS_MAX];
	struct task_watch *w;
	size_t n = 0;

	worker_lock(&ts->worker);
	TAILQ_FOREACH(w, &ts->all, in)
	if (n < TASKS_MAX && w->active && str_equal(w->task.user, user))
		ids[n++] = w->task.id;
	worker_unlock(&ts->worker);
	while (n > 0)
		(void)tasks_remove(ts, ids[--n]);
}
