// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_queue.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/log.h"

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

static void note_overwritten(struct otlp_queue *q)
{
	const struct otlp_request *r = &q->request;

	q->overwritten += r->overwritten;
	if (r->overwritten)
		log_warning("%" PRIu64 " events up to number %" PRIu64
			    " were overwritten before the OpenTelemetry collector accepted them",
			    r->overwritten, r->overwritten_to);
}

void otlp_queue_answer(struct otlp_queue *q, const struct otlp_outcome *out)
{
	if (out->action != OTLP_SENT && out->action != OTLP_SKIP)
		return;
	q->row.cursor = q->request.upto;
	note_overwritten(q);
	if (out->action == OTLP_SKIP)
		log_warning("the OpenTelemetry collector refuses event %" PRIu64
			    ", which is not sent again: %s",
			    q->request.first, out->text);
}
