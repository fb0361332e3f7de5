// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/state_subscriptions.h"

#include <errno.h>
#include <stdio.h>

#include "redfish/state/state_private.h"

/* Values of state.imported, for the subscriptions in the event log. */
enum import_state {
	IMPORT_NEVER,  /* they were not searched for yet */
	IMPORT_COPIED, /* they were copied, and not yet removed there */
	IMPORT_DONE,
};

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
	store_each_subscription *each;
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

int state_read_subscriptions(struct state *st, store_each_subscription *each, void *userdata,
			     struct error *e)
{
	struct subscription_reader reader = {each, userdata};

	return state_read(st, read_job, &reader, e);
}

static int hint_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct state_log_hint *ret = userdata;
	int64_t imported, cursor = 0;
	int r = subscriptions_number(t, "SELECT imported FROM state", &imported, e);

	if (r == 0)
		r = subscriptions_number(t, "SELECT max(cursor) FROM subscriptions", &cursor, e);
	if (r == 0)
		*ret = (struct state_log_hint){.imported = imported != IMPORT_NEVER,
					       .highest_cursor = cursor > 0 ? (uint64_t)cursor : 0};
	return r;
}

int state_read_log_hint(struct state *st, struct state_log_hint *ret, struct error *e)
{
	return state_read(st, hint_job, ret, e);
}

/* ---- moving them out of the event log ---------------------------------------------------------
 */

struct import {
	struct state_transaction *t;
	struct store *store;
	int64_t state;
	int n, result, store_result;
	struct error *e;
};

/* Larger numbers are invalid; the next ones must be possible, too. */
enum { ID_MAX = 1 << 30 };

static int set_import_state(struct state_transaction *t, enum import_state state, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "UPDATE state SET imported = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, state);
	return state_run(t, &b, e);
}

/* The number of an imported subscription: its own, unless that is in use. */
static int choose_id(struct state_transaction *t, uint64_t id, uint64_t *ret, struct error *e)
{
	char sql[128];
	int64_t taken, highest;
	int r;

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM subscriptions WHERE id = %lld",
		       (long long)id);
	r = subscriptions_number(t, sql, &taken, e);
	if (r == 0)
		r = subscriptions_number(t, "SELECT coalesce(max(id), 0) FROM subscriptions",
					 &highest, e);
	if (r == 0)
		*ret = taken || id == 0 || id > ID_MAX ? (uint64_t)highest + 1 : id;
	return r;
}

/* Return: 1 when the state database failed, which is no result of the store. */
static int import_one(void *userdata, uint64_t id, const char *body, size_t len, uint64_t cursor)
{
	struct import *import = userdata;
	struct subscription_row row = {.cursor = cursor, .body = body, .len = len};
	int r;

	if (len > STATE_SUBSCRIPTION_MAX)
		return 0;
	r = choose_id(import->t, id, &row.id, import->e);

	if (r == 0)
		r = insert_row(import->t, &row, import->e);
	import->n += r == 0;
	import->result = r;
	return r < 0;
}

static int import_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct import *import = userdata;
	int r = subscriptions_number(t, "SELECT imported FROM state", &import->state, e);

	/* Subscriptions that are still in the event log then were copied before. */
	if (r < 0 || import->state == IMPORT_COPIED)
		return r;
	import->t = t;
	import->e = e;
	r = store_read_subscriptions(import->store, import_one, import, e);
	if (r < 0)
		import->store_result = r;
	else
		r = import->result;
	if (r == 0 && (import->n > 0 || import->state == IMPORT_NEVER)) {
		import->state = IMPORT_COPIED;
		r = set_import_state(t, IMPORT_COPIED, e);
	}
	return r;
}

static int imported_job(struct state_transaction *t, void *userdata, struct error *e)
{
	(void)userdata;
	return set_import_state(t, IMPORT_DONE, e);
}

int state_import_subscriptions(struct state *st, struct store *store, int *ret_n, int *ret_store,
			       struct error *e)
{
	struct import import = {.store = store};
	int r = state_change(st, STATE_DURABLE, import_job, &import, e);

	if (r == 0 && import.state == IMPORT_COPIED)
		r = import.store_result = store_remove_subscriptions(store, e);
	if (r == 0 && import.state == IMPORT_COPIED)
		r = state_change(st, STATE_DURABLE, imported_job, NULL, e);
	*ret_store = import.store_result;
	if (r == 0)
		*ret_n = import.n;
	return r;
}
