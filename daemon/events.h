/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_EVENTS_H
#define CXLR_DAEMON_EVENTS_H

/*
 * The path of an event through the daemon: read from the trace ring, translated by the topology
 * of that moment, stored, and sent to subscribers when it is committed.
 *
 * No more is read from the ring than can be committed: two transactions are on their way at most,
 * and none while the store cannot be written.
 *
 * Ring and translation are the main thread's, and never wait. The store has a thread (the writer),
 * as have firmware calls (the resolver), the reading of a saved ring (the replayer) and the check
 * of the store (the monitor). All functions are the main thread's.
 */

#include <stdbool.h>
#include <stdint.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "daemon/poller.h"
#include "daemon/publisher.h"
#include "events/event_bus.h"
#include "events/store_writer.h"
#include "sysfs/host_root.h"

enum { EVENTS_MAX_DEFAULT = 100000 };

struct event_stats;

struct events_options {
	const char *state;    /* the directory */
	const char *instance; /* TRACE_INSTANCE; must outlive the events */
	uint64_t max_records; /* as in struct store_options */
	uint64_t max_age_ns;
	enum store_policy policy;
	uint64_t numbers_given; /* as in struct store_options */
	bool expects_cxl;	/* the configuration does */
};

struct events;

/*
 * events_new() - open the store and start to read events
 * @publisher: shows a view already
 * @poller: reads the devices that had events
 * @bus: gets the number of the newest committed event
 *
 * A saved ring is read first: that of a captured host, or the one in which the kernel recorded
 * events before the service was started.
 */
int events_new(sd_event *event, const struct host_root *root, const struct events_options *o,
	       struct publisher *publisher, struct poller *poller, struct event_bus *bus,
	       struct events **ret, struct error *e);

/* Other limits of the store. */
void events_set_limits(struct events *ev, const struct store_limits *limits);

/* Whether CXL memory is expected also while the host shows none. */
void events_set_expected(struct events *ev, bool expects_cxl);

struct store_writer *events_writer(struct events *ev);

/* Counts of events since the start; to be used by any thread. */
struct event_stats *events_stats(struct events *ev);

/* Return: number of events that wait for a firmware call; any thread. */
size_t events_waiting(struct events *ev);

/* The id of this boot, as in the entries. */
const uint8_t *events_boot_id(const struct events *ev);

/*
 * events_flush() - stop reading the trace ring, and store what was read
 *
 * Before anything else at the end, because the end may come while other threads still work.
 */
void events_flush(struct events *ev);

/*
 * events_stop() - stop reading, store what is queued and close the store
 *
 * events_writer() must not be used afterwards.
 *
 * Return: whether all threads have ended within @wait_ms. If not, what they use must not be freed.
 */
bool events_stop(struct events *ev, unsigned int wait_ms);

/* After events_stop() has returned true. Accepts NULL. Return: NULL. */
struct events *events_free(struct events *ev);

#endif
