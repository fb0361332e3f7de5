// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/scrub_settings.h"

#include <errno.h>
#include <stdio.h>

#include "common/arena.h"
#include "common/array.h"
#include "redfish/state/state_private.h"

enum { NOT_SET, SET_OFF, SET_ON };

/* A row without its keys. */
struct setting {
	char by[SCRUB_BY_MAX], text[SCRUB_SAID_MAX];
	uint32_t enabled; /* NOT_SET, SET_OFF, SET_ON */
	uint64_t cycle_s; /* 0: not set */
};

static const struct state_field fields[] = {
	STATE_TEXT("by", struct setting, by),
	STATE_TEXT("text", struct setting, text),
	STATE_NUMBER("enabled", struct setting, enabled, SET_ON),
	STATE_NUMBER("cycle", struct setting, cycle_s, UINT32_MAX),
};

static struct setting setting_of(const struct scrub_set *set)
{
	struct setting s = {.cycle_s = set->cycle_s.value};

	if (set->enabled.present)
		s.enabled = set->enabled.value ? SET_ON : SET_OFF;
	(void)snprintf(s.by, sizeof(s.by), "%s", set->by);
	(void)snprintf(s.text, sizeof(s.text), "%s", set->text);
	return s;
}

static struct scrub_set set_of(const struct setting *s, uint64_t time_ns)
{
	struct scrub_set set = {.time_ns = time_ns};

	if (s->enabled != NOT_SET)
		set.enabled = OPT_BOOL(s->enabled == SET_ON);
	if (s->cycle_s > 0)
		set.cycle_s = OPT_U64(s->cycle_s);
	(void)snprintf(set.by, sizeof(set.by), "%s", s->by);
	(void)snprintf(set.text, sizeof(set.text), "%s", s->text);
	return set;
}

/* ---- keeping ----------------------------------------------------------------------------------
 */

struct keeping {
	const char *device;
	enum scrub_kind kind;
	const struct scrub_set *set;
};

static int put(struct state_transaction *t, const struct keeping *k, struct error *e)
{
	const struct setting setting = setting_of(k->set);
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT OR REPLACE INTO scrub_sets (kind, device, time, body)"
			      " VALUES (?, ?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, k->kind);
	sql_bind_text(&b, k->device);
	sql_bind_u64(&b, k->set->time_ns);
	state_bind_row(&b, fields, ARRAY_SIZE(fields), &setting);
	return state_run(t, &b, e);
}

static int keep_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct keeping *k = userdata;
	struct sql_binder b;
	int r = put(t, k, e);

	if (r == 0)
		r = state_prepare(t,
				  "DELETE FROM scrub_sets WHERE kind = ? AND device NOT IN (SELECT"
				  " device FROM scrub_sets WHERE kind = ? ORDER BY time DESC"
				  " LIMIT ?)",
				  &b, e);
	if (r < 0)
		return r;
	sql_bind_int(&b, k->kind);
	sql_bind_int(&b, k->kind);
	sql_bind_int(&b, SCRUB_SETS_MAX);
	return state_run(t, &b, e);
}

int scrub_settings_keep(struct state *st, const char *device, enum scrub_kind kind,
			const struct scrub_set *set, struct error *e)
{
	struct keeping k = {device, kind, set};

	return state_change(st, STATE_DURABLE, keep_job, &k, e);
}

/* ---- loading ----------------------------------------------------------------------------------
 */

static void load_row(sqlite3_stmt *stmt, const struct memdev_ids *ids)
{
	struct sql_row row = {.stmt = stmt};
	const uint64_t kind = sql_row_u64(&row);
	char device[STABLE_ID_MAX + 1];
	const struct memdev *m;
	struct setting s = {0};
	struct scrub_set set;
	const char *body;
	uint64_t time;

	sql_row_text(&row, device, sizeof(device));
	time = sql_row_u64(&row);
	body = (const char *)sqlite3_column_text(stmt, row.at);
	m = memdev_by_id(ids, device);
	if (!m || kind >= SCRUB_KINDS || !body ||
	    !state_row_parse(fields, ARRAY_SIZE(fields), body, &s))
		return;
	set = set_of(&s, time);
	scrub_set_note(m, (enum scrub_kind)kind, &set);
}

static int load_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sql_binder b;
	int rc, r = state_prepare(
			t, "SELECT kind, device, time, body FROM scrub_sets ORDER BY time", &b, e);

	if (r < 0)
		return r;
	while ((rc = sqlite3_step(b.stmt)) == SQLITE_ROW)
		load_row(b.stmt, userdata);
	r = rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int scrub_settings_load(struct state *st, const struct host *host, struct error *e)
{
	struct arena *arena = arena_new();
	struct memdev_ids *ids = arena ? memdev_ids_new(arena, host) : NULL;
	int r = ids ? state_read(st, load_job, ids, e) : error_set(e, ENOMEM, "out of memory");

	(void)arena_free(arena);
	return r;
}
