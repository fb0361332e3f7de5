// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What is kept for those whom events are sent to.
#include <errno.h>
#include <sys/stat.h>

#include "events/store_private.h"

enum { CARRY_STEPS = 1000000 }; /* of SQLite's machine, for what another file says */

static int too_long(struct error *e, const char *what, size_t max)
{
	return error_set(e, E2BIG, "%s may have %zu bytes", what, max);
}

static int put_subscription(struct store *s, uint64_t id, const char *body, size_t len,
			    uint64_t cursor)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_PUT_SUBSCRIPTION)};
	int rc;

	sql_bind_u64(&b, id);
	rc = sqlite3_bind_text64(b.stmt, ++b.at, body, len, SQLITE_STATIC, SQLITE_UTF8);
	sql_bind_u64(&b, cursor);
	return rc == SQLITE_OK ? sql_run(b.stmt) : rc;
}

static int count_others(struct store *s, uint64_t id, int64_t *ret)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_COUNT_SUBSCRIPTIONS)};
	int rc;

	sql_bind_u64(&b, id);
	rc = sqlite3_step(b.stmt);
	*ret = rc == SQLITE_ROW ? sqlite3_column_int64(b.stmt, 0) : 0;
	(void)sqlite3_reset(b.stmt);
	return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

int store_put_subscription(struct store *s, uint64_t id, const char *body, size_t len,
			   uint64_t cursor, struct error *e)
{
	int64_t others;
	int rc, r;

	if (len > STORE_SUBSCRIPTION_MAX)
		return too_long(e, "a subscription", STORE_SUBSCRIPTION_MAX);
	r = store_begin(s, e);
	if (r < 0)
		return r;
	rc = count_others(s, id, &others);
	if (rc == SQLITE_DONE && others < STORE_SUBSCRIPTIONS_MAX)
		rc = put_subscription(s, id, body, len, cursor);
	r = store_end(s, rc, e);
	if (r == 0 && others >= STORE_SUBSCRIPTIONS_MAX)
		return error_set(e, E2BIG, "there are %d subscriptions already",
				 STORE_SUBSCRIPTIONS_MAX);
	return r;
}

int store_drop_subscription(struct store *s, uint64_t id, struct error *e)
{
	int changes, rc, r = store_begin(s, e);
	struct sql_binder b;

	if (r < 0)
		return r;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_DROP_SUBSCRIPTION)};
	sql_bind_u64(&b, id);
	rc = sql_run(b.stmt);
	changes = sqlite3_changes(s->db);
	r = store_end(s, rc, e);
	if (r == 0 && changes == 0)
		return error_set(e, ENOENT, "there is no subscription %llu",
				 (unsigned long long)id);
	return r;
}

int store_set_cursors(struct store *s, const struct store_cursor *cursors, size_t n,
		      struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n && rc == SQLITE_DONE; i++) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_SET_CURSOR)};

		sql_bind_u64(&b, cursors[i].cursor);
		sql_bind_u64(&b, cursors[i].subscription);
		rc = sql_run(b.stmt);
	}
	return store_end(s, rc, e);
}

int store_put_message(struct store *s, const char *body, size_t len, uint64_t *ret_seq,
		      struct error *e)
{
	uint64_t seq = s->now.next;
	struct sql_binder b;
	int rc, r;

	if (len > STORE_MESSAGE_MAX)
		return too_long(e, "a message", STORE_MESSAGE_MAX);
	r = store_begin(s, e);
	if (r < 0)
		return r;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_PUT_MESSAGE)};
	sql_bind_u64(&b, s->now.next++);
	rc = sqlite3_bind_text64(b.stmt, ++b.at, body, len, SQLITE_STATIC, SQLITE_UTF8);
	if (rc == SQLITE_OK)
		rc = sql_run(b.stmt);
	b = (struct sql_binder){.stmt = store_statement(s, STMT_TRIM_MESSAGES)};
	sql_bind_int(&b, STORE_MESSAGES_MAX);
	if (rc == SQLITE_DONE)
		rc = sql_run(b.stmt);
	r = store_end(s, rc, e);
	if (r == 0)
		*ret_seq = seq;
	return r;
}

static int enough(void *userdata)
{
	(void)userdata;
	return 1;
}

/* Return: whether it is a file of ours, so that its tables mean what ours do. */
static bool is_ours(sqlite3 *db)
{
	int64_t application;

	return sql_get_number(db, "PRAGMA application_id", 0, &application) == SQLITE_OK &&
	       application == STORE_APPLICATION;
}

/* The time, with which our numbers begin, may have been set back. */
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

	while (rc == SQLITE_DONE && *ret_n < STORE_SUBSCRIPTIONS_MAX &&
	       sqlite3_step(from) == SQLITE_ROW) {
		const char *body = (const char *)sqlite3_column_text(from, 1);
		int len = sqlite3_column_bytes(from, 1);
		uint64_t cursor = (uint64_t)sqlite3_column_int64(from, 2);

		if (!body || len > STORE_SUBSCRIPTION_MAX)
			continue;
		(void)sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
		rc = sqlite3_bind_text(to, 2, body, len, SQLITE_STATIC);
		/* What is ahead of all numbers would wait for ever. */
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
 * Who subscribed would never learn that they are not served any more. Nothing is known of what
 * stands in the file, if it is one: opening a FIFO may wait for ever, a view may never end.
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
		sqlite3_progress_handler(aside, CARRY_STEPS, enough, NULL);
		if (is_ours(aside))
			rc = carry(db, aside, origin);
	}
	(void)sqlite3_close(aside);
	return rc;
}
