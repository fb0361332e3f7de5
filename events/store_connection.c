// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_connection.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "events/store_columns.h"
#include "events/store_counters.h"
#include "events/store_incidents.h"
#include "events/store_schema.h"
#include "events/store_statements.h"

/*
 * Values of all searches:
 *	?1, ?2	first and last number
 *	?3	whether any time matches, ?4, ?5: first and last time
 *	?6	whether any address matches, ?7, ?8: first and last address
 *	?9, ?10	group, and how many of it
 */
#define IN_TIME "(?3 OR created BETWEEN ?4 AND ?5)"
#define IN_SPA	"(?6 OR (spa_first <= ?8 AND spa_last >= ?7))"
#define IN_LOG	"seq BETWEEN ?1 AND ?2 AND " IN_TIME " AND " IN_SPA " ORDER BY seq"
#define BY_SPA                                                                                     \
	" FROM (WITH RECURSIVE class (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM class"           \
	" WHERE k < 62) SELECT k FROM class) CROSS JOIN entries INDEXED BY entries_by_spa"         \
	" WHERE spa_class = k AND spa_first BETWEEN ?7 - (1 << k) + 1 AND ?8"                      \
	" AND spa_last >= ?7 AND " IN_TIME
#define BY_TIME                                                                                    \
	" FROM entries INDEXED BY entries_by_time WHERE created BETWEEN ?4 AND ?5 AND " IN_SPA

