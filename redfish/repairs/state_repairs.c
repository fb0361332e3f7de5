// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/state_repairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "redfish/state/state_private.h"

#define PART(name, which) STATE_NUMBER(name, struct repair_entry, place.part[which], UINT32_MAX)

static const struct state_field fields[] = {
	STATE_NUMBER("serial", struct repair_entry, serial, UINT64_MAX),
	STATE_NUMBER("dpa", struct repair_entry, place.dpa, UINT64_MAX),
	STATE_NUMBER("known", struct repair_entry, place.known, UINT32_MAX),
	PART("nibble_mask", REPAIR_NIBBLE_MASK),
	PART("channel", REPAIR_CHANNEL),
	PART("rank", REPAIR_RANK),
	PART("bank_group", REPAIR_BANK_GROUP),
	PART("bank", REPAIR_BANK),
	PART("row", REPAIR_ROW),
	PART("column", REPAIR_COLUMN),
	PART("sub_channel", REPAIR_SUB_CHANNEL),
	STATE_NUMBER("asked", struct repair_entry, asked, EDAC_REPAIR_TYPE_COUNT - 1),
	STATE_NUMBER("dram", struct repair_entry, is_dram, 1),
	STATE_NUMBER("tries", struct repair_entry, tries, UINT32_MAX),
	STATE_NUMBER("repaired", struct repair_entry, repaired, UINT32_MAX),
	STATE_NUMBER("used", struct repair_entry, used, EDAC_REPAIR_TYPE_COUNT - 1),
	STATE_NUMBER("event", struct repair_entry, event, INT64_MAX),
	STATE_NUMBER("incident", struct repair_entry, incident, INT64_MAX),
	STATE_NUMBER("device_ns", struct repair_entry, device_ns, UINT64_MAX),
	STATE_NUMBER("settled", struct repair_entry, settled_ns, UINT64_MAX),
	STATE_TEXT("text", struct repair_entry, text),
	STATE_NUMBER("op_class", struct repair_entry, op_class, UINT32_MAX),
	STATE_NUMBER("op_subclass", struct repair_entry, op_subclass, UINT32_MAX),
};

/* Rows that were stored before op_class was a member have so many. */
enum { FIELDS_OF_ALL = ARRAY_SIZE(fields) - 2 };

#define COLUMNS "id, device, state, boot, body"

static int repairs_damage(struct state_transaction *t, struct error *e)
{
	t->damaged = true;
	return error_set(e, EBADMSG, "%s is damaged (a repair has values that are not possible)",
			 t->path);
}

static bool get_row(sqlite3_stmt *stmt, struct repair_entry *ret)
{
	struct sql_row row = {.stmt = stmt};
	const char *body;
	bool valid;

	*ret = (struct repair_entry){.id = sql_row_u64(&row)};
	sql_row_text(&row, ret->device, sizeof(ret->device));
	ret->state = (uint32_t)sql_row_int(&row);
	valid = sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id)) == sizeof(ret->boot_id);
	body = (const char *)sqlite3_column_text(stmt, row.at);
	return body &&
	       state_row_parse_grown(fields, ARRAY_SIZE(fields), FIELDS_OF_ALL, body, ret) &&
	       valid && repair_entry_check(ret);
}

/* Runs a statement to its first row, and finalizes it. Return: 1 with a row, 0 without. */
static int read_one(struct state_transaction *t, struct sql_binder *b, struct repair_entry *ret,
		    struct error *e)
{
	int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;
	int r = rc == SQLITE_ROW ? 1 : 0;

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	else if (r == 1 && !get_row(b->stmt, ret))
		r = repairs_damage(t, e);
	(void)sqlite3_finalize(b->stmt);
	return r;
}

static int find_id(struct state_transaction *t, uint64_t id, struct repair_entry *ret,
		   struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "SELECT " COLUMNS " FROM repairs WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	r = read_one(t, &b, ret, e);
	if (r == 0)
		return error_set(e, ENOENT, "there is no repair %" PRIu64, id);
	return r < 0 ? r : 0;
}

static int find_place(struct state_transaction *t, const struct repair_entry *key,
		      struct repair_entry *ret, struct error *e)
{
	char place[REPAIR_KEY_MAX];
	struct sql_binder b;
	int r = state_prepare(t, "SELECT " COLUMNS " FROM repairs WHERE device = ? AND place = ?",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, key->device);
	sql_bind_text_copy(&b, repair_entry_key(&key->place, place));
	return read_one(t, &b, ret, e);
}

