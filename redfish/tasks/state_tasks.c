// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/tasks/state_tasks.h"

#include <errno.h>

#include "redfish/state/state_private.h"

struct task_row {
	const struct task *t;
	const struct task_parts *parts;
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

/* ---- parts ------------------------------------------------------------------------------------
 */

static int put_part(struct state_transaction *t, uint64_t id, size_t number,
		    const struct task_part *p, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT INTO task_parts (task, number, name, state, percent, done,"
			      " total, unit, started, ended, answer)"
			      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	sql_bind_u64(&b, number);
	sql_bind_text(&b, p->name);
	sql_bind_int(&b, p->state);
	sql_bind_int(&b, p->percent);
	sql_bind_u64(&b, p->done);
	sql_bind_u64(&b, p->total);
	sql_bind_text(&b, p->unit);
	sql_bind_u64(&b, p->started_ns);
	sql_bind_u64(&b, p->ended_ns);
	sql_bind_blob(&b, p->answer ? p->answer->bytes : "", p->answer ? p->answer->len : 0);
	return state_run(t, &b, e);
}

static int remove_parts(struct state_transaction *t, uint64_t id, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM task_parts WHERE task = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	return state_run(t, &b, e);
}

static int put_parts(struct state_transaction *t, const struct task_row *row, struct error *e)
{
	int r = 0;

	if (!row->parts || row->parts->n == 0)
		return 0;
	r = remove_parts(t, row->t->id, e);
	for (size_t i = 0; r == 0 && i < row->parts->n; i++)
		r = put_part(t, row->t->id, i + 1, &row->parts->items[i], e);
	return r;
}

/* ---- tasks ------------------------------------------------------------------------------------
 */

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
	r = state_run(t, &b, e);
	return r < 0 ? r : put_parts(t, row, e);
}

int state_put_task(struct state *st, enum state_durability durability, const struct task *t,
		   const struct task_parts *parts, const char *answer, size_t len, struct error *e)
{
	struct task_row row = {t, parts, answer, len};

	return state_change(st, durability, put_job, &row, e);
}

static int remove_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM tasks WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, *(const uint64_t *)userdata);
	r = state_run(t, &b, e);
	return r < 0 ? r : remove_parts(t, *(const uint64_t *)userdata, e);
}

int state_remove_task(struct state *st, uint64_t id, struct error *e)
{
	return state_change(st, STATE_LAZY, remove_job, &id, e);
}

struct task_reader {
	state_each_task *each;
	state_each_part *each_part;
	void *userdata;
	uint64_t last;
};

/* The file is not trusted: states and lengths are bounded. */
static enum task_state row_state(struct sql_row *row)
{
	const int64_t state = sql_row_int(row);

	return state >= 0 && state < TASK_STATES ? (enum task_state)state : TASK_INTERRUPTED;
}

static int take_part(struct task_reader *reader, sqlite3_stmt *stmt)
{
	struct sql_row row = {.stmt = stmt};
	struct task_part p = {0};
	const uint64_t id = sql_row_u64(&row);

	sql_row_text(&row, p.name, sizeof(p.name));
	p.state = row_state(&row);
	p.percent = (unsigned int)sql_row_int(&row) % 101;
	p.done = sql_row_u64(&row);
	p.total = sql_row_u64(&row);
	sql_row_text(&row, p.unit, sizeof(p.unit));
	p.started_ns = sql_row_u64(&row);
	p.ended_ns = sql_row_u64(&row);
	return reader->each_part(reader->userdata, id, &p, sqlite3_column_blob(stmt, row.at),
				 (size_t)sqlite3_column_bytes(stmt, row.at));
}

static int take_row(struct task_reader *reader, sqlite3_stmt *stmt)
{
	struct sql_row row = {.stmt = stmt};
	struct task t = {0};

	t.id = sql_row_u64(&row);
	t.state = row_state(&row);
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

static int read_rows(struct state_transaction *t, struct task_reader *reader, const char *sql,
		     int (*take)(struct task_reader *reader, sqlite3_stmt *stmt), struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_ROW, r = state_prepare(t, sql, &b, e);

	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW)
		r = take(reader, b.stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct task_reader *reader = userdata;
	int64_t last = 0;
	int rc = sql_get_number(t->db, "SELECT last FROM task_numbers", 0, &last), r;

	if (rc != SQLITE_OK)
		return state_error(t, rc, e);
	reader->last = last > 0 ? (uint64_t)last : 0;
	r = read_rows(t, reader,
		      "SELECT id, state, began, percent, done, total, started, ended, user, method,"
		      " uri, unit, status, location, answer FROM tasks WHERE id > 0 ORDER BY id",
		      take_row, e);
	if (r < 0)
		return r;
	return read_rows(t, reader,
			 "SELECT task, name, state, percent, done, total, unit, started, ended,"
			 " answer FROM task_parts ORDER BY task, number",
			 take_part, e);
}

int state_read_tasks(struct state *st, state_each_task *each, state_each_part *each_part,
		     void *userdata, uint64_t *ret_last, struct error *e)
{
	struct task_reader reader = {each, each_part, userdata, 0};
	int r = state_read(st, read_job, &reader, e);

	if (r == 0)
		*ret_last = reader.last;
	return r;
}
