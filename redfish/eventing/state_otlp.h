/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_STATE_OTLP_H
#define CXLR_REDFISH_EVENTING_STATE_OTLP_H

/*
 * The collector's row of the state database: the identity of this service there, and the number of
 * the last event that the collector has accepted. Numbers are those of state_subscriptions.h, and
 * so is a cursor above all of them. Threads and errors are those of state.h.
 */

#include <stdint.h>

#include "redfish/state/state.h"

enum { STATE_UUID_SIZE = 16 };

struct state_otlp {
	uint8_t uuid[STATE_UUID_SIZE]; /* made once for the file; RFC 9562's order of bytes */
	uint64_t cursor;
	uint64_t since_ns; /* when the row was made: ns since 1970 */
};

/*
 * state_open_otlp() - read the row, or make it
 * @first: the row that is made when there is none
 * @ret: the row as it is now
 */
int state_open_otlp(struct state *st, const struct state_otlp *first, struct state_otlp *ret,
		    struct error *e);

int state_set_otlp_cursor(struct state *st, enum state_durability durability, uint64_t cursor,
			  struct error *e);

#endif
