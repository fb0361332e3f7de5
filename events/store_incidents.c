// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_incidents_private.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "events/incident_place.h"
#include "events/store_columns.h"
#include "events/store_incident_columns.h"
#include "events/store_statements.h"

/* How many open incidents a device has, apart from the one of its further places. */
struct places {
	char device[EVENT_DEVICE_MAX];
	unsigned int n;
};

static int by_id(const void *a, const void *b)
{
	const struct incident_row *x = a, *y = b;

	return (x->now.id > y->now.id) - (x->now.id < y->now.id);
}

static int by_device(const void *a, const void *b)
{
	return strcmp(((const struct places *)a)->device, ((const struct places *)b)->device);
}

/* Return: NULL for NULL. */
static struct incident_row *row_of(struct incident *i)
{
	return (struct incident_row *)i;
}

struct store_incidents *store_incidents_free(struct store_incidents *t)
{
	if (!t)
		return NULL;
	incident_index_done(&t->by_identity);
	tdestroy(t->by_id, free);
	tdestroy(t->by_device, free);
	free(t);
	return NULL;
}

/* ---- in memory --------------------------------------------------------------------------------
 */

static struct places *places_of(struct store_incidents *t, const char *device)
{
	struct places key, *new, **found;

	memcpy(key.device, device, sizeof(key.device));
	found = tfind(&key, &t->by_device, by_device);
	if (found)
		return *found;
	new = malloc(sizeof(*new));
	if (!new)
		return NULL;
	*new = key;
	new->n = 0;
	if (tsearch(new, &t->by_device, by_device))
		return new;
	free(new);
	return NULL;
}

/* A reopened one, while a later one of its identity is open, is found by its number alone. */
static bool is_found_by_identity(const struct store_incidents *t, const struct incident_row *row)
{
	return incident_index_find(&t->by_identity, &row->now) == &row->now;
}

/* Findings have no place, and their number is limited by that of their codes. */
static bool is_of_place(const struct incident *i)
{
	return i->anchor.type != ANCHOR_MANY && i->anchor.type != ANCHOR_FINDING;
}

static struct incident_row *table_add(struct store_incidents *t, const struct incident *i,
				      bool is_new)
{
	struct places *places = places_of(t, i->device);
	struct incident_row *row = places ? calloc(1, sizeof(*row)) : NULL, **slot;

	if (!row)
		return NULL;
	row->now = *i;
	row->is_new = is_new;
	slot = tsearch(row, &t->by_id, by_id);
	if (!slot || *slot != row) {
		free(row);
		return slot ? *slot : NULL;
	}
	if (incident_index_add(&t->by_identity, &row->now) < 0) {
		(void)tdelete(row, &t->by_id, by_id);
		free(row);
		return NULL;
	}
	places->n += is_of_place(i);
	t->n++;
	return row;
}

void store_incidents_remove(struct store_incidents *t, struct incident_row *row)
{
	struct places *places = places_of(t, row->now.device);

	if (is_found_by_identity(t, row))
		incident_index_remove(&t->by_identity, &row->now);
	(void)tdelete(row, &t->by_id, by_id);
	if (places && places->n > 0 && is_of_place(&row->now))
		places->n--;
	t->n--;
	free(row);
}

void store_incidents_change(struct store_incidents *t, struct incident_row *row, bool is_urgent)
{
	if (row->is_urgent || (row->is_changed && !is_urgent))
		return;
	if (row->is_changed)
		LIST_REMOVE(row, change);
	row->is_changed = true;
	row->is_urgent = is_urgent;
	LIST_INSERT_HEAD(is_urgent ? &t->urgent : &t->others, row, change);
}

static void end_incident(struct store *s, struct incident_row *row, enum incident_state state,
			 enum incident_end end)
{
	row->now.state = state;
	row->now.end = end;
	row->now.ended_age = store_incidents_age(s);
	s->incidents->ended = true;
	store_incidents_change(s->incidents, row, true);
}

