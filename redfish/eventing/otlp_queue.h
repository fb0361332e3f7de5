/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_OTLP_QUEUE_H
#define CXLR_REDFISH_EVENTING_OTLP_QUEUE_H

/*
 * The events that wait for the collector: a cursor in the state database, the request in flight,
 * and the consequence of its answer. Events are sent in the order of their numbers, one request at
 * a time; delivery_otlp.c makes the requests. Used by the delivery thread only, which owns it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otlp/writer.h"
#include "push/protocol.h"
#include "redfish/eventing/otlp_status.h"
#include "redfish/eventing/state_otlp.h"
#include "redfish/state/state.h"

enum {
	OTLP_BATCH_BYTES = 96 * 1024,
	OTLP_BATCH_RECORDS = 512,
	OTLP_SAID_MAX = 32, /* texts of the collector that were logged */
};

/* The records of one request. */
struct otlp_request {
	uint64_t first, upto; /* number of the first record; the cursor once it is accepted */
	size_t n;
	/* At most so many events were overwritten in its place, up to this number. */
	uint64_t overwritten, overwritten_to;
};

struct otlp_queue {
	struct state_otlp row; /* its cursor is the present one */
	bool opened;	       /* the row is known */
	uint64_t stored;       /* the cursor that the state database has */

	bool in_flight;
	struct otlp_request request; /* the last one */
	size_t limit;		     /* records of the next request */
	unsigned int failures;
	uint64_t not_before_ms; /* as clock_monotonic_ms() */
	struct otlp_status status;
	uint64_t said[OTLP_SAID_MAX]; /* hashes */
	size_t n_said;
};

/*
 * otlp_queue_restart() - other settings are used, also the first ones: what was blocked is tried at
 * once
 * @on: there is a collector
 */
void otlp_queue_restart(struct otlp_queue *q, bool on);

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

/* otlp_queue_answer() - the request in flight was answered; @encoding: its own */
void otlp_queue_answer(struct otlp_queue *q, enum otlp_encoding encoding,
		       const struct push_answer *a, uint64_t now_ms);

/* otlp_queue_lost() - the result of the request in flight will not be known */
void otlp_queue_lost(struct otlp_queue *q, const char *why, uint64_t now_ms);

#endif
