/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H
#define CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H

/*
 * The translation actions, for the rows of Memory and ComputerSystem.
 */

#include "redfish/resource_table.h"

extern const struct action memory_actions[1], system_actions[1];

#endif