static void reopen(struct store *s, struct incident_row *row)
{
	row->now.state = INCIDENT_OPEN;
	row->now.end = INCIDENT_NO_END;
	store_incidents_change(s->incidents, row, true);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static int load_open(struct store *s, struct store_incidents *t)
{
	sqlite3_stmt *stmt = NULL;
	int rc = store_prepare(
		s->db, "SELECT {incident} FROM incidents WHERE state < 2 ORDER BY id DESC", &stmt);

	while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};
		struct incident i;

		incident_columns_read(&row, &i);
		rc = SQLITE_OK;
		if (i.id > 0 && t->n < STORE_INCIDENTS_MAX && !table_add(t, &i, false))
			rc = SQLITE_NOMEM;
	}
	(void)sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

bool incident_is_worse(const struct incident *now, const struct incident *seen)
{
	char text[PLACE_EVIDENCE_MAX];

	return now->severity > seen->severity || now->fatal > seen->fatal ||
	       now->flags & ~seen->flags ||
	       incident_place_of(now, text) > incident_place_of(seen, text);
}

static void add_to(const struct store *s, struct incident_row *row, const struct stored_event *ev)
{
	const struct opt_u64 age = store_incidents_age_of(s, ev);
	struct incident seen;

	if (row->now.state != INCIDENT_ACKNOWLEDGED) {
		incident_add(&row->now, ev, age);
		return;
	}
	/* The person who has seen it has not seen that it became worse. */
	seen = row->now;
	incident_add(&row->now, ev, age);
	if (incident_is_worse(&row->now, &seen))
		row->now.state = INCIDENT_OPEN;
}

static void count_event(struct store *s, struct incident_row *row, const struct stored_event *ev,
			uint64_t seq)
{
	const enum incident_state state = row->now.state;

	add_to(s, row, ev);
	row->now.last_seq = seq;
	s->incidents->waiting++;
	store_incidents_change(s->incidents, row, row->is_new || row->now.state != state);
}

/* Counts what was stored after the incidents were written last. */
static int count_again(struct store *s)
{
	sqlite3_stmt *stmt = NULL;
	int rc = store_prepare(
		s->db,
		"SELECT e.seq, e.incident, d.* FROM entries AS e CROSS JOIN"
		" (SELECT id, {entry} FROM details) AS d ON d.id = e.detail WHERE e.seq > ?"
		" AND e.incident NOT NULL ORDER BY e.seq",
		&stmt);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int64(stmt, 1, (int64_t)s->incidents->counted);
	while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row columns = {.stmt = stmt};
		const uint64_t seq = sql_row_u64(&columns), id = sql_row_u64(&columns);
		const struct incident_row key = {.now.id = id};
		struct incident_row **found = tfind(&key, &s->incidents->by_id, by_id);
		struct stored_event ev = {0};

		(void)sql_row_u64(&columns);
		rc = SQLITE_OK;
		if (!found || seq <= (*found)->now.last_seq)
			continue;
		store_columns_read(&columns, &ev, COLUMN_ENTRY);
		count_event(s, *found, &ev, seq);
	}
	(void)sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_incidents_load(struct store *s)
{
	struct store_incidents *t = calloc(1, sizeof(*t));
	int rc = t ? store_incidents_load_age(s, t) : SQLITE_NOMEM;

	if (rc == SQLITE_OK)
		rc = load_open(s, t);
	if (rc != SQLITE_OK) {
		(void)store_incidents_free(t);
		return rc;
	}
	store_incidents_begin_boot(s, t);
	(void)store_incidents_free(s->incidents);
	s->incidents = t;
	return count_again(s);
}

int store_incidents_begin(struct store *s)
{
	if (s->incidents->is_stale)
		return store_incidents_load(s);
	s->incidents->boottime = store_incidents_boottime(s);
	return SQLITE_OK;
}

static int find_in_file(struct store *s, sqlite3_stmt *stmt, struct incident *ret)
{
	struct sql_row row = {.stmt = stmt};
	const int rc = sqlite3_step(stmt);

	if (rc == SQLITE_ROW)
		incident_columns_read(&row, ret);
	(void)s;
	(void)sqlite3_reset(stmt);
	return rc;
}

