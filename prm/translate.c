// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/translate.h"

#include <errno.h>
#include <stdio.h>

#include "prm/handler.h"
#include "prm/provider.h"

/*
 * In order of precedence. Firmware comes before arithmetic, but is used only where arithmetic does
 * not apply (validate.c): for an ordinary decoder its registers define the SPA.
 */
static const struct provider *const chain[] = {
	&provider_recorded, &provider_emulated, &provider_prm,
	&provider_decoder,  &provider_estimate,
};

enum answer_source translator_usual_source(const struct translator *t, const struct memdev *memdev,
					   const struct decoder *endpoint_decoder)
{
	const struct translate_call call = {.t = t};
	const struct decoder_map *dm = decoder_map_of(t, memdev, endpoint_decoder);

	for (size_t i = 0; dm && i < ARRAY_SIZE(chain); i++)
		if (chain[i]->covers && chain[i]->covers(&call, dm))
			return chain[i]->source;
	return SOURCE_NONE;
}

/* An answer is 800 bytes, most of them text and candidates that are not used: no memset. */
static struct answer *answers_add_empty(struct answers *out)
{
	struct answer *a = answers_add(out);

	if (!a)
		return NULL;
	a->has_dpa = a->has_spa = a->exact = a->not_queried = a->has_alias = false;
	a->source = SOURCE_NONE;
	a->memdev = NULL;
	a->dpa = a->dpa_last = a->spa = a->spa_last = a->alias = a->alias_last = 0;
	answer_set_mapping(a, NULL);
	a->decoder = NULL;
	a->window = NULL;
	a->position = a->numa_node = (struct opt_int){0};
	a->dax = NULL;
	a->n_candidates = 0;
	a->doubts = 0;
	reason_clear(a);
	return a;
}

/* The dax device of all the SPAs of an answer, and their NUMA node. */
static void add_dax(const struct translator *t, struct answer *a)
{
	const struct span *s = spans_find(&t->dax_spans, a->spa);
	const struct dax_device *dax = s ? s->item : NULL;
	struct opt_int node;

	if (!dax)
		return;
	node = dax->target_node;
	while (s->last < a->spa_last) {
		const struct dax_device *next;

		if (s + 1 == t->dax_spans.items + t->dax_spans.n || s[1].first != s->last + 1)
			return;
		next = (++s)->item;
		if (!next->target_node.present || next->target_node.value != node.value)
			node.present = false;
		if (next != dax)
			dax = NULL;
	}
	a->dax = dax;
	a->numa_node = node;
}

/* Sets the DRAM lines of SPAs in CXL memory. */
static void add_alias(const struct region_map *rm, struct answer *a)
{
	if (!rm || rm->unusable.code || rm->cache == 0 || a->spa < rm->base)
		return;
	a->has_alias = true;
	a->alias = a->spa - rm->cache;
	a->alias_last = a->spa_last - rm->cache;
}

/* The window, NUMA node and dax device at the SPAs of an answer. */
static void add_surroundings(const struct translator *t, struct answer *a)
{
	const struct window_map *w;

	if (!a->window) {
		w = window_map_find(t, a->spa);
		a->window = w ? w->decoder : NULL;
	}
	add_dax(t, a);
}

/* Adds the assumptions that the answer relies on without confirmation. */
static void add_doubts(const struct translator *t, const struct region_map *rm, struct answer *a)
{
	const struct window_map *w = rm ? rm->window : window_map_find(t, a->spa);
	bool by_firmware = a->source == SOURCE_PRM || a->source == SOURCE_RECORDED ||
			   a->source == SOURCE_EMULATED;

	if (rm)
		a->doubts |= rm->doubts;
	if (w)
		a->doubts |= w->doubts;
	if (by_firmware && !t->windows_known)
		answer_add_doubt(a, DOUBT_SPA_UNVERIFIED);
	if (a->dax && !a->dax->resource.present)
		answer_add_doubt(a, DOUBT_DAX_INFERRED);
}

