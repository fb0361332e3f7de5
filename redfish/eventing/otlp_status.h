/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_OTLP_STATUS_H
#define CXLR_REDFISH_EVENTING_OTLP_STATUS_H

/*
 * The export to a collector, as others see it: plain values.
 */

#include <stdint.h>

#include "otlp/answer.h"

enum otlp_state {
	OTLP_STATE_OFF,	     /* no collector is configured */
	OTLP_STATE_SENDING,  /* the collector accepts what there is */
	OTLP_STATE_RETRYING, /* it is busy, or cannot be reached */
	OTLP_STATE_BLOCKED,  /* an administrator has to do something; nothing is dropped */
};
enum { OTLP_STATES = OTLP_STATE_BLOCKED + 1 };

struct otlp_status {
	enum otlp_state state;
	char reason[OTLP_TEXT_MAX]; /* a clause, of RETRYING and BLOCKED; else "" */
	/* Since the start of the process. */
	uint64_t sent;	      /* records that were accepted */
	uint64_t rejected;    /* records that the collector did not take and that are dropped */
	uint64_t overwritten; /* at most so many events were overwritten before they were sent */
	uint64_t waiting;     /* at most so many events are not sent yet */
};

#endif
