// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/state_subscriptions.h"

#include <errno.h>

#include "redfish/state/state_private.h"

/* Return: 0 and the first value of a query without parameters; or as state_error(). */
static int subscriptions_number(struct state_transaction *t, const char *sql, int64_t *ret,
				struct error *e)
{
	int rc = sql_get_number(t->db, sql, 0, ret);

	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

/* ---- one subscription -------------------------------------------------------------------------
 */

struct subscription_row {
	uint64_t id, cursor;
	const char *body;
	size_t len;
};

static int insert_row(struct state_transaction *t, const struct subscription_row *row,
		      struct error *e)
{
	struct sql_binder b;
	int r;

	r = state_prepare(t,
			  "INSERT INTO subscriptions (id, body, cursor) VALUES (?, ?, ?)"
			  " ON CONFLICT (id) DO UPDATE SET body = excluded.body,"
			  " cursor = excluded.cursor",
			  &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, row->id);
	sql_bind_text_len(&b, row->body, row->len);
	sql_bind_u64(&b, row->cursor);
	return state_run(t, &b, e);
}

static int check_count(struct state_transaction *t, struct error *e)
{
	int64_t n;
	int r = subscriptions_number(t, "SELECT count(*) FROM subscriptions", &n, e);

	if (r == 0 && n > STATE_SUBSCRIPTIONS_MAX)
		return error_set(e, E2BIG, "there are %d subscriptions already",
				 STATE_SUBSCRIPTIONS_MAX);
	return r;
}

static int put_job(struct state_transaction *t, void *userdata, struct error *e)
{
	int r = insert_row(t, userdata, e);

	return r < 0 ? r : check_count(t, e);
}

int state_put_subscription(struct state *st, uint64_t id, const char *body, size_t len,
			   uint64_t cursor, struct error *e)
{
	struct subscription_row row = {id, cursor, body, len};

	if (len > STATE_SUBSCRIPTION_MAX)
		return error_set(e, E2BIG, "a subscription may have at most %d bytes",
				 STATE_SUBSCRIPTION_MAX);
	return state_change(st, STATE_DURABLE, put_job, &row, e);
}

static int remove_job(struct state_transaction *t, void *userdata, struct error *e)
{
	uint64_t id = *(const uint64_t *)userdata;
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM subscriptions WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	r = state_run(t, &b, e);
	if (r == 0 && sqlite3_changes(t->db) == 0)
		return error_set(e, ENOENT, "there is no subscription %llu",
				 (unsigned long long)id);
	return r;
}

int state_remove_subscription(struct state *st, uint64_t id, struct error *e)
{
	return state_change(st, STATE_DURABLE, remove_job, &id, e);
}

/* ---- cursors ----------------------------------------------------------------------------------
 */

struct cursor_list {
	const struct state_cursor *items;
	size_t n;
};

static int cursors_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct cursor_list *list = userdata;
	struct sql_binder b;
	int r = state_prepare(t, "UPDATE subscriptions SET cursor = ? WHERE id = ?", &b, e);
	int rc = SQLITE_DONE;

	if (r < 0)
		return r;
	for (size_t i = 0; i < list->n && rc == SQLITE_DONE; i++) {
		b.at = 0;
		sql_bind_u64(&b, list->items[i].cursor);
		sql_bind_u64(&b, list->items[i].subscription);
		rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	}
	r = rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_set_cursors(struct state *st, enum state_durability durability,
		      const struct state_cursor *cursors, size_t n, struct error *e)
{
	struct cursor_list list = {cursors, n};

	return state_change(st, durability, cursors_job, &list, e);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

struct subscription_reader {
	state_each_subscription *each;
	void *userdata;
};

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct subscription_reader *reader = userdata;
	struct sql_binder b;
	int rc = SQLITE_ROW, r;

	r = state_prepare(t, "SELECT id, body, cursor FROM subscriptions ORDER BY id", &b, e);
	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		const char *body = (const char *)sqlite3_column_text(b.stmt, 1);

		r = reader->each(reader->userdata, (uint64_t)sqlite3_column_int64(b.stmt, 0),
				 body ? body : "", (size_t)sqlite3_column_bytes(b.stmt, 1),
				 (uint64_t)sqlite3_column_int64(b.stmt, 2));
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_read_subscriptions(struct state *st, state_each_subscription *each, void *userdata,
			     struct error *e)
{
	struct subscription_reader reader = {each, userdata};

	return state_read(st, read_job, &reader, e);
}

static int highest_job(struct state_transaction *t, void *userdata, struct error *e)
{
	uint64_t *ret = userdata;
	int64_t cursor;
	int r = subscriptions_number(t,
				     "SELECT max(cursor) FROM (SELECT cursor FROM subscriptions"
				     " UNION ALL SELECT cursor FROM otlp"
				     " UNION ALL SELECT next - 1 FROM client_contexts)",
				     &cursor, e);

	if (r == 0)
		*ret = cursor > 0 ? (uint64_t)cursor : 0;
	return r;
}

int state_read_highest_cursor(struct state *st, uint64_t *ret, struct error *e)
{
	return state_read(st, highest_job, ret, e);
}
