// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/sunfish/sunfish_agent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "otlp/outcome.h"

static bool is_success(const struct push_answer *answer)
{
	return answer->status >= 200 && answer->status < 300;
}

/* ---- what others give ---------------------------------------------------------------------------
 */

bool sunfish_id_is_sane(const char *id)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (strlen(id) != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'x' ? !strchr("0123456789abcdefABCDEF", id[i]) : id[i] != '-')
			return false;
	return true;
}

void sunfish_agent_method(const struct sunfish_agent *a, char ret[static SUNFISH_METHOD_MAX])
{
	(void)snprintf(ret, SUNFISH_METHOD_MAX, "%s-%" PRIu64, a->row.name, a->row.generation);
}

/* ---- the beginning ------------------------------------------------------------------------------
 */

static void begin(struct sunfish_agent *a)
{
	a->checked = a->has_offered = a->suspect = false;
	a->offered = 0;
	a->attempts = 0;
}

/* The next registration has a ConnectionMethod that no core has seen. */
static void forget(struct sunfish_agent *a)
{
	a->row.source[0] = '\0';
	a->row.generation++;
	begin(a);
}

static void set_state(struct sunfish_agent *a)
{
	struct sunfish_status *s = &a->status;

	if (!sunfish_agent_is_on(a))
		s->state = SUNFISH_STATE_OFF;
	else if (!a->row.source[0])
		s->state = SUNFISH_STATE_REGISTERING;
	else
		s->state = a->has_offered ? SUNFISH_STATE_SERVING : SUNFISH_STATE_OFFERING;
}

/* An id between others is not this core's. */
static void compare_row(struct sunfish_agent *a)
{
	if (!a->opened || !sunfish_agent_is_on(a) ||
	    (str_equal(a->row.core, a->settings.core) &&
	     str_equal(a->row.agent, a->settings.agent)))
		return;
	if (a->row.source[0])
		forget(a);
	memcpy(a->row.core, a->settings.core, sizeof(a->row.core));
	memcpy(a->row.agent, a->settings.agent, sizeof(a->row.agent));
}

void sunfish_agent_configure(struct sunfish_agent *a, const struct sunfish_settings *s)
{
	if (!str_equal(a->settings.core, s->core) || !str_equal(a->settings.agent, s->agent))
		a->outdated = a->in_flight != SUNFISH_NOTHING;
	a->settings = *s;
	a->checked = false;
	a->failures = 0;
	a->not_before_ms = 0;
	a->status.reason[0] = '\0';
	compare_row(a);
	set_state(a);
}

void sunfish_agent_take_row(struct sunfish_agent *a, const struct state_sunfish *row,
			    uint64_t newest)
{
	a->row = *row;
	a->opened = true;
	a->stored = row->cursor;
	if (a->row.cursor > newest)
		a->row.cursor = newest;
	/* A file that someone has changed. */
	if (a->row.source[0] && !sunfish_id_is_sane(a->row.source))
		forget(a);
	compare_row(a);
	set_state(a);
}

bool sunfish_agent_is_on(const struct sunfish_agent *a)
{
	return a->settings.core[0] && a->settings.agent[0];
}

void sunfish_agent_assign(struct sunfish_agent *a, const char *source)
{
	(void)snprintf(a->row.source, sizeof(a->row.source), "%s", source);
	if (a->in_flight != SUNFISH_REGISTER)
		a->outdated = a->in_flight != SUNFISH_NOTHING;
	begin(a);
	set_state(a);
}

/* ---- what is sent -------------------------------------------------------------------------------
 */

