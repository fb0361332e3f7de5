/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_WRITE_H
#define CXLR_EVENTS_STORE_WRITE_H

/*
 * How an event becomes a row and an entry; what is not in store.h.
 */

#include "events/store_tables.h"

/* Adds an entry with the number that it has already, in a transaction. Return: an SQLite code. */
int store_import(struct store *s, const struct stored_event *event);

/* Makes entries of events that were pending when the last process ended. */
int store_finish_leftovers(struct store *s, struct error *e);

#endif