const char *const reader_statements[READER_STATEMENTS] = {
	[READ_BEGIN] = "BEGIN",
	[READ_COMMIT] = "COMMIT",
	[READ_ONE] = "SELECT (SELECT resolved FROM entries WHERE seq = ?1),"
		     " (SELECT incident FROM entries WHERE seq = ?1), {columns}"
		     " FROM details WHERE id = (SELECT detail FROM entries WHERE seq = ?1)",
	[READ_GROUPS] = "SELECT id, {group}, n, unresolved FROM groups ORDER BY id",
	/* The log is any of those that were added up. */
	[READ_GROUP_SUMS] = "SELECT min(id), {group}, sum(n), sum(unresolved)"
			    " FROM groups GROUP BY device, type, severity ORDER BY 1",
	[READ_GROUP_UP] = "SELECT seq FROM entries INDEXED BY entries_by_group WHERE grp = ?9"
			  " AND " IN_LOG " LIMIT ?10",
	[READ_GROUP_DOWN] = "SELECT seq FROM entries INDEXED BY entries_by_group WHERE grp = ?9"
			    " AND " IN_LOG " DESC LIMIT ?10",
	[READ_BY_SPA] = "SELECT seq, grp" BY_SPA,
	[READ_BY_TIME] = "SELECT seq, grp" BY_TIME,
	[READ_COUNT_BY_SPA] = "SELECT count(*)" BY_SPA,
	/* For any address, so that the index alone is read. */
	[READ_COUNT_BY_TIME] = "SELECT count(*) FROM entries INDEXED BY entries_by_time"
			       " WHERE created BETWEEN ?4 AND ?5 AND ?8 NOT NULL",
	[READ_DETAIL] = "SELECT 0, 0, {columns} FROM details NOT INDEXED WHERE id = ?",
	[READ_DETAIL_UP] =
		"SELECT id, id FROM details NOT INDEXED WHERE id >= ? ORDER BY id LIMIT 1",
	[READ_SEQ_UP] = "SELECT seq, detail FROM entries NOT INDEXED WHERE seq >= ? ORDER BY seq"
			" LIMIT 1",
	[READ_SEQ_DOWN] = "SELECT seq, detail FROM entries NOT INDEXED WHERE seq <= ?"
			  " ORDER BY seq DESC LIMIT 1",
	/* Whether the rows of an entry belong together, and each index has it. */
	[READ_CHECK] =
		"SELECT e.seq, d.final = 1 AND g.id IS NOT NULL AND e.resolved IN (0, 1)"
		" AND d.device = g.device AND d.type = g.type AND d.severity = g.severity"
		" AND d.log = g.log"
		" AND EXISTS (SELECT 1 FROM details AS x INDEXED BY sqlite_autoindex_details_1"
		"  WHERE x.identity = d.identity AND x.id = d.id)"
		" AND EXISTS (SELECT 1 FROM entries AS x INDEXED BY entries_by_group"
		"  WHERE x.grp = e.grp AND x.seq = e.seq)"
		" AND (e.created IS NULL OR EXISTS (SELECT 1 FROM entries AS x INDEXED BY "
		"entries_by_time"
		"  WHERE x.created = e.created AND x.grp = e.grp AND x.seq = e.seq))"
		" AND (e.spa_class IS NULL OR EXISTS (SELECT 1 FROM entries AS x INDEXED BY "
		"entries_by_spa"
		"  WHERE x.spa_class = e.spa_class AND x.spa_first = e.spa_first"
		"  AND x.spa_last = e.spa_last AND x.grp = e.grp AND x.seq = e.seq))"
		" FROM entries AS e NOT INDEXED LEFT JOIN details AS d ON d.id = e.detail"
		" LEFT JOIN groups AS g ON g.id = e.grp WHERE e.seq > ? ORDER BY e.seq LIMIT ?",
	[READ_SCAN_UP] = "SELECT seq, grp FROM entries NOT INDEXED WHERE " IN_LOG,
	[READ_SCAN_DOWN] = "SELECT seq, grp FROM entries NOT INDEXED WHERE " IN_LOG " DESC",
	[READ_OLDEST] = "SELECT coalesce(min(seq), 0) FROM entries",
	[READ_NEWEST] = "SELECT coalesce(max(seq), 0) FROM entries",
	[READ_WRAPPED] = "SELECT wrapped FROM numbers",
	[READ_NEXT] = "SELECT next FROM numbers",
	[READ_ENTRIES] = "SELECT coalesce(sum(n), 0) FROM groups",
	[READ_LOSSES] = "SELECT place, gaps, n FROM losses ORDER BY place",
	[READ_TOTALS] = STORE_READ_TOTALS,
	[READ_COUNTS] = STORE_READ_COUNTS,
	[READ_MESSAGES] = "SELECT seq, body FROM messages WHERE seq > ? ORDER BY seq LIMIT ?",
	[READ_INCIDENTS] = "SELECT {incident} FROM incidents ORDER BY id",
	[READ_INCIDENTS_OPEN] = "SELECT {incident} FROM incidents WHERE state < 2 ORDER BY id",
	[READ_INCIDENTS_AFTER] = "SELECT {incident} FROM incidents WHERE id > ? ORDER BY id",
	[READ_INCIDENTS_N] = "SELECT count(*) FROM incidents",
	[READ_INCIDENT] = "SELECT {incident} FROM incidents WHERE id = ?",
	[READ_FINDING] = "SELECT code, object, text, next FROM findings WHERE id = ?",
	[READ_ENTRY_BEFORE] = "SELECT before FROM entries WHERE seq = ? AND incident = ?",
	[READ_AGE] = STORE_READ_AGE,
	[READ_VERSION] = "PRAGMA data_version",
};

/* Steps between two looks at the limit; about a millisecond. */
enum { LIMIT_STEPS = 50000 };

static int reader_is_over(void *userdata)
{
	struct store_reader *r = userdata;

	r->steps += LIMIT_STEPS;
	if (r->limit.steps && r->steps > r->limit.steps)
		r->ended = -E2BIG;
	else if (r->limit.interrupted)
		r->ended = r->limit.interrupted(r->limit.userdata);
	return r->ended != 0;
}

static void reader_apply_limit(struct store_reader *r)
{
	bool limited = r->limit.steps || r->limit.interrupted;

	sqlite3_progress_handler(r->db, limited ? LIMIT_STEPS : 0, limited ? reader_is_over : NULL,
				 r);
}

