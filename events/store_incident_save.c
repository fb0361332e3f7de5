// SPDX-License-Identifier: LGPL-2.1-or-later
//
// All open incidents at once: they end by time or with the log, and a commit writes them.
#include <search.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "events/store_incident_columns.h"
#include "events/store_incidents_private.h"
#include "events/store_statements.h"

enum {
	WRITE_MS = 1000,     /* counts of the file are as old at most */
	WAITING_MAX = 32768, /* entries that a start counts again, within 0.1 s */
};

/* The age is written as often while nothing happens. */
#define AGE_SAVE_NS (INCIDENT_HOUR_NS / 2)

struct walk {
	struct store *s;
	const char *device;
	uint64_t upto, age;
	enum incident_end end;
	int rc; /* an SQLite code */
	void (*visit)(struct walk *w, struct incident_row *row);
};

static void walk_row(const void *node, VISIT which, void *closure)
{
	struct walk *w = closure;

	if (which == postorder || which == leaf)
		w->visit(w, *(struct incident_row *const *)node);
}

static void close_row(struct walk *w, struct incident_row *row)
{
	if (w->end == INCIDENT_END_CLEARED && row->now.found)
		return;
	if (incident_is_open(&row->now) && row->now.last_seq <= w->upto &&
	    (!w->device || str_equal(w->device, row->now.device)))
		store_incidents_finish(w->s, row, w->end);
}

void store_incidents_close(struct store *s, const char *device, uint64_t upto,
			   enum incident_end end)
{
	struct walk w = {.s = s, .device = device, .upto = upto, .end = end, .visit = close_row};

	twalk_r(s->incidents->by_id, walk_row, &w);
}

static void expire_row(struct walk *w, struct incident_row *row)
{
	if (incident_is_over(&row->now, w->age))
		store_incidents_finish(w->s, row, INCIDENT_END_QUIET);
}

static void make_minimum(struct walk *w, struct incident_row *row)
{
	if (row->now.count_is_minimum || row->now.anchor.type == ANCHOR_FINDING)
		return;
	row->now.count_is_minimum = true;
	store_incidents_note(w->s, row);
}

void store_incidents_note_loss(struct store *s)
{
	struct walk w = {.s = s, .visit = make_minimum};

	if (!s->incidents->lost)
		twalk_r(s->incidents->by_id, walk_row, &w);
	s->incidents->lost = true;
}

struct visitor {
	struct store *s;
	void (*visit)(struct store *s, struct incident_row *row, const void *userdata);
	const void *userdata;
};

static void visit_row(const void *node, VISIT which, void *closure)
{
	const struct visitor *v = closure;

	if (which == postorder || which == leaf)
		v->visit(v->s, *(struct incident_row *const *)node, v->userdata);
}

void store_incidents_each(struct store *s,
			  void (*visit)(struct store *s, struct incident_row *row,
					const void *userdata),
			  const void *userdata)
{
	struct visitor v = {s, visit, userdata};

	twalk_r(s->incidents->by_id, visit_row, &v);
}

int store_incidents_expire(struct store *s)
{
	struct walk w = {.s = s, .age = store_incidents_age(s), .visit = expire_row};

	twalk_r(s->incidents->by_id, walk_row, &w);
	s->incidents->is_due = s->incidents->waiting > 0;
	return w.age - s->incidents->saved.age > AGE_SAVE_NS ? store_incidents_save_age(s)
							     : SQLITE_DONE;
}

static int save_row(struct store *s, const struct incident_row *row)
{
	struct sql_binder b = {
		.stmt = store_statement(s, row->is_new ? STMT_ADD_INCIDENT : STMT_SAVE_INCIDENT)};

	incident_columns_bind(&b, &row->now, row->is_new);
	if (!row->is_new)
		sql_bind_u64(&b, row->now.id);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

static int save_urgent(struct store *s)
{
	const struct incident_row *row = LIST_FIRST(&s->incidents->urgent);
	int rc = SQLITE_DONE;

	for (; row && rc == SQLITE_DONE; row = LIST_NEXT(row, change))
		rc = save_row(s, row);
	return rc;
}

static void save_changed(struct walk *w, struct incident_row *row)
{
	if (row->is_changed && w->rc == SQLITE_DONE)
		w->rc = save_row(w->s, row);
}

/* By number, as they are in the file: neighbours are on one page. */
static int save_all(struct store *s)
{
	struct walk w = {.s = s, .rc = SQLITE_DONE, .visit = save_changed};

	twalk_r(s->incidents->by_id, walk_row, &w);
	if (w.rc != SQLITE_DONE)
		return w.rc;
	s->incidents->counted = s->now.next - 1;
	return store_incidents_save_age(s);
}

static int trim_ended(struct store *s)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_TRIM_INCIDENTS)};

	int rc;

	sql_bind_int(&b, STORE_ENDED_INCIDENTS_MAX);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	return rc == SQLITE_DONE && sqlite3_changes(s->db)
		       ? sql_run(store_statement(s, STMT_TRIM_FINDINGS))
		       : rc;
}

int store_incidents_save(struct store *s)
{
	struct store_incidents *t = s->incidents;
	int rc;

	t->is_due |= t->waiting >= WAITING_MAX ||
		     (t->waiting && clock_coarse_ms() - t->written_ms >= WRITE_MS);
	rc = t->is_due ? save_all(s) : save_urgent(s);
	return rc == SQLITE_DONE && t->ended ? trim_ended(s) : rc;
}

bool store_lags(const struct store *s)
{
	return s->incidents->waiting > 0;
}

/* They are in the file now. Forgets those that have ended. */
static void end_changes(struct store_incidents *t, struct incident_changes *rows)
{
	struct incident_row *row;

	while ((row = LIST_FIRST(rows))) {
		LIST_REMOVE(row, change);
		row->is_new = row->is_changed = row->is_urgent = false;
		if (!incident_is_open(&row->now))
			store_incidents_remove(t, row);
	}
}

void store_incidents_end(struct store *s, bool committed)
{
	struct store_incidents *t = s->incidents;

	t->is_stale = !committed;
	t->lost = t->ended = false;
	if (!committed)
		return;
	end_changes(t, &t->urgent);
	if (t->is_due) {
		end_changes(t, &t->others);
		t->waiting = 0;
		t->written_ms = clock_coarse_ms();
	}
	t->is_due = false;
}
