// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/client_contexts.h"

#include "redfish/state/state_private.h"

struct context_read {
	const struct client_context *c;
	uint64_t next;
};

struct context_move {
	const struct client_context *c;
	uint64_t from, to;
};

static void bind_identity(struct sql_binder *b, const struct client_context *c)
{
	sql_bind_u64(b, c->account);
	sql_bind_text(b, c->key);
	sql_bind_text(b, c->collection);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* The file is not trusted: a number that no entry can have is no record. */
static int get_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct context_read *read = userdata;
	struct sql_binder b;
	int64_t next = 0;
	int rc, r = state_prepare(t,
				  "SELECT next FROM client_contexts WHERE account = ? AND key = ?"
				  " AND collection = ?",
				  &b, e);

	if (r < 0)
		return r;
	bind_identity(&b, read->c);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW)
		next = sqlite3_column_int64(b.stmt, 0);
	else if (rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	read->next = next > 0 ? (uint64_t)next : 0;
	return r;
}

int client_context_get(struct state *st, const struct client_context *c, uint64_t *ret_next,
		       struct error *e)
{
	struct context_read read = {.c = c};
	int r = state_read(st, get_job, &read, e);

	if (r < 0 || read.next == 0)
		return r;
	*ret_next = read.next;
	return 1;
}

/* ---- changes ----------------------------------------------------------------------------------
 */

/* `moved` orders the records of an account. A slower read does not move a record back. */
static int put_row(struct state_transaction *t, const struct context_move *m, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(
		t,
		"INSERT INTO client_contexts (account, key, collection, next, moved)"
		" VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(moved), 0) + 1"
		" FROM client_contexts WHERE account = ?1))"
		" ON CONFLICT DO UPDATE SET next = excluded.next, moved = excluded.moved"
		" WHERE next = ?5 OR next < 1",
		&b, e);

	if (r < 0)
		return r;
	bind_identity(&b, m->c);
	sql_bind_u64(&b, m->to);
	sql_bind_u64(&b, m->from);
	return state_run(t, &b, e);
}

static int drop_oldest(struct state_transaction *t, uint64_t account, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t,
			      "DELETE FROM client_contexts WHERE account = ?1 AND moved NOT IN"
			      " (SELECT moved FROM client_contexts WHERE account = ?1"
			      " ORDER BY moved DESC LIMIT ?2)",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, account);
	sql_bind_int(&b, CLIENT_CONTEXTS_MAX);
	return state_run(t, &b, e);
}

static int move_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct context_move *m = userdata;
	int r = put_row(t, m, e);

	return r < 0 ? r : drop_oldest(t, m->c->account, e);
}

int client_context_move(struct state *st, const struct client_context *c, uint64_t from,
			uint64_t to, struct error *e)
{
	struct context_move m = {c, from, to};

	return state_change(st, STATE_LAZY, move_job, &m, e);
}

int client_contexts_forget(struct state_transaction *t, uint64_t account, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM client_contexts WHERE account = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, account);
	return state_run(t, &b, e);
}
