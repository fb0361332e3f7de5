// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What the tables are, how a file of an older version becomes one of this version, and whether a
// file is what it says it is.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "events/store_private.h"

/*
 * Step N makes version N + 1 of version N; version 0 is an empty file. A step that has been
 * released is never changed: files that it made are compared with it.
 */
static const char *const steps[STORE_VERSION] = {
	"CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL,"
	" wrapped INTEGER NOT NULL) STRICT;"
	"CREATE TABLE details (id INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE,"
	" final INTEGER NOT NULL, stored INTEGER NOT NULL, device TEXT NOT NULL,"
	" type TEXT NOT NULL, severity INTEGER NOT NULL, log INTEGER NOT NULL,"
	" resolved INTEGER NOT NULL, boot_id BLOB NOT NULL, event TEXT NOT NULL, cpu INTEGER NOT "
	"NULL, time INTEGER NOT NULL,"
	" repeat INTEGER NOT NULL, clock TEXT NOT NULL, wall INTEGER, memdev TEXT NOT NULL,"
	" host TEXT NOT NULL, region TEXT NOT NULL, fields TEXT NOT NULL, payload BLOB,"
	" payload_whole INTEGER NOT NULL, lost INTEGER, other_fields TEXT NOT NULL, source TEXT,"
	" exact INTEGER NOT NULL, spa INTEGER, spa_last INTEGER, hpa_disagrees INTEGER NOT NULL,"
	" reason TEXT NOT NULL, spa_region TEXT NOT NULL, region_resource INTEGER,"
	" region_uuid BLOB, numa_node INTEGER, dax TEXT NOT NULL) STRICT;"
	"CREATE INDEX details_pending ON details (id) WHERE final = 0;"
	"CREATE TABLE groups (id INTEGER PRIMARY KEY, device TEXT NOT NULL, type TEXT NOT NULL,"
	" severity INTEGER NOT NULL, log INTEGER NOT NULL, n INTEGER NOT NULL,"
	" unresolved INTEGER NOT NULL, UNIQUE (device, type, severity, log)) STRICT;"
	"CREATE TABLE entries (seq INTEGER PRIMARY KEY, detail INTEGER NOT NULL,"
	" grp INTEGER NOT NULL, stored INTEGER NOT NULL, created INTEGER, spa_class INTEGER,"
	" spa_first INTEGER, spa_last INTEGER, resolved INTEGER NOT NULL) STRICT;"
	"CREATE INDEX entries_by_group ON entries (grp);"
	"CREATE INDEX entries_by_time ON entries (created, grp) WHERE created IS NOT NULL;"
	"CREATE INDEX entries_by_spa ON entries (spa_class, spa_first, spa_last, grp)"
	" WHERE spa_class IS NOT NULL;"
	"CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN"
	" DELETE FROM details WHERE id = old.detail;"
	" UPDATE groups SET n = n - 1, unresolved = unresolved - (1 - old.resolved)"
	" WHERE id = old.grp; END;"
	"CREATE TRIGGER entry_resolved AFTER UPDATE OF resolved ON entries BEGIN"
	" UPDATE groups SET unresolved = unresolved + old.resolved - new.resolved"
	" WHERE id = new.grp; END;"
	"CREATE TABLE losses (place TEXT PRIMARY KEY, gaps INTEGER NOT NULL, n INTEGER NOT NULL)"
	" STRICT, WITHOUT ROWID;"
	"CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, body TEXT NOT NULL,"
	" cursor INTEGER NOT NULL) STRICT;"
	"CREATE TABLE messages (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;",
};

static const char list_schema[] =
	"SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')"
	" FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')"
	" ORDER BY type, name";

