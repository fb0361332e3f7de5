/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_WALK_H
#define CXLR_EVENTS_STORE_WALK_H

/*
 * Reads entries around what is damaged.
 */

#include "events/store_connection.h"

/*
 * reader_walk() - as store_read_page(), slower
 * @ret_result: what @each returned; 0 before
 *
 * Return: an SQLite code that is no damage.
 */
int reader_walk(struct store_reader *r, const struct event_filter *f, const struct event_page *page,
		store_each_event *each, void *userdata, int *ret_result);

/* All rows of `details` that can be read, with their ids as numbers. Return: an SQLite code. */
int reader_walk_details(struct store_reader *r, store_each_event *each, void *userdata);

#endif
