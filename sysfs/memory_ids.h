/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MEMORY_IDS_H
#define CXLR_SYSFS_MEMORY_IDS_H

/*
 * The Redfish Id of each memdev.
 *
 * memN changes from boot to boot, so an Id is made of what does not: "cxl-" and the 16 digits of
 * the serial number, or, when that is 0, absent or shared, the PCI address with '-' for ':'
 * ("0000-0d-00.0"). A device with neither of its own has its kernel name. Lives in the arena of its
 * view and is constant; any thread.
 */

#include "common/arena.h"
#include "sysfs/host.h"

struct memory_ids;

/* Return: the Ids of all memdevs of the host, allocated from @a; NULL when out of memory. */
struct memory_ids *memory_ids_new(struct arena *a, const struct host *host);

/* Return: the Id of a memdev of that host, NULL for any other pointer. */
const char *memory_id(const struct memory_ids *ids, const struct memdev *memdev);

/*
 * Return: the serial number of a memdev of that host; absent when it is 0 or that of several
 * devices, and so identifies none.
 */
struct opt_u64 memory_unique_serial(const struct memory_ids *ids, const struct memdev *memdev);

#endif