enum sunfish_request sunfish_agent_next(const struct sunfish_agent *a, uint64_t now_ms,
					uint64_t *ret_at_ms)
{
	*ret_at_ms = UINT64_MAX;
	if (!a->opened || !sunfish_agent_is_on(a) || a->in_flight)
		return SUNFISH_NOTHING;
	if (a->not_before_ms > now_ms) {
		*ret_at_ms = a->not_before_ms;
		return SUNFISH_NOTHING;
	}
	if (!a->row.source[0])
		return SUNFISH_REGISTER;
	if (!a->checked || a->check_ms <= now_ms)
		return SUNFISH_CHECK;
	*ret_at_ms = a->check_ms;
	return a->has_offered ? SUNFISH_EVENT : SUNFISH_OFFER;
}

void sunfish_agent_sent(struct sunfish_agent *a, enum sunfish_request request)
{
	a->in_flight = request;
	a->outdated = false;
}

/* ---- answers ------------------------------------------------------------------------------------
 */

static void put_off(struct sunfish_agent *a, const char *retry_after, uint64_t now_ms)
{
	const struct otlp_answer answer = {.retry_after = retry_after};
	const struct otlp_attempt attempt = {
		.failures = a->failures,
		.now_s = clock_realtime_ns() / 1000000000,
		.random = arc4random(),
	};

	a->not_before_ms = now_ms + otlp_retry_ms(&answer, &attempt);
	a->failures++;
}

/* The first of a row is logged, and each other reason. */
static void set_reason(struct sunfish_agent *a, const char *reason)
{
	struct sunfish_status *s = &a->status;

	if (str_equal(s->reason, reason))
		return;
	(void)snprintf(s->reason, sizeof(s->reason), "%s", reason);
	str_make_plain(s->reason);
	log_warning("the Sunfish core %s does not accept this service, and is tried again: %s",
		    a->settings.core, s->reason);
}

static void describe(const struct push_answer *answer, const char *what,
		     char ret[static SUNFISH_REASON_MAX])
{
	if (answer->refused)
		(void)snprintf(ret, SUNFISH_REASON_MAX,
			       "its address %.64s is not allowed: add it to push-allow",
			       answer->text);
	else if (answer->status)
		(void)snprintf(ret, SUNFISH_REASON_MAX, "%s: HTTP status %u%s", what,
			       (unsigned int)answer->status,
			       answer->status / 100 == 3 ? " (redirections are not followed)" : "");
	else
		(void)snprintf(ret, SUNFISH_REASON_MAX, "%s: %.120s", what, answer->text);
}

static void fail(struct sunfish_agent *a, const struct push_answer *answer, const char *what,
		 uint64_t now_ms)
{
	char reason[SUNFISH_REASON_MAX];

	describe(answer, what, reason);
	set_reason(a, reason);
	put_off(a, answer->retry_after, now_ms);
}

static void note_working(struct sunfish_agent *a)
{
	if (a->status.reason[0])
		log_info("the Sunfish core %s accepts this service again", a->settings.core);
	a->status.reason[0] = '\0';
	a->failures = a->losses = 0;
}

static void note_checked(struct sunfish_agent *a, uint64_t now_ms)
{
	a->checked = true;
	a->check_ms = now_ms + SUNFISH_CHECK_MS + arc4random_uniform(SUNFISH_CHECK_MS / 8);
}

/*
 * The core assigns the id by a request of its own, before it answers. A success without one, as one
 * of a server that is no core, and 409, of a core that knows the ConnectionMethod, need another
 * one.
 */
static bool answer_registration(struct sunfish_agent *a, const struct push_answer *answer,
				uint64_t now_ms)
{
	if (a->row.source[0]) {
		log_info("registered at the Sunfish core %s as %s", a->settings.core,
			 a->row.source);
		note_checked(a, now_ms);
		return false;
	}
	fail(a, answer,
	     is_success(answer)
		     ? "it has assigned no Context, which it sends to the URL of the agent"
		     : "the registration failed",
	     now_ms);
	if (!is_success(answer) && answer->status != 409)
		return false;
	a->row.generation++;
	return true;
}

