/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_PARTITIONS_H
#define CXLR_MODEL_PARTITIONS_H

/*
 * The static partitions of a memory device's capacity: volatile from DPA 0 on, persistent after it
 * (CXL 3.2 8.2.10.9.2). Partitions by another name (memdev.named) have no known base. Functions
 * read the snapshot only; any thread that holds a reference on it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sysfs/host.h"

struct partition {
	const char *id; /* "ram", "pmem": also the kernel's mode of the decoders that map it */
	bool persistent;
	uint64_t offset, size; /* bytes of DPA; offset + size does not overflow */
};

enum { PARTITIONS_MAX = 2 };

/* Return: the number of partitions that are not empty; 0 when their sizes are not known. */
size_t memdev_partitions(const struct memdev *m, struct partition ret[static PARTITIONS_MAX]);

/* memdev_partition() - the partition with that Id. Return: false when there is none. */
bool memdev_partition(const struct memdev *m, const char *id, struct partition *ret);

/*
 * partition_is_shareable(), partition_is_coherent() - what the device's CDAT says of a partition:
 * whether several hosts may use it at the same time, and whether the device keeps their caches
 * coherent (CDAT 1.03, DSMAS)
 *
 * Return: absent unless its ranges cover the partition and agree.
 */
struct opt_bool partition_is_shareable(const struct memdev *m, const struct partition *part);
struct opt_bool partition_is_coherent(const struct memdev *m, const struct partition *part);

#endif