static int take_steps(sqlite3 *db, int64_t version)
{
	int rc = SQLITE_OK;

	for (; version < STORE_VERSION && rc == SQLITE_OK; version++)
		rc = store_exec(db, steps[version]);
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

static int compare_schema(sqlite3 *db)
{
	sqlite3 *model = NULL;
	sqlite3_stmt *a = NULL, *b = NULL;
	int rc = sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				 NULL);

	if (rc == SQLITE_OK)
		rc = take_steps(model, 0);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(model, list_schema, -1, &a, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db, list_schema, -1, &b, NULL);
	if (rc == SQLITE_OK)
		rc = compare_lists(a, b);
	(void)sqlite3_finalize(a);
	(void)sqlite3_finalize(b);
	(void)sqlite3_close(model);
	return rc;
}

/*
 * A file whose tables, indexes or triggers differ by a letter from those that we make is not used:
 * what a stranger put there (a view that never ends, a trigger that removes) cannot run.
 */
int store_verify(sqlite3 *db, const char *path, struct error *e)
{
	int rc = compare_schema(db);

	if (rc == SQLITE_CORRUPT)
		return error_set(e, EBADMSG, "%s has other tables than it should have", path);
	return rc == SQLITE_OK ? 0 : store_failed(db, rc, "read", path, e);
}

int store_look(sqlite3 *db, const char *path, int64_t *ret_version, struct error *e)
{
	int64_t version, application, objects;
	int rc = store_get_number(db, "SELECT count(*) FROM sqlite_schema", 0, &objects);

	/* "Unsupported file format", in SQLite's words. */
	if (rc == SQLITE_ERROR)
		return error_set(e, EBADMSG, "%s: %s", path, sqlite3_errmsg(db));
	if (rc == SQLITE_OK)
		rc = store_get_number(db, "PRAGMA user_version", 0, &version);
	if (rc == SQLITE_OK)
		rc = store_get_number(db, "PRAGMA application_id", 0, &application);
	if (rc != SQLITE_OK)
		return store_failed(db, rc, "read", path, e);
	if (objects == 0 && version == 0 && application == 0) {
		*ret_version = 0;
		return 0;
	}
	if (application != STORE_APPLICATION)
		return error_set(e, EBADMSG, "%s is a database of another program", path);
	if (version > STORE_VERSION)
		return error_set(e, EPROTONOSUPPORT,
				 "%s was written by a newer cxl-redfish (version %lld, this one "
				 "knows %d)",
				 path, (long long)version, STORE_VERSION);
	if (version <= 0)
		return error_set(e, EBADMSG, "%s has version %lld, which never was", path,
				 (long long)version);
	*ret_version = version;
	return 0;
}

/* What a new file has in it from the beginning. */
static int begin_file(sqlite3 *db, struct store_origin *origin)
{
	int rc = store_carry_over(db, origin);
	char text[96];

	(void)snprintf(text, sizeof(text), "INSERT INTO meta VALUES (1, %lld, %lld)",
		       (long long)origin->first, (long long)origin->first - 1);
	return rc == SQLITE_OK ? store_exec(db, text) : rc;
}

static int migrate(sqlite3 *db, int64_t version, struct store_origin *origin)
{
	char text[96];
	int rc = store_exec(db, "BEGIN IMMEDIATE");

	if (rc == SQLITE_OK)
		rc = take_steps(db, version);
	if (rc == SQLITE_OK && version == 0)
		rc = begin_file(db, origin);
	(void)snprintf(text, sizeof(text),
		       "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		       STORE_APPLICATION, STORE_VERSION);
	if (rc == SQLITE_OK)
		rc = store_exec(db, text);
	if (rc != SQLITE_OK && !sqlite3_get_autocommit(db))
		(void)store_exec(db, "ROLLBACK");
	return rc;
}

int store_migrate(sqlite3 *db, const char *path, int64_t version, struct store_origin *origin,
		  struct error *e)
{
	int rc;

	errno = 0;
	rc = version < STORE_VERSION ? migrate(db, version, origin) : SQLITE_OK;
	return rc == SQLITE_OK ? 0 : store_failed(db, rc, "make", path, e);
}
