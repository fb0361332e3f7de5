// SPDX-License-Identifier: LGPL-2.1-or-later
//
// SQLite's errors as ours, the settings of a connection, and values in and out of statements.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/store_private.h"

/*
 * What the file system said, where SQLite only says that it failed. It does not keep that of a
 * COMMIT, so errno itself is looked at; store_begin() and reader_begin() have made it 0.
 */
static int system_error(sqlite3 *db, int saved)
{
	switch (saved ? saved : sqlite3_system_errno(db)) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return -ENOSPC;
	case EROFS:
		return -EROFS;
	case EACCES:
		return -EACCES;
	case ENOENT:
		return -ENOENT;
	default:
		return -EIO;
	}
}

static int error_of(sqlite3 *db, int rc, int saved)
{
	switch (rc & 0xff) {
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return system_error(db, saved);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_CONSTRAINT: /* ours hold, unless something is there that we did not write */
	case SQLITE_TOOBIG:	/* nothing of ours is longer than STORE_VALUE_MAX */
		return -EBADMSG;
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return -EROFS;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_NOMEM:
		return -ENOMEM;
	default:
		return -EIO;
	}
}

int store_failed(sqlite3 *db, int rc, const char *verb, const char *path, struct error *e)
{
	int r = db ? error_of(db, rc, errno) : -ENOMEM;
	const char *why = "out of memory";

	/* What we found wrong ourselves SQLite has no message for. */
	if (db)
		why = sqlite3_errcode(db) == SQLITE_OK ? sqlite3_errstr(rc) : sqlite3_errmsg(db);
	if (r == -ENOSPC)
		why = "no space left on the disk, or a limit or quota is reached";
	return error_set(e, r, "cannot %s %s: %s", verb, path, why);
}

int store_exec(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

int store_get_number(sqlite3 *db, const char *sql, int64_t otherwise, int64_t *ret)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
		bool has = rc == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL;

		*ret = has ? sqlite3_column_int64(stmt, 0) : otherwise;
		rc = SQLITE_OK;
	}
	(void)sqlite3_finalize(stmt);
	return rc;
}

/*
 * The file may have been changed by anybody: nothing in it may run what it likes (its schema is
 * compared with ours besides), no value may take more memory than STORE_VALUE_MAX, and no mapping
 * makes a signal of a file that is cut short. The connection never empties the write-ahead log by
 * closing: what is moved aside stays as it was found.
 */
int store_configure(sqlite3 *db, int cache_kib)
{
	char pragma[64];
	int rc;

	(void)sqlite3_extended_result_codes(db, 1);
	(void)sqlite3_busy_timeout(db, STORE_BUSY_MS);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, STORE_VALUE_MAX);
	(void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	(void)snprintf(pragma, sizeof(pragma), "PRAGMA cache_size = -%d", cache_kib);
	rc = store_exec(db, pragma);
	if (rc == SQLITE_OK)
		rc = store_exec(db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
				    "PRAGMA temp_store = MEMORY");
	return rc;
}

static void note(struct binder *b, int rc)
{
	if (rc != SQLITE_OK && b->rc == SQLITE_OK)
		b->rc = rc;
}

void bind_null(struct binder *b)
{
	note(b, sqlite3_bind_null(b->stmt, ++b->at));
}

void bind_int(struct binder *b, int64_t value)
{
	note(b, sqlite3_bind_int64(b->stmt, ++b->at, value));
}

void bind_u64(struct binder *b, uint64_t value)
{
	bind_int(b, (int64_t)value);
}

void bind_opt(struct binder *b, struct opt_u64 value)
{
	if (value.present)
		bind_u64(b, value.value);
	else
		bind_null(b);
}

void bind_text(struct binder *b, const char *value)
{
	note(b, sqlite3_bind_text(b->stmt, ++b->at, value, -1, SQLITE_STATIC));
}

void bind_blob(struct binder *b, const void *bytes, size_t len)
{
	note(b, sqlite3_bind_blob64(b->stmt, ++b->at, bytes, len, SQLITE_STATIC));
}

int64_t column_int(struct columns *c)
{
	return sqlite3_column_int64(c->stmt, c->at++);
}

uint64_t column_u64(struct columns *c)
{
	return (uint64_t)column_int(c);
}

struct opt_u64 column_opt(struct columns *c)
{
	struct opt_u64 value = {.present = sqlite3_column_type(c->stmt, c->at) != SQLITE_NULL};

	value.value = column_u64(c);
	return value;
}

void column_text(struct columns *c, char *buffer, size_t size)
{
	const unsigned char *text = sqlite3_column_text(c->stmt, c->at++);

	(void)snprintf(buffer, size, "%s", text ? (const char *)text : "");
}

size_t column_blob(struct columns *c, void *buffer, size_t size)
{
	const void *bytes = sqlite3_column_blob(c->stmt, c->at);
	size_t len = (size_t)sqlite3_column_bytes(c->stmt, c->at++);

	if (len > size)
		len = size;
	if (bytes)
		memcpy(buffer, bytes, len);
	return bytes ? len : 0;
}

int store_run(sqlite3_stmt *stmt)
{
	int rc = sqlite3_step(stmt);

	(void)sqlite3_reset(stmt);
	return rc;
}