static void explain_decoder(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
			    uint64_t last, struct answer *a)
{
	const char *name = dm->decoder->name;
	const char *kernel = t->host->kernel_release;

	if (dm->unusable.code)
		reason_add_ready(a, &dm->unusable);
	else if (dm->region_map && dm->region_map->unusable.code)
		reason_add_ready(a, &dm->region_map->unusable);
	else if (answer_has_reason(a, REASON_INTERVAL_REFUTED) ||
		 answer_has_reason(a, REASON_NOT_REACHED))
		return;
	else if (dm->region_map)
		reason_add(a, REASON_DECODER_NOT_LISTED,
			   "%s belongs to %s, which does not list it as a target", name,
			   dm->region_map->region->name);
	else if (dm->mapping == MAPPING_IDLE)
		reason_add(a, REASON_DECODER_IDLE,
			   "%s has DPA 0x%llx allocated but is not committed", name,
			   (unsigned long long)dpa);
	else if (dm->mapping == MAPPING_NORMALIZED)
		reason_add(
			a, REASON_NO_REGION_NORMALIZED,
			"%s uses Normalized addressing and %s%s created no region for it: only firmware can translate %s 0x%llx",
			name, kernel ? "kernel " : "the kernel", kernel ? kernel : "",
			dpa == last ? "DPA" : "the range from DPA", (unsigned long long)dpa);
	else if (dm->mapping == MAPPING_UNKNOWN)
		reason_add(
			a, REASON_START_UNREADABLE,
			"%s is in no region and its start is not readable (needs CAP_DAC_READ_SEARCH)",
			name);
	else if (dm->decoder->unmapped)
		reason_add(a, REASON_DECODER_NO_REGION, "%s is committed but in no region: %s",
			   name, dm->decoder->unmapped);
	else
		reason_add(a, REASON_DECODER_NO_REGION, "%s is committed but in no region", name);
}

enum { RANGE_TEXT_MAX = 64 };

static void range_text(const char *kind, uint64_t first, uint64_t last,
		       char ret[static RANGE_TEXT_MAX])
{
	if (first == last)
		(void)snprintf(ret, RANGE_TEXT_MAX, "%s 0x%llx", kind, (unsigned long long)first);
	else
		(void)snprintf(ret, RANGE_TEXT_MAX, "%s 0x%llx..0x%llx", kind,
			       (unsigned long long)first, (unsigned long long)last);
}

/* DPAs to which the decoders give addresses behind the end of the window. */
static void explain_hole(const struct decoder_map *dm, uint64_t first, uint64_t last,
			 struct answer *a)
{
	const struct region_map *rm = dm->region_map;
	char what[RANGE_TEXT_MAX];

	range_text("DPA", first, last, what);
	reason_add(
		a, REASON_NOT_REACHED,
		"%s lies behind the low memory hole: the window %s ends at 0x%llx, and the decoders go on to 0x%llx, so no SPA reaches it",
		what, rm->window->decoder->name, (unsigned long long)rm->last,
		(unsigned long long)rm->decoded_last);
}

/* The mapping is named when it is no region of Linux. */
static void add_maker(const struct region_map *rm, struct answer *a)
{
	if (rm)
		reason_add_ready(a, a->exact ? &rm->maps_exactly : &rm->no_region);
}

/* Dynamic capacity: the decoders map all of the region, and memory is only where extents are. */
static void add_extents(struct answer *a)
{
	const struct region *r = a->mapping;
	uint64_t bytes;

	if (!r || !a->has_spa || !region_has_extents(r))
		return;
	bytes = r->resource.present && a->spa >= r->resource.value
			? region_extent_bytes(r, a->spa - r->resource.value,
					      a->spa_last - r->resource.value)
			: 0;
	if (bytes && bytes == a->spa_last - a->spa + 1)
		return;
	if (!r->dax || !r->resource.present || r->dax->extents_doubt)
		reason_add(
			a, REASON_NO_EXTENT,
			"%s is of dynamic capacity and not all its extents are known, so it is not known whether memory is at this address",
			r->name);
	else if (bytes)
		reason_add(
			a, REASON_NO_EXTENT,
			"extents of %s have only 0x%llx bytes of these addresses: no memory is at the others",
			r->name, (unsigned long long)bytes);
	else
		reason_add(
			a, REASON_NO_EXTENT,
			"decoders map this address for %s, and none of its extents has it: no memory is there",
			r->name);
}

static void answer_decoder(const struct translate_call *call, const struct decoder_map *dm,
			   uint64_t first, uint64_t last, struct answer *a)
{
	const struct region *r = decoder_mapped_by(dm->decoder);

	answer_set_mapping(a, r);
	a->decoder = dm->decoder;
	a->window = r ? r->root : NULL;
	a->position = dm->position;
	if (first - dm->first >= dm->reached) {
		explain_hole(dm, first, last, a);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(chain) && !a->has_spa; i++)
		a->has_spa = chain[i]->dpa_to_spa(call, dm, first, last, a);
	if (!a->has_spa) {
		explain_decoder(call->t, dm, first, last, a);
		return;
	}
	add_surroundings(call->t, a);
	add_alias(dm->region_map, a);
	add_doubts(call->t, dm->region_map, a);
	add_maker(dm->region_map, a);
	add_extents(a);
}

