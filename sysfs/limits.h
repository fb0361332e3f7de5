/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_LIMITS_H
#define CXLR_SYSFS_LIMITS_H

/* Limits that a valid host cannot exceed; of a host that does, so much is kept. */

enum {
	/* CXL 3.2 table 8-115 allows 1, 2, 3, 4, 6, 8, 12 and 16 ways. */
	INTERLEAVE_WAYS_MAX = 16,

	/* No PCIe link is wider (PCIe 5.0 7.5.3.6, Link Capabilities). */
	PCI_LANES_MAX = 32,

	/* More notes than this are counted in the last one, not kept. */
	HOST_NOTES_MAX = 64,
};

#endif
