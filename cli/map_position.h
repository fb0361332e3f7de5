/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_MAP_POSITION_H
#define CXLR_CLI_MAP_POSITION_H

/* Positions of a region, in the words of its map. Any thread. */

#include "sysfs/host.h"

/* "committed", "empty", "no memory device", "no driver", ... */
const char *map_position_state(const struct region_target *t);

/* The host bridge above a device, "pci0000:0c"; NULL when it is not known. */
const char *map_bridge(const struct memdev *m);

#endif
