/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_FIND_H
#define CXLR_EVENTS_STORE_FIND_H

/*
 * The search for entries that match a filter.
 */

#include "common/array.h"
#include "events/store_connection.h"

/* Numbers of entries. */
DEFINE_ARRAY(uint64_t, found);

/*
 * find_page() - the numbers of a page's entries, in its order
 *
 * Return: an SQLite code.
 */
int find_page(struct store_reader *r, const struct event_filter *f, const struct event_page *page,
	      struct found *ret);
int find_count(struct store_reader *r, const struct event_filter *f, uint64_t *ret);

#endif
