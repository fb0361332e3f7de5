/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_MEMORY_ACTIONS_H
#define CXLR_REDFISH_RESOURCES_MEMORY_ACTIONS_H

/*
 * The actions of a memory device, for the row of Memory: those that translate addresses, and those
 * that change it (memory_operations.h). Constant.
 */

#include "redfish/core/resource_table.h"

extern const struct action memory_actions[17];

#endif
