/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_STATEMENTS_H
#define CXLR_EVENTS_STORE_STATEMENTS_H

/*
 * The statements of the thread that writes, prepared once for each file.
 */

#include "events/store_tables.h"

/* Prepares a statement with the placeholders of store_columns_expand(). Return: an SQLite code. */
int store_prepare(sqlite3 *db, const char *statement, sqlite3_stmt **ret);

/* Prepares all of them. Return: an SQLite code. */
int store_prepare_all(struct store *s);

/* Resets and returns a statement, with nothing bound. */
sqlite3_stmt *store_statement(struct store *s, enum writer_statement which);

/* Ends their use; the file can be closed then. */
void store_finalize_all(struct store *s);

#endif
