// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/sql.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * The file system's reason, where SQLite only reports a failed call. SQLite does not keep that of
 * a COMMIT, so errno itself is used; callers set it to 0 before.
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
	case SQLITE_CONSTRAINT: /* ours hold, unless another program wrote to the file */
	case SQLITE_TOOBIG:	/* nothing of ours is longer than SQL_VALUE_MAX */
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

int sql_error(sqlite3 *db, int rc, const char *verb, const char *path, struct error *e)
{
	int r = db ? error_of(db, rc, errno) : -ENOMEM;
	const char *why = "out of memory";

	/* SQLite has no message for what we detected ourselves. */
	if (db)
		why = sqlite3_errcode(db) == SQLITE_OK ? sqlite3_errstr(rc) : sqlite3_errmsg(db);
	if (r == -ENOSPC)
		why = "no space left on the disk, or a limit or quota is reached";
	return error_set(e, r, "cannot %s %s: %s", verb, path, why);
}

/* Without effect, and without harm, where this SQLite does not know them. */
void sql_set_up(void)
{
	(void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	(void)sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

int sql_exec(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

int sql_get_number(sqlite3 *db, const char *sql, int64_t otherwise, int64_t *ret)
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
 * The file may have been modified by others: nothing in its schema may run functions with side
 * effects, no value may take more memory than SQL_VALUE_MAX, and nothing is mapped, because a
 * truncated file would then raise SIGBUS. Closing the connection does not checkpoint the
 * write-ahead log, so a file that is moved aside stays as it was found.
 */
int sql_configure(sqlite3 *db, int cache_kib)
{
	char pragma[64];
	int rc;

	(void)sqlite3_extended_result_codes(db, 1);
	(void)sqlite3_busy_timeout(db, SQL_BUSY_MS);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, SQL_VALUE_MAX);
	(void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	(void)snprintf(pragma, sizeof(pragma), "PRAGMA cache_size = -%d", cache_kib);
	rc = sql_exec(db, pragma);
	if (rc == SQLITE_OK)
		rc = sql_exec(
			db,
			"PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;PRAGMA temp_store = MEMORY");
	return rc;
}

static void binder_note(struct sql_binder *b, int rc)
{
	if (rc != SQLITE_OK && b->rc == SQLITE_OK)
		b->rc = rc;
}

void sql_bind_null(struct sql_binder *b)
{
	binder_note(b, sqlite3_bind_null(b->stmt, ++b->at));
}

void sql_bind_int(struct sql_binder *b, int64_t value)
{
	binder_note(b, sqlite3_bind_int64(b->stmt, ++b->at, value));
}

void sql_bind_u64(struct sql_binder *b, uint64_t value)
{
	sql_bind_int(b, (int64_t)value);
}

void sql_bind_opt(struct sql_binder *b, struct opt_u64 value)
{
	if (value.present)
		sql_bind_u64(b, value.value);
	else
		sql_bind_null(b);
}

void sql_bind_text(struct sql_binder *b, const char *value)
{
	binder_note(b, sqlite3_bind_text(b->stmt, ++b->at, value, -1, SQLITE_STATIC));
}

void sql_bind_text_len(struct sql_binder *b, const char *value, size_t len)
{
	binder_note(b,
		    sqlite3_bind_text64(b->stmt, ++b->at, value, len, SQLITE_STATIC, SQLITE_UTF8));
}

void sql_bind_text_copy(struct sql_binder *b, const char *value)
{
	binder_note(b, sqlite3_bind_text(b->stmt, ++b->at, value, -1, SQLITE_TRANSIENT));
}

void sql_bind_blob(struct sql_binder *b, const void *bytes, size_t len)
{
	binder_note(b, sqlite3_bind_blob64(b->stmt, ++b->at, bytes, len, SQLITE_STATIC));
}

int64_t sql_row_int(struct sql_row *c)
{
	return sqlite3_column_int64(c->stmt, c->at++);
}

uint64_t sql_row_u64(struct sql_row *c)
{
	return (uint64_t)sql_row_int(c);
}

struct opt_u64 sql_row_opt(struct sql_row *c)
{
	struct opt_u64 value = {.present = sqlite3_column_type(c->stmt, c->at) != SQLITE_NULL};

	value.value = sql_row_u64(c);
	return value;
}

void sql_row_text(struct sql_row *c, char *buffer, size_t size)
{
	const unsigned char *text = sqlite3_column_text(c->stmt, c->at++);

	(void)snprintf(buffer, size, "%s", text ? (const char *)text : "");
}

size_t sql_row_blob(struct sql_row *c, void *buffer, size_t size)
{
	const void *bytes = sqlite3_column_blob(c->stmt, c->at);
	size_t len = (size_t)sqlite3_column_bytes(c->stmt, c->at++);

	if (len > size)
		len = size;
	if (bytes)
		memcpy(buffer, bytes, len);
	return bytes ? len : 0;
}

int sql_run(sqlite3_stmt *stmt)
{
	int rc = sqlite3_step(stmt);

	(void)sqlite3_reset(stmt);
	return rc;
}
