/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SUNFISH_STATE_H
#define CXLR_REDFISH_SUNFISH_STATE_H

/*
 * The Sunfish core in the state database: the ids by which it and this service know each other, and
 * the number of the last event that it has accepted, as of state_subscriptions.h. Threads and
 * errors are those of state.h.
 */

#include <stdint.h>

#include "redfish/sunfish/sunfish_settings.h"
#include "redfish/state/state.h"

enum {
	SUNFISH_NAME_MAX = 33, /* 32 hexadecimal digits */
	SUNFISH_ID_MAX = 37,   /* a UUID as a text */
	SUNFISH_METHOD_MAX = SUNFISH_NAME_MAX + 21,
};

struct state_sunfish {
	char name[SUNFISH_NAME_MAX]; /* made once for the file */
	uint64_t generation;	     /* of the ConnectionMethod, whose Id a core accepts once */
	char source[SUNFISH_ID_MAX]; /* the Id of the AggregationSource; "": not registered */
	/* Between whom it was agreed. */
	char core[SUNFISH_URL_MAX], agent[SUNFISH_AGENT_MAX];
	uint64_t cursor;
};

/*
 * state_open_sunfish() - read the row, or make it
 * @first: the row that is made when there is none, or when it cannot be used
 */
int state_open_sunfish(struct state *st, const struct state_sunfish *first,
		       struct state_sunfish *ret, struct error *e);

int state_put_sunfish(struct state *st, enum state_durability durability,
		      const struct state_sunfish *row, struct error *e);

#endif
