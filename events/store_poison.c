// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Poison that was cleared: an entry about a range, all of which was cleared later, is resolved.
// The later record is found by the times of the trace clock in the same boot, because the rings of
// CPUs are read one after the other; else by the rows of `details`, which are in the order in which
// records were read. An entry that waited for firmware has a higher number than its row.
//
// The table `poison` has the ranges of the entries that may matter to others: poison that is not
// resolved, and what was cleared. It is searched by address as SPAs are (store_tables.h), so that
// a record costs as many rows as ranges touch its own, however many the log has.
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "events/store_group_table.h"
#include "events/store_incidents.h"
#include "events/store_poison.h"
#include "events/store_statements.h"

enum {
	/* Rows that are compared for one record. A record that would need more stays unresolved. */
	POISON_ROWS_MAX = 65536,
	/* Bytes of a record without length: the unit of poison, CXL 3.2 8.2.10.9.4.1. */
	POISON_UNIT = 64,
	/* Records of other CPUs that may be read between two records of one, more than a ring has.
	 */
	DISORDER_MAX = 8192,
	CLASS_MAX = 62, /* of ranges of any greater length, too */
};

struct poison {
	uint64_t seq, detail;
	uint64_t time; /* ns of the trace clock */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t first, last; /* DPAs, both included */
};

DEFINE_ARRAY(struct poison, poisons);

/* A DPA as a number of SQLite, which are signed, in the same order. */
static int64_t to_signed(uint64_t dpa)
{
	return (int64_t)(dpa ^ (UINT64_C(1) << 63));
}

static uint64_t from_signed(int64_t number)
{
	return (uint64_t)number ^ (UINT64_C(1) << 63);
}

/* Return: whether the record has an address. */
static bool poison_set_range(struct poison *p, const struct event_record *rec)
{
	struct opt_u64 length = event_number(rec, FIELD_DPA_LENGTH);

	if (length.value == 0)
		length.value = POISON_UNIT;
	p->first = event_number(rec, FIELD_DPA).value;
	if (__builtin_add_overflow(p->first, length.value - 1, &p->last))
		p->last = UINT64_MAX;
	return event_number(rec, FIELD_DPA).present;
}

static int class_of(const struct poison *p)
{
	const uint64_t length = p->last - p->first;
	const int class = length ? 64 - __builtin_clzll(length) : 0;

	return class < CLASS_MAX ? class : CLASS_MAX;
}

/* ---- which classes of ranges a device has -----------------------------------------------------
 */

/* A class that has no range any more is searched in vain. */
struct poison_classes {
	char device[EVENT_DEVICE_MAX];
	uint64_t open, cleared; /* a bit for each class */
};

struct store_poison_index {
	void *devices; /* a tree of struct poison_classes */
};

static int compare_devices(const void *a, const void *b)
{
	const struct poison_classes *x = a, *y = b;

	return strcmp(x->device, y->device);
}

/* Return: those of a device, none for a new one; NULL when out of memory. */
static struct poison_classes *classes_of(struct store *s, const char *device)
{
	struct poison_classes *c = calloc(1, sizeof(*c)), **slot;

	if (!c)
		return NULL;
	(void)snprintf(c->device, sizeof(c->device), "%s", device);
	slot = tsearch(c, &s->poison->devices, compare_devices);
	if (!slot || *slot != c)
		free(c);
	return slot ? *slot : NULL;
}

static uint64_t *classes_where(struct poison_classes *c, bool cleared)
{
	return cleared ? &c->cleared : &c->open;
}

struct store_poison_index *store_poison_free(struct store_poison_index *index)
{
	if (index)
		tdestroy(index->devices, free);
	free(index);
	return NULL;
}

static int read_classes(struct store *s, sqlite3_stmt *stmt)
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};
		char device[EVENT_DEVICE_MAX];
		struct poison_classes *c;
		bool cleared;
		int64_t class;

		sql_row_text(&row, device, sizeof(device));
		cleared = sql_row_int(&row) != 0;
		class = sql_row_int(&row);
		c = classes_of(s, device);
		if (!c)
			return SQLITE_NOMEM;
		if (class >= 0 && class <= CLASS_MAX)
			*classes_where(c, cleared) |= UINT64_C(1) << class;
	}
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_poison_load(struct store *s)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	s->poison = store_poison_free(s->poison);
	s->poison = calloc(1, sizeof(*s->poison));
	if (!s->poison)
		return SQLITE_NOMEM;
	rc = store_prepare(s->db, "SELECT DISTINCT device, cleared, class FROM poison", &stmt);
	if (rc == SQLITE_OK)
		rc = read_classes(s, stmt);
	(void)sqlite3_finalize(stmt);
	return rc;
}

/* ---- the table ---------------------------------------------------------------------------------
 */

