// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state_tasks.h"

#include <errno.h>

#include "redfish/state_private.h"

struct task_row {
	const struct task *t;
	const char *answer;
	size_t len;
};

static void bind_task(struct sql_binder *b, const struct task_row *row)
{
	const struct task *t = row->t;

	sql_bind_u64(b, t->id);
	sql_bind_int(b, t->state);
	sql_bind_int(b, t->began);
	sql_bind_int(b, t->percent);
	sql_bind_u64(b, t->done);
	sql_bind_u64(b, t->total);
	sql_bind_u64(b, t->started_ns);
	sql_bind_u64(b, t->ended_ns);
	sql_bind_text(b, t->user);
	sql_bind_text(b, t->method);
	sql_bind_text(b, t->uri);
	sql_bind_text(b, t->unit);
	sql_bind_int(b, t->status);
	sql_bind_text(b, t->location);
	sql_bind_blob(b, row->answer ? row->answer : "", row->len);
}

static int put_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct task_row *row = userdata;
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT OR REPLACE INTO tasks (id, state, began, percent, done,"
			      " total, started, ended, user, method, uri, unit, status, location,"
			      " answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	bind_task(&b, row);
	r = state_run(t, &b, e);
	if (r == 0)
		r = state_prepare(t, "UPDATE task_numbers SET last = max(last, ?)", &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, row->t->id);
	return state_run(t, &b, e);
}

int state_put_task(struct state *st, enum state_durability durability, const struct task *t,
		   const char *answer, size_t len, struct error *e)
{
	struct task_row row = {t, answer, len};

	return state_change(st, durability, put_job, &row, e);
}

static int remove_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM tasks WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, *(const uint64_t *)userdata);
	return state_run(t, &b, e);
}

int state_remove_task(struct state *st, uint64_t id, struct error *e)
{
	return state_change(st, STATE_LAZY, remove_job, &id, e);
}

struct task_reader {
	state_each_task *each;
	void *userdata;
	uint64_t last;
};

/* The file is not trusted: the state and the lengths are bounded. */
static int take_row(struct task_reader *reader, sqlite3_stmt *stmt)
{
	struct sql_row row = {.stmt = stmt};
	struct task t = {0};
	int64_t state;

	t.id = sql_row_u64(&row);
	state = sql_row_int(&row);
	t.state = state >= 0 && state < TASK_STATES ? (enum task_state)state : TASK_INTERRUPTED;
	t.began = sql_row_int(&row) != 0;
	t.percent = (unsigned int)sql_row_int(&row) % 101;
	t.done = sql_row_u64(&row);
	t.total = sql_row_u64(&row);
	t.started_ns = sql_row_u64(&row);
	t.ended_ns = sql_row_u64(&row);
	sql_row_text(&row, t.user, sizeof(t.user));
	sql_row_text(&row, t.method, sizeof(t.method));
	sql_row_text(&row, t.uri, sizeof(t.uri));
	sql_row_text(&row, t.unit, sizeof(t.unit));
	t.status = (unsigned int)sql_row_int(&row) % 1000;
	sql_row_text(&row, t.location, sizeof(t.location));
	return reader->each(reader->userdata, &t, sqlite3_column_blob(stmt, row.at),
			    (size_t)sqlite3_column_bytes(stmt, row.at));
}

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct task_reader *reader = userdata;
	struct sql_binder b;
	int64_t last = 0;
	int rc = sql_get_number(t->db, "SELECT last FROM task_numbers", 0, &last), r;

	if (rc != SQLITE_OK)
		return state_error(t, rc, e);
	reader->last = last > 0 ? (uint64_t)last : 0;
	r = state_prepare(t,
			  "SELECT id, state, began, percent, done, total, started, ended, user,"
			  " method, uri, unit, status, location, answer FROM tasks WHERE id > 0"
			  " ORDER BY id",
			  &b, e);
	if (r < 0)
		return r;
	rc = SQLITE_ROW;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW)
		r = take_row(reader, b.stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_read_tasks(struct state *st, state_each_task *each, void *userdata, uint64_t *ret_last,
		     struct error *e)
{
	struct task_reader reader = {each, userdata, 0};
	int r = state_read(st, read_job, &reader, e);

	if (r == 0)
		*ret_last = reader.last;
	return r;
}
