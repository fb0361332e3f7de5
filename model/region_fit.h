/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REGION_FIT_H
#define CXLR_MODEL_REGION_FIT_H

/*
 * The memory devices that fit the empty positions of a region, by the rules with which
 * cxl_region_attach() of drivers/cxl/core/region.c accepts them: the position selects the host
 * bridge, and the devices below one port must be interleaved evenly.
 *
 * Functions read the snapshot only and keep nothing; any thread that holds a reference on it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/partitions.h"
#include "sysfs/host.h"
#include "sysfs/limits.h"

/* A device that can be attached at an empty position. */
struct region_fit {
	unsigned int position;
	const struct memdev *memdev;
	const struct decoder *decoder; /* that takes the region's part of its DPA */
	bool reserved;		       /* the decoder has that DPA already */
};

struct region_fits {
	struct region_fit items[INTERLEAVE_WAYS_MAX];
	size_t n; /* in order of the positions */
	bool complete;
};

/* region_share() - the bytes of DPA that each device gives to the region; 0 when not known */
uint64_t region_share(const struct region *r);

/*
 * region_find_fits() - devices for the empty positions of a region
 *
 * Each device has an enabled endpoint and is not in the region yet. When there are devices for all
 * empty positions, the fits are complete; otherwise they are those for the first positions that
 * can be filled. There are none for a region whose decoders firmware has committed: Linux adds
 * their devices by itself, see region_is_firmwares().
 */
void region_find_fits(const struct host *host, const struct region *r, struct region_fits *ret);

/*
 * region_is_firmwares() - whether firmware committed the decoders of a region that is not complete
 *
 * Linux makes such a decoder part of the region when all of its devices are there; until then the
 * region names it as a target, but the decoder names no region.
 */
bool region_is_firmwares(const struct region *r);

/*
 * region_port_to() - the port below which the device of a position is missing
 *
 * A host bridge; in a region of firmware, whose decoders show the rest of the route, a port further
 * down.
 *
 * Return: a dport of the host; NULL when the snapshot does not show it.
 */
const struct dport *region_port_to(const struct region *r, unsigned int position);

/*
 * region_empty_positions() - the positions without a device
 *
 * The targets of a region of firmware are listed in the order in which they were found, so its
 * positions follow from the decoders.
 *
 * Return: their number; 0 also when they are not known.
 */
size_t region_empty_positions(const struct region *r, unsigned int ret[static INTERLEAVE_WAYS_MAX]);

/*
 * memdev_mappable() - the bytes of a partition that a new region can have
 *
 * Linux maps a device from the lowest DPA upwards, so nothing below the last decoder's DPA counts,
 * and in multiples of REGION_SHARE_BYTES.
 */
uint64_t memdev_mappable(const struct memdev *m, const struct partition *p);

/* Linux gives a region whole multiples of this from each device, and aligns the region to it. */
#define REGION_SHARE_BYTES (256ULL << 20)

/* Return: the decoder that Linux takes next: the one after the last used; NULL without one. */
const struct decoder *memdev_next_decoder(const struct memdev *m);

/* decoder_dpa() - the DPA of an endpoint decoder. Return: false when it has none. */
bool decoder_dpa(const struct decoder *d, uint64_t *ret_first, uint64_t *ret_last);

/* Return: the dport of the root that the device is below, or NULL; @ret_root: set when not NULL */
const struct dport *memdev_root_dport(const struct memdev *m, const struct port **ret_root);

#endif
