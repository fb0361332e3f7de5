// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Checks the whole file for damage.
#include <errno.h>

#include "common/strutil.h"
#include "events/store_reader_private.h"

/* Steps of SQLite's virtual machine between two checks of the flag; some microseconds. */
enum { CHECK_STEPS = 1000 };

static int is_stopped(void *userdata)
{
	return __atomic_load_n((const bool *)userdata, __ATOMIC_ACQUIRE);
}

static int quick_check(struct store_reader *r, struct error *e)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(r->db, "PRAGMA quick_check(1)", -1, &stmt, NULL);
	const char *finding = "no result";
	int result = 0;

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		finding = (const char *)sqlite3_column_text(stmt, 0);
	if ((rc == SQLITE_ROW || rc == SQLITE_DONE) && !str_equal(finding, "ok"))
		result = error_set(e, EBADMSG, "%s is damaged (%s)", r->path, finding);
	else if (rc != SQLITE_ROW)
		result = sql_error(r->db, rc, "check", r->path, e);
	(void)sqlite3_finalize(stmt);
	return result;
}

/* Consistency between tables, which SQLite does not check. */
static int cross_check(struct store_reader *r, struct error *e)
{
	int64_t good;
	int rc = sql_get_number(r->db,
				"SELECT (SELECT total(n) FROM groups) ="
				" (SELECT count(*) FROM entries) AND NOT EXISTS (SELECT 1 FROM"
				" entries WHERE detail NOT IN (SELECT id FROM details))",
				0, &good);

	if (rc != SQLITE_OK)
		return sql_error(r->db, rc, "check", r->path, e);
	return good ? 0
		    : error_set(e, EBADMSG, "%s is damaged (its tables are inconsistent)", r->path);
}

int store_check(struct store_reader *r, const bool *stop, struct error *e)
{
	int result = reader_begin(r, e);

	if (result < 0)
		return result;
	sqlite3_progress_handler(r->db, CHECK_STEPS, is_stopped, (void *)stop);
	result = quick_check(r, e);
	if (result == 0)
		result = cross_check(r, e);
	if (is_stopped((void *)stop))
		result = -ECANCELED;
	sqlite3_progress_handler(r->db, 0, NULL, NULL);
	return reader_end(r, SQLITE_OK, result, e);
}
