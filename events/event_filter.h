/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_FILTER_H
#define CXLR_EVENTS_EVENT_FILTER_H

/*
 * Selects entries of the store. Plain values; pure functions; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/opt.h"

/* A zero-initialized filter selects all entries; each member that is set selects fewer. */
struct event_filter {
	const char *device;	 /* NULL: of all */
	unsigned int severities; /* bit per enum event_severity; 0: all */
	unsigned int types;	 /* bit per enum event_type; 0: all */
	unsigned int logs;	 /* bit per FIELD_LOG, and 1 << EVENT_NO_LOG; 0: all */
	/* By event_created(), both ends included; entries without it are left out. */
	struct opt_u64 created_first, created_last;
	/* Selects entries whose address is, or may be, in this range, both ends included. */
	bool has_spa;
	uint64_t spa_first, spa_last;
};

/*
 * The same by the names of the store's columns (events/store_columns.c), for languages that have
 * their own names for them. "severity", "type" and "log" are selected by a set, "wall" and "spa"
 * by a range; "wall" is event_created(), also where it is the time of the device.
 */

/* Return: how many values a column selected by a set can have; 0 for any other column. */
unsigned int event_filter_values(const char *column);

/* @set: bit per value; 0: all. Return: 0, or -EINVAL when it is no column selected by a set. */
int event_filter_select(struct event_filter *f, const char *column, unsigned int set);

/* Both ends included. Return: 0, or -EINVAL when it is no column selected by a range. */
int event_filter_select_range(struct event_filter *f, const char *column, uint64_t first,
			      uint64_t last);

#endif