/* Whether a body is that of the AggregationSource; a long one is cut. */
static bool has_id(const struct sunfish_agent *a, const struct push_answer *answer)
{
	return memmem(answer->body, answer->body_len, a->row.source, strlen(a->row.source)) != NULL;
}

/* The core works, and has not accepted what is next. */
static void count_attempt(struct sunfish_agent *a)
{
	if (!a->suspect)
		return;
	a->suspect = false;
	if (++a->attempts < SUNFISH_ATTEMPTS_MAX)
		return;
	a->attempts = a->failures = 0;
	if (!a->has_offered) {
		log_warning(
			"the Sunfish core %s did not take resource %zu of those offered in %d attempts",
			a->settings.core, a->offered + 1, SUNFISH_ATTEMPTS_MAX);
		a->offered++;
		return;
	}
	log_warning("the Sunfish core %s did not take event %" PRIu64
		    " in %d attempts; it is not sent again",
		    a->settings.core, a->seq, SUNFISH_ATTEMPTS_MAX);
	a->status.skipped++;
	sunfish_agent_pass(a, a->seq);
}

static bool answer_check(struct sunfish_agent *a, const struct push_answer *answer, uint64_t now_ms)
{
	if (answer->status == 200 && has_id(a, answer)) {
		/* A request that follows may show otherwise. */
		if (!a->suspect)
			note_working(a);
		note_checked(a, now_ms);
		count_attempt(a);
		return false;
	}
	/* A core that works, however long it was away. */
	if (answer->status == 404)
		a->failures = a->losses++;
	fail(a, answer,
	     answer->status == 200 ? "its answer is no AggregationSource of this service"
				   : "it does not show the AggregationSource of this service",
	     now_ms);
	a->suspect = false;
	if (answer->status != 404)
		return false;
	log_info("the Sunfish core %s has forgotten this service, which registers again",
		 a->settings.core);
	forget(a);
	return true;
}

/* The next step is to ask whether the core knows the id. */
static void note_not_accepted(struct sunfish_agent *a, const struct push_answer *answer,
			      uint64_t now_ms)
{
	fail(a, answer,
	     a->in_flight == SUNFISH_OFFER ? "it does not take what is offered"
					   : "it does not take an event",
	     now_ms);
	a->checked = false;
	a->suspect = true;
}

static void note_accepted(struct sunfish_agent *a)
{
	note_working(a);
	a->attempts = 0;
	if (a->in_flight == SUNFISH_OFFER) {
		a->offered++;
		return;
	}
	a->status.sent++;
	sunfish_agent_pass(a, a->seq);
}

bool sunfish_agent_answer(struct sunfish_agent *a, const struct push_answer *answer,
			  uint64_t now_ms)
{
	bool changes = false;

	if (a->outdated)
		a->checked = false;
	else if (a->in_flight == SUNFISH_REGISTER)
		changes = answer_registration(a, answer, now_ms);
	else if (a->in_flight == SUNFISH_CHECK)
		changes = answer_check(a, answer, now_ms);
	else if (is_success(answer))
		note_accepted(a);
	else
		note_not_accepted(a, answer, now_ms);
	a->in_flight = SUNFISH_NOTHING;
	set_state(a);
	return changes;
}

void sunfish_agent_lost(struct sunfish_agent *a, const char *why, uint64_t now_ms)
{
	struct push_answer none = {0};

	if (!a->in_flight)
		return;
	(void)snprintf(none.text, sizeof(none.text), "%s", why);
	(void)sunfish_agent_answer(a, &none, now_ms);
}

void sunfish_agent_has_offered(struct sunfish_agent *a)
{
	log_info("the resources of this service are offered to the Sunfish core %s",
		 a->settings.core);
	a->has_offered = true;
	a->attempts = 0;
	set_state(a);
}

void sunfish_agent_pass(struct sunfish_agent *a, uint64_t seq)
{
	if (seq > a->row.cursor)
		a->row.cursor = seq;
}
