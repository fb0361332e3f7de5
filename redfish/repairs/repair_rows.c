// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/repairs/repair_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/array.h"

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
	STATE_NUMBER("device_ns", struct repair_entry, device_ns, UINT64_MAX),
	STATE_NUMBER("settled", struct repair_entry, settled_ns, UINT64_MAX),
	STATE_TEXT("text", struct repair_entry, text),
	STATE_TEXT("pages", struct repair_entry, pages),
	STATE_NUMBER("op_class", struct repair_entry, op_class, UINT32_MAX),
	STATE_NUMBER("op_subclass", struct repair_entry, op_subclass, UINT32_MAX),
	STATE_NUMBER("live", struct repair_entry, live, 1),
	STATE_NUMBER("fault", struct repair_entry, fault, INCIDENT_PLACES - 1),
	STATE_NUMBER("alone", struct repair_entry, alone, UINT32_MAX),
	STATE_NUMBER("unresolved", struct repair_entry, unresolved, 1),
	STATE_NUMBER("begun", struct repair_entry, begun_ms, UINT64_MAX),
	STATE_NUMBER("ended", struct repair_entry, ended_ms, UINT64_MAX),
	STATE_NUMBER("begun_boot_a", struct repair_entry, begun_boot[0], UINT64_MAX),
	STATE_NUMBER("begun_boot_b", struct repair_entry, begun_boot[1], UINT64_MAX),
	STATE_NUMBER("confirmed", struct repair_entry, confirmed, INT64_MAX),
};

int repair_row_damage(struct state_transaction *t, struct error *e)
{
	t->damaged = true;
	return error_set(e, EBADMSG, "%s is damaged (a repair has values that are not possible)",
			 t->path);
}

bool repair_row_get(sqlite3_stmt *stmt, struct repair_entry *ret)
{
	struct sql_row row = {.stmt = stmt};
	const char *body;
	bool valid;

	*ret = (struct repair_entry){.id = sql_row_u64(&row)};
	sql_row_text(&row, ret->device, sizeof(ret->device));
	ret->state = (uint32_t)sql_row_int(&row);
	ret->incident = sql_row_u64(&row);
	ret->unasked = (uint32_t)sql_row_int(&row);
	valid = sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id)) == sizeof(ret->boot_id);
	body = (const char *)sqlite3_column_text(stmt, row.at);
	return body && state_row_parse(fields, ARRAY_SIZE(fields), body, ret) && valid &&
	       repair_entry_check(ret);
}

int repair_row_read(struct state_transaction *t, struct sql_binder *b, struct repair_entry *ret,
		    struct error *e)
{
	int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;
	int r = rc == SQLITE_ROW ? 1 : 0;

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	else if (r == 1 && !repair_row_get(b->stmt, ret))
		r = repair_row_damage(t, e);
	(void)sqlite3_finalize(b->stmt);
	return r;
}

int repair_row_find_id(struct state_transaction *t, uint64_t id, struct repair_entry *ret,
		       struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "SELECT " REPAIR_COLUMNS " FROM repairs WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	r = repair_row_read(t, &b, ret, e);
	if (r == 0)
		return error_set(e, ENOENT, "there is no repair %" PRIu64, id);
	return r < 0 ? r : 0;
}

