// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/incident_place.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *incident_place_name(enum incident_place place)
{
	static const char *const names[INCIDENT_PLACES] = {
		"unknown", "cell", "row-part", "row", "column", "bank", "rank", "device", "link"};

	return names[place];
}

/* ---- conclusion -------------------------------------------------------------------------------
 */

struct text {
	char *buffer;
	size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(t->buffer + t->len, t->size - t->len, format, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n < t->size - t->len ? (size_t)n : t->size - t->len - 1;
}

static bool has_asked(const struct incident_place_facts *f, enum incident_place place)
{
	return f->asked >> place & 1;
}

static void put_seen(struct text *t, const char *name, const struct incident_seen *seen)
{
	if (seen->n == 1)
		put(t, ", %s 0x%" PRIx64, name, seen->value);
	else if (seen->n)
		put(t, ", several %ss", name);
}

/* The device and the link are places of their own; a block names no place of the media. */
static enum incident_place place_without_location(const struct incident *i, struct text *t)
{
	switch (i->anchor.type) {
	case ANCHOR_FINDING:
		put(t, i->device[0] ? "a finding about the device as a whole"
				    : "a finding about the host, not about one device");
		return i->device[0] ? PLACE_DEVICE : PLACE_UNKNOWN;
	case ANCHOR_DEVICE:
		if (incident_is_only_found(i)) {
			put(t, "the device reports it about itself");
			return PLACE_DEVICE;
		}
		put(t, "the records concern the %s", i->kind == INCIDENT_LINK ? "link" : "device");
		return i->kind == INCIDENT_LINK ? PLACE_LINK : PLACE_DEVICE;
	case ANCHOR_MANY:
		put(t, "%d other places of the device have incidents of their own",
		    INCIDENT_PLACES_MAX);
		return PLACE_DEVICE;
	case ANCHOR_LINE:
		put(t, "the records name an address alone");
		return PLACE_UNKNOWN;
	default:
		put(t, "the records say no channel, rank, bank group or bank");
		return PLACE_UNKNOWN;
	}
}

static bool is_single(uint64_t bits)
{
	return (bits & (bits - 1)) == 0;
}

/* Both masks are error bits; one of them may be missing in all records. */
static enum incident_place place_in_column(const struct incident_place_facts *f, struct text *t)
{
	if (!f->nibbles && !f->bits) {
		put(t, "; the records have no error bits");
		return PLACE_ROW_PART;
	}
	if (f->nibbles)
		put(t, ", nibbles 0x%" PRIx64, f->nibbles);
	if (f->bits)
		put(t, ", %d bit%s of a nibble", __builtin_popcountll(f->bits),
		    is_single(f->bits) ? "" : "s");
	if (f->more_nibbles)
		put(t, ", not the same one in all records");
	return is_single(f->nibbles) && is_single(f->bits) && !f->more_nibbles ? PLACE_CELL
									       : PLACE_ROW_PART;
}

/* A bank whose row or column is not in all records may have failed anywhere. */
static enum incident_place place_in_bank(const struct incident_place_facts *f, struct text *t)
{
	if (f->without_row || !f->row.n) {
		put(t, "; the row is not valid in %s", f->row.n ? "all records" : "any record");
		return PLACE_BANK;
	}
	if (f->row.n > 1)
		return !f->without_column && f->column.n == 1 ? PLACE_COLUMN : PLACE_BANK;
	if (f->without_column || f->column.n != 1)
		return PLACE_ROW_PART;
	return place_in_column(f, t);
}

static enum incident_place place_by_location(const struct incident *i, struct text *t)
{
	static const char *const parts[LOCATION_PARTS] = {"channel", "rank", "bank group", "bank"};
	const struct incident_anchor *a = &i->anchor;
	bool any = false;

	for (unsigned int k = 0; k < LOCATION_PARTS; k++) {
		if (!(a->known >> k & 1))
			continue;
		put(t, "%s%s %u", any ? ", " : "", parts[k],
		    (unsigned int)(a->value >> (k * LOCATION_PART_BITS) & 0xffff));
		any = true;
	}
	put_seen(t, "row", &i->place.row);
	put_seen(t, "column", &i->place.column);
	if (a->known >> LOCATION_BANK & 1)
		return place_in_bank(&i->place, t);
	put(t, "; the bank is not valid in the records");
	return a->known >> LOCATION_RANK & 1 ? PLACE_RANK : PLACE_UNKNOWN;
}

/* Return: the widest that the device asks to repair, when that is wider. */
static enum incident_place widen(const struct incident *i, enum incident_place place,
				 struct text *t)
{
	static const enum incident_place widest_first[] = {PLACE_RANK, PLACE_BANK, PLACE_ROW};

	if (place == PLACE_UNKNOWN)
		return place;
	for (size_t k = 0; k < sizeof(widest_first) / sizeof(widest_first[0]); k++) {
		const enum incident_place asked = widest_first[k];

		if (!has_asked(&i->place, asked) || asked <= place ||
		    (asked == PLACE_ROW && place == PLACE_COLUMN))
			continue;
		put(t, "; the device asks for a repair of the %s", incident_place_name(asked));
		return asked;
	}
	return place;
}

enum incident_place incident_place_of(const struct incident *i,
				      char evidence[static PLACE_EVIDENCE_MAX])
{
	struct text t = {evidence, PLACE_EVIDENCE_MAX, 0};

	evidence[0] = '\0';
	if (i->anchor.type != ANCHOR_LOCATION)
		return place_without_location(i, &t);
	return widen(i, place_by_location(i, &t), &t);
}
