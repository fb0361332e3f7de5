/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_OVERLAP_H
#define CXLR_PRM_OVERLAP_H

/* Mappings, and decoders without one, that claim the same addresses. Private to prm/. */

#include "prm/map_types.h"

/* Sets `overlap` of mappings whose addresses another decoder claims; regions have their spans. */
void overlap_find(struct translator *t);

/* overlap_of_regions() - for spans_sort(); ctx is the translator, a and b are region maps */
void overlap_of_regions(void *ctx, void *a, void *b);

#endif
