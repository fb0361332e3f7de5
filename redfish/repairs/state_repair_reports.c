// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The end of repairs that their process did not see: the event that reports one, and its incident.
#include <errno.h>

#include "common/clock.h"
#include "redfish/repairs/repair_rows.h"
#include "redfish/repairs/state_repairs.h"

/* Return: 1 with the entry @ret that a report is of and that has none yet, 0 without one. */
static int find_reported(struct state_transaction *t, const struct stored_event *report,
			 struct repair_entry *ret, struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t,
			      "SELECT " REPAIR_COLUMNS " FROM repairs WHERE device = ?"
			      " AND state IN (1, 4) ORDER BY id",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, report->device);
	while (r == 0 && (rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc) == SQLITE_ROW) {
		if (!repair_row_get(b.stmt, ret))
			r = repair_row_damage(t, e);
		else if (!ret->confirmed && repair_entry_reported(ret, report))
			r = 1;
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}
_Static_assert(REPAIR_RUNNING == 1 && REPAIR_UNCONFIRMED == 4, "as in this statement");

/* The process of a running one settles it, and sees a refusal in the log itself. */
static void take_report(struct repair_entry *entry, const struct stored_event *report)
{
	char text[REPAIR_TEXT_MAX];
	const enum repair_state outcome = repair_report_outcome(&report->record, text);

	if (entry->state == REPAIR_UNCONFIRMED) {
		repair_entry_settle(entry, outcome, clock_realtime_ns(), text);
		entry->unresolved = outcome == REPAIR_DONE && entry->incident != 0;
	}
	if (outcome == REPAIR_DONE)
		entry->confirmed = report->seq;
}

static int confirm_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct repair_reports *reports = userdata;
	struct repair_entry entry;
	int r = 0;

	for (size_t i = 0; i < reports->n && r >= 0; i++) {
		r = find_reported(t, &reports->items[i], &entry, e);
		if (r <= 0)
			continue;
		take_report(&entry, &reports->items[i]);
		r = repair_row_put(t, &entry, e);
	}
	return r < 0 ? r : 0;
}

int state_confirm_repairs(struct state *st, const struct repair_reports *reports, struct error *e)
{
	struct repair_reports list = *reports;

	return state_change(st, STATE_DURABLE, confirm_job, &list, e);
}

struct leaving {
	uint64_t id;
	bool left;
};

static int leave_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct leaving *l = userdata;
	struct repair_entry entry;
	int r = repair_row_find_id(t, l->id, &entry, e);

	if (r < 0)
		return r;
	entry.unresolved = l->left && entry.state == REPAIR_DONE && entry.incident != 0;
	return repair_row_put(t, &entry, e);
}

int state_leave_incident(struct state *st, uint64_t id, bool left, struct error *e)
{
	struct leaving l = {id, left};

	return state_change(st, STATE_DURABLE, leave_job, &l, e);
}
