// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/sql_schema.h"

#include <errno.h>
#include <stdio.h>

#include "common/sql.h"
#include "common/strutil.h"

static const char list_objects[] =
	"SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')"
	" FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')"
	" ORDER BY type, name";

static int take_steps(const struct sql_schema *s, sqlite3 *db, int64_t version)
{
	int rc = SQLITE_OK;

	for (; version < s->version && rc == SQLITE_OK; version++)
		rc = s->step(db, version);
	return rc;
}

/* Return: SQLITE_OK when both list the same; SQLITE_CORRUPT; or another code. */
static int compare_lists(sqlite3_stmt *a, sqlite3_stmt *b)
{
	for (;;) {
		int rc_a = sqlite3_step(a), rc_b = sqlite3_step(b);

		if (rc_b != SQLITE_ROW && rc_b != SQLITE_DONE)
			return rc_b;
		if (rc_a != rc_b)
			return SQLITE_CORRUPT;
		if (rc_a == SQLITE_DONE)
			return SQLITE_OK;
		if (!str_equal((const char *)sqlite3_column_text(a, 0),
			       (const char *)sqlite3_column_text(b, 0)))
			return SQLITE_CORRUPT;
	}
}

/* With a database in memory that took all steps. */
static int compare_with_model(const struct sql_schema *s, sqlite3 *db)
{
	sqlite3 *model = NULL;
	sqlite3_stmt *a = NULL, *b = NULL;
	int rc = sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				 NULL);

	if (rc == SQLITE_OK)
		rc = take_steps(s, model, 0);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(model, list_objects, -1, &a, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db, list_objects, -1, &b, NULL);
	if (rc == SQLITE_OK)
		rc = compare_lists(a, b);
	(void)sqlite3_finalize(a);
	(void)sqlite3_finalize(b);
	(void)sqlite3_close(model);
	return rc;
}

int sql_schema_verify(const struct sql_schema *s, sqlite3 *db, const char *path, struct error *e)
{
	int rc = compare_with_model(s, db);

	if (rc == SQLITE_CORRUPT)
		return error_set(e, EBADMSG, "%s does not have the tables of its version", path);
	return rc == SQLITE_OK ? 0 : sql_error(db, rc, "read", path, e);
}

int sql_schema_look(const struct sql_schema *s, sqlite3 *db, const char *path, int64_t *ret_version,
		    struct error *e)
{
	int64_t version, application, objects;
	int rc = sql_get_number(db, "SELECT count(*) FROM sqlite_schema", 0, &objects);

	/* "Unsupported file format", in SQLite's words. */
	if (rc == SQLITE_ERROR)
		return error_set(e, EBADMSG, "%s: %s", path, sqlite3_errmsg(db));
	if (rc == SQLITE_OK)
		rc = sql_get_number(db, "PRAGMA user_version", 0, &version);
	if (rc == SQLITE_OK)
		rc = sql_get_number(db, "PRAGMA application_id", 0, &application);
	if (rc != SQLITE_OK)
		return sql_error(db, rc, "read", path, e);
	if (objects == 0 && version == 0 && application == 0) {
		*ret_version = 0;
		return 0;
	}
	if (application != s->application)
		return error_set(e, EBADMSG, "%s is a database of another program", path);
	if (version > s->version)
		return error_set(
			e, EPROTONOSUPPORT,
			"%s was written by a newer cxl-redfish (its version is %lld, this program supports %d)",
			path, (long long)version, s->version);
	if (version <= 0)
		return error_set(e, EBADMSG, "%s has version %lld, which does not exist", path,
				 (long long)version);
	*ret_version = version;
	return 0;
}

static int migrate(const struct sql_schema *s, sqlite3 *db, int64_t version,
		   int (*fill)(sqlite3 *db, void *userdata), void *userdata)
{
	char text[96];
	int rc = sql_exec(db, "BEGIN IMMEDIATE");

	if (rc == SQLITE_OK)
		rc = take_steps(s, db, version);
	if (rc == SQLITE_OK && version == 0 && fill)
		rc = fill(db, userdata);
	(void)snprintf(text, sizeof(text),
		       "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		       s->application, s->version);
	if (rc == SQLITE_OK)
		rc = sql_exec(db, text);
	if (rc != SQLITE_OK && !sqlite3_get_autocommit(db))
		(void)sql_exec(db, "ROLLBACK");
	return rc;
}

int sql_schema_migrate(const struct sql_schema *s, sqlite3 *db, const char *path, int64_t version,
		       int (*fill)(sqlite3 *db, void *userdata), void *userdata, struct error *e)
{
	int rc = SQLITE_OK;

	errno = 0;
	if (version < s->version)
		rc = migrate(s, db, version, fill, userdata);
	return rc == SQLITE_OK ? 0 : sql_error(db, rc, "write", path, e);
}
