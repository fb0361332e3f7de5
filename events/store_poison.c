// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Poison that was cleared: an entry about a range, all of which was cleared later, is resolved.
// What is later is decided by the times of the trace clock in the same boot, because the rings of
// CPUs are read one after the other; else by the rows of `details`, which are in the order in which
// records were read. An entry that waited for firmware has a higher number than its row.
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "events/store_fields.h"
#include "events/store_private.h"

enum {
	/* Records of one device that are compared. Those beyond it stay unresolved. */
	POISON_RECORDS_MAX = 65536,
	/* Bytes of a record without length: the unit of poison, CXL 3.2 8.2.10.9.4.1. */
	POISON_UNIT = 64,
	/* Records of other CPUs that may be read between two records of one, more than a ring has.
	 */
	DISORDER_MAX = 8192,
};

struct poison {
	uint64_t seq, detail;
	uint64_t time; /* ns of the trace clock */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t first, last; /* DPAs, both included */
};

DEFINE_ARRAY(struct poison, poisons);

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

/*
 * poisons_load() - the records of a device
 * @which: STMT_POISON_OPEN or STMT_POISON_CLEARS
 * @detail: only this row, and later ones
 *
 * Return: SQLITE_DONE, or an error.
 */
static int poisons_load(struct store *s, enum writer_statement which, const char *device,
			uint64_t detail, struct poisons *ret)
{
	struct sql_binder b = {.stmt = store_statement(s, which)};
	int rc;

	sql_bind_text(&b, device);
	sql_bind_u64(&b, detail);
	sql_bind_int(&b, POISON_RECORDS_MAX);
	for (rc = b.rc; rc == SQLITE_OK || rc == SQLITE_ROW;) {
		struct sql_row row = {.stmt = b.stmt};
		char fields[FIELDS_TEXT_MAX];
		struct poison p = {0}, *slot;

		rc = sqlite3_step(b.stmt);
		if (rc != SQLITE_ROW)
			break;
		p.seq = sql_row_u64(&row);
		p.detail = sql_row_u64(&row);
		p.time = sql_row_u64(&row);
		(void)sql_row_blob(&row, p.boot_id, sizeof(p.boot_id));
		sql_row_text(&row, fields, sizeof(fields));
		if (!poison_set_range(&p, fields))
			continue;
		slot = poisons_add(ret);
		if (slot)
			*slot = p;
		else
			rc = SQLITE_NOMEM;
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

	sql_bind_int(&b, true);
	sql_bind_u64(&b, p->seq);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

int store_resolve_poison(struct store *s, const struct stored_event *ev, uint64_t detail)
{
	const uint64_t around = detail > DISORDER_MAX ? detail - DISORDER_MAX : 0;
	struct poisons clears = {0}, open = {0};
	int rc;

	if (ev->record.type != EVENT_POISON_CLEARED && ev->record.type != EVENT_POISON)
		return SQLITE_DONE;
	/* A cleared range may complete earlier ones; an entry is resolved by later ones only. */
	rc = poisons_load(s, STMT_POISON_CLEARS, ev->device,
			  ev->record.type == EVENT_POISON ? around : 0, &clears);
	if (rc == SQLITE_DONE && clears.n > 0)
		rc = poisons_load(s, STMT_POISON_OPEN, ev->device,
				  ev->record.type == EVENT_POISON ? detail : 0, &open);
	if (clears.n > 1)
		qsort(clears.items, clears.n, sizeof(*clears.items), compare_first);
	for (size_t i = 0; i < open.n && rc == SQLITE_DONE; i++)
		if (poison_is_cleared(&open.items[i], &clears))
			rc = poison_resolve(s, &open.items[i]);
	poisons_done(&clears);
	poisons_done(&open);
	return rc;
}
