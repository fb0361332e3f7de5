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
#include "daemon/device_poller.h"
#include "daemon/trace.h"
#include "events/store_writer.h"

enum { STORE_MONITOR_MS = 2000, STORE_MONITOR_PAUSE_MS = 500 };

struct store_monitor_options {
	struct store_writer *writer;
	struct device_poller *poller; /* puts it into the views */
	const char *path; /* of the store, as it was asked for; must outlive the watch */
	uint64_t max_records;
	enum store_policy policy;
};

struct store_monitor;

/* store_monitor_new() - look for the first time, and go on */
int store_monitor_new(const struct store_monitor_options *o, struct store_monitor **ret,
		      struct error *e);

/* There is something new in the store; any thread. */
void store_monitor_poke(struct store_monitor *w);

/* How reading is. */
void store_monitor_trace(struct store_monitor *w, enum trace_state state, const char *text);

/*
 * store_monitor_stop() - end looking, but wait no longer than @wait_ms
 *
 * Return: whether the thread has ended; if not, it still uses what it was given.
 */
bool store_monitor_stop(struct store_monitor *w, unsigned int wait_ms);

/* After store_monitor_stop() has returned true. Accepts NULL. Return: NULL. */
struct store_monitor *store_monitor_free(struct store_monitor *w);

#endif
