/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_TASKS_H
#define CXLR_REDFISH_TASKS_H

/*
 * Tasks: requests that change something, continue as a job (redfish/core/job.h) and take longer
 * than a limit, or that are to be tasks from their beginning. Each such request is watched from its
 * submission; when the limit has passed and it was not answered it becomes a task, whether it runs
 * or is still queued, and is answered with 202 while the job goes on. A task whose job was queued
 * is not dropped for being late.
 *
 * Tasks are kept in memory and, with a state database, there too: the beginning before the job
 * runs, progress once in TASK_PROGRESS_MS, the end as soon as possible. A task that had not ended
 * when the process did is TASK_INTERRUPTED afterwards. While the database cannot be written, tasks
 * are kept in memory alone; the log says so.
 *
 * A task that changes several objects has a part for each (task_parts.h), kept with it.
 *
 * One thread waits for the limits, writes to the database and calls the listener. Any thread may
 * make any call; those that wait for the disk are marked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redfish/tasks/task.h"
#include "redfish/tasks/task_parts.h"

enum {
	TASK_AFTER_S = 1, /* until a request becomes a task, unless it is configured */
	TASK_AFTER_MAX_S = 600,
	TASKS_MAX = 100, /* with the requests that may become one; the oldest that ended go, of
			    the same user first */
	TASK_PROGRESS_MS = 1000,
	TASK_ANSWER_MAX = 16 * 1024, /* bytes of an answer's body that is kept */
};

struct error;
struct http_pending;
struct http_reply;
struct job;
struct representation;
struct state;
struct task_watch;
struct tasks;

enum task_event { TASK_STARTED, TASK_PROGRESSED, TASK_ENDED, TASK_REMOVED };

/* Called on the thread of the tasks, without locks held. */
struct tasks_listener {
	/* The request is to be answered with 202: @pending is taken over. */
	void (*accepted)(void *userdata, const struct task *t, struct http_pending *pending);
	void (*happened)(void *userdata, const struct task *t, enum task_event event);
	void *userdata;
};

/* @listener: copied. Return: NULL when out of memory. */
struct tasks *tasks_new(unsigned int after_ms, const struct tasks_listener *listener);

/* tasks_set_state() - load and keep them; once, before the first request; waits for the disk */
void tasks_set_state(struct tasks *ts, struct state *st);

/* tasks_stop() - after the jobs were stopped; writes what changed. Return: as audit_stop(). */
bool tasks_stop(struct tasks *ts, unsigned int wait_ms);

/* Accepts NULL. Return: NULL. */
struct tasks *tasks_free(struct tasks *ts);

/* ---- requests ---------------------------------------------------------------------------------
 */

enum task_trait {
	TASK_CAN_CANCEL = 1 << 0, /* run() looks at job_is_cancelled() and ends early then */
	TASK_AT_ONCE = 1 << 1,	  /* a task without waiting for the limit */
};

/*
 * tasks_watch() - a request that is about to be submitted as a job
 * @request: user, from, method and uri are set
 * @pending: holds the request until it is answered; must be valid until tasks_end()
 * @traits: of enum task_trait
 * @ret: for tasks_end()
 *
 * Return: 0; -EBUSY when there are TASKS_MAX that have not ended; -ENOMEM.
 */
int tasks_watch(struct tasks *ts, const struct task *request,
		_Atomic(struct http_pending *) *pending, unsigned int traits,
		struct task_watch **ret);

/* tasks_attach() - its job, also after its end. @job: the reference is taken over; NULL: there is
 * none */
void tasks_attach(struct task_watch *w, struct job *job);

/* tasks_begin() - the job runs from now on; waits for the disk if it is a task, or is to be one */
void tasks_begin(struct task_watch *w);

/* tasks_progress() - @done of @total @unit, "entries", are processed */
void tasks_progress(struct task_watch *w, uint64_t done, uint64_t total, const char *unit);

/*
 * tasks_progress_part() - as tasks_progress(), of one of its objects, which is added if need be
 * @unit: NULL: only add it, pending
 *
 * Until tasks_progress() is called, the percentage of the task is that of its parts.
 */
void tasks_progress_part(struct task_watch *w, const char *part, uint64_t done, uint64_t total,
			 const char *unit);

/*
 * tasks_end_part() - one of its objects is done with
 * @result: 0; -ECANCELED; another: it failed
 * @answer: an error body, one reference, taken over; NULL none
 */
void tasks_end_part(struct task_watch *w, const char *part, int result,
		    struct representation *answer);

/*
 * tasks_end() - the job has ended; @w is invalid afterwards
 * @result: of the job; -ECANCELED and -ESHUTDOWN without a request to cancel: it was interrupted
 * @reply: its answer
 */
void tasks_end(struct task_watch *w, int result, const struct http_reply *reply);

/* ---- by Id ------------------------------------------------------------------------------------
 */

/* Copies the Ids, ascending. Return: how many. */
size_t tasks_list(struct tasks *ts, uint64_t ret[static TASKS_MAX]);

/*
 * tasks_get() - a copy
 * @ret_answer: one reference to the body of its answer; NULL in it: there is none
 *
 * Return: whether it exists.
 */
bool tasks_get(struct tasks *ts, uint64_t id, struct task *ret, struct representation **ret_answer);

/*
 * tasks_get_part() - a copy of its @number-th part, from 1
 * @ret: its answer is one reference
 *
 * Return: whether both exist.
 */
bool tasks_get_part(struct tasks *ts, uint64_t id, size_t number, struct task_part *ret);

/*
 * tasks_remove() - remove one that has ended, cancel one that has not
 *
 * Return: 0; -ENOENT; -EBUSY: it is running, and cannot be cancelled.
 */
int tasks_remove(struct tasks *ts, uint64_t id);

/* tasks_cancel_of() - cancel those of a user that have not ended and can be cancelled */
void tasks_cancel_of(struct tasks *ts, const char *user);

#endif
