/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_EXTENTS_H
#define CXLR_EVENTS_EVENT_EXTENTS_H

/*
 * Where all of a record is: a poison record has a length, and interleaving puts each chunk of it
 * elsewhere. Plain values; pure functions; any thread.
 */

#include "common/json_writer.h"
#include "events/stored_event.h"

/* Both ends included: the first byte of the first page, the last byte of the last page. */
struct event_page_range {
	uint64_t first, last;
};

/*
 * event_extents() - the extents of an event, in DPA order, then their lines in the DRAM of an
 * extended linear cache in the same order
 *
 * Of an event that is no longer than its address, the one that its address makes.
 *
 * Return: how many; 0 when nothing is known of its SPA, or of its length.
 */
size_t event_extents(const struct stored_event *ev,
		     struct event_extent ret[static EVENT_EXTENTS_MAX]);

/*
 * event_page_ranges() - the pages that the extents touch, sorted, without overlaps and gaps of 0
 * @page_size: bytes, a power of two: that of struct host
 *
 * Return: how many.
 */
size_t event_page_ranges(const struct event_extent *extents, size_t n, uint64_t page_size,
			 struct event_page_range ret[static EVENT_EXTENTS_MAX]);

/* The names that a front end gives to extents and page ranges in JSON. */
struct event_extent_keys {
	const char *page; /* of an exact address; NULL: not shown */
	const char *extents, *dpa, *dpa_last, *spa, *spa_last, *exact;
	const char *bytes_beyond;
	const char *page_ranges, *first, *last;
};

/*
 * event_put_extents() - the extents of an event, the bytes beyond them, and the pages they touch
 * @page_size: of the host, in bytes
 *
 * Bytes beyond the extents are left out when there are none, unless the writer leaves out nothing.
 */
void event_put_extents(struct json_writer *w, const struct stored_event *ev, uint64_t page_size,
		       const struct event_extent_keys *keys);

/*
 * Return: whether the record has a length that is not known: Linux computes it with 32 bits, and 0
 * is any multiple of 4 GiB.
 */
bool event_length_is_unknown(const struct event_record *rec);

/* The DRAM of an extended linear cache that has the lines of all extents. Return: false without. */
bool event_alias_span(const struct event_answer *a, uint64_t *ret_first, uint64_t *ret_last);

/*
 * The interval by which the store finds an event: from the first extent, or alias, to the last.
 * Return: false without SPA.
 */
bool event_indexed_span(const struct event_answer *a, uint64_t *ret_first, uint64_t *ret_last);

/* The first and last SPA of all extents together, but for the alias. Return: false without SPA. */
bool event_span(const struct event_answer *a, uint64_t *ret_first, uint64_t *ret_last);

/* Return: whether some extent of the event touches the range, both ends included. */
bool event_touches(const struct stored_event *ev, uint64_t first, uint64_t last);

/* Return: the last DPA of a record of @length bytes; of none, the first one. */
static inline uint64_t event_dpa_last(uint64_t dpa, uint64_t length)
{
	uint64_t last;

	if (length == 0)
		return dpa;
	return __builtin_add_overflow(dpa, length - 1, &last) ? UINT64_MAX : last;
}

/*
 * The extents as text for the store: "DPA-LAST@SPA-LAST!~ALIAS ...", hexadecimal; '!' marks an
 * exact one, and one without alias has no '~'.
 */
enum { EVENT_EXTENTS_TEXT_MAX = EVENT_EXTENTS_MAX * 87 + 1 };
void event_extents_print(const struct event_answer *a, char text[static EVENT_EXTENTS_TEXT_MAX]);

/* Text that is not such a list is read up to its first mistake. */
void event_extents_parse(const char *text, struct event_answer *ret);

#endif
