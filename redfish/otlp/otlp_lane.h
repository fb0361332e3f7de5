/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_LANE_H
#define CXLR_REDFISH_OTLP_OTLP_LANE_H

/*
 * The requests of one signal to the collector, of which one is in flight at a time: when the next
 * one may be sent, how many records it may have, and what others see of it. Used by the delivery
 * thread only, which owns it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otlp/outcome.h"
#include "push/protocol.h"
#include "redfish/otlp/otlp_status.h"

enum {
	OTLP_BATCH_BYTES = 96 * 1024,
	OTLP_BATCH_RECORDS = 512,
	OTLP_SAID_MAX = 256, /* more than there are metrics */
	/* For the end of a message, and the lengths of those in it. */
	OTLP_CLOSING_BYTES = 256,
};

/* The last texts that were logged, so that each is logged once. */
struct otlp_said {
	uint64_t hashes[OTLP_SAID_MAX];
	size_t n;
};

struct otlp_lane {
	enum otlp_signal signal;
	bool in_flight;
	size_t n;     /* records of the last request */
	size_t limit; /* of the next one */
	unsigned int failures;
	uint64_t not_before_ms; /* as clock_monotonic_ms() */
	struct otlp_signal_status status;
	struct otlp_said said;
};

/*
 * otlp_lane_restart() - other settings are used, also the first ones: what was blocked is tried at
 * once
 * @on: there is a collector for the signal
 */
void otlp_lane_restart(struct otlp_lane *l, enum otlp_signal signal, bool on);

/* The cause may have been mended at the collector: what is blocked is tried at once. */
void otlp_lane_mended(struct otlp_lane *l);

/* Return: whether the text is none of the last ones; it is one of them from now on. */
bool otlp_is_new_text(struct otlp_said *said, const char *text);

/* otlp_spread_ms() - any moment of some seconds, at most 3,600: many hosts may start together */
uint64_t otlp_spread_ms(unsigned int seconds);

/* otlp_lane_sent() - a request with @n records is in flight */
void otlp_lane_sent(struct otlp_lane *l, size_t n);

/*
 * otlp_lane_answer() - the request in flight was answered
 * @ret: what follows; the caller goes on behind the records after OTLP_SENT and OTLP_SKIP
 */
void otlp_lane_answer(struct otlp_lane *l, enum otlp_encoding encoding, const struct push_answer *a,
		      uint64_t now_ms, struct otlp_outcome *ret);

/* otlp_lane_lost() - the result of the request in flight will not be known */
void otlp_lane_lost(struct otlp_lane *l, const char *why, uint64_t now_ms);

#endif
