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

static const struct state_field task_fields[] = {
	STATE_NUMBER("state", struct task, state, TASK_STATES - 1),
	STATE_NUMBER("began", struct task, began, 1),
	STATE_NUMBER("percent", struct task, percent, 100),
	STATE_NUMBER("done", struct task, done, UINT64_MAX),
	STATE_NUMBER("total", struct task, total, UINT64_MAX),
	STATE_NUMBER("started", struct task, started_ns, UINT64_MAX),
	STATE_NUMBER("ended", struct task, ended_ns, UINT64_MAX),
	STATE_TEXT("user", struct task, user),
	STATE_TEXT("method", struct task, method),
	STATE_TEXT("uri", struct task, uri),
	STATE_TEXT("unit", struct task, unit),
	STATE_NUMBER("status", struct task, status, 999),
	STATE_TEXT("location", struct task, location),
};

static const struct state_field part_fields[] = {
	STATE_TEXT("name", struct task_part, name),
	STATE_NUMBER("state", struct task_part, state, TASK_STATES - 1),
	STATE_NUMBER("percent", struct task_part, percent, 100),
	STATE_NUMBER("done", struct task_part, done, UINT64_MAX),
	STATE_NUMBER("total", struct task_part, total, UINT64_MAX),
	STATE_TEXT("unit", struct task_part, unit),
	STATE_NUMBER("started", struct task_part, started_ns, UINT64_MAX),
	STATE_NUMBER("ended", struct task_part, ended_ns, UINT64_MAX),
};

/* ---- parts ------------------------------------------------------------------------------------
 */

static int put_part(struct state_transaction *t, uint64_t id, size_t number,
		    const struct task_part *p, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(
		t, "INSERT INTO task_parts (task, number, body, answer) VALUES (?, ?, ?, ?)", &b,
		e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	sql_bind_u64(&b, number);
	state_bind_row(&b, part_fields, ARRAY_SIZE(part_fields), p);
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
	int r = state_prepare(t, "INSERT OR REPLACE INTO tasks (id, body, answer) VALUES (?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, row->t->id);
	state_bind_row(&b, task_fields, ARRAY_SIZE(task_fields), row->t);
	sql_bind_blob(&b, row->answer ? row->answer : "", row->len);
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

static const char *column_text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column);
}

/* The file is not trusted: a row that this program cannot have written has no known end. */
static int take_part(struct task_reader *reader, sqlite3_stmt *stmt)
{
	struct task_part p = {0};

	if (!state_row_parse(part_fields, ARRAY_SIZE(part_fields), column_text(stmt, 1), &p))
		p.state = TASK_INTERRUPTED;
	return reader->each_part(reader->userdata, (uint64_t)sqlite3_column_int64(stmt, 0), &p,
				 sqlite3_column_blob(stmt, 2),
				 (size_t)sqlite3_column_bytes(stmt, 2));
}

static int take_row(struct task_reader *reader, sqlite3_stmt *stmt)
{
	struct task t = {.id = (uint64_t)sqlite3_column_int64(stmt, 0)};

	if (!state_row_parse(task_fields, ARRAY_SIZE(task_fields), column_text(stmt, 1), &t))
		t.state = TASK_INTERRUPTED;
	return reader->each(reader->userdata, &t, sqlite3_column_blob(stmt, 2),
			    (size_t)sqlite3_column_bytes(stmt, 2));
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
	r = read_rows(t, reader, "SELECT id, body, answer FROM tasks WHERE id > 0 ORDER BY id",
		      take_row, e);
	if (r < 0)
		return r;
	return read_rows(t, reader,
			 "SELECT task, body, answer FROM task_parts ORDER BY task, number",
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
