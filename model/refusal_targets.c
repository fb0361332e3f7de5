// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Targets of XOR windows as Linux before 6.11 computed them (cxl_hb_xor(), cxl_xor_calc_n()).
#include "model/refusal_private.h"

enum { ENCODED_3_WAYS = 8 }; /* 6 and 12 ways follow */

/*
 * The address of a chunk begins at the window, whatever the region has; and where the ways are a
 * multiple of 3, the mask that should remove the bits of the granularity removes as many as the
 * encoded ways say: the granularity in bytes is added to its shift count, which counts modulo 64.
 */
static unsigned int older_target(const struct cedt_window *w, const struct cedt_cxims *cxims,
				 unsigned int maps, unsigned int position)
{
	const uint64_t hpa = w->base + (uint64_t)position * w->granularity;
	unsigned int target = 0;

	for (unsigned int i = 0; i < maps && i < CEDT_XORMAPS_MAX; i++)
		target |= (unsigned int)__builtin_parityll(hpa & cxims->maps[i]) << i;
	if (w->ways % 3 == 0)
		target |=
			(unsigned int)((hpa >> (ENCODED_3_WAYS + maps) << (ENCODED_3_WAYS + maps)) %
				       3)
			<< maps;
	return target;
}

bool refusal_misplaced(const struct cedt *cedt, const struct cedt_window *w, uint64_t ways,
		       struct refusal_place *ret)
{
	const unsigned int maps = interleave_xormap_count(w->ways);
	const struct cedt_cxims *cxims = cedt_cxims_find(cedt, w);

	if (w->ways <= 1 || ways > INTERLEAVE_WAYS_MAX ||
	    (maps && (!cxims || cxims->n_maps < maps)))
		return false;
	for (unsigned int i = 0; i < ways; i++) {
		const unsigned int target = older_target(w, cxims, maps, i);

		if (target == i % w->ways)
			continue;
		*ret = (struct refusal_place){i, target};
		return true;
	}
	return false;
}
