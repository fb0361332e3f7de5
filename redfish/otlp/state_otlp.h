/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_STATE_OTLP_H
#define CXLR_REDFISH_OTLP_STATE_OTLP_H

/*
 * The collector in the state database: the identity of this service there, the number of the last
 * event that the collector has accepted, and errors of memory that were counted for it. Numbers are
 * those of the event log; a cursor above all of them is of another log, and its owner lowers it.
 * Threads and errors are those of state.h.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "events/stored_event.h"
#include "redfish/state/state.h"

enum { STATE_UUID_SIZE = 16 };

struct state_otlp {
	uint8_t uuid[STATE_UUID_SIZE]; /* made once for the file; RFC 9562's order of bytes */
	uint64_t cursor;
	uint64_t since_ns; /* when counting errors began: ns since 1970 */
	uint64_t counted;  /* up to this number they are counted */
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

enum otlp_error_kind { OTLP_ERROR_CORRECTED, OTLP_ERROR_UNCORRECTED, OTLP_ERROR_FATAL };
enum { OTLP_ERROR_KINDS = OTLP_ERROR_FATAL + 1 };

/* Errors of one device. */
struct otlp_error_count {
	char device[EVENT_DEVICE_MAX];
	uint64_t n[OTLP_ERROR_KINDS];
};

DEFINE_ARRAY(struct otlp_error_count, otlp_error_counts);

typedef int otlp_each_error(void *userdata, const struct otlp_error_count *count);

/*
 * state_read_otlp_errors() - at most @max of them
 * @each: called with the database locked; must not call it. Not 0 ends the call, which returns it.
 */
int state_read_otlp_errors(struct state *st, size_t max, otlp_each_error *each, void *userdata,
			   struct error *e);

/* state_put_otlp_errors() - keep all of them, and up to which number they are, in one transaction
 */
int state_put_otlp_errors(struct state *st, const struct otlp_error_counts *counts,
			  uint64_t counted, uint64_t since_ns, struct error *e);

#endif
