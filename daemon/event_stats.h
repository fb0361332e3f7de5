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
	TALLY_DEVICES_MAX = 2048, /* further ones are counted together, as "other" */
	TALLY_SOURCES = SOURCE_ESTIMATE + 1,
};

struct tally;

/* Return: NULL when out of memory. */
struct tally *tally_new(void);

/* Accepts NULL. Return: NULL. */
struct tally *tally_free(struct tally *t);

/* What the store told: struct store_callbacks. */
void tally_committed(struct tally *t, const struct stored_event *events, size_t n);
void tally_finished(struct tally *t, const struct store_final *finals, size_t n);

/* A record was read; and one that firmware could not be asked about, for there were too many. */
void tally_read(struct tally *t);
void tally_unasked(struct tally *t);

struct tally_sums {
	uint64_t read, stored, duplicates, refused, unasked;
	uint64_t disagreements;		 /* between the kernel's hpa and the answer */
	uint64_t sources[TALLY_SOURCES]; /* of entries with an address; SOURCE_NONE: no answer */
};

void tally_sums(struct tally *t, struct tally_sums *ret);

/* Calls @each for each device and type with events, under a lock: it must return at once. */
void tally_each(struct tally *t,
		void (*each)(void *userdata, const char *device, enum event_type type, uint64_t n),
		void *userdata);

#endif
