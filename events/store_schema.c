// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The tables, by version of the file.
#include <stdio.h>

#include "common/array.h"
#include "events/store_columns.h"
#include "events/store_schema.h"

/*
 * Step N makes version N + 1 of version N; version 0 is an empty file. A step that has been
 * released is never changed, see common/sql_schema.h. The columns of `details` that version N + 1
 * has first (store_columns.c) are added by the step.
 */
static const char *const steps[] = {
	"CREATE TABLE numbers (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL,"
	" wrapped INTEGER NOT NULL) STRICT;"
	"CREATE TABLE details (id INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE,"
	" final INTEGER NOT NULL, {definitions}) STRICT;"
	"CREATE INDEX details_pending ON details (id) WHERE final = 0;"
	/* `stored`: as `n`, with those that were removed since. */
	"CREATE TABLE groups (id INTEGER PRIMARY KEY, device TEXT NOT NULL, type TEXT NOT NULL,"
	" severity INTEGER NOT NULL, log INTEGER NOT NULL, n INTEGER NOT NULL,"
	" unresolved INTEGER NOT NULL, stored INTEGER NOT NULL DEFAULT 0,"
	" UNIQUE (device, type, severity, log)) STRICT;"
	"CREATE TABLE entries (seq INTEGER PRIMARY KEY, detail INTEGER NOT NULL,"
	" grp INTEGER NOT NULL, stored INTEGER NOT NULL, created INTEGER, spa_class INTEGER,"
	" spa_first INTEGER, spa_last INTEGER, resolved INTEGER NOT NULL, incident INTEGER, before INTEGER) STRICT;"
	"CREATE INDEX entries_by_group ON entries (grp);"
	"CREATE INDEX entries_by_time ON entries (created, grp) WHERE created IS NOT NULL;"
	"CREATE INDEX entries_by_spa ON entries (spa_class, spa_first, spa_last, grp)"
	" WHERE spa_class IS NOT NULL;"
	"CREATE TABLE incidents ({incident definitions}) STRICT;"
	"CREATE INDEX incidents_by_identity ON incidents (device, kind, anchor, known, place);"
	"CREATE TABLE findings (id INTEGER PRIMARY KEY, code TEXT NOT NULL, object TEXT NOT NULL,"
	" text TEXT NOT NULL, next TEXT NOT NULL) STRICT;"
	"CREATE TABLE ages (one INTEGER PRIMARY KEY CHECK (one = 1), age INTEGER NOT NULL,"
	" boottime INTEGER NOT NULL, boot_id BLOB NOT NULL, machine INTEGER NOT NULL, counted INTEGER NOT NULL) STRICT;"
	"CREATE TABLE poison (seq INTEGER PRIMARY KEY, detail INTEGER NOT NULL,"
	" device TEXT NOT NULL, cleared INTEGER NOT NULL, class INTEGER NOT NULL,"
	" first INTEGER NOT NULL, last INTEGER NOT NULL, time INTEGER NOT NULL,"
	" boot_id BLOB NOT NULL) STRICT;"
	"CREATE INDEX poison_by_range ON poison (device, cleared, class, first, last);"
	"CREATE TABLE losses (place TEXT PRIMARY KEY, gaps INTEGER NOT NULL, n INTEGER NOT NULL)"
	" STRICT, WITHOUT ROWID;"
	"CREATE TABLE rings (cpu INTEGER PRIMARY KEY, boot_id BLOB NOT NULL, instance INTEGER NOT NULL,"
	" n INTEGER NOT NULL) STRICT;"
	"CREATE TABLE totals (device TEXT NOT NULL, type TEXT NOT NULL, n INTEGER NOT NULL,"
	" PRIMARY KEY (device, type)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
	"CREATE TABLE messages (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;",
};
_Static_assert(ARRAY_SIZE(steps) == STORE_VERSION, "each version has its step");

static int take_step(sqlite3 *db, int64_t from)
{
	char sql[STORE_SQL_MAX];
	int rc;

	if (store_columns_expand(steps[from], sql, sizeof(sql)) < 0)
		return SQLITE_INTERNAL;
	rc = sql_exec(db, sql);
	return rc == SQLITE_OK ? store_columns_add(db, (int)from + 1) : rc;
}

const struct sql_schema store_schema = {
	.application = STORE_APPLICATION,
	.former = STORE_FORMER_APPLICATION,
	.version = STORE_VERSION,
	.step = take_step,
};

/* The initial content of a new file. */
static int begin_file(sqlite3 *db, void *userdata)
{
	const uint64_t first = *(const uint64_t *)userdata;
	char text[96];

	(void)snprintf(text, sizeof(text), "INSERT INTO numbers VALUES (1, %lld, %lld)",
		       (long long)first, (long long)first - 1);
	return sql_exec(db, text);
}

int store_migrate(sqlite3 *db, const char *path, int64_t version, uint64_t first, struct error *e)
{
	return sql_schema_migrate(&store_schema, db, path, version, begin_file, &first, e);
}
