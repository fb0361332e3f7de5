// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_answer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "events/event_extents.h"
#include "events/event_fill_private.h"

static void forget_mapping(struct answer *a)
{
	a->region = NULL;
	a->decoder = a->window = NULL;
	a->position = (struct opt_int){0};
	a->dax = NULL;
}

/* Keeps those parts of the engine's answer that are still true in the event's answer. */
static void merge_answers(const struct event_question *q, struct trace_moment *ret)
{
	const struct event_answer *from = &ret->event.answer;
	const uint64_t length = event_number(&ret->event.record, FIELD_DPA_LENGTH).value;
	struct answer *a = &ret->answer;

	/* The event is of another mapping. */
	if (!from->region_resource.present && !q->asks_now)
		forget_mapping(a);
	a->has_spa = from->has_spa;
	a->exact = from->exact;
	a->source = from->has_spa ? from->source : SOURCE_NONE;
	a->spa = from->spa;
	a->spa_last = from->spa_last;
	a->has_alias = event_alias_span(from, &a->alias, &a->alias_last);
	a->dpa = q->dpa.value;
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

/* The same record, of which only device and address are asked for. */
static struct event_question ask_now(const struct event_question *then)
{
	struct event_question now = *then;

	now.asks_now = true;
	now.from = provenance_live;
	now.renamed = now.region_is_named = now.has_uuid = false;
	now.region[0] = '\0';
	now.hpa = (struct opt_u64){0};
	return now;
}

/* A page of this host is no page to act on, as long as the record may be of another one. */
static void doubt_host(struct event_answer *a)
{
	char why[ANSWER_REASON_MAX];

	(void)snprintf(why, sizeof(why), "%s", a->reason);
	(void)snprintf(
		a->reason, sizeof(a->reason),
		"whether the record is of this host is not known: its serial number and PCI address do not prove it%s%.200s",
		why[0] ? "; " : "", why);
	a->exact = false;
	for (unsigned int i = 0; i < a->n_extents; i++)
		a->extents[i].exact = false;
}

/* A reason has no other place where there is no address now. */
static void add_now_reason(const struct answer *now, struct answer *then)
{
	const size_t n = strlen(then->reason);

	if (!now->has_spa && now->reason[0] && !strstr(then->reason, now->reason))
		(void)snprintf(then->reason + n, sizeof(then->reason) - n, "%snow: %s",
			       n ? "; " : "", now->reason);
}

/* Return: whether firmware may give a better answer. */
static bool answer_now(const struct event_mapping *m, const struct trace_text *text,
		       const struct event_question *then, const struct answer *engine,
		       struct firmware_timeout *timeout, struct trace_answer *ret)
{
	const struct event_question q = ask_now(then);
	bool pending = false;

	memset(&ret->now.event.answer, 0, sizeof(ret->now.event.answer));
	ret->now.event.record = ret->then.event.record;
	ret->now.answer = *engine;
	if (q.memdev && ret->from.host != PROVENANCE_ANOTHER)
		pending = event_answer(m, &q, timeout, &ret->now.event.answer);
	if (ret->from.host != PROVENANCE_THIS && ret->now.event.answer.has_spa)
		doubt_host(&ret->now.event.answer);
	if (!is_confirmed(text, engine))
		forget_address(&ret->now.event.answer);
	merge_answers(&q, &ret->now);
	if (q.memdev)
		add_now_reason(&ret->now.answer, &ret->then.answer);
	else
		(void)snprintf(ret->now.answer.reason, sizeof(ret->now.answer.reason),
			       "the device of the record is not one of this host");
	return pending;
}

/*
 * Firmware names a PCI function, and not the device of Linux. A serial number that is another one
 * contradicts it: neither proves a host then.
 */
static void name_device(const struct host *host, const struct trace_text *text,
			struct trace_text *ret)
{
	const struct memdev *m = event_memdev(host, &text->record);

	const struct opt_u64 serial = event_number(&text->record, FIELD_SERIAL);

	*ret = *text;
	if (m && m->serial.present && serial.present && serial.value != m->serial.value)
		ret->record.present &= ~(UINT64_C(1) << FIELD_SERIAL);
	(void)snprintf(ret->record.memdev, sizeof(ret->record.memdev), "%.*s", EVENT_MEMDEV_MAX - 1,
		       m ? m->name : text->record.host);
}

int trace_answer(const struct event_mapping *m, struct translator *translator,
		 const struct trace_text *text, bool this_boot, struct firmware_timeout *timeout,
		 struct trace_answer *ret)
{
	static const uint8_t no_boot[EVENT_BOOT_ID_SIZE];
	struct event_question q;
	struct trace_text named;
	struct answer engine;
	bool pending;

	if (!text->record.memdev[0]) {
		name_device(m->host, text, &named);
		text = &named;
	}
	ret->from = provenance_of_text(m->host, &text->record, &text->when, this_boot);
	event_fill(m, no_boot, &text->record, &ret->from, 0, &ret->then.event, &q);
	/* The line and not this kernel says whether a region would be named. */
	q.region_is_named = text->has_region;
	pending = event_answer(m, &q, timeout, &ret->then.event.answer);
	engine = (struct answer){.has_dpa = true, .memdev = q.memdev};
	if (q.memdev && ask_engine(translator, &q, timeout, &engine) < 0)
		return -ENOMEM;
	if (!is_confirmed(text, &engine))
		forget_address(&ret->then.event.answer);
	ret->then.answer = engine;
	if (q.renamed)
		forget_mapping(&ret->then.answer);
	merge_answers(&q, &ret->then);
	return answer_now(m, text, &q, &engine, timeout, ret) || pending;
}