int repair_row_find_place(struct state_transaction *t, const struct repair_entry *key,
			  struct repair_entry *ret, struct error *e)
{
	char place[REPAIR_KEY_MAX];
	struct sql_binder b;
	int r = state_prepare(
		t, "SELECT " REPAIR_COLUMNS " FROM repairs WHERE device = ? AND place = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, key->device);
	sql_bind_text_copy(&b, repair_entry_key(&key->place, place));
	return repair_row_read(t, &b, ret, e);
}

/* The identity of a row with its device: a place, or no more than that it is one of an incident,
 * whose place changes. */
static const char *key_of(const struct repair_entry *r, char ret[static REPAIR_KEY_MAX])
{
	if (!r->unasked)
		return repair_entry_key(&r->place, ret);
	(void)snprintf(ret, REPAIR_KEY_MAX, "unasked %" PRIu64, r->id);
	return ret;
}

int repair_row_put(struct state_transaction *t, const struct repair_entry *r, struct error *e)
{
	char place[REPAIR_KEY_MAX];
	struct sql_binder b;
	int result = state_prepare(t,
				   "INSERT OR REPLACE INTO repairs (" REPAIR_COLUMNS ", place)"
				   " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				   &b, e);

	if (result < 0)
		return result;
	sql_bind_u64(&b, r->id);
	sql_bind_text(&b, r->device);
	sql_bind_int(&b, r->state);
	sql_bind_u64(&b, r->incident);
	sql_bind_int(&b, r->unasked);
	sql_bind_blob(&b, r->boot_id, sizeof(r->boot_id));
	state_bind_row(&b, fields, ARRAY_SIZE(fields), r);
	sql_bind_text_copy(&b, key_of(r, place));
	return state_run(t, &b, e);
}

int repair_row_number(struct state_transaction *t, const char *sql, uint64_t *ret, struct error *e)
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

int repair_row_take_id(struct state_transaction *t, uint64_t *ret, struct error *e)
{
	int r = repair_row_number(t, "SELECT next FROM repair_service", ret, e);

	if (r == 0 && *ret == 0)
		r = repair_row_damage(t, e);
	return r < 0 ? r : exec(t, "UPDATE repair_service SET next = next + 1", e);
}

/* ---- room -------------------------------------------------------------------------------------
 */

/* The entries that make room: the oldest that is done, or else, for one that a device asked for,
 * the oldest that is listed for its incident only and that nobody made. */
#define MAKES_ROOM                                                                                 \
	" AND (state = 2 OR (? AND unasked = 1 AND state IN (0, 3)))"                              \
	" ORDER BY state = 2 DESC, id LIMIT 1)"
_Static_assert(REPAIR_WAITING == 0 && REPAIR_DONE == 2 && REPAIR_REFUSED == 3, "as in MAKES_ROOM");

/* A bound of entries; both statements are of a device. */
static const struct {
	uint64_t max;
	const char *count, *remove;
} bounds[] = {
	{REPAIRS_OF_DEVICE_MAX, "SELECT count(*) FROM repairs WHERE device = ?",
	 "DELETE FROM repairs WHERE id = (SELECT id FROM repairs WHERE device = ?" MAKES_ROOM},
	{REPAIRS_MAX, "SELECT count(*) FROM repairs WHERE ? <> ''",
	 "DELETE FROM repairs WHERE id = (SELECT id FROM repairs WHERE ? <> ''" MAKES_ROOM},
};

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

static int remove_one(struct state_transaction *t, const char *sql,
		      const struct repair_entry *wanted, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, wanted->device);
	sql_bind_int(&b, repair_entry_is_asked(wanted));
	return state_run(t, &b, e);
}

int repair_row_make_room(struct state_transaction *t, const struct repair_entry *wanted, bool *ret,
			 struct error *e)
{
	uint64_t n = 0;
	int r = 0;

	*ret = true;
	for (size_t i = 0; i < ARRAY_SIZE(bounds) && r == 0 && *ret; i++) {
		r = count_entries(t, bounds[i].count, wanted->device, &n, e);
		if (r < 0 || n < bounds[i].max)
			continue;
		r = remove_one(t, bounds[i].remove, wanted, e);
		if (r == 0)
			r = count_entries(t, bounds[i].count, wanted->device, &n, e);
		*ret = n < bounds[i].max;
	}
	return r;
}

/* ---- repairs that were made -------------------------------------------------------------------
 */

/* The states of a repair that was made, or may have been. */
#define MADE_STATES "(1, 2, 4)"
_Static_assert(REPAIR_RUNNING == 1 && REPAIR_DONE == 2 && REPAIR_UNCONFIRMED == 4,
	       "as in MADE_STATES");

int repair_row_find_made(struct state_transaction *t, const struct repair_entry *of,
			 bool (*is_wanted)(const struct repair_entry *of,
					   const struct repair_entry *made),
			 struct repair_entry *ret, struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t,
			      "SELECT " REPAIR_COLUMNS " FROM repairs WHERE device = ? AND id <> ?"
			      " AND state IN " MADE_STATES " ORDER BY id",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, of->device);
	sql_bind_u64(&b, of->id);
	while (r == 0 && (rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc) == SQLITE_ROW) {
		if (!repair_row_get(b.stmt, ret))
			r = repair_row_damage(t, e);
		else if (is_wanted(of, ret))
			r = 1;
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

/* ---- new ones ---------------------------------------------------------------------------------
 */

static bool is_repaired(const struct repair_entry *of, const struct repair_entry *made)
{
	return made->state == REPAIR_DONE && made->event < of->event &&
	       repair_entry_same(of, made, (enum edac_repair_type)made->used);
}

int repair_row_add_new(struct state_transaction *t, const struct repair_entry *wanted, bool *ret,
		       struct error *e)
{
	struct repair_entry entry = *wanted, done;
	int r = repair_row_find_made(t, wanted, is_repaired, &done, e);

	if (r > 0)
		repair_entry_goes_on(&entry, &done);
	if (r >= 0)
		r = repair_row_make_room(t, wanted, ret, e);
	if (r < 0 || !*ret)
		return r;
	r = repair_row_take_id(t, &entry.id, e);
	return r < 0 ? r : repair_row_put(t, &entry, e);
}
