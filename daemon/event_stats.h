/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_EVENT_STATS_H
#define CXLR_DAEMON_EVENT_STATS_H

/*
 * Counts of events since the start of the service, by their outcome; for metrics. They only
 * grow. Any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "events/store.h"

enum {
	EVENT_STATS_DEVICES_MAX = 2048, /* further devices are counted together, as "other" */
	EVENT_STATS_SOURCES = SOURCE_ESTIMATE + 1,
};

struct event_stats;

/* Return: NULL when out of memory. */
struct event_stats *event_stats_new(void);

/* Accepts NULL. Return: NULL. */
struct event_stats *event_stats_free(struct event_stats *s);

/* Callbacks of the store: struct store_callbacks. */
void event_stats_committed(struct event_stats *s, const struct stored_event *events, size_t n);
void event_stats_finished(struct event_stats *s, const struct store_final *finals, size_t n);

/* A record was read; a firmware call for it was not made because too many were waiting. */
void event_stats_read(struct event_stats *s);
void event_stats_not_queried(struct event_stats *s);

struct event_stats_sums {
	uint64_t read, stored, duplicates, refused, not_queried;
	uint64_t disagreements; /* between the kernel's hpa and the answer */
	/* Of the answers of entries with an address; SOURCE_NONE: no answer. */
	uint64_t sources[EVENT_STATS_SOURCES];
};

void event_stats_sums(struct event_stats *s, struct event_stats_sums *ret);

/* Calls @each for each device and type with events, with a lock held: it must not wait. */
void event_stats_each(struct event_stats *s,
		      void (*each)(void *userdata, const char *device, enum event_type type,
				   uint64_t n),
		      void *userdata);

#endif
