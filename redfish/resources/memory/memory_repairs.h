/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_MEMORY_REPAIRS_H
#define CXLR_REDFISH_RESOURCES_MEMORY_REPAIRS_H

/* Repairs of places in a memory device: a part of Oem/CXLHost of Memory. Any thread. */

#include "common/json_writer.h"
#include "sysfs/host.h"

/* Puts Repairs, and NoRepairsReason of a device without any. */
void put_repairs(const struct host *host, const struct memdev *m, struct json_writer *w);

#endif
