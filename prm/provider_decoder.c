// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * HDM decoder arithmetic, for regions with consistent attributes whose window's arithmetic is
 * known (region_map.c). Never for Normalized addressing.
 */
#include "prm/provider.h"

static bool applies(const struct region_map *rm)
{
	return rm && !rm->unusable.code && !rm->no_arithmetic.code;
}

static bool decoder_covers(const struct translate_call *call, const struct decoder_map *dm)
{
	(void)call;
	return applies(dm->region_map) && dm->position.present;
}

/* Computes the SPA and its inverse, which must be the DPA. */
static bool to_spa(const struct decoder_map *dm, uint64_t dpa, uint64_t *ret)
{
	uint64_t spa, d;

	if (interleave_to_hpa(&dm->map, dpa - dm->first, &spa) < 0 ||
	    interleave_to_dpa(&dm->map, spa, &d) < 0 || d != dpa - dm->first)
		return false;
	*ret = spa;
	return true;
}

static bool decoder_dpa_to_spa(const struct translate_call *call, const struct decoder_map *dm,
			       uint64_t first, uint64_t last, struct answer *a)
{
	uint64_t spa, spa_last;

	if (!decoder_covers(call, dm))
		return false;
	if (!to_spa(dm, first, &spa) || (last != first && !to_spa(dm, last, &spa_last))) {
		reason_add(a, REASON_NOT_REVERSIBLE,
			   "the inverse of the arithmetic of %s gives another DPA",
			   dm->decoder->name);
		return false;
	}
	a->spa = spa;
	a->spa_last = last == first ? spa : spa_last;
	a->exact = last == first;
	a->source = SOURCE_DECODER;
	reason_add_range(a, last - first + 1, dm->region_map->ways, dm->region_map->granularity);
	if (dm->region_map->cache && a->exact)
		reason_add(a, REASON_LINEAR_CACHE,
			   "the DRAM that caches this line (extended linear cache) is at 0x%llx",
			   (unsigned long long)(a->spa - dm->region_map->cache));
	return true;
}

static bool add_holder(const struct region_map *rm, uint64_t spa, struct answer *a)
{
	for (unsigned int i = 0; i < rm->n_members; i++) {
		const struct decoder_map *m = rm->members[i];
		uint64_t d;

		if (interleave_to_dpa(&m->map, spa, &d) < 0)
			continue;
		answer_candidate(a, m, m->first + d, m->first + d);
		return true;
	}
	return false;
}

static uint64_t chunk_of(const struct decoder_map *m, const struct region_map *rm, uint64_t spa)
{
	uint64_t hpa = 0;

	(void)interleave_to_hpa(&m->map, (spa - rm->base) / rm->block * rm->granularity, &hpa);
	return hpa;
}

static bool decoder_spa_to_dpa(const struct translate_call *call, const struct spa_location *p,
			       uint64_t first, uint64_t last, struct answer *a)
{
	const struct region_map *rm = p->region_map;

	(void)call;
	if (!applies(rm))
		return false;
	if (first == last) {
		if (!add_holder(rm, first, a))
			return false;
		a->exact = true;
	} else {
		for (unsigned int i = 0; i < rm->n_members; i++) {
			const struct decoder_map *m = rm->members[i];
			uint64_t d, d_last;

			if (member_dpa_range(first, last, rm->base, rm->block, rm->granularity,
					     chunk_of(m, rm, first), chunk_of(m, rm, last), &d,
					     &d_last))
				answer_candidate(a, m, m->first + d, m->first + d_last);
		}
		reason_add(a, REASON_RANGE, "range: %llu bytes of %s on %zu of %u device%s",
			   (unsigned long long)(last - first + 1), rm->region->name,
			   a->n_candidates, rm->ways, plural(rm->ways));
		if (rm->incomplete.code)
			reason_add_ready(a, &rm->incomplete);
		if (a->n_candidates == 0)
			return false;
	}
	a->source = SOURCE_DECODER;
	return true;
}

const struct provider provider_decoder = {.dpa_to_spa = decoder_dpa_to_spa,
					  .spa_to_dpa = decoder_spa_to_dpa,
					  .covers = decoder_covers,
					  .source = SOURCE_DECODER};
