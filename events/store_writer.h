/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_WRITER_H
#define CXLR_EVENTS_STORE_WRITER_H

/*
 * The thread that writes the store, and the queue in front of it.
 *
 * Whoever has an event hands it over and never waits for the disk. What was handed over is stored
 * in order, as many in one transaction as have gathered meanwhile, and only then told to
 * `committed`. While the file cannot be written (a full disk, say) events wait; when
 * STORE_QUEUE_MAX do, further ones are dropped, counted, and an event of type EVENT_LOST ("queue")
 * says how many once there is room. Who can leave events where they are should look at
 * store_writer_room() first: a trace ring is a longer queue than this one.
 *
 * A damaged file, wherever it is noticed, is set aside and a new one begun, see store.h; what
 * waited is stored there. After an unclean end the file is checked all over on another thread, at
 * the lowest priority.
 *
 * All calls may be made from any thread and return at once, except new and free. Callbacks are made
 * on the writing thread, one at a time and without locks held; they must not wait for long, as
 * nothing is stored meanwhile.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/store.h"

enum {
	STORE_QUEUE_MAX = 2048, /* events that wait; some 7 MB */
	STORE_BATCH_MAX = 256,	/* of one transaction */
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
	size_t queued;		   /* events that wait */
	uint64_t dropped;	   /* since the start, for want of room in the queue */
	uint64_t refused;	   /* since the start, because the log is full and stays as it is */
	bool checking;		   /* for damage, in the background */
};

struct store_callbacks {
	/*
	 * All of them are stored, those with outcome STORE_FINAL are to be announced; others may
	 * be pending, duplicates or refused. Valid during the call.
	 */
	void (*committed)(void *userdata, const struct stored_event *events, size_t n);
	/* Pending events that became entries; seq 0: it was not pending, or its file is gone. */
	void (*finished)(void *userdata, const struct store_final *finals, size_t n);
	void *userdata;
};

struct store_writer;

/*
 * store_writer_new() - open the store and start the thread
 * @o: as for store_open(); `notice` is called on the thread, too
 *
 * A store that cannot be opened does not fail it: it is tried again and again.
 *
 * Return: 0, -EINVAL, -ENOMEM or -EAGAIN when there can be no thread.
 */
int store_writer_new(const struct store_options *o, const struct store_callbacks *callbacks,
		     struct store_writer **ret, struct error *e);

/*
 * Stores what waits, if that goes at the first try, and ends. No other call may be under way.
 * Accepts NULL. Return: NULL.
 */
struct store_writer *store_writer_free(struct store_writer *w);

/* store_writer_add() - hand over a copy of an event; -ENOBUFS when there is no room */
int store_writer_add(struct store_writer *w, const struct stored_event *event);

/* How many events would find room now; only who adds can make it less. */
size_t store_writer_room(struct store_writer *w);

/* store_writer_finish() - the last answer for a pending event; -ENOMEM */
int store_writer_finish(struct store_writer *w, uint64_t pending,
			const struct event_answer *answer);

/*
 * What else is to be done with the store, on its thread.
 * @store: NULL when there is none that could be written, or the thread ends; it will not be called
 *         again
 *
 * Return: 0; 1 to be called again, after events that wait (store_clear() in steps); or what the
 * store's call returned, so that damage is dealt with.
 */
typedef int store_job(struct store *store, void *userdata);

/* store_writer_do() - have a job done, after those before it; -ENOMEM */
int store_writer_do(struct store_writer *w, store_job *job, void *userdata);

/* store_writer_check() - look for damage, because a reader met -EBADMSG */
void store_writer_check(struct store_writer *w);

void store_writer_status(struct store_writer *w, struct store_status *ret);

#endif
