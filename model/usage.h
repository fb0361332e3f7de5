/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_USAGE_H
#define CXLR_MODEL_USAGE_H

/*
 * How much of an address space is in use: of a window's SPA by regions, of a device's DPA by
 * decoders. Bytes. Functions read the snapshot only; any thread that holds a reference on it.
 */

#include "common/opt.h"
#include "sysfs/host.h"

struct usage {
	struct opt_u64 size;
	struct opt_u64 used;	 /* by regions, and mappings of decoders; by extents of them */
	struct opt_u64 reserved; /* by decoders that are in neither, and for further extents */
	struct opt_u64 free;	 /* the rest */
};

/*
 * window_usage() - usage of a root decoder's SPA range by the mappings of the host, and by decoders
 * of host bridges that are committed and in none
 *
 * Return: all but the size absent when the size of a region or the address of such a decoder is not
 * known, or when together they are larger than the window; used and reserved absent when not all
 * extents of a region are known.
 */
struct usage window_usage(const struct host *host, const struct decoder *window);

/*
 * memdev_usage() - usage of a device's DPA by its endpoint decoders
 *
 * A decoder is in a mapping only if both name each other, as in region_of_decoder().
 *
 * The extents of an interleaved region have the same part of each device.
 *
 * Return: all absent when the size of the device is not known; all but the size absent when its
 * decoders are not known, or reserve more than the device has; used and reserved absent as above.
 */
struct usage memdev_usage(const struct memdev *m);

/*
 * Return: the memory that the device has: its static partitions, and the extents of dynamic
 * capacity. Absent when not all extents are known, as those of a partition that no region maps.
 */
struct opt_u64 memdev_memory(const struct memdev *m);

#endif
