/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_FORMATS_H
#define CXLR_EVENTS_FORMATS_H

/*
 * The layout of events in a trace ring, from the kernel's own description: the files
 * events/cxl/EVENT/format and events/header_page of tracefs, or a capture's copies of them.
 *
 * Fields are found by name, wherever they are and however wide. The files are read by
 * libtraceevent, which gets well-formed lines only; its results are kept in a table of our own. A
 * set of formats is immutable once loaded and may be read by any thread; load one at a time (the
 * library's lexer is not ours).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/record.h"
#include "opener/opener.h"

enum {
	FORMAT_BYTES_MAX = 256 * 1024, /* of one file; those of today have up to 6 KiB */
	FORMAT_EVENTS_MAX = 128,       /* of system cxl; 7.3 has 11 */
	RING_PAGE_MAX = 1024 * 1024,   /* of tracefs's buffer_subbuf_size_kb, header included */
	RING_PAGE_HEADER = 16,	       /* time stamp and commit count, as on all 64-bit kernels */
};

struct event_formats;

/* Return: 0, -ENOMEM. Free with event_formats_free(). */
int event_formats_new(struct event_formats **ret);

/* Accepts NULL. Return: NULL. */
struct event_formats *event_formats_free(struct event_formats *f);

/*
 * event_formats_add() - one more event of system cxl
 * @text: the format file; need not end with a NUL
 *
 * When some of its fields cannot be read, its records are kept with the other fields; when only
 * its name and number can, without fields, as EVENT_OTHER. Both are errors nevertheless.
 *
 * Return: 0; -EINVAL: malformed; -EFBIG; -E2BIG: too many events; -ENOMEM.
 */
int event_formats_add(struct event_formats *f, const char *text, size_t len, struct error *e);

/*
 * event_formats_set_page() - how long the ring's pages are, from events/header_page
 *
 * Return: 0; -EINVAL: malformed, or pages that this version cannot read.
 */
int event_formats_set_page(struct event_formats *f, const char *text, size_t len, struct error *e);

/*
 * event_formats_load() - the formats of a tracefs or of a capture
 * @events: tracefs's "events", with cxl/EVENT/format
 * @opener: by which they are opened, or NULL
 * @dirfd: a capture's "events/formats", with cxl_NAME.format; header_page is in both
 *
 * Events whose format cannot be used do not prevent the others from being loaded, see
 * event_formats_problem().
 *
 * Return: 0; -ENOENT when there is no event of system cxl or no header_page; -EINVAL; -ENOMEM;
 * errors of reading.
 */
int event_formats_load_tracefs(const char *events, struct opener *opener,
			       struct event_formats **ret, struct error *e);
int event_formats_load_captured(int dirfd, struct event_formats **ret, struct error *e);

/* Return: a sentence about a format that could not be used, or NULL when all could. */
const char *event_formats_problem(const struct event_formats *f);

/* Return: bytes of a page of the ring with its header. */
size_t event_formats_page_bytes(const struct event_formats *f);

/*
 * event_formats_decode() - decode the bytes of one event
 * @payload, @len: as in the ring, from common_type on
 * @rec: its type, event, names, numbers, payload and other_fields are set; the caller has zeroed
 *	 it, and sets what a ring knows (CPU, times)
 *
 * Fields that lie beyond @len are absent.
 *
 * Return: false when it is no event of system cxl.
 */
bool event_formats_decode(const struct event_formats *f, const uint8_t *payload, size_t len,
			  struct event_record *rec);

#endif
