/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_SWITCH_LOG_H
#define CXLR_REDFISH_RESOURCES_SWITCH_LOG_H

/*
 * The event logs of a switch as one LogService. Reads the view only; any thread that holds a
 * reference on it.
 *
 * The schemas allow LogServices below a Chassis, not below a Switch: Switch.LogServices leads to
 * the Chassis with the Id of the switch.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

/* "LogServices" of the Switch and of its Chassis; nothing when no log of it could be read. */
void put_switch_logs_link(const struct fabric_switch *sw, struct json_writer *w);

#endif
