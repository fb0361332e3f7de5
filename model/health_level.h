/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_HEALTH_LEVEL_H
#define CXLR_MODEL_HEALTH_LEVEL_H

/* The severity of a finding, and the health of what has it: Redfish's OK, Warning and Critical. */

/* In the order of severity, as enum event_severity. */
enum health_level { HEALTH_OK, HEALTH_WARNING, HEALTH_CRITICAL };

/* Return: the value of Redfish's enumeration Health; static. */
const char *health_name(enum health_level level);

#endif
