/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_SQL_H
#define CXLR_COMMON_SQL_H

/*
 * Helpers for every SQLite file of this project: connection settings for files that may have been
 * modified by others, SQLite's errors as ours, and values to and from statements.
 *
 * A connection and its statements belong to one thread at a time. Nothing here owns anything.
 */

#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "common/error.h"
#include "common/opt.h"

enum {
	SQL_VALUE_MAX = 1024 * 1024, /* bytes of one value that is read from a file */
	SQL_BUSY_MS = 2000,	     /* how long a call waits for a lock of another connection */
};

/*
 * sql_error() - describe a failure of SQLite
 * @db: the connection; NULL: it could not be allocated
 * @rc: SQLite's code
 * @verb, @path: for "cannot VERB PATH: why"
 *
 * Looks at errno, which the caller sets to 0 before the call that failed.
 *
 * Return: -ENOSPC (disk, quota or file size limit), -EBADMSG (damaged), -EROFS, -EACCES, -ENOENT,
 * -EBUSY, -ENOMEM or -EIO.
 */
int sql_error(sqlite3 *db, int rc, const char *verb, const char *path, struct error *e);

/*
 * sql_set_up() - settings of SQLite itself, for a process that keeps connections open
 *
 * Before the first connection of the process. Each connection otherwise allocates a cache of 20
 * pages and a pool of small objects at once, which most of ours never fill.
 */
void sql_set_up(void);

/* Connection settings that do not depend on the content of the file. Return: an SQLite code. */
int sql_configure(sqlite3 *db, int cache_kib);

/* One or more statements without values. Return: an SQLite code. */
int sql_exec(sqlite3 *db, const char *sql);

/* The first value of a query's first row, or @otherwise. Return: an SQLite code. */
int sql_get_number(sqlite3 *db, const char *sql, int64_t otherwise, int64_t *ret);

/* Runs a statement without rows to its end and resets it. Return: SQLITE_DONE or an error. */
int sql_run(sqlite3_stmt *stmt);

/*
 * Values of a statement, in their order. `rc` keeps the first error, SQLITE_OK without. Texts and
 * blobs must live until the step.
 */
struct sql_binder {
	sqlite3_stmt *stmt;
	int at, rc;
};

void sql_bind_null(struct sql_binder *b);
void sql_bind_int(struct sql_binder *b, int64_t value);
void sql_bind_u64(struct sql_binder *b, uint64_t value); /* as two's complement */
void sql_bind_opt(struct sql_binder *b, struct opt_u64 value);
void sql_bind_text(struct sql_binder *b, const char *value);
void sql_bind_text_len(struct sql_binder *b, const char *value, size_t len);
void sql_bind_text_copy(struct sql_binder *b, const char *value); /* need not live until the step */
void sql_bind_blob(struct sql_binder *b, const void *bytes, size_t len);

/* Columns of a row, in their order. A value that does not fit is truncated or absent. */
struct sql_row {
	sqlite3_stmt *stmt;
	int at;
};

int64_t sql_row_int(struct sql_row *c);
uint64_t sql_row_u64(struct sql_row *c);
struct opt_u64 sql_row_opt(struct sql_row *c);
void sql_row_text(struct sql_row *c, char *buffer, size_t size);
size_t sql_row_blob(struct sql_row *c, void *buffer, size_t size);

#endif
