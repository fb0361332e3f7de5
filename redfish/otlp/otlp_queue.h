/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_QUEUE_H
#define CXLR_REDFISH_OTLP_OTLP_QUEUE_H

/*
 * The events that wait for the collector: a cursor in the state database, and the request in
 * flight. Events are sent in the order of their numbers; delivery_otlp.c makes the requests. Used
 * by the delivery thread only, which owns it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "redfish/otlp/otlp_lane.h"
#include "redfish/otlp/state_otlp.h"
#include "redfish/state/state.h"

/* The records of one request. */
struct otlp_request {
	uint64_t first, upto; /* number of the first record; the cursor once it is accepted */
	size_t n;
	/* At most so many events were overwritten in its place, up to this number. */
	uint64_t overwritten, overwritten_to;
};

struct otlp_queue {
	struct otlp_lane lane;
	struct otlp_request request; /* of the lane */
	struct state_otlp row;	     /* its cursor is the present one */
	bool opened;		     /* the row is known */
	uint64_t stored;	     /* the cursor that the state database has */
	uint64_t overwritten;	     /* as of struct otlp_status */
};

/*
 * otlp_queue_open() - read the row of the state database, unless that is done
 * @newest: number of the newest event; a higher cursor belongs to another log
 *
 * The first time the row is made, and the oldest event of the log is the first one to be sent.
 * Return: 0, or as state.h.
 */
int otlp_queue_open(struct otlp_queue *q, struct state *st, uint64_t newest);

/* Whether the cursor differs from the stored one; and stores it. */
bool otlp_queue_unsaved(const struct otlp_queue *q);
void otlp_queue_save(struct otlp_queue *q, struct state *st, enum state_durability durability);

/* otlp_queue_answer() - the outcome of the request in flight, as the lane has it */
void otlp_queue_answer(struct otlp_queue *q, const struct otlp_outcome *out);

#endif
