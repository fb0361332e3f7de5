/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_REGION_MAP_H
#define CXLR_PRM_REGION_MAP_H

/* Regions of a translator. Private to prm/. */

#include "prm/map_types.h"

/* Fills in unusable, no_arithmetic, cache and the members' interleave maps. */
void region_map_prepare(struct translator *t, struct region_map *rm);

#endif
