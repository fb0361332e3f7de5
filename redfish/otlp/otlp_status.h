/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_STATUS_H
#define CXLR_REDFISH_OTLP_OTLP_STATUS_H

/*
 * The export to a collector, as others see it: plain values.
 */

#include <stdint.h>

#include "otlp/answer.h"

enum otlp_signal { OTLP_LOGS, OTLP_METRICS };
enum { OTLP_SIGNALS = OTLP_METRICS + 1 };

enum otlp_state {
	OTLP_STATE_OFF,	     /* there is no collector, or it gets no such records */
	OTLP_STATE_SENDING,  /* the collector accepts what there is */
	OTLP_STATE_RETRYING, /* it is busy, or cannot be reached */
	OTLP_STATE_BLOCKED,  /* an administrator has to do something; no event is dropped */
};
enum { OTLP_STATES = OTLP_STATE_BLOCKED + 1 };

struct otlp_signal_status {
	enum otlp_state state;
	char reason[OTLP_TEXT_MAX]; /* a clause, of RETRYING and BLOCKED; else "" */
	/* Since the start of the process: records, or data points. */
	uint64_t sent;	   /* that were accepted */
	uint64_t rejected; /* that the collector did not take and that are dropped */
};

struct otlp_status {
	struct otlp_signal_status signals[OTLP_SIGNALS];
	uint64_t overwritten; /* at most so many events were overwritten before they were sent */
	uint64_t waiting;     /* at most so many events are not sent yet */
};

#endif
