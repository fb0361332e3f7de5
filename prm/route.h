/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ROUTE_H
#define CXLR_PRM_ROUTE_H

/*
 * Decoders on the way from the root, and where they send the chunks of a region. Each function
 * returns what contradicts the rest, or REASON_NONE. Private to prm/.
 */

#include "prm/map_types.h"

/*
 * Where Linux shows no device at some positions: whether the decoders route one chunk of each block
 * to each of the others, and the rest to ports without a device.
 */
struct reason route_check_gaps(struct translator *t, struct region_map *rm);

/* Sets routing, and routed with slots where all decoders are known. */
struct reason route_find(struct translator *t, struct region_map *rm);

/* Whether a decoder uses address bits that the XOR maps of the window change. */
struct reason route_check_xor(struct translator *t, const struct region_map *rm);

/*
 * route_reaches() - whether the decoders route an SPA to the device, by its bits as they are
 *
 * Return: REGION_ROUTING_CONFIRMED, _CONTRADICTED, or _UNKNOWN.
 */
enum region_routing route_reaches(const struct region_map *rm, const struct decoder_map *m,
				  uint64_t spa);

/*
 * When not all decoders are known: whether the others contradict the members' maps, which were made
 * from positions, and whether positions are sufficient.
 */
struct reason route_check_positions(struct translator *t, struct region_map *rm);

#endif
