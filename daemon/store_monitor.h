/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_STORE_MONITOR_H
#define CXLR_DAEMON_STORE_MONITOR_H

/*
 * Looks every few seconds, on a thread of its own, at what the store holds and how it is, and has
 * it shown: the health of devices, and what is wrong with the recording. Whoever resolves or clears
 * entries does not tell us, so it looks without being asked.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "daemon/reader.h"
#include "daemon/trace.h"
#include "events/store_writer.h"

enum { WATCH_MS = 2000, WATCH_PAUSE_MS = 500 };

struct event_watch_options {
	struct store_writer *writer;
	struct reader *reader; /* puts it into the views */
	const char *path;      /* of the store, as it was asked for; must outlive the watch */
	uint64_t max_records;
	enum store_policy policy;
};

struct event_watch;

/* event_watch_new() - look for the first time, and go on */
int event_watch_new(const struct event_watch_options *o, struct event_watch **ret, struct error *e);

/* There is something new in the store; any thread. */
void event_watch_poke(struct event_watch *w);

/* How reading is. */
void event_watch_trace(struct event_watch *w, enum trace_state state, const char *text);

/*
 * event_watch_stop() - end looking, but wait no longer than @wait_ms
 *
 * Return: whether the thread has ended; if not, it still uses what it was given.
 */
bool event_watch_stop(struct event_watch *w, unsigned int wait_ms);

/* After event_watch_stop() has returned true. Accepts NULL. Return: NULL. */
struct event_watch *event_watch_free(struct event_watch *w);

#endif
