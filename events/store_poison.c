// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Poison that was cleared: an entry about a range, all of which was cleared later, is resolved.
// What is later is decided by the times of the trace clock in the same boot, because the rings of
// CPUs are read one after the other; else by the rows of `details`, which are in the order in which
// records were read. An entry that waited for firmware has a higher number than its row.
//
// The table `poison` has the ranges of the entries that may matter to others: poison that is not
// resolved, and what was cleared. It is searched by address as SPAs are (store_private.h), so that
// a record costs as many rows as ranges touch its own, however many the log has.
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "events/store_fields.h"
#include "events/store_private.h"

enum {
	/* Rows that are compared for one record. What would need more stays unresolved. */
	POISON_ROWS_MAX = 65536,
	/* Bytes of a record without length: the unit of poison, CXL 3.2 8.2.10.9.4.1. */
	POISON_UNIT = 64,
	/* Records of other CPUs that may be read between two records of one, more than a ring has.
	 */
	DISORDER_MAX = 8192,
	CLASS_MAX = 62, /* of ranges of any greater length, too; also in STMT_POISON_NEAR */
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

/* @fields: as in `details`. Return: whether they have an address. */
static bool poison_set_range(struct poison *p, const char *fields)
{
	struct event_record rec = {0};
	struct opt_u64 length;

	fields_parse(fields, &rec);
	length = event_number(&rec, FIELD_DPA_LENGTH);
	if (length.value == 0)
		length.value = POISON_UNIT;
	p->first = event_number(&rec, FIELD_DPA).value;
	if (__builtin_add_overflow(p->first, length.value - 1, &p->last))
		p->last = UINT64_MAX;
	return event_number(&rec, FIELD_DPA).present;
}

/* Return: SQLITE_ROW; SQLITE_DONE when the record has no address; or an error. */
static int poison_read_details(struct store *s, struct poison *ret)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_POISON_DETAILS)};
	struct sql_row row = {.stmt = b.stmt};
	char fields[FIELDS_TEXT_MAX];
	int rc;

	sql_bind_u64(&b, ret->detail);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW) {
		ret->time = sql_row_u64(&row);
		(void)sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id));
		sql_row_text(&row, fields, sizeof(fields));
		rc = poison_set_range(ret, fields) ? SQLITE_ROW : SQLITE_DONE;
	}
	(void)sqlite3_reset(b.stmt);
	return rc;
}

static int poison_put(sqlite3_stmt *put, const char *device, bool cleared, const struct poison *p)
{
	struct sql_binder b = {.stmt = put};
	const uint64_t length = p->last - p->first;
	int class = length ? 64 - __builtin_clzll(length) : 0;

	sql_bind_u64(&b, p->seq);
	sql_bind_u64(&b, p->detail);
	sql_bind_text(&b, device);
	sql_bind_int(&b, cleared);
	sql_bind_int(&b, class < CLASS_MAX ? class : CLASS_MAX);
	sql_bind_int(&b, to_signed(p->first));
	sql_bind_int(&b, to_signed(p->last));
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

static int poison_drop(struct store *s, uint64_t seq)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_POISON_DROP)};

	sql_bind_u64(&b, seq);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

/*
 * poisons_near() - what touches a range
 * @cleared: what was cleared, else poison
 * @detail: only this row of `details`, and later ones
 * @rows: how many may be read; reduced by those that were
 *
 * Return: SQLITE_DONE, or an error.
 */
static int poisons_near(struct store *s, const char *device, bool cleared,
			const struct poison *range, uint64_t detail, size_t *rows,
			struct poisons *ret)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_POISON_NEAR)};
	int rc;

	sql_bind_text(&b, device);
	sql_bind_int(&b, cleared);
	sql_bind_int(&b, to_signed(range->first));
	sql_bind_int(&b, to_signed(range->last));
	sql_bind_u64(&b, detail);
	sql_bind_u64(&b, *rows);
	for (rc = b.rc; rc == SQLITE_OK || rc == SQLITE_ROW;) {
		struct sql_row row = {.stmt = b.stmt};
		struct poison *p;

		rc = sqlite3_step(b.stmt);
		if (rc != SQLITE_ROW)
			break;
		p = poisons_add(ret);
		if (!p) {
			rc = SQLITE_NOMEM;
			break;
		}
		*p = (struct poison){.seq = sql_row_u64(&row), .detail = sql_row_u64(&row)};
		p->first = from_signed(sql_row_int(&row));
		p->last = from_signed(sql_row_int(&row));
		p->time = sql_row_u64(&row);
		(void)sql_row_blob(&row, p->boot_id, sizeof(p->boot_id));
		(*rows)--;
	}
	(void)sqlite3_reset(b.stmt);
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

static int poison_resolve(struct store *s, const struct poison *p)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_RESOLVE)};
	int rc;

	sql_bind_int(&b, true);
	sql_bind_u64(&b, p->seq);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	return rc == SQLITE_DONE ? poison_drop(s, p->seq) : rc;
}

/* Resolves @p if all of it was cleared since. @detail, @rows: as poisons_near() */
static int poison_look(struct store *s, const char *device, const struct poison *p, uint64_t detail,
		       size_t *rows)
{
	struct poisons clears = {0};
	int rc = poisons_near(s, device, true, p, detail, rows, &clears);

	if (clears.n > 1)
		qsort(clears.items, clears.n, sizeof(*clears.items), compare_first);
	if (rc == SQLITE_DONE && poison_is_cleared(p, &clears))
		rc = poison_resolve(s, p);
	poisons_done(&clears);
	return rc;
}

/* What was cleared before within the range has no effect that this one does not have. */
static int drop_superseded(struct store *s, const char *device, const struct poison *c,
			   size_t *rows)
{
	struct poisons others = {0};
	int rc = poisons_near(s, device, true, c, 0, rows, &others);

	for (size_t i = 0; i < others.n && rc == SQLITE_DONE; i++)
		if (poison_contains(c, &others.items[i]) && is_later(c, &others.items[i]))
			rc = poison_drop(s, others.items[i].seq);
	poisons_done(&others);
	return rc;
}

static int resolve_by(struct store *s, const char *device, const struct poison *c)
{
	struct poisons open = {0};
	size_t rows = POISON_ROWS_MAX;
	int rc = drop_superseded(s, device, c, &rows);

	if (rc == SQLITE_DONE)
		rc = poisons_near(s, device, false, c, 0, &rows, &open);
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

/*
 * note_poison() - put the range of an entry that was added into the table
 *
 * Return: SQLITE_ROW with the entry; SQLITE_DONE when it is of no range that matters; or an error.
 */
static int note_poison(struct store *s, const struct stored_event *ev, uint64_t detail,
		       uint64_t seq, struct poison *ret)
{
	bool cleared = ev->record.type == EVENT_POISON_CLEARED;
	int rc;

	*ret = (struct poison){.seq = seq, .detail = detail};
	if ((!cleared && ev->record.type != EVENT_POISON) || ev->resolved)
		return SQLITE_DONE;
	rc = poison_read_details(s, ret);
	if (rc != SQLITE_ROW)
		return rc;
	rc = poison_put(store_statement(s, STMT_POISON_PUT), ev->device, cleared, ret);
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