static int poison_put(struct store *s, const char *device, bool cleared, const struct poison *p)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_POISON_PUT)};
	struct poison_classes *c = classes_of(s, device);

	if (!c)
		return SQLITE_NOMEM;
	*classes_where(c, cleared) |= UINT64_C(1) << class_of(p);
	sql_bind_u64(&b, p->seq);
	sql_bind_u64(&b, p->detail);
	sql_bind_text(&b, device);
	sql_bind_int(&b, cleared);
	sql_bind_int(&b, class_of(p));
	sql_bind_int(&b, to_signed(p->first));
	sql_bind_int(&b, to_signed(p->last));
	sql_bind_u64(&b, p->time);
	sql_bind_blob(&b, p->boot_id, sizeof(p->boot_id));
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

int store_drop_poison(struct store *s, uint64_t seq)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_POISON_DROP)};

	sql_bind_u64(&b, seq);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

/* All ranges of a class that touch one that begins at @first begin here, or later. */
static int64_t class_begin(int class, uint64_t first)
{
	int64_t begin;

	if (class == CLASS_MAX ||
	    __builtin_sub_overflow(to_signed(first), (INT64_C(1) << class) - 1, &begin))
		return INT64_MIN;
	return begin;
}

static int poisons_add_row(sqlite3_stmt *stmt, struct poisons *ret)
{
	struct sql_row row = {.stmt = stmt};
	struct poison *p = poisons_add(ret);

	if (!p)
		return SQLITE_NOMEM;
	*p = (struct poison){.seq = sql_row_u64(&row), .detail = sql_row_u64(&row)};
	p->first = from_signed(sql_row_int(&row));
	p->last = from_signed(sql_row_int(&row));
	p->time = sql_row_u64(&row);
	(void)sql_row_blob(&row, p->boot_id, sizeof(p->boot_id));
	return SQLITE_OK;
}

/*
 * A search for poison that touches a range
 *	cleared	what was cleared, else poison
 *	detail	only this row of `details`, and later ones
 *	rows	how many may be read; reduced by those that were
 */
struct poison_search {
	const char *device;
	bool cleared;
	const struct poison *range;
	uint64_t detail;
	size_t *rows;
};

/* Adds the poison of one class. Return: SQLITE_DONE, or an error. */
static int poisons_of_class(struct store *s, const struct poison_search *l, int class,
			    struct poisons *ret)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_POISON_NEAR)};
	int rc;

	sql_bind_text(&b, l->device);
	sql_bind_int(&b, l->cleared);
	sql_bind_int(&b, class);
	sql_bind_int(&b, class_begin(class, l->range->first));
	sql_bind_int(&b, to_signed(l->range->last));
	sql_bind_int(&b, to_signed(l->range->first));
	sql_bind_u64(&b, l->detail);
	sql_bind_u64(&b, *l->rows);
	rc = b.rc;
	while (rc == SQLITE_OK && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		rc = poisons_add_row(b.stmt, ret);
		(*l->rows)--;
	}
	(void)sqlite3_reset(b.stmt);
	return rc;
}

/* Return: SQLITE_DONE, or an error. */
static int poisons_near(struct store *s, const struct poison_search *l, struct poisons *ret)
{
	struct poison_classes *c = classes_of(s, l->device);
	int rc = c ? SQLITE_DONE : SQLITE_NOMEM;

	for (uint64_t left = c ? *classes_where(c, l->cleared) : 0; left && rc == SQLITE_DONE;
	     left &= left - 1)
		rc = poisons_of_class(s, l, __builtin_ctzll(left), ret);
	return rc;
}

static int compare_first(const void *a, const void *b)
{
	const struct poison *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static bool is_later(const struct poison *a, const struct poison *b)
{
	if (a->time != b->time && memcmp(a->boot_id, b->boot_id, sizeof(a->boot_id)) == 0)
		return a->time > b->time;
	return a->detail > b->detail;
}

static bool poison_contains(const struct poison *outer, const struct poison *inner)
{
	return outer->first <= inner->first && outer->last >= inner->last;
}

/* @clears: in the order of their addresses. Return: whether all of @p was cleared after it. */
static bool poison_is_cleared(const struct poison *p, const struct poisons *clears)
{
	uint64_t next = p->first;

	for (size_t i = 0; i < clears->n && clears->items[i].first <= next; i++) {
		const struct poison *c = &clears->items[i];

		if (!is_later(c, p) || c->last < next)
			continue;
		if (c->last >= p->last)
			return true;
		next = c->last + 1;
	}
	return false;
}

int store_resolve_entry(struct store *s, uint64_t seq, bool resolved, bool *ret_found)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_FIND_RESOLVED)};
	struct store_group *g = NULL;
	uint64_t incident = 0;
	bool before = false;
	int rc;

	sql_bind_u64(&b, seq);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	*ret_found = rc == SQLITE_ROW;
	if (rc == SQLITE_ROW) {
		g = store_group_by_id(s, sqlite3_column_int64(b.stmt, 0));
		before = sqlite3_column_int(b.stmt, 1) != 0;
		incident = (uint64_t)sqlite3_column_int64(b.stmt, 2);
	}
	(void)sqlite3_reset(b.stmt);
	if (rc != SQLITE_ROW || before == resolved)
		return rc == SQLITE_ROW ? SQLITE_DONE : rc;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_RESOLVE)};
	sql_bind_int(&b, resolved);
	sql_bind_u64(&b, seq);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	if (rc == SQLITE_DONE && g)
		store_group_resolve(s, g, resolved);
	return rc == SQLITE_DONE ? store_incidents_note_resolved(s, incident, resolved) : rc;
}

