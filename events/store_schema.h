/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_SCHEMA_H
#define CXLR_EVENTS_STORE_SCHEMA_H

/*
 * The tables of the file, by version.
 */

#include "common/sql_schema.h"
#include "events/store_tables.h"

extern const struct sql_schema store_schema;

/*
 * store_migrate() - bring the file from @version to this one
 * @first: the first number of a new file; stored in the same transaction as its tables
 */
int store_migrate(sqlite3 *db, const char *path, int64_t version, uint64_t first, struct error *e);

#endif
