// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/sql_schema.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/sql.h"
#include "common/strutil.h"

static const char list_objects[] =
	"SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')"
	" FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')"
	" ORDER BY type, name";

/* One row in every file: the tables that it has. */
static const char make_meta[] = "CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1),"
				" schema TEXT NOT NULL) STRICT;"
				"INSERT INTO meta VALUES (1, '')";
/* A view of that name, or a virtual table, could do anything; those have no page. */
static const char has_meta[] = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND"
			       " name = 'meta' AND rootpage > 0";

static int take_steps(const struct sql_schema *s, sqlite3 *db, int64_t from, int64_t to)
{
	int rc = from == 0 ? sql_exec(db, make_meta) : SQLITE_OK;

	for (; from < to && rc == SQLITE_OK; from++)
		rc = s->step(db, from);
	return rc;
}

/* ---- a model in memory, which took the steps --------------------------------------------------
 */

struct model {
	sqlite3 *db;
	sqlite3_stmt *list; /* its objects */
};

static void model_close(struct model *m)
{
	(void)sqlite3_finalize(m->list);
	(void)sqlite3_close(m->db);
}

static int model_open(const struct sql_schema *s, int64_t version, struct model *ret)
{
	int rc;

	*ret = (struct model){0};
	rc = sqlite3_open_v2(":memory:", &ret->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
			     NULL);
	if (rc == SQLITE_OK)
		rc = take_steps(s, ret->db, 0, version);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(ret->db, list_objects, -1, &ret->list, NULL);
	return rc;
}

/* FNV-1a of the texts, each with its NUL: a name for them, which is no proof of anything. */
static int hash_of_version(const struct sql_schema *s, int64_t version,
			   char ret[static SQL_SCHEMA_HASH_SIZE])
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	struct model m;
	int rc = model_open(s, version, &m);

	if (rc == SQLITE_OK)
		rc = SQLITE_ROW;
	while (rc == SQLITE_ROW && (rc = sqlite3_step(m.list)) == SQLITE_ROW) {
		const unsigned char *text = sqlite3_column_text(m.list, 0);

		do
			hash = (hash ^ *text) * UINT64_C(0x100000001b3);
		while (*text++);
	}
	model_close(&m);
	(void)snprintf(ret, SQL_SCHEMA_HASH_SIZE, "%016" PRIx64, hash);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int sql_schema_hash(const struct sql_schema *s, char ret[static SQL_SCHEMA_HASH_SIZE])
{
	return hash_of_version(s, s->version, ret);
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

static int compare_with_model(const struct sql_schema *s, sqlite3 *db)
{
	sqlite3_stmt *list = NULL;
	struct model m;
	int rc = model_open(s, s->version, &m);

	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db, list_objects, -1, &list, NULL);
	if (rc == SQLITE_OK)
		rc = compare_lists(m.list, list);
	(void)sqlite3_finalize(list);
	model_close(&m);
	return rc;
}

/* ---- files ------------------------------------------------------------------------------------
 */

int sql_schema_verify(const struct sql_schema *s, sqlite3 *db, const char *path, struct error *e)
{
	int rc = compare_with_model(s, db);

	if (rc == SQLITE_CORRUPT)
		return error_set(e, EBADMSG, "%s does not have the tables of its version", path);
	return rc == SQLITE_OK ? 0 : sql_error(db, rc, "read", path, e);
}

/* The hash that the file has; "" for none. Return: an SQLite code. */
static int read_hash(sqlite3 *db, char ret[static SQL_SCHEMA_HASH_SIZE])
{
	sqlite3_stmt *stmt = NULL;
	struct sql_row row;
	int64_t tables;
	int rc = sql_get_number(db, has_meta, 0, &tables);

	ret[0] = '\0';
	if (rc != SQLITE_OK || tables != 1)
		return rc;
	/* Without this column it is a table of another program, or a damaged one. */
	if (sqlite3_prepare_v2(db, "SELECT schema FROM meta", -1, &stmt, NULL) == SQLITE_OK) {
		row = (struct sql_row){.stmt = stmt};
		rc = sqlite3_step(stmt);
		if (rc == SQLITE_ROW)
			sql_row_text(&row, ret, SQL_SCHEMA_HASH_SIZE);
	} else {
		rc = sqlite3_errcode(db) == SQLITE_ERROR ? SQLITE_OK : sqlite3_errcode(db);
	}
	(void)sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int look_at_hash(const struct sql_schema *s, sqlite3 *db, const char *path, int64_t version,
			struct error *e)
{
	char has[SQL_SCHEMA_HASH_SIZE], wanted[SQL_SCHEMA_HASH_SIZE];
	int rc = read_hash(db, has);

	if (rc != SQLITE_OK)
		return sql_error(db, rc, "read", path, e);
	if (!has[0])
		return error_set(e, EBADMSG, "%s does not say which tables it has", path);
	rc = hash_of_version(s, version, wanted);
	if (rc != SQLITE_OK)
		return sql_error(NULL, rc, "read", path, e);
	if (!str_equal(has, wanted))
		return error_set(
			e, EPROTONOSUPPORT,
			"%s was written by another version of cxl-redfish, with other tables (schema %s, this program's is %s)",
			path, has, wanted);
	return 0;
}

static int look_at_numbers(const struct sql_schema *s, const char *path, int64_t application,
			   int64_t version, struct error *e)
{
	if (application == s->former)
		return error_set(
			e, EPROTONOSUPPORT,
			"%s was written by cxl-redfish before its first release, with other tables",
			path);
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
	return 0;
}

int sql_schema_look(const struct sql_schema *s, sqlite3 *db, const char *path, int64_t *ret_version,
		    struct error *e)
{
	int64_t version, application, objects;
	int r, rc = sql_get_number(db, "SELECT count(*) FROM sqlite_schema", 0, &objects);

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
	r = look_at_numbers(s, path, application, version, e);
	if (r == 0)
		r = look_at_hash(s, db, path, version, e);
	if (r == 0)
		*ret_version = version;
	return r;
}

static int migrate(const struct sql_schema *s, sqlite3 *db, int64_t version,
		   int (*fill)(sqlite3 *db, void *userdata), void *userdata)
{
	char text[160], hash[SQL_SCHEMA_HASH_SIZE] = "";
	int rc = sql_exec(db, "BEGIN IMMEDIATE");

	if (rc == SQLITE_OK)
		rc = take_steps(s, db, version, s->version);
	if (rc == SQLITE_OK)
		rc = sql_schema_hash(s, hash);
	if (rc == SQLITE_OK && version == 0 && fill)
		rc = fill(db, userdata);
	(void)snprintf(text, sizeof(text),
		       "UPDATE meta SET schema = '%s'; PRAGMA application_id = %d;"
		       " PRAGMA user_version = %d; COMMIT",
		       hash, s->application, s->version);
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
