// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/state_repairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "redfish/repairs/repair_rows.h"

/* ---- adding -----------------------------------------------------------------------------------
 */

struct adding {
	const struct repair_entries *list;
	uint64_t mark;
	struct repairs_added *ret;
};

/* The incident is listed by what the device asks for. */
static int remove_unasked(struct state_transaction *t, const struct repair_entry *asked,
			  struct error *e)
{
	struct sql_binder b;
	int r;

	if (!asked->incident)
		return 0;
	r = state_prepare(t,
			  "DELETE FROM repairs WHERE incident = ? AND device = ? AND unasked = 1"
			  " AND state IN (0, 3)",
			  &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, asked->incident);
	sql_bind_text(&b, asked->device);
	return state_run(t, &b, e);
}
_Static_assert(REPAIR_WAITING == 0 && REPAIR_REFUSED == 3, "as in this statement");

static int add_one(struct state_transaction *t, const struct repair_entry *wanted, struct adding *a,
		   struct error *e)
{
	struct repair_entry entry;
	bool has_room = false;
	int r = repair_row_find_place(t, wanted, &entry, e);

	const bool is_known = r == 1;

	if (r >= 0)
		r = remove_unasked(t, wanted, e);
	if (r < 0)
		return r;
	if (is_known) {
		repair_entry_merge(&entry, wanted);
		return repair_row_put(t, &entry, e);
	}
	r = repair_row_add_new(t, wanted, &has_room, e);
	a->ret->n += r == 0 && has_room;
	a->ret->left_out += r == 0 && !has_room;
	return r;
}

static int add_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct adding *a = userdata;
	struct sql_binder b;
	int r = 0;

	*a->ret = (struct repairs_added){0};
	for (size_t i = 0; i < a->list->n && r == 0; i++)
		r = add_one(t, &a->list->items[i], a, e);
	if (r == 0)
		r = state_prepare(t, "UPDATE repair_service SET mark = max(mark, ?)", &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, a->mark);
	return state_run(t, &b, e);
}

int state_add_repairs(struct state *st, const struct repair_entries *list, uint64_t mark,
		      struct repairs_added *ret, struct error *e)
{
	struct adding a = {.list = list, .mark = mark, .ret = ret};

	/* A mark alone that is lost costs reading the same entries again. */
	return state_change(st, list->n > 0 ? STATE_DURABLE : STATE_LAZY, add_job, &a, e);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static int mark_job(struct state_transaction *t, void *userdata, struct error *e)
{
	return repair_row_number(t, "SELECT mark FROM repair_service", userdata, e);
}

int state_repairs_mark(struct state *st, uint64_t *ret, struct error *e)
{
	return state_read(st, mark_job, ret, e);
}

static int read_rows(struct state_transaction *t, struct sql_binder *b, struct repair_entries *list,
		     struct error *e)
{
	int r = 0, rc = SQLITE_DONE;

	while (r == 0 && (rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc) == SQLITE_ROW) {
		struct repair_entry *entry =
			list->n < REPAIRS_MAX ? repair_entries_add(list) : NULL;

		if (!entry)
			r = list->n < REPAIRS_MAX ? -ENOMEM : repair_row_damage(t, e);
		else if (!repair_row_get(b->stmt, entry))
			r = repair_row_damage(t, e);
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b->stmt);
	return r;
}

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "SELECT " REPAIR_COLUMNS " FROM repairs ORDER BY id", &b, e);

	return r < 0 ? r : read_rows(t, &b, userdata, e);
}

int state_read_repairs(struct state *st, struct repair_entries *ret, struct error *e)
{
	return state_read(st, read_job, ret, e);
}

struct incident_reading {
	uint64_t incident;
	struct repair_entries *ret;
};

static int read_incident_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct incident_reading *reading = userdata;
	struct sql_binder b;
	int r = state_prepare(
		t, "SELECT " REPAIR_COLUMNS " FROM repairs WHERE incident = ? ORDER BY id", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, reading->incident);
	return read_rows(t, &b, reading->ret, e);
}

int state_read_incident_repairs(struct state *st, uint64_t incident, struct repair_entries *ret,
				struct error *e)
{
	struct incident_reading reading = {incident, ret};

	return state_read(st, read_incident_job, &reading, e);
}

static int read_one_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct repair_entry *entry = userdata;

	return repair_row_find_id(t, entry->id, entry, e);
}

int state_read_repair(struct state *st, uint64_t id, struct repair_entry *ret, struct error *e)
{
	ret->id = id;
	return state_read(st, read_one_job, ret, e);
}

/* ---- a repair ---------------------------------------------------------------------------------
 */

