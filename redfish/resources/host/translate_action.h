/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H
#define CXLR_REDFISH_RESOURCES_TRANSLATE_ACTION_H

/*
 * The translation actions of addresses, for the rows of Memory (memory_actions.h) and
 * ComputerSystem, and the list of all actions of the latter.
 */

#include "redfish/core/resource_table.h"

int run_translate_dpa(struct exchange *x);
extern const struct parameters translate_dpa_parameters;

extern const struct action system_actions[3];

#endif
