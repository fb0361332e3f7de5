/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SUNFISH_AGENT_H
#define CXLR_REDFISH_SUNFISH_AGENT_H

/*
 * The agent of a Sunfish core as a state machine, without network and disk: what is sent next, and
 * the consequence of an answer.
 *
 * A core that has assigned an id is asked for it at the start, about once a minute, and after each
 * request that it did not accept. Where it does not know the id any more, the agent registers again
 * by another ConnectionMethod, because a core accepts each of these once. Then the resources are
 * offered, and after that the events behind the cursor are sent, one at a time and in order. What
 * the core does not accept while it knows the id is tried SUNFISH_ATTEMPTS_MAX times; a core that
 * cannot be reached costs no attempt.
 *
 * Guarded by the caller.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "push/protocol.h"
#include "redfish/sunfish/state_sunfish.h"
#include "redfish/sunfish/sunfish_settings.h"

/* Where a core has its agents. */
#define SUNFISH_SOURCES "/redfish/v1/AggregationService/AggregationSources"

enum {
	SUNFISH_ATTEMPTS_MAX = 3,
	SUNFISH_CHECK_MS = 60 * 1000, /* between two questions for the id, at least */
	SUNFISH_REASON_MAX = 200,
};

enum sunfish_request {
	SUNFISH_NOTHING,
	SUNFISH_REGISTER,
	SUNFISH_CHECK, /* asks for the AggregationSource */
	SUNFISH_OFFER, /* the root resource number `offered` */
	SUNFISH_EVENT, /* the event behind the cursor */
};

enum sunfish_state {
	SUNFISH_STATE_OFF,
	SUNFISH_STATE_REGISTERING,
	SUNFISH_STATE_OFFERING,
	SUNFISH_STATE_SERVING,
};
enum { SUNFISH_STATES = SUNFISH_STATE_SERVING + 1 };

struct sunfish_status {
	enum sunfish_state state;
	uint64_t sent;			 /* events that the core accepted */
	uint64_t skipped;		 /* events that it did not accept in all attempts */
	char reason[SUNFISH_REASON_MAX]; /* why the last request failed; "" it did not */
};

struct sunfish_agent {
	struct sunfish_settings settings;
	struct state_sunfish row;
	bool opened;	 /* the row is known */
	uint64_t stored; /* the cursor that the state database has */

	bool checked;	  /* the core knows the id, as far as is known */
	size_t offered;	  /* root resources that the core has, or does not take */
	bool has_offered; /* all of them */
	bool suspect;	  /* the last request was not accepted, and the id was not yet asked for */
	unsigned int attempts;	/* of the request that is next, by a core that knows the id */
	unsigned int failures;	/* in a row */
	unsigned int losses;	/* of the id, in a row */
	uint64_t not_before_ms; /* clock_monotonic_ms() */
	uint64_t check_ms;	/* when the id is to be asked for */

	enum sunfish_request in_flight;
	bool outdated; /* its answer is that of another core, or for another id */
	uint64_t seq;  /* of the event in flight, or that is tried again */
	struct sunfish_status status;
};

/* Another core, or another URL of this service: the id is that of others, and is forgotten. */
void sunfish_agent_configure(struct sunfish_agent *a, const struct sunfish_settings *s);

/* sunfish_agent_take_row() - the row of the state database; @newest: number of the newest event */
void sunfish_agent_take_row(struct sunfish_agent *a, const struct state_sunfish *row,
			    uint64_t newest);

/* Return: whether there is a core, and a URL at which it can ask this service. */
bool sunfish_agent_is_on(const struct sunfish_agent *a);

/*
 * sunfish_agent_next() - what is to be sent now
 * @ret_at_ms: when to ask again, with SUNFISH_NOTHING and without an event; UINT64_MAX: after an
 * answer, or not at all
 */
enum sunfish_request sunfish_agent_next(const struct sunfish_agent *a, uint64_t now_ms,
					uint64_t *ret_at_ms);

void sunfish_agent_sent(struct sunfish_agent *a, enum sunfish_request request);

/*
 * sunfish_agent_answer() - the request in flight was answered
 *
 * Return: whether another row than before has to be stored now; a cursor alone can wait.
 */
bool sunfish_agent_answer(struct sunfish_agent *a, const struct push_answer *answer,
			  uint64_t now_ms);

/* sunfish_agent_lost() - the result of the request in flight will not be known */
void sunfish_agent_lost(struct sunfish_agent *a, const char *why, uint64_t now_ms);

/* All resources are offered. */
void sunfish_agent_has_offered(struct sunfish_agent *a);

/* sunfish_agent_pass() - the events up to @seq are nothing for the core */
void sunfish_agent_pass(struct sunfish_agent *a, uint64_t seq);

/* sunfish_id_is_sane() - whether a core may assign it: the text of a UUID */
bool sunfish_id_is_sane(const char *id);

/* sunfish_agent_assign() - the core has assigned an id, which is sane */
void sunfish_agent_assign(struct sunfish_agent *a, const char *source);

/* The Id of the present ConnectionMethod. */
void sunfish_agent_method(const struct sunfish_agent *a, char ret[static SUNFISH_METHOD_MAX]);

#endif
