/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H
#define CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H

/*
 * The translation actions, for the rows of Memory (memory_actions.h) and ComputerSystem.
 */

#include "redfish/resource_table.h"

int run_translate_dpa(struct exchange *x);

extern const struct action system_actions[1];

#endif
