/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OTLP_OUTCOME_H
#define CXLR_OTLP_OUTCOME_H

/*
 * The consequence of a collector's answer to a request, as a function of its arguments alone. Any
 * thread.
 *
 * OTLP has a client drop what is refused for another reason than a busy server. Nothing may be
 * lost here, so that only a single record that the collector cannot read (400, 413) is dropped;
 * what an administrator can mend (a wrong URL, credentials, a missing signal) blocks the queue
 * instead, and is tried again.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otlp/answer.h"

enum {
	OTLP_RETRY_AFTER_MAX_S = 3600,
	OTLP_BACKOFF_FIRST_MS = 1000,
	OTLP_BACKOFF_MAX_MS = 300 * 1000,
	OTLP_BLOCKED_MS = 300 * 1000,
};

enum otlp_action {
	OTLP_SENT,    /* also with records that the collector rejected: never sent again */
	OTLP_RETRY,   /* the same after a delay */
	OTLP_HALVE,   /* half of the records at once */
	OTLP_SKIP,    /* the record is not sent again */
	OTLP_BLOCKED, /* the same after a delay, and an administrator has to do something */
};

struct otlp_answer {
	unsigned int status;	 /* of HTTP; 0: none */
	bool refused;		 /* its address is not allowed; `text` is the address */
	const char *text;	 /* why there is no status */
	const char *retry_after; /* the header; "" without */
	struct otlp_body body;
};

struct otlp_attempt {
	size_t n_records;
	unsigned int failures; /* in a row, before this one */
	uint64_t now_s;	       /* seconds since 1970, for a date in Retry-After */
	uint32_t random;       /* any number, for the jitter */
};

struct otlp_outcome {
	enum otlp_action action;
	uint64_t after_ms;	  /* of OTLP_RETRY and OTLP_BLOCKED */
	uint64_t rejected;	  /* of OTLP_SENT: at most n_records */
	char text[OTLP_TEXT_MAX]; /* a clause: the reason, or the collector's text of OTLP_SENT */
};

/*
 * otlp_retry_ms() - the delay before the next attempt: at least what Retry-After asks for, else a
 * random one that grows with the failures
 *
 * The records of @attempt are not used, and of @answer Retry-After alone is.
 */
uint64_t otlp_retry_ms(const struct otlp_answer *answer, const struct otlp_attempt *attempt);

void otlp_outcome(const struct otlp_answer *answer, const struct otlp_attempt *attempt,
		  struct otlp_outcome *ret);

#endif
