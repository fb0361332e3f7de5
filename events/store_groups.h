/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_GROUPS_H
#define CXLR_EVENTS_STORE_GROUPS_H

/*
 * The groups of the file, as a reader has them.
 */

#include "events/store_connection.h"

/* The groups that a filter means. */
struct group_set {
	bool all;     /* the filter does not restrict groups; the rest is not set */
	int64_t *ids; /* sorted */
	size_t n;
	uint64_t entries; /* in all of them */
};

void group_set_done(struct group_set *set);
int group_set_load(struct store_reader *r, const struct event_filter *f, struct group_set *ret);
bool group_set_has(const struct group_set *set, int64_t id);

#endif
