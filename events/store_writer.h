/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_WRITER_H
#define CXLR_EVENTS_STORE_WRITER_H

/*
 * The thread that writes the store, and the queue in front of it.
 *
 * Adding an event never waits for the disk. Queued events are stored in order, in transactions of
 * as many as are queued, and then passed to `committed`. While the file cannot be written (a full
 * disk, for example) events stay in the queue; when it has STORE_QUEUE_MAX, further ones are
 * dropped and counted, and an event of type EVENT_LOST ("queue") has their number once there is
 * space. A caller that can leave events where they are checks store_writer_room() first: a trace
 * ring is a longer queue than this one, and outlives the process. While less than STORE_SPACE_MIN
 * is free on the disk, queued events are stored, but there is no room for others.
 *
 * A damaged file, wherever it is detected, is replaced by a new one, see store.h; queued events are
 * stored there. The whole file is checked after each start and every STORE_CHECK_HOURS, on another
 * thread, at the lowest priority. A file that is removed or replaced by others is noticed with the
 * next commit, which is not reported: its events stay in the queue and are stored in the file that
 * has the name then.
 *
 * All calls may be made from any thread and return at once, except new and free. Callbacks are made
 * on the writing thread, one at a time and without locks held; they must not wait for long,
 * because nothing is stored meanwhile.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/store.h"

enum {
	STORE_QUEUE_MAX = 2048, /* queued events; some 9 MB */
	STORE_BATCH_MAX = 256,	/* of one transaction */
	STORE_CHECK_HOURS = 6,
	STORE_SPACE_MIN = 4 << 20, /* bytes; more than the events take that the daemon has queued */
};

enum store_state {
	STORE_READY,
	STORE_DISK_FULL, /* or the quota */
	STORE_UNUSABLE,	 /* for another reason */
};

struct store_status {
	enum store_state state;
	char text[ERROR_TEXT_MAX]; /* why; "" when ready */
	char path[STORE_PATH_MAX]; /* the file that is used, for readers; "" when there is none */
	char replaced[ERROR_TEXT_MAX]; /* what others did to the file since the start; "" nothing */
	size_t queued;		       /* events */
	uint64_t dropped;	       /* since the start, because the queue was full */
	uint64_t refused; /* since the start, because the log is full and is not overwritten */
	bool checking;	  /* for damage, in the background */
};

struct store_callbacks {
	/*
	 * All of them were stored; those with outcome STORE_FINAL are new entries, others may be
	 * pending, duplicates or refused. Valid during the call.
	 */
	void (*committed)(void *userdata, const struct stored_event *events, size_t n);
	/* Pending events that became entries; seq 0: it was not pending, or its file was replaced.
	 */
	void (*finished)(void *userdata, const struct store_final *finals, size_t n);
	void *userdata;
};

struct store_writer;

/*
 * store_writer_new() - open the store and start the thread
 * @o: as for store_open(); `notice` is called on the thread, too
 *
 * A store that cannot be opened is no failure: it is tried again.
 *
 * Return: 0, -EINVAL, -ENOMEM or -EAGAIN when there can be no thread.
 */
int store_writer_new(const struct store_options *o, const struct store_callbacks *callbacks,
		     struct store_writer **ret, struct error *e);

/*
 * Stores queued events, with one attempt, and ends. No other call may be in progress.
 * Accepts NULL. Return: NULL.
 */
struct store_writer *store_writer_free(struct store_writer *w);

/*
 * store_writer_flush() - store what is queued, with one attempt, and wait for its end
 *
 * The replacement of a damaged file is ended for it. Other calls may be in progress.
 */
void store_writer_flush(struct store_writer *w);

/* store_writer_add() - queue a copy of an event; -ENOBUFS when the queue is full */
int store_writer_add(struct store_writer *w, const struct stored_event *event);

/*
 * How many events can be queued now; 0 while the file cannot be written, because they would only be
 * lost if the process ends before it can.
 */
size_t store_writer_room(struct store_writer *w);

/* store_writer_finish() - the last answer for a pending event; -ENOMEM */
int store_writer_finish(struct store_writer *w, uint64_t pending,
			const struct event_answer *answer);

/*
 * Another job for the store's thread.
 * @store: NULL when there is none that could be written, or the thread ends; it will not be called
 *         again
 *
 * Return: 0; 1 to be called again, after queued events (store_clear() in steps); or the result of
 * the store's call, so that damage is handled.
 */
typedef int store_job(struct store *store, void *userdata);

/* store_writer_do() - queue a job; -ENOMEM */
int store_writer_do(struct store_writer *w, store_job *job, void *userdata);

/* store_writer_look() - see soon whether the file still has its name, because a reader did not find
 * it */
void store_writer_look(struct store_writer *w);

/* store_writer_set_limits() - other limits, soon; max_records is at least 1 */
void store_writer_set_limits(struct store_writer *w, const struct store_limits *limits);

/* store_writer_check() - check for damage, because a reader returned -EBADMSG */
void store_writer_check(struct store_writer *w);

void store_writer_status(struct store_writer *w, struct store_status *ret);

#endif