static void explain_gap(const struct memdev_map *d, uint64_t first, uint64_t last, struct answer *a)
{
	const struct port *endpoint = d->memdev->endpoint;

	if (d->capacity.present && first >= d->capacity.value)
		reason_add(a, REASON_BEYOND_DEVICE,
			   "DPA 0x%llx is beyond the capacity of the device (0x%llx bytes)",
			   (unsigned long long)first, (unsigned long long)d->capacity.value);
	else if (!endpoint)
		reason_add(a, REASON_NO_ENDPOINT,
			   "%s has no endpoint port, so no decoder maps DPA 0x%llx",
			   d->memdev->name, (unsigned long long)first);
	else if (first == last)
		reason_add(a, REASON_NO_DECODER, "no endpoint decoder maps DPA 0x%llx",
			   (unsigned long long)first);
	else
		reason_add(a, REASON_NO_DECODER, "no endpoint decoder maps DPA 0x%llx..0x%llx",
			   (unsigned long long)first, (unsigned long long)last);
}

/* Return: the last DPA before something else begins: the next decoder, or the device's end. */
static uint64_t gap_last(const struct memdev_map *d, uint64_t dpa)
{
	uint64_t last = spans_gap_last(&d->decoders, dpa);

	if (d->capacity.present && dpa < d->capacity.value && last >= d->capacity.value)
		return d->capacity.value - 1;
	return last;
}

/* Return: the last DPA of what one decoder maps in the same way. */
static uint64_t extent_last(const struct span *span, uint64_t dpa)
{
	const struct decoder_map *dm = span->item;

	if (dpa - dm->first < dm->reached && dm->reached - 1 < span->last - dm->first)
		return dm->first + (dm->reached - 1);
	return span->last;
}

static int translate_by_dpa(const struct translate_call *call, const struct memdev *memdev,
			    uint64_t first, uint64_t last, struct answers *out)
{
	const struct memdev_map *d = memdev_map_find(call->t, memdev);

	for (uint64_t at = first;; at++) {
		const struct span *span = d ? spans_find(&d->decoders, at) : NULL;
		uint64_t end = span ? extent_last(span, at) : d ? gap_last(d, at) : UINT64_MAX;
		struct answer *a = answers_add_empty(out);
		bool done = end >= last;

		if (!a)
			return -ENOMEM;
		if (done)
			end = last;
		a->memdev = memdev;
		a->dpa = at;
		a->dpa_last = end;
		a->has_dpa = true;
		if (span)
			answer_decoder(call, span->item, at, end, a);
		else if (d)
			explain_gap(d, at, end, a);
		else
			reason_add(a, REASON_NO_MEMDEV, "%s is not a memory device of this host",
				   memdev->name);
		if (done)
			return 0;
		at = end;
	}
}

int translate_dpa(const struct translator *t, const struct memdev *memdev, uint64_t first,
		  uint64_t last, struct answers *out)
{
	return translate_by_dpa(&(struct translate_call){.t = t}, memdev, first, last, out);
}

int translate_dpa_wait(const struct translator *t, const struct memdev *memdev, uint64_t first,
		       uint64_t last, struct firmware_timeout *timeout, struct answers *out)
{
	return translate_by_dpa(&(struct translate_call){.t = t, .timeout = timeout}, memdev, first,
				last, out);
}

static struct spa_location spa_locate(const struct translator *t, uint64_t spa)
{
	const struct span *window = spans_find(&t->window_spans, spa);
	const struct span *region_map = spans_find(&t->region_spans, spa);
	struct spa_location p = {.last = UINT64_MAX};

	if (region_map) {
		p.region_map = region_map->item;
		p.window = p.region_map->window;
		spa_location_limit(&p, region_map->last);
		if (!p.region_map->unusable.code && spa < p.region_map->base) {
			p.alias = p.region_map->cache;
			spa_location_limit(&p, p.region_map->base - 1);
		}
	} else {
		p.window = window ? window->item : NULL;
		spa_location_limit(&p, spans_gap_last(&t->region_spans, spa));
		spa_location_limit(&p,
				   window ? window->last : spans_gap_last(&t->window_spans, spa));
	}
	handler_locate(t->handler, spa, &p);
	return p;
}

/* Return: the committed decoder of a port that decodes all of the range for nothing that is known.
 */
static const struct decoder *lone_decoder(const struct translator *t, uint64_t first, uint64_t last)
{
	const struct span *s = spans_find(&t->lone_spans, first);

	return s && last <= s->last ? s->item : NULL;
}

