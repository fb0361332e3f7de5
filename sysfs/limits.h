/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_LIMITS_H
#define CXLR_SYSFS_LIMITS_H

/* Limits that a valid host cannot exceed; of a host that does, so much is kept. */

#include <stdbool.h>
#include <stdint.h>

#define INTERLEAVE_GRANULARITY_MIN 256u
#define INTERLEAVE_GRANULARITY_MAX 16384u

enum {
	/* CXL 3.2 table 8-115 allows 1, 2, 3, 4, 6, 8, 12 and 16 ways. */
	INTERLEAVE_WAYS_MAX = 16,

	/* No PCIe link is wider (PCIe 5.0 7.5.3.6, Link Capabilities). */
	PCI_LANES_MAX = 32,

	/* More notes than this are counted in the last one, not kept. */
	HOST_NOTES_MAX = 64,
};

/* Return: true for the powers of two from 256 to 16384. */
static inline bool interleave_granularity_valid(uint64_t granularity)
{
	return granularity >= INTERLEAVE_GRANULARITY_MIN &&
	       granularity <= INTERLEAVE_GRANULARITY_MAX && (granularity & (granularity - 1)) == 0;
}

#endif
