// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The PRM handler of a captured host as two providers: recorded pairs, and rules that emulate it.
 */
#include "prm/handler_rules.h"

/* Return: the index of the first of @n pairs (sorted by device, dpa) not before the key. */
static size_t pair_lower_bound(const struct handler_pair *pairs, size_t n,
			       const struct memdev_map *d, uint64_t dpa)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct handler_pair *p = &pairs[middle];

		if ((uintptr_t)p->device < (uintptr_t)d || (p->device == d && p->dpa < dpa))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return: the first pair (or error) of the device in the chunks of a DPA range, or NULL. */
static const struct handler_pair *pair_in(const struct handler_pair *pairs, size_t n,
					  const struct memdev_map *d, uint64_t first, uint64_t last)
{
	size_t i = pair_lower_bound(pairs, n, d, CHUNK_OF(first));

	return i < n && pairs[i].device == d && pairs[i].dpa <= last ? &pairs[i] : NULL;
}

/* Return: the first pair in the chunks of an SPA range, or NULL. */
static const struct handler_pair *pair_in_spa(const struct handler *h, uint64_t first,
					      uint64_t last)
{
	size_t low = 0, high = h->n_pairs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (h->by_spa[middle]->spa < CHUNK_OF(first))
			low = middle + 1;
		else
			high = middle;
	}
	return low < h->n_pairs && h->by_spa[low]->spa <= last ? h->by_spa[low] : NULL;
}

/* A pair is valid for its chunk only, so a range over several chunks gets no answer. */
#define ONLY_CHUNKS                                                                                \
	"some 256-byte chunks of this range are recorded: to get exact answers, translate them "   \
	"one by one"

static bool recorded_dpa_to_spa(const struct translate_call *call, const struct decoder_map *dm,
				uint64_t first, uint64_t last, struct answer *a)
{
	const struct translator *t = call->t;
	const struct handler *h = t->handler;
	const struct handler_pair *p;
	uint64_t spa;

	if (!h || !firmware_applies_to(dm))
		return false;
	p = pair_in(h->pairs, h->n_pairs, dm->device, first, last);
	if (CHUNK_OF(first) != CHUNK_OF(last)) {
		if (p)
			reason_add(a, REASON_RECORDED_CHUNKS, ONLY_CHUNKS);
		return false;
	}
	if (!p) {
		p = pair_in(h->errors, h->n_errors, dm->device, first, last);
		if (p)
			reason_add(a, REASON_RECORDED_ERROR,
				   "the recorded handler answered with error %d%s%s%s", p->error,
				   p->text[0] ? " (" : "", p->text, p->text[0] ? ")" : "");
		return false;
	}
	spa = p->spa + (first - p->dpa);
	if (!answer_is_valid(t, dm, first, spa, a, "the recorded"))
		return false;
	a->spa = spa;
	a->spa_last = spa + (last - first);
	a->exact = first == last;
	a->source = SOURCE_RECORDED;
	reason_add_range(a, last - first + 1, 1, CHUNK_SIZE);
	return true;
}

static bool recorded_spa_to_dpa(const struct translate_call *call, const struct spa_location *place,
				uint64_t first, uint64_t last, struct answer *a)
{
	const struct translator *t = call->t;
	const struct decoder_map *dm;
	const struct handler_pair *p;
	uint64_t dpa;

	if (!t->handler)
		return false;
	p = pair_in_spa(t->handler, first, last);
	if (!p)
		return false;
	if (CHUNK_OF(first) != CHUNK_OF(last)) {
		reason_add(a, REASON_RECORDED_CHUNKS, ONLY_CHUNKS);
		return false;
	}
	dpa = p->dpa + (first - p->spa);
	dm = decoder_map_find(p->device, dpa);
	if (!dm || !firmware_applies_to(dm) || dpa + (last - first) > dm->last ||
	    !answer_is_valid(t, dm, dpa, first, a, "the recorded"))
		return false;
	(void)place;
	answer_candidate(a, dm, dpa, dpa + (last - first));
	answer_set_mapping(a, decoder_mapped_by(dm->decoder));
	a->exact = first == last;
	a->source = SOURCE_RECORDED;
	if (first != last)
		reason_add(a, REASON_RANGE, "range: %llu bytes, contiguous",
			   (unsigned long long)(last - first + 1));
	return true;
}

