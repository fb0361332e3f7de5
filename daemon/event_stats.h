/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_EVENT_STATS_H
#define CXLR_DAEMON_EVENT_STATS_H

/*
 * What became of events since the service started: counts that only grow, for metrics. Any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "events/store.h"

enum {
	EVENT_STATS_DEVICES_MAX = 2048, /* further ones are counted together, as "other" */
	EVENT_STATS_SOURCES = SOURCE_ESTIMATE + 1,
};

struct event_stats;

/* Return: NULL when out of memory. */
struct event_stats *event_stats_new(void);

/* Accepts NULL. Return: NULL. */
struct event_stats *event_stats_free(struct event_stats *t);

/* What the store told: struct store_callbacks. */
void event_stats_committed(struct event_stats *t, const struct stored_event *events, size_t n);
void event_stats_finished(struct event_stats *t, const struct store_final *finals, size_t n);

/* A record was read; and one that firmware could not be asked about, for there were too many. */
void event_stats_read(struct event_stats *t);
void event_stats_not_queried(struct event_stats *t);

struct event_stats_sums {
	uint64_t read, stored, duplicates, refused, not_queried;
	uint64_t disagreements;		       /* between the kernel's hpa and the answer */
	uint64_t sources[EVENT_STATS_SOURCES]; /* of entries with an address; SOURCE_NONE: no answer
						*/
};

void event_stats_sums(struct event_stats *t, struct event_stats_sums *ret);

/* Calls @each for each device and type with events, under a lock: it must return at once. */
void event_stats_each(struct event_stats *t,
		      void (*each)(void *userdata, const char *device, enum event_type type,
				   uint64_t n),
		      void *userdata);

#endif
