// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/otlp_queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "otlp/outcome.h"

/* ---- the status -------------------------------------------------------------------------------
 */

/* A change is logged, not each attempt. */
static void set_state(struct otlp_queue *q, enum otlp_state state, const char *reason)
{
	struct otlp_status *s = &q->status;
	const bool changes = s->state != state || strcmp(s->reason, reason) != 0;

	if (changes && state == OTLP_STATE_BLOCKED)
		log_warning(
			"the OpenTelemetry collector does not accept events, which are kept and tried again every 5 minutes: %s",
			reason);
	else if (changes && state == OTLP_STATE_RETRYING && s->state != OTLP_STATE_RETRYING)
		log_warning(
			"the OpenTelemetry collector could not be reached, and is tried again: %s",
			reason);
	else if (state == OTLP_STATE_SENDING && s->reason[0])
		log_info("the OpenTelemetry collector accepts events again");
	s->state = state;
	(void)snprintf(s->reason, sizeof(s->reason), "%s", reason);
}

void otlp_queue_restart(struct otlp_queue *q, bool on)
{
	q->not_before_ms = 0;
	q->failures = 0;
	q->limit = OTLP_BATCH_RECORDS;
	q->status.state = on ? OTLP_STATE_SENDING : OTLP_STATE_OFF;
	q->status.reason[0] = '\0';
}

/* ---- the cursor -------------------------------------------------------------------------------
 */

bool otlp_queue_unsaved(const struct otlp_queue *q)
{
	return q->opened && q->stored != q->row.cursor;
}

void otlp_queue_save(struct otlp_queue *q, struct state *st, enum state_durability durability)
{
	if (otlp_queue_unsaved(q) &&
	    state_set_otlp_cursor(st, durability, q->row.cursor, NULL) == 0)
		q->stored = q->row.cursor;
}

int otlp_queue_open(struct otlp_queue *q, struct state *st, uint64_t newest)
{
	struct state_otlp first = {.since_ns = clock_realtime_ns()};
	int r;

	if (q->opened)
		return 0;
	arc4random_buf(first.uuid, sizeof(first.uuid));
	first.uuid[6] = (uint8_t)((first.uuid[6] & 0x0f) | 0x40);
	first.uuid[8] = (uint8_t)((first.uuid[8] & 0x3f) | 0x80);
	r = state_open_otlp(st, &first, &q->row, NULL);
	if (r < 0)
		return r;
	q->opened = true;
	q->stored = q->row.cursor;
	if (q->row.cursor > newest)
		q->row.cursor = newest;
	return 0;
}

/* ---- answers ----------------------------------------------------------------------------------
 */

/* Return: whether the collector has not said this before. */
static bool is_new_text(struct otlp_queue *q, const char *text)
{
	const uint64_t hash = hash_bytes(text, strlen(text));

	for (size_t i = 0; i < OTLP_SAID_MAX && i < q->n_said; i++)
		if (q->said[i] == hash)
			return false;
	q->said[q->n_said++ % OTLP_SAID_MAX] = hash;
	return true;
}

static void note_sent(struct otlp_queue *q, const struct otlp_outcome *out)
{
	const struct otlp_request *sent = &q->request;

	q->status.sent += sent->n - out->rejected;
	q->status.rejected += out->rejected;
	q->status.overwritten += sent->overwritten;
	q->row.cursor = sent->upto;
	q->limit = q->limit * 2 < OTLP_BATCH_RECORDS ? q->limit * 2 : OTLP_BATCH_RECORDS;
	if ((out->rejected || out->text[0]) && is_new_text(q, out->text))
		log_warning("the OpenTelemetry collector rejected %" PRIu64
			    " of %zu events from number %" PRIu64
			    " on, which are not sent again: %s",
			    out->rejected, sent->n, sent->first,
			    out->text[0] ? out->text : "it gave no reason");
	if (sent->overwritten)
		log_warning("%" PRIu64 " events up to number %" PRIu64
			    " were overwritten before the OpenTelemetry collector accepted them",
			    sent->overwritten, sent->overwritten_to);
}

static void note_skipped(struct otlp_queue *q, const struct otlp_outcome *out)
{
	log_warning("the OpenTelemetry collector refuses event %" PRIu64
		    ", which is not sent again: %s",
		    q->request.first, out->text);
	q->status.rejected++;
	q->row.cursor = q->request.upto;
}

static void put_off(struct otlp_queue *q, const struct otlp_outcome *out, uint64_t now_ms)
{
	q->not_before_ms = now_ms + out->after_ms;
	q->failures++;
	set_state(q, out->action == OTLP_BLOCKED ? OTLP_STATE_BLOCKED : OTLP_STATE_RETRYING,
		  out->text);
}

static void apply(struct otlp_queue *q, const struct otlp_outcome *out, uint64_t now_ms)
{
	q->in_flight = false;
	if (out->action == OTLP_RETRY || out->action == OTLP_BLOCKED) {
		put_off(q, out, now_ms);
		return;
	}
	q->failures = 0;
	set_state(q, OTLP_STATE_SENDING, "");
	if (out->action == OTLP_SENT)
		note_sent(q, out);
	else if (out->action == OTLP_SKIP)
		note_skipped(q, out);
	else
		q->limit = q->request.n / 2;
}

static void decide(struct otlp_queue *q, const struct otlp_answer *answer, uint64_t now_ms)
{
	const struct otlp_attempt attempt = {
		.n_records = q->request.n,
		.failures = q->failures,
		.now_s = clock_realtime_ns() / 1000000000,
		.random = arc4random(),
	};
	struct otlp_outcome out;

	otlp_outcome(answer, &attempt, &out);
	apply(q, &out, now_ms);
}

void otlp_queue_answer(struct otlp_queue *q, enum otlp_encoding encoding,
		       const struct push_answer *a, uint64_t now_ms)
{
	const struct otlp_answer answer = {
		.status = a->status,
		.refused = a->refused,
		.text = a->text,
		.retry_after = a->retry_after,
		.body = {encoding, a->body, a->body_len, a->body_cut},
	};

	decide(q, &answer, now_ms);
}

void otlp_queue_lost(struct otlp_queue *q, const char *why, uint64_t now_ms)
{
	decide(q, &(struct otlp_answer){.text = why, .retry_after = ""}, now_ms);
}
