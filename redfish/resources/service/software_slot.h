/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SOFTWARE_SLOT_H
#define CXLR_REDFISH_RESOURCES_SOFTWARE_SLOT_H

/*
 * The subject of a SoftwareInventory: a firmware slot of a memory device of this host.
 */

#include "sysfs/host.h"

/* `object` of a SoftwareInventory. */
struct software_slot {
	const struct memdev *memdev;
	unsigned int number; /* from 1; 0: the slots are not known, it is the running firmware */
};

#endif
