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

#include <stddef.h>
#include <stdint.h>

#include "http/budget.h"
#include "redfish/state/state.h"

enum {
	STATE_SUBSCRIPTIONS_MAX = BUDGET_SUBSCRIPTIONS_TOTAL,
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

/* Cursors of subscriptions that were removed are ignored. */
int state_set_cursors(struct state *st, enum state_durability durability,
		      const struct state_cursor *cursors, size_t n, struct error *e);

typedef int state_each_subscription(void *userdata, uint64_t id, const char *body, size_t len,
				    uint64_t cursor);

/*
 * state_read_subscriptions() - all, by their number
 * @each: called with the database locked; must not call it. Not 0 ends the call, which returns it.
 */
int state_read_subscriptions(struct state *st, state_each_subscription *each, void *userdata,
			     struct error *e);

/*
 * state_read_highest_cursor() - the highest of all subscriptions and of the collector: numbers up
 * to it were given
 *
 * The event log needs it before its file is opened.
 */
int state_read_highest_cursor(struct state *st, uint64_t *ret, struct error *e);

#endif
