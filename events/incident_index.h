/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INCIDENT_INDEX_H
#define CXLR_EVENTS_INCIDENT_INDEX_H

/*
 * Incidents in memory by identity (incident_compare()), one for each: what a storm of errors looks
 * up for each record. It does not own them, and their identity must not change while they are in
 * it. One thread at a time.
 */

#include <stddef.h>
#include <stdint.h>

#include "events/incident.h"

struct incident_slot {
	uint64_t hash;
	struct incident *incident; /* NULL: free */
};

/* All 0 when it is empty. */
struct incident_index {
	struct incident_slot *slots; /* at least a quarter of them is free */
	size_t n, n_slots;	     /* of slots: 0, or a power of two */
};

/* Frees what it has allocated. */
void incident_index_done(struct incident_index *x);

/* Return: the one with that identity; NULL when there is none. */
struct incident *incident_index_find(const struct incident_index *x, const struct incident *key);

/* Does nothing when one of that identity is there. Return: 0, or -ENOMEM. */
int incident_index_add(struct incident_index *x, struct incident *i);

/* Does nothing when none of that identity is there. */
void incident_index_remove(struct incident_index *x, const struct incident *key);

#endif
