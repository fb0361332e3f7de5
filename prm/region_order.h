/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_REGION_ORDER_H
#define CXLR_PRM_REGION_ORDER_H

/* The positions of a region's targets. Functions read the snapshot only; any thread. */

#include <stdbool.h>

#include "sysfs/host.h"

/* Return: whether every position of the region has a device. */
bool region_is_complete(const struct region *r);

/* Return: the decoder of that port that decodes the addresses of the region, or NULL. */
const struct decoder *region_decoder_at(const struct port *port, const struct region *r);

/*
 * region_position_by_topology() - the position at which the topology puts an endpoint decoder
 * @ret_position: set on success
 *
 * As cxl_calc_interleave_pos() in drivers/cxl/core/region.c: position and ways of each port's
 * decoder, from the endpoint up to the window.
 *
 * Return: 0, or -ENODATA when the snapshot does not show enough.
 */
int region_position_by_topology(const struct region *r, const struct decoder *endpoint_decoder,
				unsigned int *ret_position);

#endif
