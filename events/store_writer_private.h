/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_WRITER_PRIVATE_H
#define CXLR_EVENTS_STORE_WRITER_PRIVATE_H

/*
 * Declarations that the writer's own files share.
 *
 * `lock` guards all of struct store_writer, except members marked as the thread's own. The thread
 * releases it while it works; other threads do not touch the part of the queue that it works on.
 */

#include <pthread.h>

#include "common/array.h"
#include "events/store_writer.h"

DEFINE_ARRAY(struct store_final, finals);

struct writer_job {
	store_job *run;
	void *userdata;
	struct writer_job *next;
};

/* A check for damage on a thread of its own. */
struct checker {
	bool wanted;
	bool running; /* there is a thread to join */
	bool done;    /* the thread has ended */
	bool stop;    /* read without the lock */
	pthread_t thread;
	int result;
	struct error error;
	char path[STORE_PATH_MAX];
};

struct store_writer {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, flushed;
	bool stopping, flushing;
	bool stop_replacing; /* read without the lock */

	struct stored_event *queue; /* a ring of STORE_QUEUE_MAX; NULL while it is not needed */
	size_t head, queued, highest;
	struct finals finals;
	struct writer_job *jobs, **jobs_end;
	struct store_limits limits; /* to be used from now on, with new_limits */
	bool new_limits;
	uint64_t dropped, refused;
	enum store_state state;
	char text[ERROR_TEXT_MAX], path[STORE_PATH_MAX], replaced[ERROR_TEXT_MAX];
	struct checker checker;

	/* The thread's own. */
	struct store_options o;
	struct store_callbacks callbacks;
	struct store *store;	     /* NULL while none is open */
	struct finals finishing;     /* taken from `finals`, until it succeeds */
	uint64_t dropped_reported;   /* of `dropped` */
	struct stored_event loss;    /* which reports them */
	uint64_t retry_ms, retry_at; /* after failures; by CLOCK_MONOTONIC */
	uint64_t expire_at, check_at;
};

/* store_checker.c; all with the lock held */

/* Begins to check the file that is in use. */
void checker_start(struct store_writer *w);

/* Ends it within milliseconds; releases the lock meanwhile. */
void checker_stop(struct store_writer *w);

/* Return: the result of a check that has ended, 0 without one; the reason is in @e. */
int checker_take(struct store_writer *w, struct error *e);
#endif