struct reservation {
	const struct repair_attempt *attempt;
	struct repair_entry *ret;
};

static int check_reservation(const struct repair_entry *entry, bool again, struct error *e)
{
	const char *obstacle = repair_state_obstacle(entry->state);

	if (entry->state == REPAIR_DONE)
		return error_set(e, EALREADY, "repair %" PRIu64 " %s", entry->id, obstacle);
	if (obstacle && !again)
		return error_set(e, EBUSY, "repair %" PRIu64 " %s; --again tries it again",
				 entry->id, obstacle);
	return 0;
}

/* By the type that the entry is about to be repaired by, which it has. */
static bool is_same(const struct repair_entry *of, const struct repair_entry *made)
{
	return made->used == of->used &&
	       repair_entry_same(of, made, (enum edac_repair_type)of->used);
}

static int check_same(struct state_transaction *t, const struct reservation *v, struct error *e)
{
	struct repair_entry other, wanted = *v->ret;
	int r;

	wanted.used = (uint32_t)v->attempt->type;
	r = v->attempt->again ? 0 : repair_row_find_made(t, &wanted, is_same, &other, e);

	if (r <= 0)
		return r;
	return error_set(e, EBUSY,
			 "repair %" PRIu64 " by %s is of the same place as repair %" PRIu64
			 ", which is %s: a second one may use up a further spare; --again makes it",
			 v->attempt->id, edac_repair_type_word(v->attempt->type), other.id,
			 repair_state_name(other.state));
}

static void begin(struct repair_entry *r, const struct repair_attempt *attempt)
{
	r->state = REPAIR_RUNNING;
	r->used = (uint32_t)attempt->type;
	r->tries += r->tries < UINT32_MAX;
	r->alone = attempt->alone ? r->alone + (r->alone < UINT32_MAX) : 0;
	r->begun_ms = clock_boottime_ms();
	r->ended_ms = r->confirmed = 0;
	memset(r->begun_boot, 0, sizeof(r->begun_boot));
	if (attempt->boot_id)
		memcpy(r->begun_boot, attempt->boot_id, sizeof(r->begun_boot));
}

static int reserve_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct reservation *v = userdata;
	int r = repair_row_find_id(t, v->attempt->id, v->ret, e);

	if (r == 0)
		r = check_reservation(v->ret, v->attempt->again, e);
	if (r == 0)
		r = check_same(t, v, e);
	if (r < 0)
		return r;
	begin(v->ret, v->attempt);
	return repair_row_put(t, v->ret, e);
}

int state_reserve_repair(struct state *st, const struct repair_attempt *attempt,
			 struct repair_entry *ret, struct error *e)
{
	struct reservation v = {attempt, ret};

	return state_change(st, STATE_DURABLE, reserve_job, &v, e);
}

struct settling {
	const struct repair_entry *reserved;
	uint64_t now_ns;
	enum repair_state state;
	const char *text;
};

static int check_settling(const struct repair_entry *entry, const struct repair_entry *reserved,
			  struct error *e)
{
	if (entry->state == REPAIR_RUNNING && entry->tries == reserved->tries)
		return 0;
	return error_set(e, ESTALE,
			 "repair %" PRIu64 " was tried again by another program meanwhile",
			 entry->id);
}

/* A request that came while the repair was made may be older than its end, but not than its begin:
 * it is not thrown away. */
static int settle_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct settling *s = userdata;
	struct repair_entry entry;
	int r = repair_row_find_id(t, s->reserved->id, &entry, e);

	if (r == 0)
		r = check_settling(&entry, s->reserved, e);
	if (r < 0)
		return r;
	if (s->reserved->confirmed)
		entry.confirmed = s->reserved->confirmed;
	repair_entry_settle(&entry, s->state, s->now_ns, s->text);
	/* By an event that was read by the service, and not by the process that made the repair. */
	if (s->state == REPAIR_UNCONFIRMED && entry.confirmed)
		repair_entry_settle(&entry, REPAIR_DONE, s->now_ns, REPAIR_CONFIRMED_TEXT);
	memcpy(entry.pages, s->reserved->pages, sizeof(entry.pages));
	entry.ended_ms = clock_boottime_ms();
	if (entry.state == REPAIR_DONE && entry.event != s->reserved->event)
		repair_entry_ask_again(&entry);
	return repair_row_put(t, &entry, e);
}

int state_settle_repair(struct state *st, const struct repair_entry *reserved,
			enum repair_state state, uint64_t now_ns, const char *text, struct error *e)
{
	struct settling s = {reserved, now_ns, state, text};

	return state_change(st, STATE_DURABLE, settle_job, &s, e);
}
