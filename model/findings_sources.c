// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The translators: firmware's PRM handler, and the sources that answer for each decoder now.
#include <errno.h>
#include <stdio.h>

#include "model/findings_private.h"
#include "model/service_health.h"
#include "model/topology.h"
#include "prm/prmt.h"

enum finding_reason findings_handler_state(const struct findings *f)
{
	const struct host_table *table = &f->host->tables[HOST_TABLE_PRMT];
	const struct prmt *prmt = translator_prmt(f->translator);
	const struct prmt_handler *handler;

	if (table->error == -ENOENT || (!table->data && !table->error))
		return REASON_NO_PRMT;
	if (table->error)
		return REASON_PRMT_UNREADABLE;
	if (!prmt)
		return REASON_PRMT_DAMAGED;
	handler = prmt_find(prmt, prmt_cxl_dpa_to_spa_guid);
	if (!handler)
		return REASON_NO_HANDLER;
	return handler->address ? REASON_HANDLER_PRESENT : REASON_HANDLER_WITHOUT_ADDRESS;
}

void findings_of_firmware(struct findings *f)
{
	struct finding list[FIRMWARE_FINDINGS_MAX];
	struct firmware_status s;
	size_t n;

	if (!f->firmware || f->never_waits)
		return;
	firmware_refresh(f->firmware); /* for the module's counters */
	firmware_status(f->firmware, &s);
	if (s.state != FIRMWARE_READY && !host_is_normalized(f->host))
		return;
	n = firmware_findings(&s, list);
	for (size_t i = 0; i < n; i++)
		findings_add_finding(f, &list[i]);
}

bool findings_is_contradicted(const struct findings *f, const struct region *r)
{
	const struct reason *why =
		r->by_decoders ? translator_region_reason(f->translator, r) : NULL;

	return why && why->code && !answer_reason_lacks_data(why->code);
}

bool findings_is_decoded(const struct findings *f, const struct region *r)
{
	return r->derived && !findings_is_contradicted(f, r->derived);
}

/* ---- what answers for a decoder ---------------------------------------------------------------
 */

enum {
	SAMPLES = 8, /* addresses of a decoder that are translated to see what answers */
	/* Sources that name one address. */
	EXACT_SOURCES = 1 << SOURCE_KERNEL | 1 << SOURCE_PRM | 1 << SOURCE_RECORDED |
			1 << SOURCE_EMULATED | 1 << SOURCE_DECODER,
};

struct samples {
	unsigned int sources; /* a bit for each enum answer_source */
	char why_none[ANSWER_REASON_MAX], why_interval[ANSWER_REASON_MAX];
};

static void copy_reason(char to[static ANSWER_REASON_MAX], const struct answer *a)
{
	(void)snprintf(to, ANSWER_REASON_MAX, "%s", a->reason);
}

/* Behind a low memory hole, which the findings of the region have, no address is missing. */
static bool is_behind_hole(const struct answer *a)
{
	const struct region *r = a->decoder ? decoder_mapped_by(a->decoder) : NULL;

	return !a->has_spa && answer_has_reason(a, REASON_NOT_REACHED) && r && r->size.present &&
	       a->decoder->size.present && r->size.value < a->decoder->size.value;
}

static void samples_translate(struct samples *s, struct findings *f, const struct memdev *m,
			      uint64_t dpa)
{
	struct answers answers = {0};
	const struct answer *a = NULL;

	if (translate_dpa_wait(f->translator, m, dpa, dpa, &f->timeout, &answers) < 0)
		f->no_memory = true;
	else if (answers.n)
		a = &answers.items[0];
	if (a && is_behind_hole(a))
		a = NULL;
	if (a)
		s->sources |= 1U << a->source;
	if (a && !a->has_spa)
		copy_reason(s->why_none, a);
	else if (a && !a->exact)
		copy_reason(s->why_interval, a);
	answers_done(&answers);
}

