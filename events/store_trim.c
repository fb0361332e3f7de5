// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Changes of entries: resolved, cleared, overwritten, expired.
#include <errno.h>

#include "events/store_group_table.h"
#include "events/store_found.h"
#include "events/store_incidents.h"
#include "events/store_poison.h"
#include "events/store_statements.h"
#include "events/store_transaction.h"
#include "events/store_trim.h"

/* @row: what REMOVED of a statement has. Return: SQLITE_DONE, or an error. */
static int note_removed(struct store *s, struct sql_row *row)
{
	const uint64_t seq = sql_row_u64(row), detail = sql_row_u64(row);
	struct store_group *g = store_group_by_id(s, sql_row_int(row));
	struct sql_binder b = {.stmt = store_statement(s, STMT_REMOVE_DETAILS)};
	int rc;

	if (g)
		store_group_remove(s, g, sql_row_int(row) != 0);
	if (s->now.total > 0)
		s->now.total--;
	sql_bind_u64(&b, detail);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	if (rc == SQLITE_DONE && (!g || store_is_about_poison(g->type)))
		rc = store_drop_poison(s, seq);
	return rc;
}

/* Runs a statement that removes entries. Return: SQLITE_DONE, or an error. */
static int remove_entries(struct store *s, sqlite3_stmt *stmt, int *ret_n)
{
	int rc;

	*ret_n = 0;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};

		++*ret_n;
		rc = note_removed(s, &row);
		if (rc != SQLITE_DONE)
			break;
	}
	(void)sqlite3_reset(stmt);
	return rc;
}

/*
 * Removes the oldest entries: @n at most, and only those stored before @before and all in front of
 * them. The first newer one ends it: when the clock was set back, later ones stay longer. One with
 * a time in the future, stored while the clock was wrong, does not end it: it would keep all others
 * until then.
 */
static int remove_oldest(struct store *s, uint64_t n, uint64_t before, uint64_t now)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_OLDEST)};
	int64_t last = -1;
	int rc, removed;

	sql_bind_u64(&b, n);
	while ((rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		int64_t when = sqlite3_column_int64(b.stmt, 1);
		uint64_t stored = when > 0 ? (uint64_t)when : 0;

		if (stored < before)
			last = sqlite3_column_int64(b.stmt, 0);
		else if (stored <= now)
			break;
	}
	(void)sqlite3_reset(b.stmt);
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		return rc;
	if (last < 0)
		return SQLITE_DONE;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_REMOVE_UPTO)};
	sql_bind_int(&b, last);
	rc = remove_entries(s, b.stmt, &removed);
	if (rc != SQLITE_DONE)
		return rc;
	if ((uint64_t)last > s->now.wrapped)
		s->now.wrapped = (uint64_t)last;
	return rc;
}

int store_remove_surplus(struct store *s, uint64_t n)
{
	uint64_t surplus = s->now.total > s->o.max_records ? s->now.total - s->o.max_records : 0;

	return surplus ? remove_oldest(s, surplus < n ? surplus : n, UINT64_MAX, UINT64_MAX)
		       : SQLITE_DONE;
}

void store_set_limits(struct store *s, const struct store_limits *limits)
{
	s->o.max_records = limits->max_records;
	s->o.max_age_ns = limits->max_age_ns;
	s->o.policy = limits->policy;
}

int store_expire(struct store *s, uint64_t now_ns, bool *ret_more, struct error *e)
{
	uint64_t before = s->committed.total, since = now_ns - s->o.max_age_ns;
	int rc, r = store_begin(s, e);

	if (r < 0)
		return r;
	rc = s->o.policy == STORE_WRAPS_WHEN_FULL ? store_remove_surplus(s, STORE_STEP)
						  : SQLITE_DONE;
	if (rc == SQLITE_DONE && s->o.max_age_ns && now_ns > s->o.max_age_ns)
		rc = remove_oldest(s, STORE_STEP, since, now_ns);
	if (rc == SQLITE_DONE)
		store_expire_found(s);
	if (rc == SQLITE_DONE)
		rc = store_incidents_expire(s);
	r = store_end(s, rc, e);
	if (r == 0)
		*ret_more = before - s->committed.total >= STORE_STEP;
	return r;
}

int store_clear(struct store *s, const char *device, uint64_t upto, bool *ret_more, struct error *e)
{
	int changes = 0, rc, r = store_begin(s, e);
	struct sql_binder b;

	if (r < 0)
		return r;
	b = (struct sql_binder){
		.stmt = store_statement(s, device ? STMT_CLEAR_DEVICE : STMT_CLEAR_ALL)};
	sql_bind_int(&b, upto < STORE_SEQ_MAX ? (int64_t)upto : STORE_SEQ_MAX);
	sql_bind_int(&b, STORE_STEP);
	if (device)
		sql_bind_text(&b, device);
	rc = b.rc == SQLITE_OK ? remove_entries(s, b.stmt, &changes) : b.rc;
	if (rc == SQLITE_DONE && changes < STORE_STEP)
		store_incidents_close(s, device, upto, INCIDENT_END_CLEARED);
	r = store_end(s, rc, e);
	if (r == 0)
		*ret_more = changes >= STORE_STEP;
	return r;
}

int store_resolve(struct store *s, uint64_t seq, bool resolved, struct error *e)
{
	bool found = false;
	int rc, r = store_begin(s, e);

	if (r < 0)
		return r;
	rc = store_resolve_entry(s, seq, resolved, &found);
	r = store_end(s, rc, e);
	if (r == 0 && !found)
		return error_set(e, ENOENT, "there is no entry %llu", (unsigned long long)seq);
	return r;
}
