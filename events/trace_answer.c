// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_answer.h"

#include <errno.h>
#include <stdio.h>

#include "common/cleanup.h"
#include "events/event_extents.h"

/* Keeps those parts of the engine's answer that are still true in the event's answer. */
static void merge_answers(const struct stored_event *ev, struct answer *a)
{
	const struct event_answer *from = &ev->answer;
	const uint64_t length = event_number(&ev->record, FIELD_DPA_LENGTH).value;

	/* The event is of another mapping. */
	if (!from->region_resource.present) {
		a->region = NULL;
		a->decoder = a->window = NULL;
		a->position = (struct opt_int){0};
		a->dax = NULL;
	}
	a->has_spa = from->has_spa;
	a->exact = from->exact;
	a->source = from->has_spa ? from->source : SOURCE_NONE;
	a->spa = from->spa;
	a->spa_last = from->spa_last;
	a->dpa = event_number(&ev->record, FIELD_DPA).value;
	a->dpa_last = event_dpa_last(a->dpa, length);
	a->numa_node = from->numa_node;
	if (!from->dax[0])
		a->dax = NULL;
	(void)snprintf(a->reason, sizeof(a->reason), "%s", from->reason);
}

static int ask_engine(struct translator *translator, const struct event_question *q,
		      struct firmware_timeout *timeout, struct answer *ret)
{
	_cleanup_(answers_done) struct answers answers = {0};
	const uint64_t dpa = q->dpa.value;
	int r = timeout ? translate_dpa_wait(translator, q->memdev, dpa, dpa, timeout, &answers)
			: translate_dpa(translator, q->memdev, dpa, dpa, &answers);

	if (r == 0)
		*ret = answers.items[0];
	return r;
}

/* Without it, device and address of a record that was divided may be those of two. */
static bool is_confirmed(const struct trace_text *text, const struct answer *engine)
{
	return !text->divided || (engine->has_spa && engine->exact &&
				  opt_u64_is(event_number(&text->record, FIELD_HPA), engine->spa));
}

static void forget_address(struct event_answer *a)
{
	*a = (struct event_answer){0};
	(void)snprintf(a->reason, sizeof(a->reason), "%s", TRACE_DIVIDED);
}

int trace_answer(const struct event_mapping *m, struct translator *translator,
		 const struct trace_text *text, struct firmware_timeout *timeout,
		 struct stored_event *ret_event, struct answer *ret)
{
	static const uint8_t no_boot[EVENT_BOOT_ID_SIZE];
	struct event_question q;
	bool pending;

	event_fill(m, no_boot, &text->record, 0, ret_event, &q);
	/* A line without the field says nothing about the region. */
	q.region_is_named &= text->has_region;
	pending = event_answer(m, &q, timeout, &ret_event->answer);
	*ret = (struct answer){.has_dpa = true, .memdev = q.memdev};
	if (q.memdev && !q.renamed && ask_engine(translator, &q, timeout, ret) < 0)
		return -ENOMEM;
	if (!is_confirmed(text, ret))
		forget_address(&ret_event->answer);
	merge_answers(ret_event, ret);
	return pending;
}
