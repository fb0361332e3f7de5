// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/state_otlp.h"

#include <errno.h>

#include "redfish/state/state_private.h"

struct opening {
	const struct state_otlp *first;
	struct state_otlp *ret;
};

static int insert_row(struct state_transaction *t, const struct state_otlp *row, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(
		t,
		"INSERT OR IGNORE INTO otlp (one, uuid, cursor, since, counted) VALUES (1, ?, ?, ?, 0)",
		&b, e);

	if (r < 0)
		return r;
	sql_bind_blob(&b, row->uuid, sizeof(row->uuid));
	sql_bind_u64(&b, row->cursor);
	sql_bind_u64(&b, row->since_ns);
	return state_run(t, &b, e);
}

static int read_row(struct state_transaction *t, struct state_otlp *ret, struct error *e)
{
	struct sql_binder b;
	struct sql_row row;
	int rc, r = state_prepare(t, "SELECT uuid, cursor, since, counted FROM otlp", &b, e);

	if (r < 0)
		return r;
	row = (struct sql_row){.stmt = b.stmt};
	rc = sqlite3_step(b.stmt);
	if (rc == SQLITE_ROW) {
		(void)sql_row_blob(&row, ret->uuid, sizeof(ret->uuid));
		ret->cursor = sql_row_u64(&row);
		ret->since_ns = sql_row_u64(&row);
		ret->counted = sql_row_u64(&row);
	}
	r = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int open_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct opening *o = userdata;
	int r = insert_row(t, o->first, e);

	return r < 0 ? r : read_row(t, o->ret, e);
}

int state_open_otlp(struct state *st, const struct state_otlp *first, struct state_otlp *ret,
		    struct error *e)
{
	struct state_otlp row = *first;
	struct opening o = {first, &row};
	int r = state_change(st, STATE_DURABLE, open_job, &o, e);

	if (r == 0)
		*ret = row;
	return r;
}

static int cursor_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "UPDATE otlp SET cursor = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, *(const uint64_t *)userdata);
	return state_run(t, &b, e);
}

int state_set_otlp_cursor(struct state *st, enum state_durability durability, uint64_t cursor,
			  struct error *e)
{
	return state_change(st, durability, cursor_job, &cursor, e);
}

/* ---- errors -----------------------------------------------------------------------------------
 */

struct error_reader {
	size_t max;
	otlp_each_error *each;
	void *userdata;
};

static int read_errors_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct error_reader *reader = userdata;
	struct sql_binder b;
	int rc = SQLITE_ROW, r;

	r = state_prepare(
		t,
		"SELECT device, corrected, uncorrected, fatal FROM otlp_errors ORDER BY rowid LIMIT ?",
		&b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, reader->max);
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = b.stmt};
		struct otlp_error_count count = {0};

		sql_row_text(&row, count.device, sizeof(count.device));
		for (unsigned int i = 0; i < OTLP_ERROR_KINDS; i++)
			count.n[i] = sql_row_u64(&row);
		r = reader->each(reader->userdata, &count);
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_read_otlp_errors(struct state *st, size_t max, otlp_each_error *each, void *userdata,
			   struct error *e)
{
	struct error_reader reader = {max, each, userdata};

	return state_read(st, read_errors_job, &reader, e);
}

struct error_put {
	const struct otlp_error_counts *counts;
	uint64_t counted, since_ns;
};

static int put_mark(struct state_transaction *t, const struct error_put *put, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "UPDATE otlp SET counted = ?, since = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, put->counted);
	sql_bind_u64(&b, put->since_ns);
	return state_run(t, &b, e);
}

static int put_errors_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct error_put *put = userdata;
	struct sql_binder b;
	int rc = SQLITE_DONE, r = put_mark(t, put, e);

	if (r == 0)
		r = state_prepare(t,
				  "INSERT INTO otlp_errors (device, corrected, uncorrected, fatal)"
				  " VALUES (?, ?, ?, ?) ON CONFLICT (device) DO UPDATE SET"
				  " corrected = excluded.corrected,"
				  " uncorrected = excluded.uncorrected, fatal = excluded.fatal",
				  &b, e);
	if (r < 0)
		return r;
	for (size_t i = 0; i < put->counts->n && rc == SQLITE_DONE; i++) {
		const struct otlp_error_count *c = &put->counts->items[i];

		b.at = 0;
		sql_bind_text(&b, c->device);
		for (unsigned int k = 0; k < OTLP_ERROR_KINDS; k++)
			sql_bind_u64(&b, c->n[k]);
		rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	}
	r = rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_put_otlp_errors(struct state *st, const struct otlp_error_counts *counts,
			  uint64_t counted, uint64_t since_ns, struct error *e)
{
	struct error_put put = {counts, counted, since_ns};

	return state_change(st, STATE_LAZY, put_errors_job, &put, e);
}