static int put(struct state_transaction *t, const struct repair_entry *r, struct error *e)
{
	char place[REPAIR_KEY_MAX];
	struct sql_binder b;
	int result = state_prepare(t,
				   "INSERT OR REPLACE INTO repairs (" COLUMNS ", place)"
				   " VALUES (?, ?, ?, ?, ?, ?)",
				   &b, e);

	if (result < 0)
		return result;
	sql_bind_u64(&b, r->id);
	sql_bind_text(&b, r->device);
	sql_bind_int(&b, r->state);
	sql_bind_blob(&b, r->boot_id, sizeof(r->boot_id));
	state_bind_row(&b, fields, ARRAY_SIZE(fields), r);
	sql_bind_text_copy(&b, repair_entry_key(&r->place, place));
	return state_run(t, &b, e);
}

static int get_number(struct state_transaction *t, const char *sql, uint64_t *ret, struct error *e)
{
	int64_t n = 0;
	int rc = sql_get_number(t->db, sql, 0, &n);

	*ret = n > 0 ? (uint64_t)n : 0;
	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

static int exec(struct state_transaction *t, const char *sql, struct error *e)
{
	int rc = sql_exec(t->db, sql);

	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

/* ---- adding -----------------------------------------------------------------------------------
 */

/* A bound of entries; both statements are of a device. */
static const struct {
	uint64_t max;
	const char *count, *remove; /* the oldest that is done */
} bounds[] = {
	{REPAIRS_OF_DEVICE_MAX, "SELECT count(*) FROM repairs WHERE device = ?",
	 "DELETE FROM repairs WHERE id = (SELECT id FROM repairs"
	 " WHERE device = ? AND state = 2 ORDER BY id LIMIT 1)"},
	{REPAIRS_MAX, "SELECT count(*) FROM repairs WHERE ? <> ''",
	 "DELETE FROM repairs WHERE id = (SELECT id FROM repairs"
	 " WHERE ? <> '' AND state = 2 ORDER BY id LIMIT 1)"},
};
_Static_assert(REPAIR_DONE == 2, "as in these statements");

static int count_entries(struct state_transaction *t, const char *sql, const char *device,
			 uint64_t *ret, struct error *e)
{
	struct sql_binder b;
	int rc, r = state_prepare(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, device);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW)
		*ret = (uint64_t)sqlite3_column_int64(b.stmt, 0);
	else
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int remove_done(struct state_transaction *t, const char *sql, const char *device,
		       struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, device);
	return state_run(t, &b, e);
}

/* @ret: whether there is room for one more of the device, perhaps of the oldest that is done */
static int make_room(struct state_transaction *t, const char *device, bool *ret, struct error *e)
{
	uint64_t n = 0;
	int r = 0;

	*ret = true;
	for (size_t i = 0; i < ARRAY_SIZE(bounds) && r == 0 && *ret; i++) {
		r = count_entries(t, bounds[i].count, device, &n, e);
		if (r < 0 || n < bounds[i].max)
			continue;
		r = remove_done(t, bounds[i].remove, device, e);
		if (r == 0)
			r = count_entries(t, bounds[i].count, device, &n, e);
		*ret = n < bounds[i].max;
	}
	return r;
}

static int take_id(struct state_transaction *t, uint64_t *ret, struct error *e)
{
	int r = get_number(t, "SELECT next FROM repair_service", ret, e);

	if (r == 0 && *ret == 0)
		r = repairs_damage(t, e);
	return r < 0 ? r : exec(t, "UPDATE repair_service SET next = next + 1", e);
}

struct adding {
	const struct repair_entries *list;
	uint64_t mark;
	struct repairs_added *ret;
};

static int add_one(struct state_transaction *t, const struct repair_entry *wanted, struct adding *a,
		   struct error *e)
{
	struct repair_entry entry;
	bool has_room = false;
	int r = find_place(t, wanted, &entry, e);

	if (r < 0)
		return r;
	if (r == 1) {
		repair_entry_merge(&entry, wanted);
		return put(t, &entry, e);
	}
	r = make_room(t, wanted->device, &has_room, e);
	if (r < 0 || !has_room) {
		a->ret->left_out += r == 0;
		return r;
	}
	entry = *wanted;
	a->ret->n++;
	r = take_id(t, &entry.id, e);
	return r < 0 ? r : put(t, &entry, e);
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
	return get_number(t, "SELECT mark FROM repair_service", userdata, e);
}

int state_repairs_mark(struct state *st, uint64_t *ret, struct error *e)
{
	return state_read(st, mark_job, ret, e);
}

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct repair_entries *list = userdata;
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t, "SELECT " COLUMNS " FROM repairs ORDER BY id", &b, e);

	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct repair_entry *entry =
			list->n < REPAIRS_MAX ? repair_entries_add(list) : NULL;

		if (!entry)
			r = list->n < REPAIRS_MAX ? -ENOMEM : repairs_damage(t, e);
		else if (!get_row(b.stmt, entry))
			r = repairs_damage(t, e);
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_read_repairs(struct state *st, struct repair_entries *ret, struct error *e)
{
	return state_read(st, read_job, ret, e);
}

