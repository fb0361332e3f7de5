/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_SUBSCRIPTIONS_H
#define CXLR_REDFISH_STATE_SUBSCRIPTIONS_H

/*
 * Subscriptions in the state database: the text of each, which their owner defines, and a cursor,
 * the number of the last event that was delivered to it.
 *
 * Numbers belong to the event log. When that file is replaced, numbers of the new one are above
 * all that were given before, so cursors stay valid; a cursor above all numbers of the log (after
 * an old copy of it was restored) must be lowered by the owner. Events for a subscriber that cannot
 * be reached are kept in the log only, from its cursor on.
 *
 * Threads and errors are those of state.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/store.h"
#include "redfish/state/state.h"

enum {
	STATE_SUBSCRIPTIONS_MAX = 1000,
	STATE_SUBSCRIPTION_MAX = 64 * 1024, /* bytes of one */
};

/* Adds or replaces one. -E2BIG when the text is too long or there are too many. */
int state_put_subscription(struct state *st, uint64_t id, const char *body, size_t len,
			   uint64_t cursor, struct error *e);

/* -ENOENT if that number does not exist. */
int state_remove_subscription(struct state *st, uint64_t id, struct error *e);

struct state_cursor {
	uint64_t subscription, cursor;
};

/* Those of subscriptions that were removed are ignored. */
int state_set_cursors(struct state *st, enum state_durability durability,
		      const struct state_cursor *cursors, size_t n, struct error *e);

/*
 * state_read_subscriptions() - all, by their number
 * @each: called with the database locked; must not call it. Not 0 ends the call, which returns it.
 */
int state_read_subscriptions(struct state *st, store_each_subscription *each, void *userdata,
			     struct error *e);

/* Needed by the event log before its file is opened. */
struct state_log_hint {
	bool imported;		 /* subscriptions are not in the event log any more */
	uint64_t highest_cursor; /* of all subscriptions: numbers up to it were given */
};

int state_read_log_hint(struct state *st, struct state_log_hint *ret, struct error *e);

/*
 * state_import_subscriptions() - move those that an older version kept in the event log
 * @store: the caller is its thread
 * @ret_n: how many were moved
 * @ret_store: result of the calls of the store, which may have failed while the state database
 *	       did not; 0 or a negative errno of events/store.h
 *
 * They are committed here first, together with a mark that they were, and then removed there, so a
 * subscription is neither lost nor duplicated if the process ends at any point. If its number is in
 * use (the older version ran again meanwhile), it gets another.
 */
int state_import_subscriptions(struct state *st, struct store *store, int *ret_n, int *ret_store,
			       struct error *e);

#endif