/* Whether a rule applies to a DPA range: firmware gave no error anywhere in it. */
static bool rule_applies(const struct translator *t, const struct decoder_map *dm, uint64_t first,
			 uint64_t last)
{
	const struct handler *h = t->handler;

	return rule_applies_to(dm) && last <= dm->last &&
	       !pair_in(h->errors, h->n_errors, dm->device, first, last);
}

static bool emulated_dpa_to_spa(const struct translate_call *call, const struct decoder_map *dm,
				uint64_t first, uint64_t last, struct answer *a)
{
	const struct translator *t = call->t;
	const struct handler_rule *r = dm->device->rule;
	uint64_t spa, spa_last;

	if (!r || last >= r->dpa_size || !rule_applies(t, dm, first, last))
		return false;
	spa = rule_to_spa(r, first);
	spa_last = rule_to_spa(r, last);
	if (!answer_is_valid(t, dm, first, spa, a, "the emulated") ||
	    !answer_is_valid(t, dm, last, spa_last, a, "the emulated"))
		return false;
	a->spa = spa;
	a->spa_last = spa_last;
	a->exact = first == last;
	a->source = SOURCE_EMULATED;
	reason_add_range(a, last - first + 1, r->ways, r->granularity);
	return true;
}

/* Adds the part of an SPA range that the device of a rule holds. Return: false when it is unknown.
 */
static bool emulated_add_candidate(const struct translator *t, const struct handler_rule *r,
				   uint64_t first, uint64_t last, struct answer *a)
{
	const struct handler_rule_group *g = r->group;
	uint64_t slot = g->base + (uint64_t)r->position * g->granularity, d, d_last;
	const struct decoder_map *dm;

	if (!member_dpa_range(first, last, g->base, g->block, g->granularity,
			      slot + (first - g->base) / g->block * g->block,
			      slot + (last - g->base) / g->block * g->block, &d, &d_last))
		return true;
	dm = decoder_map_find(r->device, d);
	if (!dm || d_last >= r->dpa_size || !rule_applies(t, dm, d, d_last) ||
	    !answer_is_valid(t, dm, d, rule_to_spa(r, d), a, "the emulated") ||
	    !answer_is_valid(t, dm, d_last, rule_to_spa(r, d_last), a, "the emulated"))
		return false;
	answer_candidate(a, dm, d, d_last);
	if (decoder_mapped_by(dm->decoder))
		answer_set_mapping(a, decoder_mapped_by(dm->decoder));
	return true;
}

/* Return: whether a rule is missing for a position that has bytes of the range. */
static bool group_lacks_rule(const struct handler_rule_group *g, uint64_t first, uint64_t last)
{
	uint64_t chunk = (first - g->base) / g->granularity;
	uint64_t chunk_last = (last - g->base) / g->granularity;

	for (unsigned int i = 0; i < g->ways && chunk + i <= chunk_last; i++)
		if (!g->members[(chunk + i) % g->ways])
			return true;
	return false;
}

static bool emulated_spa_to_dpa(const struct translate_call *call, const struct spa_location *p,
				uint64_t first, uint64_t last, struct answer *a)
{
	const struct translator *t = call->t;
	const struct handler_rule_group *g = p->rules;

	if (!g || first < g->base || last > g->last || group_lacks_rule(g, first, last))
		return false;
	for (unsigned int i = 0; i < g->ways; i++)
		if (g->members[i] && !emulated_add_candidate(t, g->members[i], first, last, a))
			return false;
	a->exact = first == last;
	a->source = SOURCE_EMULATED;
	if (first != last)
		reason_add(a, REASON_RANGE, "range: %llu bytes on %zu of %u device%s",
			   (unsigned long long)(last - first + 1), a->n_candidates, g->ways,
			   plural(g->ways));
	return true;
}

/* A recorded error is for one address only, and not considered here. */
static bool emulated_covers(const struct translate_call *call, const struct decoder_map *dm)
{
	const struct handler_rule *r = dm->device->rule;

	return r && dm->last < r->dpa_size && rule_applies_to(dm) &&
	       spa_check(call->t, dm, dm->first, rule_to_spa(r, dm->first)) == REASON_NONE &&
	       spa_check(call->t, dm, dm->last, rule_to_spa(r, dm->last)) == REASON_NONE;
}

const struct provider provider_recorded = {.dpa_to_spa = recorded_dpa_to_spa,
					   .spa_to_dpa = recorded_spa_to_dpa};
const struct provider provider_emulated = {.dpa_to_spa = emulated_dpa_to_spa,
					   .spa_to_dpa = emulated_spa_to_dpa,
					   .covers = emulated_covers,
					   .source = SOURCE_EMULATED};
