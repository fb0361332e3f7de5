// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/incident_facts.h"

#include <string.h>

#include "events/event_strings.h"

/* Maintenance Operation Class and Subclass of a record: CXL 3.2 table 8-103. */
enum { MAINTENANCE_PPR = 1, MAINTENANCE_SPARING = 2 };
enum { SPARING_LINE, SPARING_ROW, SPARING_BANK, SPARING_RANK };

static void see(struct incident_seen *seen, struct opt_u64 value)
{
	if (!value.present)
		return;
	if (seen->n == 0)
		*seen = (struct incident_seen){value.value, 1};
	else if (seen->value != value.value)
		seen->n = 2;
}

/* Return: what the device asks to have repaired; PLACE_UNKNOWN for nothing. */
static enum incident_place asked_place(const struct event_record *rec)
{
	const struct opt_u64 class = event_number(rec, FIELD_HDR_MAINT_OP_CLASS);
	const struct opt_u64 sub = event_number(rec, FIELD_HDR_MAINT_OP_SUB_CLASS);

	if (!(event_flags_of(rec) & EVENT_FLAG_MAINTENANCE) || !class.present)
		return PLACE_UNKNOWN;
	if (class.value == MAINTENANCE_PPR)
		return PLACE_ROW;
	if (class.value != MAINTENANCE_SPARING || !sub.present)
		return PLACE_UNKNOWN;
	switch (sub.value) {
	case SPARING_LINE:
		return PLACE_ROW_PART;
	case SPARING_ROW:
		return PLACE_ROW;
	case SPARING_BANK:
		return PLACE_BANK;
	case SPARING_RANK:
		return PLACE_RANK;
	default:
		return PLACE_UNKNOWN;
	}
}

/*
 * Correction Mask, CXL 3.2 table 8-58: 64 bits for each of the nibbles in error, from the lowest
 * one of the nibble mask on: four bits in each of the transfers of a burst.
 */
static void see_bits(struct incident_place_facts *f, const struct event_record *rec)
{
	size_t len, n = 0;
	const uint8_t *bytes = event_bytes(rec, BYTES_COR_MASK, &len);
	uint64_t bits;

	for (size_t at = 0; bytes && at + sizeof(bits) <= len; at += sizeof(bits)) {
		memcpy(&bits, bytes + at, sizeof(bits)); /* little endian, as all with CXL */
		f->bits |= bits;
		n += bits != 0;
	}
	if (n > 1 || (n == 0 && !event_number(rec, FIELD_NIBBLE_MASK).value))
		f->more_nibbles = 1;
}

void incident_facts_add(struct incident_place_facts *f, const struct event_record *rec)
{
	const struct opt_u64 row = event_number(rec, FIELD_ROW);
	const struct opt_u64 column = event_number(rec, FIELD_COLUMN);
	struct opt_u64 line = event_number(rec, FIELD_DPA);
	const enum incident_place asked = asked_place(rec);

	line.value >>= 6;
	see(&f->row, row);
	see(&f->column, column);
	see(&f->line, line);
	f->without_row += !row.present;
	f->without_column += !column.present;
	f->nibbles |= event_number(rec, FIELD_NIBBLE_MASK).value;
	see_bits(f, rec);
	if (asked != PLACE_UNKNOWN)
		f->asked |= (uint8_t)(1u << asked);
}

static void see_all(struct incident_seen *seen, const struct incident_seen *other)
{
	see(seen, (struct opt_u64){other->value, other->n > 0});
	if (other->n > 1)
		seen->n = other->n;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void incident_facts_combine(struct incident_place_facts *f,
			    const struct incident_place_facts *other)
{
	see_all(&f->row, &other->row);
	see_all(&f->column, &other->column);
	see_all(&f->line, &other->line);
	f->without_row = larger(f->without_row, other->without_row);
	f->without_column = larger(f->without_column, other->without_column);
	f->nibbles |= other->nibbles;
	f->bits |= other->bits;
	f->more_nibbles |= other->more_nibbles;
	f->asked |= other->asked;
}
