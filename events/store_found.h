/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_FOUND_H
#define CXLR_EVENTS_STORE_FOUND_H

/*
 * Incidents of findings and readings: they are there while their finding is. Table `findings` has
 * the words of each.
 *
 * An incident ends when its finding is gone. A finding that recurs within 24 hours is a new
 * incident, which ends only when the finding was away for INCIDENT_HOLD_NS: a value that swings
 * around its threshold does not make an incident a minute. An incident that has entries of the log,
 * too, stays open as theirs. For the thread that writes the store.
 */

#include "events/store.h"

struct store_found {
	const struct incident_found *items; /* of different identities */
	size_t n;
	uint64_t now_ns; /* since 1970; 0: not known, as of a captured host */
	/* Devices whose health was not read, in the order of strcmp(): their readings stay. */
	const char *const *unread;
	size_t n_unread;
	size_t n_left_out; /* set by store_set_found(): too many incidents are open for them */
};

/* Whether nothing is known of a finding at present, so that its incident goes on. */
bool store_found_is_unknown(const struct store_found *found, const struct incident *i);

/*
 * store_set_found() - the findings that there are now
 *
 * One transaction. Findings that are as they were cost a look-up in memory.
 *
 * Return: 0, or as the calls of store.h.
 */
int store_set_found(struct store *s, struct store_found *found, struct error *e);

/* Ends those whose finding is away for too long. Part of store_expire(). */
void store_expire_found(struct store *s);

#endif
