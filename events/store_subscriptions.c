// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Subscriptions in files of the event store. Until the state database existed they were kept here;
// now they are only read, once, by the module that moves them. The table stays, because older
// programs expect it.
#include <errno.h>
#include <sys/stat.h>

#include "events/store_private.h"

enum {
	CARRY_STEPS = 1000000, /* of SQLite's machine, for the content of another file */
	CARRY_MAX = 1000,      /* subscriptions that the older version allowed */
	CARRY_LEN_MAX = 64 * 1024,
};

int store_read_subscriptions(struct store *s, store_each_subscription *each, void *userdata,
			     struct error *e)
{
	sqlite3_stmt *stmt = NULL;
	int r = 0,
	    rc = sqlite3_prepare_v2(s->db, "SELECT id, body, cursor FROM subscriptions ORDER BY id",
				    -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = SQLITE_ROW;
	while (rc == SQLITE_ROW && r == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *body = (const char *)sqlite3_column_text(stmt, 1);

		r = each(userdata, (uint64_t)sqlite3_column_int64(stmt, 0), body ? body : "",
			 (size_t)sqlite3_column_bytes(stmt, 1),
			 (uint64_t)sqlite3_column_int64(stmt, 2));
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = sql_error(s->db, rc, "read", s->path, e);
	(void)sqlite3_finalize(stmt);
	return r;
}

int store_remove_subscriptions(struct store *s, struct error *e)
{
	int r = store_begin(s, e);

	return r < 0 ? r : store_end(s, sql_exec(s->db, "DELETE FROM subscriptions"), e);
}

static int carry_is_over(void *userdata)
{
	(void)userdata;
	return 1;
}

/* Return: whether this program wrote the file, so that its tables are those of this program. */
static bool is_ours(sqlite3 *db)
{
	int64_t application;

	return sql_get_number(db, "PRAGMA application_id", 0, &application) == SQLITE_OK &&
	       application == STORE_APPLICATION;
}

/* The clock, with which our numbers begin, may have been set back. */
static void go_on_from(sqlite3 *aside, uint64_t *first)
{
	int64_t next;

	if (sql_get_number(aside, "SELECT next FROM meta", 0, &next) == SQLITE_OK && next > 0 &&
	    next < STORE_SEQ_MAX / 2 && (uint64_t)next > *first)
		*first = (uint64_t)next;
}

/* Return: an SQLite code of writing; reading ends where it can go no further. */
static int copy_subscriptions(sqlite3_stmt *from, sqlite3_stmt *to, uint64_t first, int *ret_n)
{
	int rc = SQLITE_DONE;

	while (rc == SQLITE_DONE && *ret_n < CARRY_MAX && sqlite3_step(from) == SQLITE_ROW) {
		const char *body = (const char *)sqlite3_column_text(from, 1);
		int len = sqlite3_column_bytes(from, 1);
		uint64_t cursor = (uint64_t)sqlite3_column_int64(from, 2);

		if (!body || len > CARRY_LEN_MAX)
			continue;
		(void)sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
		rc = sqlite3_bind_text(to, 2, body, len, SQLITE_STATIC);
		/* One ahead of all numbers would never be reached. */
		(void)sqlite3_bind_int64(to, 3, (int64_t)(cursor < first ? cursor : first - 1));
		rc = rc == SQLITE_OK ? sql_run(to) : rc;
		*ret_n += rc == SQLITE_DONE;
	}
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int carry(sqlite3 *db, sqlite3 *aside, struct store_origin *origin)
{
	sqlite3_stmt *from = NULL, *to = NULL;
	int rc;

	go_on_from(aside, &origin->first);
	if (!origin->carry)
		return SQLITE_OK;
	rc = sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO subscriptions VALUES (?, ?, ?)", -1, &to,
				NULL);
	(void)sqlite3_prepare_v2(aside, "SELECT id, body, cursor FROM subscriptions", -1, &from,
				 NULL);
	if (rc == SQLITE_OK && from)
		rc = copy_subscriptions(from, to, origin->first, &origin->carried);
	(void)sqlite3_finalize(from);
	(void)sqlite3_finalize(to);
	return rc;
}

/*
 * Nothing is known of the content of the file, if it is one: opening a FIFO may block, a view may
 * never end.
 */
int store_carry_over(sqlite3 *db, struct store_origin *origin)
{
	sqlite3 *aside = NULL;
	int rc = SQLITE_OK;
	struct stat st;

	if (lstat(origin->aside, &st) < 0 || !S_ISREG(st.st_mode))
		return SQLITE_OK;
	if (sqlite3_open_v2(origin->aside, &aside, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
			    NULL) == SQLITE_OK &&
	    sql_configure(aside, STORE_READER_CACHE_KIB) == SQLITE_OK) {
		sqlite3_progress_handler(aside, CARRY_STEPS, carry_is_over, NULL);
		if (is_ours(aside))
			rc = carry(db, aside, origin);
	}
	(void)sqlite3_close(aside);
	return rc;
}
