/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_COUNTERS_H
#define CXLR_EVENTS_STORE_COUNTERS_H

/*
 * The counts without a device: in memory, and written by each commit that changes them.
 */

#include "events/store_tables.h"

#define STORE_READ_COUNTS "SELECT name, n FROM counts"

/* The rows of that statement. Return: an SQLite code. */
int store_read_count_rows(sqlite3_stmt *stmt, uint64_t ret[static STORE_COUNTS]);

/* The counts of a file; zeros for those it does not have. Return: an SQLite code. */
int store_load_counts(sqlite3 *db, uint64_t ret[static STORE_COUNTS]);

/* Writes those that changed since the last commit. Return: SQLITE_DONE, or an error. */
int store_save_counts(struct store *s);

/* They are stored with the transaction. */
void store_count_add(struct store *s, enum store_counter which);
void store_count_answer(struct store *s, const struct event_answer *a);

#endif