void store_reader_limit(struct store_reader *r, const struct store_limit *limit)
{
	r->limit = limit ? *limit : (struct store_limit){0};
	r->steps = 0;
	r->ended = 0;
	if (r->db)
		reader_apply_limit(r);
}

static int reader_error(struct store_reader *r, int rc, struct error *e)
{
	int ended = r->ended;

	r->ended = 0;
	if ((rc & 0xff) == SQLITE_INTERRUPT && ended)
		return error_set(e, ended, "reading %s was ended: %s", r->path,
				 ended == -E2BIG ? "the query may not search more entries"
						 : strerror(-ended));
	return sql_error(r->db, rc, "read", r->path, e);
}

static void reader_close_file(struct store_reader *r)
{
	for (int i = 0; i < READER_STATEMENTS; i++) {
		(void)sqlite3_finalize(r->statements[i]);
		r->statements[i] = NULL;
	}
	(void)sqlite3_close(r->db);
	r->db = NULL;
}

/* Return: whether the path still leads to the file that is open. */
static bool reader_is_current(const struct store_reader *r)
{
	struct stat st;

	return r->db && stat(r->path, &st) == 0 && st.st_dev == r->dev && st.st_ino == r->ino;
}

static int reader_look(struct store_reader *r, struct error *e)
{
	struct error why = {0};
	int64_t version;
	int rc = sql_configure(r->db, STORE_READER_CACHE_KIB), result;

	if (rc != SQLITE_OK)
		return reader_error(r, rc, e);
	result = sql_schema_look(&store_schema, r->db, r->path, &version, &why);
	if (result == -EPROTONOSUPPORT)
		return error_set(e, result, "%s; read the file with that version", why.text);
	if (result < 0)
		return error_set(e, result, "%s", why.text);
	if (version == 0)
		return error_set(e, ENOENT, "%s is empty", r->path);
	if (version < STORE_VERSION)
		return error_set(
			e, EPROTONOSUPPORT,
			"%s was written by an older version; start cxl-redfishd once to update it",
			r->path);
	return sql_schema_verify(&store_schema, r->db, r->path, e);
}

