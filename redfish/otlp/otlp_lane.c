// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"

static const char *const names[OTLP_SIGNALS] = {
	[OTLP_LOGS] = "events",
	[OTLP_METRICS] = "metrics",
};

/* A change is logged, not each attempt. */
static void set_state(struct otlp_lane *l, enum otlp_state state, const char *reason)
{
	struct otlp_signal_status *s = &l->status;
	const bool changes = s->state != state || strcmp(s->reason, reason) != 0;
	const char *name = names[l->signal];

	if (changes && state == OTLP_STATE_BLOCKED)
		log_warning(
			"the OpenTelemetry collector does not accept %s, and is tried again every 5 minutes: %s",
			name, reason);
	else if (state == OTLP_STATE_RETRYING && s->state == OTLP_STATE_SENDING)
		log_warning(
			"the OpenTelemetry collector could not be reached with %s, and is tried again: %s",
			name, reason);
	else if (state == OTLP_STATE_SENDING && s->reason[0])
		log_info("the OpenTelemetry collector accepts %s again", name);
	s->state = state;
	(void)snprintf(s->reason, sizeof(s->reason), "%s", reason);
}

void otlp_lane_restart(struct otlp_lane *l, enum otlp_signal signal, bool on)
{
	l->signal = signal;
	l->not_before_ms = 0;
	l->failures = 0;
	l->limit = OTLP_BATCH_RECORDS;
	l->status.state = on ? OTLP_STATE_SENDING : OTLP_STATE_OFF;
	l->status.reason[0] = '\0';
}

void otlp_lane_mended(struct otlp_lane *l)
{
	if (l->status.state == OTLP_STATE_BLOCKED)
		l->not_before_ms = 0;
}

uint64_t otlp_spread_ms(unsigned int seconds)
{
	return arc4random_uniform(seconds * 1000 + 1);
}

void otlp_lane_sent(struct otlp_lane *l, size_t n)
{
	l->in_flight = true;
	l->n = n;
}

bool otlp_is_new_text(struct otlp_said *said, const char *text)
{
	const uint64_t hash = hash_bytes(text, strlen(text));

	for (size_t i = 0; i < OTLP_SAID_MAX && i < said->n; i++)
		if (said->hashes[i] == hash)
			return false;
	said->hashes[said->n++ % OTLP_SAID_MAX] = hash;
	return true;
}

static void note_accepted(struct otlp_lane *l, const struct otlp_outcome *out)
{
	l->status.sent += l->n - out->rejected;
	l->status.rejected += out->rejected;
	l->limit = l->limit * 2 < OTLP_BATCH_RECORDS ? l->limit * 2 : OTLP_BATCH_RECORDS;
	if ((out->rejected || out->text[0]) && otlp_is_new_text(&l->said, out->text))
		log_warning("the OpenTelemetry collector rejected %" PRIu64
			    " of %zu %s, which are not sent again: %s",
			    out->rejected, l->n, names[l->signal],
			    out->text[0] ? out->text : "it gave no reason");
}

static void apply(struct otlp_lane *l, const struct otlp_outcome *out, uint64_t now_ms)
{
	l->in_flight = false;
	if (out->action == OTLP_RETRY || out->action == OTLP_BLOCKED) {
		l->not_before_ms = now_ms + out->after_ms;
		l->failures++;
		set_state(l, out->action == OTLP_BLOCKED ? OTLP_STATE_BLOCKED : OTLP_STATE_RETRYING,
			  out->text);
		return;
	}
	l->failures = 0;
	set_state(l, OTLP_STATE_SENDING, "");
	if (out->action == OTLP_SENT)
		note_accepted(l, out);
	else if (out->action == OTLP_SKIP)
		l->status.rejected += l->n;
	else
		l->limit = l->n / 2;
}

static void decide(struct otlp_lane *l, const struct otlp_answer *answer, uint64_t now_ms,
		   struct otlp_outcome *ret)
{
	const struct otlp_attempt attempt = {
		.n_records = l->n,
		.failures = l->failures,
		.now_s = clock_realtime_ns() / 1000000000,
		.random = arc4random(),
	};

	otlp_outcome(answer, &attempt, ret);
	apply(l, ret, now_ms);
}

void otlp_lane_answer(struct otlp_lane *l, enum otlp_encoding encoding, const struct push_answer *a,
		      uint64_t now_ms, struct otlp_outcome *ret)
{
	const struct otlp_answer answer = {
		.status = a->status,
		.refused = a->refused,
		.text = a->text,
		.retry_after = a->retry_after,
		.body = {encoding, a->body, a->body_len, a->body_cut},
	};

	decide(l, &answer, now_ms, ret);
}

void otlp_lane_lost(struct otlp_lane *l, const char *why, uint64_t now_ms)
{
	struct otlp_outcome out;

	decide(l, &(struct otlp_answer){.text = why, .retry_after = ""}, now_ms, &out);
}