static void explain_lone(const struct decoder *d, const char *what, struct answer *a)
{
	const struct dport *dport = d->n_targets == 1 ? d->targets[0].dport : NULL;

	if (d->function)
		reason_add(
			a, REASON_NO_REGION,
			"%s is decoded by %s of %s for %s below %s, which has no memory device in Linux: its DPA is not known",
			what, d->name, d->port->name, d->function->bdf, dport->name);
	else
		reason_add(
			a, REASON_NO_REGION,
			"%s is decoded by %s of %s%s%s, and no endpoint decoder of a memory device agrees with it",
			what, d->name, d->port->name, dport ? " for what is below " : "",
			dport ? dport->name : "");
}

static void explain_location(const struct translator *t, const struct spa_location *p,
			     uint64_t first, uint64_t last, struct answer *a)
{
	char what[RANGE_TEXT_MAX];

	range_text("SPA", first, last, what);
	if (t->host->n_buses == 0)
		reason_add(a, REASON_NO_CXL, "this host has no CXL, so %s is not CXL memory", what);
	else if (p->region_map && p->region_map->unusable.code)
		reason_add_ready(a, &p->region_map->unusable);
	else if (answer_has_reason(a, REASON_INTERVAL_REFUTED) ||
		 answer_has_reason(a, REASON_REGION_INCOMPLETE))
		return;
	else if (p->region_map)
		reason_add(a, REASON_NO_PROVIDER, "no source translates this address");
	else if (p->window && t->regionless)
		reason_add(
			a, REASON_NO_REGION_NORMALIZED,
			"%s is in window %s but in no region: decoders use Normalized addressing and %s%s created no region for them",
			what, p->window->decoder->name,
			t->host->kernel_release ? "kernel " : "the kernel",
			t->host->kernel_release ? t->host->kernel_release : "");
	else if (lone_decoder(t, first, last))
		explain_lone(lone_decoder(t, first, last), what, a);
	else if (p->window)
		reason_add(a, REASON_NO_REGION, "%s is in window %s but in no region", what,
			   p->window->decoder->name);
	else if (!t->windows_known)
		reason_add(
			a, REASON_WINDOWS_UNKNOWN,
			"%s is in no region; whether it is in a CXL window is unknown, because the start of a window is not readable (needs CAP_DAC_READ_SEARCH)",
			what);
	else
		reason_add(a, REASON_NO_WINDOW, "%s is in no CXL window", what);
}

static void answer_location(const struct translate_call *call, const struct spa_location *p,
			    uint64_t first, uint64_t last, struct answer *a)
{
	const struct translator *t = call->t;
	bool answered = false;

	answer_set_mapping(a, p->region_map ? p->region_map->region : NULL);
	a->window = p->window ? p->window->decoder : NULL;
	add_surroundings(t, a);
	add_alias(p->region_map, a);
	for (size_t i = 0; i < ARRAY_SIZE(chain) && !answered; i++) {
		a->n_candidates = 0;
		answered = chain[i]->spa_to_dpa(call, p, first + p->alias, last + p->alias, a);
	}
	if (!answered) {
		explain_location(t, p, first, last, a);
		return;
	}
	answer_settle(a);
	add_doubts(t, p->region_map, a);
	add_maker(p->region_map, a);
	add_extents(a);
	if (!p->alias)
		return;
	a->exact = false;
	a->has_alias = true;
	a->alias = first + p->alias;
	a->alias_last = last + p->alias;
	reason_add(
		a, REASON_LINEAR_CACHE,
		"this is DRAM that caches %s (extended linear cache); the CXL memory of this line is at 0x%llx",
		p->region_map->region->name, (unsigned long long)(first + p->alias));
}

static int translate_by_spa(const struct translate_call *call, uint64_t first, uint64_t last,
			    struct answers *out)
{
	for (uint64_t at = first;; at++) {
		struct spa_location p = spa_locate(call->t, at);
		struct answer *a = answers_add_empty(out);
		uint64_t end = p.last < last ? p.last : last;

		if (!a)
			return -ENOMEM;
		a->spa = at;
		a->spa_last = end;
		a->has_spa = true;
		answer_location(call, &p, at, end, a);
		if (end == last)
			return 0;
		at = end;
	}
}

int translate_spa(const struct translator *t, uint64_t first, uint64_t last, struct answers *out)
{
	return translate_by_spa(&(struct translate_call){.t = t}, first, last, out);
}

int translate_spa_wait(const struct translator *t, uint64_t first, uint64_t last,
		       struct firmware_timeout *timeout, struct answers *out)
{
	return translate_by_spa(&(struct translate_call){.t = t, .timeout = timeout}, first, last,
				out);
}