static int read_one_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct repair_entry *entry = userdata;

	return find_id(t, entry->id, entry, e);
}

int state_read_repair(struct state *st, uint64_t id, struct repair_entry *ret, struct error *e)
{
	ret->id = id;
	return state_read(st, read_one_job, ret, e);
}

/* ---- a repair ---------------------------------------------------------------------------------
 */

struct reservation {
	uint64_t id;
	enum edac_repair_type type;
	bool again;
	struct repair_entry *ret;
};

static int check_reservation(const struct repair_entry *entry, bool again, struct error *e)
{
	if (entry->state == REPAIR_DONE)
		return error_set(e, EALREADY, "repair %" PRIu64 " is done", entry->id);
	if (entry->state == REPAIR_RUNNING && !again)
		return error_set(
			e, EBUSY,
			"repair %" PRIu64
			" is being made, or its process ended before the result: the device may have done it; --again tries it again",
			entry->id);
	if (entry->state == REPAIR_UNCONFIRMED && !again)
		return error_set(
			e, EBUSY,
			"repair %" PRIu64
			" was accepted, and no event confirmed it: a second one may use up a further spare; --again tries it again",
			entry->id);
	return 0;
}

/* The states of a repair that was made, or may have been. */
#define MADE_STATES "(1, 2, 4)"
_Static_assert(REPAIR_RUNNING == 1 && REPAIR_DONE == 2 && REPAIR_UNCONFIRMED == 4,
	       "as in MADE_STATES");

/* Return: 1 with the entry @ret of the device that was repaired by the same, 0 without one. */
static int find_same(struct state_transaction *t, const struct reservation *v,
		     struct repair_entry *ret, struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t,
			      "SELECT " COLUMNS " FROM repairs WHERE device = ? AND id <> ?"
			      " AND state IN " MADE_STATES " ORDER BY id",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, v->ret->device);
	sql_bind_u64(&b, v->id);
	while (r == 0 && (rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc) == SQLITE_ROW) {
		if (!get_row(b.stmt, ret))
			r = repairs_damage(t, e);
		else if (ret->used == (uint32_t)v->type && repair_entry_same(v->ret, ret, v->type))
			r = 1;
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int check_same(struct state_transaction *t, const struct reservation *v, struct error *e)
{
	struct repair_entry other;
	int r = v->again ? 0 : find_same(t, v, &other, e);

	if (r <= 0)
		return r;
	return error_set(e, EBUSY,
			 "repair %" PRIu64 " by %s is of the same place as repair %" PRIu64
			 ", which is %s: a second one may use up a further spare; --again makes it",
			 v->id, edac_repair_type_word(v->type), other.id,
			 repair_state_name(other.state));
}

static int reserve_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct reservation *v = userdata;
	int r = find_id(t, v->id, v->ret, e);

	if (r == 0)
		r = check_reservation(v->ret, v->again, e);
	if (r == 0)
		r = check_same(t, v, e);
	if (r < 0)
		return r;
	v->ret->state = REPAIR_RUNNING;
	v->ret->used = (uint32_t)v->type;
	v->ret->tries += v->ret->tries < UINT32_MAX;
	return put(t, v->ret, e);
}

int state_reserve_repair(struct state *st, uint64_t id, enum edac_repair_type type, bool again,
			 struct repair_entry *ret, struct error *e)
{
	struct reservation v = {id, type, again, ret};

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
	int r = find_id(t, s->reserved->id, &entry, e);

	if (r == 0)
		r = check_settling(&entry, s->reserved, e);
	if (r < 0)
		return r;
	entry.state = (uint32_t)s->state;
	entry.settled_ns = s->now_ns;
	entry.repaired += s->state == REPAIR_DONE;
	(void)snprintf(entry.text, sizeof(entry.text), "%s", s->text);
	if (s->state == REPAIR_DONE && entry.event != s->reserved->event)
		repair_entry_ask_again(&entry);
	return put(t, &entry, e);
}

int state_settle_repair(struct state *st, const struct repair_entry *reserved,
			enum repair_state state, uint64_t now_ns, const char *text, struct error *e)
{
	struct settling s = {reserved, now_ns, state, text};

	return state_change(st, STATE_DURABLE, settle_job, &s, e);
}
