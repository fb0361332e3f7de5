/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MEMORY_BLOCKS_H
#define CXLR_SYSFS_MEMORY_BLOCKS_H

/*
 * The memory blocks of /sys/devices/system/memory, the units in which memory is onlined.
 *
 * Private to sysfs/.
 */

#include <stddef.h>
#include <stdint.h>

#include "sysfs/host.h"
#include "sysfs/read_notes.h"

struct memory_blocks {
	const struct host_root *root;
	struct read_notes *notes;
	int fd;		     /* of the directory, negative until it is used */
	uint64_t block_size; /* 0 until it is known */
	bool failed;	     /* it cannot be used; not tried again */
	size_t n_examined;
};

/*
 * memory_blocks_count() - fill in a device's online_blocks, total_blocks and offline ranges
 *
 * The numbers stay absent, and mean that the ranges are not complete, when the device's range or
 * the size of a block is unknown.
 */
void memory_blocks_count(struct memory_blocks *m, struct dax_device *device);

void memory_blocks_done(struct memory_blocks *m);

#endif
