/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_RELEASABLE_H
#define CXLR_REDFISH_RESOURCES_RELEASABLE_H

/*
 * Oem.CXLHost.Releasable of MemoryChunks: whether the memory of a region can be released
 * (model/release.h). For renderers.
 */

#include "common/json_writer.h"
#include "redfish/view/view.h"

void put_releasable(const struct view *v, const struct region *region, struct json_writer *w);

#endif