/* @ret: NULL when there is no such incident. Return: SQLITE_DONE, or an error. */
static int find_by_id(struct store *s, uint64_t id, struct incident_row **ret)
{
	const struct incident_row key = {.now.id = id};
	struct incident_row **found = tfind(&key, &s->incidents->by_id, by_id);
	struct sql_binder b;
	struct incident i;
	int rc;

	*ret = found ? *found : NULL;
	if (*ret)
		return SQLITE_DONE;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_FIND_INCIDENT)};
	sql_bind_u64(&b, id);
	rc = find_in_file(s, b.stmt, &i);
	if (rc != SQLITE_ROW)
		return rc;
	*ret = table_add(s->incidents, &i, false);
	return *ret ? SQLITE_DONE : SQLITE_NOMEM;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

/* A fault that recurs within a day is no less severe than it was. */
static int remember_former(struct store *s, struct incident *i)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_FORMER_INCIDENT)};
	struct incident former;
	int rc;

	sql_bind_text(&b, i->device);
	sql_bind_int(&b, i->kind);
	sql_bind_int(&b, i->anchor.type);
	sql_bind_int(&b, i->anchor.known);
	sql_bind_u64(&b, i->anchor.value);
	rc = find_in_file(s, b.stmt, &former);
	if (rc != SQLITE_ROW)
		return rc;
	i->previous = former.id;
	if (store_incidents_age(s) - former.ended_age >= INCIDENT_QUIET_NS)
		return SQLITE_DONE;
	i->severity = former.severity;
	i->recurred = i->found;
	return SQLITE_DONE;
}

static bool has_many_places(struct store *s, const struct incident *i)
{
	const struct places *places = places_of(s->incidents, i->device);

	return places && places->n >= INCIDENT_PLACES_MAX;
}

struct incident_row *store_incidents_find_open(struct store *s, const struct incident *i)
{
	struct incident *found = incident_index_find(&s->incidents->by_identity, i);

	return found && incident_is_open(found) ? row_of(found) : NULL;
}

/* Forgets one that has ended in this transaction, whose identity another one gets. */
static void give_up_identity(struct store *s, const struct incident *i)
{
	incident_index_remove(&s->incidents->by_identity, i);
}

/* The number of an entry is given once, so the incident that begins with it has the same. */
int store_incidents_open(struct store *s, struct incident *i, uint64_t seq,
			 struct incident_row **ret)
{
	int rc = remember_former(s, i);

	*ret = NULL;
	if (rc != SQLITE_DONE || s->incidents->n >= STORE_INCIDENTS_MAX)
		return rc;
	i->id = seq;
	i->count_is_minimum = s->incidents->lost && !i->found;
	give_up_identity(s, i);
	*ret = table_add(s->incidents, i, true);
	return *ret ? SQLITE_DONE : SQLITE_NOMEM;
}

/* An entry that is copied from another file is linked to the incident that counted it there. */
static int link_copy(struct store *s, const struct stored_event *ev, uint64_t seq,
		     struct store_link *ret)
{
	struct incident_row *row;
	int rc = find_by_id(s, ev->incident, &row);

	if (rc != SQLITE_DONE || !row)
		return rc;
	*ret = (struct store_link){ev->incident, row->now.last_seq};
	row->now.last_seq = seq;
	store_incidents_change(s->incidents, row, true);
	return SQLITE_DONE;
}

int store_incidents_count(struct store *s, const struct stored_event *ev, uint64_t seq,
			  struct store_link *ret)
{
	struct incident i;
	struct incident_row *row;
	int rc;

	*ret = (struct store_link){0};
	if (ev->incident) {
		rc = link_copy(s, ev, seq, ret);
		if (rc != SQLITE_DONE || ret->incident)
			return rc;
	}
	if (!incident_identify(ev, &i))
		return SQLITE_DONE;
	row = store_incidents_find_open(s, &i);
	if (!row && has_many_places(s, &i)) {
		i.anchor = (struct incident_anchor){.type = ANCHOR_MANY};
		row = store_incidents_find_open(s, &i);
	}
	rc = row ? SQLITE_DONE : store_incidents_open(s, &i, seq, &row);
	if (rc != SQLITE_DONE || !row)
		return rc;
	*ret = (struct store_link){row->now.id, row->now.last_seq};
	count_event(s, row, ev, seq);
	return SQLITE_DONE;
}

