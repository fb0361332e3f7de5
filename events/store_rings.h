/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_RINGS_H
#define CXLR_EVENTS_STORE_RINGS_H

/*
 * How many records of each CPU's trace ring were read, as the kernel counts them, by what is
 * stored: written in the transaction that stores the records. A ring that was read further lost
 * what is between, because a reader ended before it had stored it. Counts of another boot or of
 * another trace instance say nothing.
 *
 * For the thread that writes.
 */

#include "events/store_tables.h"

/* Return: whether the event says how far a ring was read. */
bool store_is_of_ring(const struct stored_event *event);

/* store_rings_note() - what @event says is stored from now on; an SQLite code, SQLITE_DONE */
int store_rings_note(struct store *s, const struct stored_event *event);

/*
 * store_rings_compare() - how many records were read from the ring, and not stored, until @event
 *
 * Return: an SQLite code, SQLITE_DONE; @ret is 0 where nothing is known of this ring.
 */
int store_rings_compare(struct store *s, const struct stored_event *event, uint64_t *ret);

#endif