static int poison_resolve(struct store *s, const struct poison *p)
{
	bool found;
	int rc = store_resolve_entry(s, p->seq, true, &found);

	return rc == SQLITE_DONE ? store_drop_poison(s, p->seq) : rc;
}

/* Resolves @p if all of it was cleared since. @detail, @rows: as struct poison_search */
static int poison_look(struct store *s, const char *device, const struct poison *p, uint64_t detail,
		       size_t *rows)
{
	struct poisons clears = {0};
	const struct poison_search search = {device, true, p, detail, rows};
	int rc = poisons_near(s, &search, &clears);

	if (clears.n > 1)
		qsort(clears.items, clears.n, sizeof(*clears.items), compare_first);
	if (rc == SQLITE_DONE && poison_is_cleared(p, &clears))
		rc = poison_resolve(s, p);
	poisons_done(&clears);
	return rc;
}

/* Drops clearings within the range of this one: they have no effect that it does not have. */
static int drop_superseded(struct store *s, const char *device, const struct poison *c,
			   size_t *rows)
{
	struct poisons others = {0};
	const struct poison_search search = {device, true, c, 0, rows};
	int rc = poisons_near(s, &search, &others);

	for (size_t i = 0; i < others.n && rc == SQLITE_DONE; i++)
		if (poison_contains(c, &others.items[i]) && is_later(c, &others.items[i]))
			rc = store_drop_poison(s, others.items[i].seq);
	poisons_done(&others);
	return rc;
}

static int resolve_by(struct store *s, const char *device, const struct poison *c)
{
	struct poisons open = {0};
	size_t rows = POISON_ROWS_MAX;
	const struct poison_search search = {device, false, c, 0, &rows};
	int rc = drop_superseded(s, device, c, &rows);

	if (rc == SQLITE_DONE)
		rc = poisons_near(s, &search, &open);
	for (size_t i = 0; i < open.n && rc == SQLITE_DONE; i++) {
		const struct poison *p = &open.items[i];

		if (!is_later(c, p))
			continue;
		rc = poison_contains(c, p) ? poison_resolve(s, p)
					   : poison_look(s, device, p, 0, &rows);
	}
	poisons_done(&open);
	return rc;
}

bool store_is_about_poison(enum event_type type)
{
	return type == EVENT_POISON || type == EVENT_POISON_CLEARED;
}

/*
 * note_poison() - put the range of an entry that was added into the table
 *
 * Return: SQLITE_ROW with the entry; SQLITE_DONE when it is of no range that matters; or an error.
 */
static int note_poison(struct store *s, const struct stored_event *ev, uint64_t detail,
		       uint64_t seq, struct poison *ret)
{
	int rc;

	*ret = (struct poison){.seq = seq, .detail = detail, .time = ev->record.time_ns};
	memcpy(ret->boot_id, ev->boot_id, sizeof(ret->boot_id));
	if (!store_is_about_poison(ev->record.type) || ev->resolved ||
	    !poison_set_range(ret, &ev->record))
		return SQLITE_DONE;
	rc = poison_put(s, ev->device, ev->record.type == EVENT_POISON_CLEARED, ret);
	return rc == SQLITE_DONE ? SQLITE_ROW : rc;
}

int store_note_poison(struct store *s, const struct stored_event *ev, uint64_t seq)
{
	struct poison p;
	int rc = note_poison(s, ev, seq, seq, &p);

	return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

int store_resolve_poison(struct store *s, const struct stored_event *ev, uint64_t detail,
			 uint64_t seq)
{
	const uint64_t around = detail > DISORDER_MAX ? detail - DISORDER_MAX : 0;
	size_t rows = POISON_ROWS_MAX;
	struct poison p;
	int rc = note_poison(s, ev, detail, seq, &p);

	if (rc != SQLITE_ROW)
		return rc;
	/* A cleared range may complete earlier ones; an entry is resolved by later ones only. */
	if (ev->record.type == EVENT_POISON_CLEARED)
		return resolve_by(s, ev->device, &p);
	return poison_look(s, ev->device, &p, around, &rows);
}
