/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_EVENTS_H
#define CXLR_DAEMON_EVENTS_H

/*
 * The way of an event through the daemon: out of the trace ring, translated under the mapping of
 * that moment, into the store, and announced when it is committed.
 *
 * Ring and translation are the main thread's, and never wait. The store has a thread (the writer),
 * firmware is asked on another (the resolver), a saved ring is read on a third (the replay), and a
 * fourth looks at how all of it is (the watch). All functions are the main thread's.
 */

#include <stdbool.h>
#include <stdint.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "daemon/device_poller.h"
#include "events/event_bus.h"
#include "events/store_writer.h"
#include "redfish/service.h"
#include "sysfs/host_root.h"

/* The store, in the state directory; readers of other processes find it there. */
#define EVENTS_FILE "events.db"

enum { EVENTS_MAX_DEFAULT = 100000 };

struct event_stats;

struct events_options {
	const char *state;    /* the directory */
	uint64_t max_records; /* as in struct store_options */
	uint64_t max_age_ns;
	enum store_policy policy;
};

struct events;

/*
 * events_new() - open the store and begin to read
 * @service: has its first view already
 * @poller: is told which devices had events, and shows what they say
 * @bus: is told of what is committed
 *
 * A ring that was saved is read first: that of a captured host, or what the kernel recorded
 * before the service was there.
 */
int events_new(sd_event *event, const struct host_root *root, const struct events_options *o,
	       struct service *service, struct device_poller *poller, struct event_bus *bus,
	       struct events **ret, struct error *e);

struct store_writer *events_writer(struct events *ev);

/* What became of events since the start; its calls are any thread's. */
struct event_stats *events_stats(struct events *ev);

/* Return: events that firmware is still to be asked about; any thread. */
size_t events_waiting(struct events *ev);

/* Which boot this is, as the entries have it. */
const uint8_t *events_boot_id(const struct events *ev);

/*
 * events_stop() - read no more, and store what waits
 *
 * The store is closed then, and events_writer() gone.
 *
 * Return: whether all threads have ended within @wait_ms. If not, what they use must not be freed.
 */
bool events_stop(struct events *ev, unsigned int wait_ms);

/* After events_stop() has returned true. Accepts NULL. Return: NULL. */
struct events *events_free(struct events *ev);

#endif
