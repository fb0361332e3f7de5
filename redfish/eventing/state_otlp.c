// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/state_otlp.h"

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
		t, "INSERT OR IGNORE INTO otlp (one, uuid, cursor, since) VALUES (1, ?, ?, ?)", &b,
		e);

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
	int rc, r = state_prepare(t, "SELECT uuid, cursor, since FROM otlp", &b, e);

	if (r < 0)
		return r;
	row = (struct sql_row){.stmt = b.stmt};
	rc = sqlite3_step(b.stmt);
	if (rc == SQLITE_ROW) {
		(void)sql_row_blob(&row, ret->uuid, sizeof(ret->uuid));
		ret->cursor = sql_row_u64(&row);
		ret->since_ns = sql_row_u64(&row);
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
