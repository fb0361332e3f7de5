// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/provider.h"

void answer_candidate(struct answer *a, const struct decoder_map *dm, uint64_t dpa,
		      uint64_t dpa_last)
{
	if (a->n_candidates == ARRAY_SIZE(a->candidates))
		return;
	a->candidates[a->n_candidates++] = (struct answer_candidate){
		.memdev = dm->device->memdev, .dpa = dpa, .dpa_last = dpa_last};
	a->decoder = dm->decoder;
	a->position = dm->position;
}

void answer_settle(struct answer *a)
{
	const struct answer_candidate *c = a->candidates;

	if (a->n_candidates == 0)
		return;
	a->has_dpa = true;
	a->dpa = c->dpa;
	a->dpa_last = c->dpa_last;
	for (size_t i = 1; i < a->n_candidates; i++) {
		a->dpa = c[i].dpa < a->dpa ? c[i].dpa : a->dpa;
		a->dpa_last = c[i].dpa_last > a->dpa_last ? c[i].dpa_last : a->dpa_last;
	}
	if (a->n_candidates == 1) {
		a->memdev = c->memdev;
		return;
	}
	a->decoder = NULL;
	a->position = (struct opt_int){0};
}

bool member_dpa_range(uint64_t first, uint64_t last, uint64_t base, uint64_t block,
		      uint64_t granularity, uint64_t chunk_first, uint64_t chunk_last,
		      uint64_t *ret_d, uint64_t *ret_d_last)
{
	uint64_t d = (first - base) / block * granularity;
	uint64_t d_last = (last - base) / block * granularity;

	if (first > chunk_first)
		d += first - chunk_first < granularity ? first - chunk_first : granularity;
	if (last < chunk_last) {
		if (d_last == 0)
			return false;
		d_last--;
	} else {
		d_last += last - chunk_last < granularity ? last - chunk_last : granularity - 1;
	}
	if (d > d_last)
		return false;
	*ret_d = d;
	*ret_d_last = d_last;
	return true;
}
