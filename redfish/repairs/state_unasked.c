// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Entries of the worklist that no device asked for: one of each open incident without a request.
#include <errno.h>
#include <stdio.h>

#include "redfish/repairs/repair_rows.h"
#include "redfish/repairs/state_repairs.h"

/* The states of repair_entry_is_idle(). */
#define IDLE_STATES "(0, 3)"
_Static_assert(REPAIR_WAITING == 0 && REPAIR_REFUSED == 3, "as in IDLE_STATES");

struct listing {
	const struct repair_entries *wanted;
	const struct repair_ids *ended;
	struct repairs_added *ret;
};

static int remove_idle(struct state_transaction *t, uint64_t id, struct error *e)
{
	static const char sql[] =
		"DELETE FROM repairs WHERE id = ? AND unasked = 1 AND state IN " IDLE_STATES;
	struct sql_binder b;
	int r = state_prepare_kept(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	return state_run_kept(t, &b, e);
}

/* An entry that keeps another one of the incident out: its request, or a repair that may have been
 * made; or the one that is listed for it already. Return: 1 with it, 0 without. */
static int find_listed(struct state_transaction *t, const struct repair_entry *wanted,
		       struct repair_entry *ret, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t,
			      "SELECT " REPAIR_COLUMNS " FROM repairs WHERE incident = ?"
			      " AND device = ? AND state <> 2 ORDER BY unasked, id LIMIT 1",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, wanted->incident);
	sql_bind_text(&b, wanted->device);
	return repair_row_read(t, &b, ret, e);
}
_Static_assert(REPAIR_DONE == 2, "as in this statement");

static int list_one(struct state_transaction *t, const struct repair_entry *wanted,
		    struct repairs_added *ret, struct error *e)
{
	struct repair_entry entry;
	bool has_room = false;
	int r = find_listed(t, wanted, &entry, e);

	if (r < 0)
		return r;
	if (r > 0 && (repair_entry_is_asked(&entry) || !repair_entry_is_idle(&entry)))
		return 0;
	if (r > 0 && repair_entry_move(&entry, wanted))
		return repair_row_put(t, &entry, e);
	if (r > 0)
		r = remove_idle(t, entry.id, e);
	if (r < 0)
		return r;
	r = repair_row_add_new(t, wanted, &has_room, e);
	ret->n += r == 0 && has_room;
	ret->left_out += r == 0 && !has_room;
	return r;
}

static int list_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct listing *l = userdata;
	int r = 0;

	*l->ret = (struct repairs_added){0};
	for (size_t i = 0; i < l->ended->n && r == 0; i++)
		r = remove_idle(t, l->ended->ids[i], e);
	for (size_t i = 0; i < l->wanted->n && r == 0; i++)
		r = list_one(t, &l->wanted->items[i], l->ret, e);
	return r;
}

/* Durable where there may be new ones: their ids are not given again. */
int state_list_incidents(struct state *st, const struct repair_entries *wanted,
			 const struct repair_ids *ended, struct repairs_added *ret, struct error *e)
{
	struct listing l = {wanted, ended, ret};

	return state_change(st, wanted->n > 0 ? STATE_DURABLE : STATE_LAZY, list_job, &l, e);
}
