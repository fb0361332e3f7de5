/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_EVENT_STATS_H
#define CXLR_DAEMON_EVENT_STATS_H

/*
 * Statistics of events since the start of the service that are not in the store (which has counts
 * of its own, events/store_counts.h): records read, and how long translations took; for metrics.
 * The numbers only grow. Any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "prm/answer.h"

enum {
	EVENT_STATS_SOURCES = SOURCE_ESTIMATE + 1,
	EVENT_STATS_BUCKETS = 7, /* of the time of a translation; the last has no upper bound */
};

/* The upper bounds of the other buckets, nanoseconds. */
extern const uint64_t event_stats_bounds[EVENT_STATS_BUCKETS - 1];

struct event_stats;

/* Return: NULL when out of memory. */
struct event_stats *event_stats_new(void);

/* Accepts NULL. Return: NULL. */
struct event_stats *event_stats_free(struct event_stats *s);

/* A record was read; a firmware call for it was not made because too many were waiting. */
void event_stats_read(struct event_stats *s);
void event_stats_not_queried(struct event_stats *s);

/* The last answer for an event with a device address was known @ns after its record was read. */
void event_stats_answered(struct event_stats *s, enum answer_source source, uint64_t ns);

/* Times of the answers of one source: the number in each bucket (not in those before it). */
struct event_stats_times {
	uint64_t n[EVENT_STATS_BUCKETS], sum_ns;
};

struct event_stats_sums {
	uint64_t read, not_queried;
	struct event_stats_times times[EVENT_STATS_SOURCES]; /* SOURCE_NONE: no answer */
};

void event_stats_sums(struct event_stats *s, struct event_stats_sums *ret);

#endif