static int reader_open_file(struct store_reader *r, struct error *e)
{
	struct stat st;
	int rc, result;

	if (stat(r->path, &st) < 0)
		return error_set(e, errno, "cannot read %s: %s", r->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(e, EBADMSG, "%s is not a regular file", r->path);
	r->dev = st.st_dev;
	r->ino = st.st_ino;
	r->opened++;
	rc = sqlite3_open_v2(r->path, &r->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	result = rc == SQLITE_OK ? reader_look(r, e) : reader_error(r, rc, e);
	/* Renamed while it was opened: the -wal file may have been that of the new one. */
	if (result == 0 && !reader_is_current(r))
		result = error_set(e, EBUSY, "%s is being replaced", r->path);
	if (result < 0)
		reader_close_file(r);
	else
		reader_apply_limit(r);
	return result;
}

int store_reader_open(const char *path, struct store_reader **ret, struct error *e)
{
	struct store_reader *r;
	int result;

	if (strlen(path) >= STORE_PATH_MAX)
		return error_set(e, ENAMETOOLONG, "%s: the name is too long", path);
	r = calloc(1, sizeof(*r));
	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	(void)snprintf(r->path, sizeof(r->path), "%s", path);
	result = reader_open_file(r, e);
	if (result < 0) {
		free(r);
		return result;
	}
	*ret = r;
	return 0;
}

struct store_reader *store_reader_close(struct store_reader *r)
{
	if (!r)
		return NULL;
	reader_close_file(r);
	free(r);
	return NULL;
}

sqlite3_stmt *reader_statement(struct store_reader *r, enum reader_statement which)
{
	sqlite3_stmt **stmt = &r->statements[which];

	if (*stmt) {
		(void)sqlite3_reset(*stmt);
		return *stmt;
	}
	(void)store_prepare(r->db, reader_statements[which], stmt);
	return *stmt;
}

int reader_begin(struct store_reader *r, struct error *e)
{
	int rc, result;

	if (!reader_is_current(r)) {
		reader_close_file(r);
		result = reader_open_file(r, e);
		/* It was there: it will be, or the service says why it is not. */
		if (result < 0)
			return result == -ENOENT ? -EBUSY : result;
	}
	errno = 0;
	rc = sql_run(reader_statement(r, READ_BEGIN));
	return rc == SQLITE_DONE ? 0 : reader_error(r, rc, e);
}

int reader_end(struct store_reader *r, int rc, int result, struct error *e)
{
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
		result = reader_error(r, rc, e);
	for (int i = 0; i < READER_STATEMENTS; i++)
		(void)sqlite3_reset(r->statements[i]);
	if (!sqlite3_get_autocommit(r->db))
		(void)sql_run(reader_statement(r, READ_COMMIT));
	return result;
}

static bool entry_exists(struct store_reader *r, uint64_t seq)
{
	sqlite3_stmt *stmt = reader_statement(r, READ_SEQ_UP);

	return stmt && sqlite3_bind_int64(stmt, 1, (int64_t)seq) == SQLITE_OK &&
	       sqlite3_step(stmt) == SQLITE_ROW && (uint64_t)sqlite3_column_int64(stmt, 0) == seq;
}

/* Return: SQLITE_ROW with r->event, SQLITE_DONE, or an error. */
static int read_row(struct store_reader *r, enum reader_statement which, uint64_t seq)
{
	struct sql_binder b = {.stmt = reader_statement(r, which)};
	struct sql_row row = {.stmt = b.stmt};
	uint64_t incident;
	bool resolved;
	int rc;

	if (!b.stmt)
		return sqlite3_errcode(r->db);
	sql_bind_u64(&b, seq);
	rc = sqlite3_step(b.stmt);
	if (rc != SQLITE_ROW)
		return rc;
	r->event = (struct stored_event){.seq = seq};
	resolved = sql_row_int(&row) != 0;
	incident = sql_row_u64(&row);
	store_columns_read(&row, &r->event, COLUMN_ALL);
	r->event.resolved = resolved;
	r->event.incident = incident;
	r->event.outcome = STORE_FINAL;
	/* A value on a page of its own is read only now. */
	return reader_is_damage(sqlite3_errcode(r->db)) ? SQLITE_CORRUPT : SQLITE_ROW;
}

int reader_read_event(struct store_reader *r, uint64_t seq)
{
	int rc = read_row(r, READ_ONE, seq);

	if (!reader_is_damage(rc) && (rc != SQLITE_DONE || !entry_exists(r, seq)))
		return rc;
	r->damaged = true;
	store_unreadable(seq, 1, &r->event);
	return SQLITE_ROW;
}

int reader_read_details(struct store_reader *r, uint64_t id)
{
	return read_row(r, READ_DETAIL, id);
}

int reader_number(struct store_reader *r, enum reader_statement which, uint64_t *ret)
{
	sqlite3_stmt *stmt = reader_statement(r, which);
	int rc = stmt ? sqlite3_step(stmt) : sqlite3_errcode(r->db);

	*ret = rc == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(stmt, 0) : 0;
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

bool reader_is_damage(int rc)
{
	rc &= 0xff;
	return rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB || rc == SQLITE_TOOBIG;
}

void store_unreadable(uint64_t seq, uint64_t n, struct stored_event *ret)
{
	*ret = (struct stored_event){
		.seq = seq,
		.severity = EVENT_WARNING,
		.record = {.type = EVENT_UNREADABLE, .event = "unreadable", .lost = OPT_U64(n)},
		.outcome = STORE_FINAL,
	};
}

bool store_reader_found_damage(struct store_reader *r)
{
	bool damaged = r->damaged;

	r->damaged = false;
	return damaged;
}
