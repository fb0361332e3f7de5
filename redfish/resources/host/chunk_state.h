/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_CHUNK_STATE_H
#define CXLR_REDFISH_RESOURCES_CHUNK_STATE_H

/*
 * The state of a region's memory, as MemoryChunks shows it and a PATCH of it sets it
 * (chunk_change.h). Pure functions, for any thread; texts are constant. NULL: it is mixed, or not
 * known.
 */

#include "redfish/view/view.h"

/* OperationalState of a dax device, RequestedOperationalState of a region: "Online", "Offline". */
const char *dax_operational_state(const struct dax_device *d);
const char *region_operational_state(const struct region *region);

/* Oem.CXLHost.DAXMode: "devdax", "system-ram". */
const char *region_dax_mode(const struct region *region);

/* Oem.CXLHost.MemoryZone, of the memory that is online: "Movable", "Kernel". */
const char *region_memory_zone(const struct view *v, const struct region *region);

#endif
