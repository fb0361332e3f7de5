/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_STORE_MONITOR_H
#define CXLR_DAEMON_STORE_MONITOR_H

/*
 * Reads the event store every few seconds, on a thread of its own, and posts what it finds to the
 * publisher: the open incidents, entries that belong to none, and what is wrong with the recording
 * of events. Clients resolve and clear entries in the store directly, so it is polled.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "daemon/publisher.h"
#include "daemon/trace.h"
#include "events/store_writer.h"

/* How often the store is read; after store_monitor_poke() earlier, but not more often than that. */
enum { STORE_MONITOR_MS = 2000, STORE_MONITOR_PAUSE_MS = 500 };

struct store_monitor_options {
	struct store_writer *writer;
	struct publisher *publisher;
	const char *path; /* of the store, as configured; must outlive the monitor */
	uint64_t max_records;
	enum store_policy policy;
};

struct store_monitor;

/* store_monitor_new() - check for the first time, and then periodically */
int store_monitor_new(const struct store_monitor_options *o, struct store_monitor **ret,
		      struct error *e);

/* Other limits of the store; any thread. */
void store_monitor_set_limits(struct store_monitor *m, const struct store_limits *limits);

/* The store has changed; any thread. */
void store_monitor_poke(struct store_monitor *m);

/* store_monitor_trace() - the state of the trace instance, for the faults; any thread */
void store_monitor_trace(struct store_monitor *m, enum trace_state state, const char *text);

/*
 * store_monitor_stop() - stop checking, but wait no longer than @wait_ms
 *
 * Return: whether the thread has ended; if not, it still uses what it was given.
 */
bool store_monitor_stop(struct store_monitor *m, unsigned int wait_ms);

/* After store_monitor_stop() has returned true. Accepts NULL. Return: NULL. */
struct store_monitor *store_monitor_free(struct store_monitor *m);

#endif
