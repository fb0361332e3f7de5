/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_EMULATED_H
#define CXLR_PRM_EMULATED_H

/* Endpoint decoders that may stand for ranges of the DVSEC. Private to prm/. */

#include "prm/map_types.h"

/* Whether the attributes are those that Linux gives to a decoder of a range of the DVSEC. */
static inline bool decoder_shows_dvsec(const struct decoder *d)
{
	return opt_u64_is(d->ways, 1) && opt_u64_is(d->granularity, 4096);
}

/* Sets `emulated_in` of decoder maps, and the windows' lists of them; region maps are ready. */
void emulated_find(struct translator *t);

/*
 * emulated_are_all() - whether each target of the window leads to one of its emulated decoders, it
 * has no others, and all decoders of the host are known: no other one can have an address of it
 */
bool emulated_are_all(const struct translator *t, const struct window_map *w);

#endif