/* Advises when firmware has the handler and cannot be queried. */
static void advise_on_firmware(struct findings *f, const char *object)
{
	struct firmware_status status;
	const char *advice;

	if (!f->firmware)
		return;
	firmware_status(f->firmware, &status);
	advice = firmware_state_advice(status.state);
	if (advice)
		findings_add_args(f, SOURCE_NEEDS_FIRMWARE, object, finding_text(advice));
}

static void advise_on_handler(struct findings *f, const char *object)
{
	enum finding_reason state = findings_handler_state(f);

	if (state == REASON_PRMT_UNREADABLE)
		findings_add(f, SOURCE_READ_PRMT, object);
	else if (state != REASON_HANDLER_PRESENT)
		findings_add_args(f, SOURCE_NEEDS_HANDLER, object, finding_reason(state));
	else if (f->host->root->captured)
		findings_add(f, SOURCE_NOT_RECORDED, object);
	else
		advise_on_firmware(f, object);
}

/* Advises when some or all addresses have an interval or no answer. */
static void advise_on_source(struct findings *f, const char *object, const struct decoder *d,
			     const struct samples *s)
{
	if (s->sources & 1U << SOURCE_RECORDED)
		findings_add(f, SOURCE_FEW_RECORDED, object);
	else if (decoder_mapping(d) == MAPPING_NORMALIZED)
		advise_on_handler(f, object);
	else if (f->host->tables[HOST_TABLE_CEDT].error == -EACCES || f->host->n_denied)
		findings_add(f, SOURCE_READ_ADDRESSES, object);
}

static const struct finding_item *source_items(struct findings *f, unsigned int sources)
{
	struct finding_items items = {0};

	for (unsigned int i = SOURCE_KERNEL; i <= SOURCE_ESTIMATE; i++)
		if (sources & 1U << i)
			finding_items_add_name(f, &items,
					       answer_source_name((enum answer_source)i));
	return items.first;
}

static const char *text_or_null(const char *text)
{
	return text[0] ? text : NULL;
}

static void findings_of_samples(struct findings *f, const char *object, const struct samples *s)
{
	unsigned int exact = s->sources & EXACT_SOURCES;
	bool none = s->sources & 1U << SOURCE_NONE, partly = exact && (none || s->why_interval[0]);
	struct finding_arg why_none = finding_text(text_or_null(s->why_none));
	struct finding_arg why_interval = finding_text(s->why_interval);

	if (partly)
		findings_add_args(f, SOURCES_PARTLY, object, finding_list(source_items(f, exact)));
	else if (exact || s->sources & 1U << SOURCE_ESTIMATE)
		findings_add_args(
			f, SOURCES, object,
			finding_list(source_items(f, exact ? exact : 1U << SOURCE_ESTIMATE)));
	if (none && partly)
		findings_add_args(f, SOURCE_NONE_PARTLY, object, why_none);
	else if (none)
		findings_add_args(f, SOURCE_NONE, object, why_none);
	if (s->why_interval[0] && partly)
		findings_add_args(f, SOURCE_INTERVAL_PARTLY, object, why_interval);
	else if (s->why_interval[0])
		findings_add_args(f, SOURCE_INTERVAL, object, why_interval);
}

void findings_of_sources(struct findings *f, const char *object, const struct decoder *d)
{
	const struct memdev *m = d->port->memdev;
	struct samples s = {0};

	if (f->never_waits || !m || !d->dpa_resource.present || !d->dpa_size.present ||
	    !d->dpa_size.value)
		return;
	for (uint64_t i = 0; i < SAMPLES; i++)
		samples_translate(&s, f, m,
				  d->dpa_resource.value + d->dpa_size.value / SAMPLES * i);
	findings_of_samples(f, object, &s);
	if (s.why_interval[0] || s.sources & 1U << SOURCE_NONE)
		advise_on_source(f, object, d, &s);
}
