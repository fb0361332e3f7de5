// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The tables, by version of the file.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "events/store_columns.h"
#include "events/store_fields.h"
#include "events/store_private.h"

/*
 * Step N makes version N + 1 of version N; version 0 is an empty file. A step that has been
 * released is never changed: files that it made are compared with it. The columns of `details`
 * that version N + 1 has first (store_columns.c) are added by the step; it may be "". The tables
 * are made here, their content of older entries is in contents[].
 */
static const char *const steps[] = {
	"CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL,"
	" wrapped INTEGER NOT NULL) STRICT;"
	"CREATE TABLE details (id INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE,"
	" final INTEGER NOT NULL, {definitions}) STRICT;"
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

	"", /* the extents of a record */

	"CREATE TABLE poison (seq INTEGER PRIMARY KEY, detail INTEGER NOT NULL,"
	" device TEXT NOT NULL, cleared INTEGER NOT NULL, class INTEGER NOT NULL,"
	" first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;"
	"CREATE INDEX poison_by_range ON poison (device, cleared, class, first, last);"
	"CREATE TRIGGER poison_removed AFTER DELETE ON entries BEGIN"
	" DELETE FROM poison WHERE seq = old.seq; END;",

	/* `stored`: as `n`, with those that were removed since. */
	"ALTER TABLE groups ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;"
	"CREATE TABLE totals (device TEXT NOT NULL, type TEXT NOT NULL, n INTEGER NOT NULL,"
	" PRIMARY KEY (device, type)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;",

	"", /* the times of devices */
};
_Static_assert(ARRAY_SIZE(steps) == STORE_VERSION, "each version has its step");

/* What a step makes of the entries of an older file. */
static const char *const contents[ARRAY_SIZE(steps)] = {
	/* The counts begin with what the file shows: of its entries, and of the losses. */
	[3] = "UPDATE groups SET stored = n;"
	      "INSERT INTO counts SELECT 'source-' || ifnull(d.source, 'none'), count(*)"
	      " FROM entries AS e CROSS JOIN details AS d ON d.id = e.detail"
	      " WHERE ' ' || d.fields LIKE '% dpa=0x%' AND (d.source IS NULL OR d.source IN"
	      " ('kernel', 'prm', 'recorded', 'emulated', 'decoder', 'estimate')) GROUP BY 1;"
	      "INSERT INTO counts SELECT 'disagreements', count(*)"
	      " FROM entries AS e CROSS JOIN details AS d ON d.id = e.detail"
	      " WHERE d.hpa_disagrees = 1;"
	      "INSERT INTO counts SELECT 'refused', n FROM losses WHERE place = 'refused';",

	/* `created` is also the time of the device, see event_created(). */
	[4] = "UPDATE entries SET created = (SELECT created_of(d.wall, d.fields)"
	      " FROM details AS d WHERE d.id = entries.detail) WHERE created IS NULL;",
};
/* The version that has the table `poison` first. */
enum { POISON_VERSION = 3 };

/* For a step: the time of an entry, of the columns `wall` and `fields` of its details. */
static void created_of(sqlite3_context *ctx, int n, sqlite3_value **values)
{
	const char *fields = (const char *)sqlite3_value_text(values[1]);
	struct event_record rec = {0};
	struct opt_u64 created;

	(void)n;
	if (sqlite3_value_type(values[0]) == SQLITE_INTEGER)
		rec.wall_ns = OPT_U64((uint64_t)sqlite3_value_int64(values[0]));
	if (fields)
		fields_parse(fields, &rec);
	created = event_created(&rec);
	if (created.present)
		sqlite3_result_int64(ctx, (sqlite3_int64)store_time(created.value));
	else
		sqlite3_result_null(ctx);
}

static int make_tables(sqlite3 *db, int64_t from)
{
	char sql[STORE_SQL_MAX];
	int rc;

	if (store_columns_expand(steps[from], sql, sizeof(sql)) < 0)
		return SQLITE_INTERNAL;
	rc = sql_exec(db, sql);
	return rc == SQLITE_OK ? store_columns_add(db, (int)from + 1) : rc;
}

static int take_step(sqlite3 *db, int64_t from)
{
	int rc = sqlite3_create_function(db, "created_of", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL,
					 created_of, NULL, NULL);

	if (rc == SQLITE_OK)
		rc = make_tables(db, from);
	if (rc == SQLITE_OK && contents[from])
		rc = sql_exec(db, contents[from]);
	return rc == SQLITE_OK && from + 1 == POISON_VERSION ? store_fill_poison(db) : rc;
}

const struct sql_schema store_schema = {
	.application = STORE_APPLICATION,
	.version = STORE_VERSION,
	.step = take_step,
};

const struct sql_schema store_tables = {
	.application = STORE_APPLICATION,
	.version = STORE_VERSION,
	.step = make_tables,
};

/* The initial content of a new file. */
static int begin_file(sqlite3 *db, void *userdata)
{
	struct store_origin *origin = userdata;
	int rc = store_carry_over(db, origin);
	char text[96];

	(void)snprintf(text, sizeof(text), "INSERT INTO meta VALUES (1, %lld, %lld)",
		       (long long)origin->first, (long long)origin->first - 1);
	return rc == SQLITE_OK ? sql_exec(db, text) : rc;
}

int store_migrate(sqlite3 *db, const char *path, int64_t version, struct store_origin *origin,
		  struct error *e)
{
	return sql_schema_migrate(&store_schema, db, path, version, begin_file, origin, e);
}
