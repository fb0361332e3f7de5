/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_POISON_H
#define CXLR_EVENTS_STORE_POISON_H

/*
 * Poison that was cleared: entries whose range was cleared since are resolved.
 */

#include "events/store_tables.h"

/*
 * store_poison_load() - where the ranges of a file are; frees what was known before
 *
 * Return: an SQLite code.
 */
int store_poison_load(struct store *s);

/* Accepts NULL. Return: NULL. */
struct store_poison_index *store_poison_free(struct store_poison_index *index);

/* Whether entries of that type may have a range in the table `poison`. */
bool store_is_about_poison(enum event_type type);

/* The entry was removed. Return: SQLITE_DONE, or an error. */
int store_drop_poison(struct store *s, uint64_t seq);

/* store_resolve_entry() - set or clear Resolved of an entry; SQLITE_DONE, or an error */
int store_resolve_entry(struct store *s, uint64_t seq, bool resolved, bool *ret_found);

/*
 * store_note_poison() - the range of an entry that was imported, any type
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_note_poison(struct store *s, const struct stored_event *ev, uint64_t seq);

/*
 * store_resolve_poison() - resolve entries about poison that was cleared
 * @ev: an event whose entry was added, any type; at least the columns with COLUMN_ENTRY
 * @detail: its row in `details`
 * @seq: the number of its entry
 *
 * A cleared range resolves earlier entries of the device, all of whose range has been cleared
 * since. Poison resolves itself, when its range was cleared before its entry was added.
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_resolve_poison(struct store *s, const struct stored_event *ev, uint64_t detail,
			 uint64_t seq);

#endif
