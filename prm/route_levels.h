/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ROUTE_LEVELS_H
#define CXLR_PRM_ROUTE_LEVELS_H

/*
 * The levels above the members of a mapping: whether each port there decodes its range. Each
 * function returns what contradicts the rest, or REASON_NONE. Private to prm/.
 */

#include "prm/map_types.h"

/*
 * region_map_witness() - who has the numbers of a mapping: a region of Linux, or, without one, the
 * first of its endpoint decoders with its ways and granularity
 */
const char *region_map_witness(const struct region_map *rm);

typedef struct reason route_check_fn(struct translator *t, const struct region_map *rm,
				     const struct decoder *d);

/* Calls @check with each decoder that is known above the members, until one fails. */
struct reason route_check_above(struct translator *t, const struct region_map *rm,
				route_check_fn *check);

/* Whether the decoders above the members decode the range of the region. */
struct reason route_check_ranges(struct translator *t, const struct region_map *rm);

/*
 * Whether each port above the members has a decoder of the mapping, or passes everything through.
 * A port without any decoder is not known, and no contradiction.
 */
struct reason route_check_levels(struct translator *t, const struct region_map *rm);

#endif