int store_incidents_entry_before(struct store *s, uint64_t id, uint64_t seq, uint64_t *ret,
				 bool *ret_resolved)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_ENTRY_BEFORE)};
	struct sql_row row = {.stmt = b.stmt};
	int rc;

	sql_bind_u64(&b, seq);
	sql_bind_u64(&b, id);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	*ret = rc == SQLITE_ROW ? sql_row_u64(&row) : 0;
	*ret_resolved = rc == SQLITE_ROW && sql_row_int(&row);
	if (*ret >= seq)
		*ret = 0;
	(void)sqlite3_reset(b.stmt);
	return rc;
}

/* Return: whether any entry that is still there is not resolved; an SQLite code. */
static int find_unresolved(struct store *s, const struct incident *i, bool *ret)
{
	uint64_t before, seq = i->last_seq;
	bool resolved;
	int rc = SQLITE_DONE;

	for (*ret = false; seq && !*ret; seq = before) {
		rc = store_incidents_entry_before(s, i->id, seq, &before, &resolved);
		if (rc != SQLITE_ROW)
			return rc;
		*ret = !resolved;
	}
	return SQLITE_DONE;
}

/* Whether its newest entry is there, and all that are there are resolved; an SQLite code. */
static int is_resolved(struct store *s, const struct incident *i, bool *ret)
{
	bool newest = false, unresolved = true;
	uint64_t before;
	int rc = store_incidents_entry_before(s, i->id, i->last_seq, &before, &newest);

	*ret = false;
	if (rc != SQLITE_ROW || !newest)
		return rc == SQLITE_ROW ? SQLITE_DONE : rc;
	rc = find_unresolved(s, i, &unresolved);
	*ret = rc == SQLITE_DONE && !unresolved;
	return rc;
}

int store_incidents_lose_finding(struct store *s, struct incident_row *row)
{
	bool resolved = false;
	int rc = is_resolved(s, &row->now, &resolved);

	row->now.found = false;
	store_incidents_change(s->incidents, row, true);
	if (resolved)
		end_incident(s, row, INCIDENT_RESOLVED, INCIDENT_NO_END);
	return rc;
}

int store_incidents_note_resolved(struct store *s, uint64_t id, bool resolved)
{
	struct incident_row *row = NULL;
	bool others = true;
	int rc = id ? find_by_id(s, id, &row) : SQLITE_DONE;

	if (rc != SQLITE_DONE || !row || resolved != incident_is_open(&row->now))
		return rc;
	if (!resolved) {
		reopen(s, row);
		return SQLITE_DONE;
	}
	rc = find_unresolved(s, &row->now, &others);
	/* While its finding is there, the fault is, too. */
	if (rc == SQLITE_DONE && !others && !row->now.found)
		end_incident(s, row, INCIDENT_RESOLVED, INCIDENT_NO_END);
	return rc;
}

int store_incidents_set_state(struct store *s, uint64_t id, bool resolved, bool *ret_found,
			      uint64_t *ret_newest)
{
	struct incident_row *row;
	int rc = find_by_id(s, id, &row);

	*ret_found = row != NULL;
	*ret_newest = 0;
	if (rc != SQLITE_DONE || !row)
		return rc;
	*ret_newest = row->now.last_seq;
	if (!resolved && !incident_is_open(&row->now))
		reopen(s, row);
	else if (resolved && incident_is_open(&row->now))
		end_incident(s, row, INCIDENT_RESOLVED, INCIDENT_NO_END);
	return SQLITE_DONE;
}

int store_incidents_acknowledge(struct store *s, uint64_t id, bool acknowledged, bool *ret_found,
				bool *ret_open)
{
	struct incident_row *row;
	int rc = find_by_id(s, id, &row);

	*ret_found = row != NULL;
	*ret_open = rc == SQLITE_DONE && row && incident_is_open(&row->now);
	if (!*ret_open)
		return rc;
	row->now.state = acknowledged ? INCIDENT_ACKNOWLEDGED : INCIDENT_OPEN;
	store_incidents_change(s->incidents, row, true);
	return SQLITE_DONE;
}

void store_incidents_note(struct store *s, struct incident_row *row)
{
	store_incidents_change(s->incidents, row, true);
}

void store_incidents_finish(struct store *s, struct incident_row *row, enum incident_end end)
{
	end_incident(s, row, INCIDENT_CLOSED, end);
}
