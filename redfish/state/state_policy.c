// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/state_policy.h"

#include <errno.h>

#include "redfish/state/state_private.h"

static int read_mark(struct state_transaction *t, void *userdata, struct error *e)
{
	struct policy_mark *ret = userdata;
	struct sql_binder b;
	struct sql_row row;
	int rc, r = state_prepare(
			t, "SELECT mode, since, decided, store, boot, boottime FROM page_policy",
			&b, e);

	if (r < 0)
		return r;
	*ret = (struct policy_mark){0};
	row = (struct sql_row){.stmt = b.stmt};
	rc = sqlite3_step(b.stmt);
	if (rc == SQLITE_ROW) {
		ret->mode = (uint32_t)sql_row_int(&row);
		ret->since = sql_row_u64(&row);
		ret->decided = sql_row_u64(&row);
		ret->store = sql_row_u64(&row);
		(void)sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id));
		ret->boottime_ns = sql_row_u64(&row);
	}
	r = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int put_mark(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct policy_mark *mark = userdata;
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT OR REPLACE INTO page_policy"
			      " (one, mode, since, decided, store, boot, boottime)"
			      " VALUES (1, ?, ?, ?, ?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, mark->mode);
	sql_bind_u64(&b, mark->since);
	sql_bind_u64(&b, mark->decided);
	sql_bind_u64(&b, mark->store);
	sql_bind_blob(&b, mark->boot_id, sizeof(mark->boot_id));
	sql_bind_u64(&b, mark->boottime_ns);
	return state_run(t, &b, e);
}

int state_read_policy(struct state *st, struct policy_mark *ret, struct error *e)
{
	return state_read(st, read_mark, ret, e);
}

int state_put_policy(struct state *st, enum state_durability durability,
		     const struct policy_mark *mark, struct error *e)
{
	struct policy_mark copy = *mark;

	return state_change(st, durability, put_mark, &copy, e);
}
