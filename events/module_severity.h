/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_MODULE_SEVERITY_H
#define CXLR_EVENTS_MODULE_SEVERITY_H

/*
 * The severity of the health that a memory module record has, which is the health that Get Health
 * Info returns: CXL 3.2 tables 8-59 and 8-148. The findings about a device
 * (model/finding_rows.h) have the same severities; a test compares them. Pure functions; any
 * thread.
 */

#include "events/stored_event.h"

/* The parts of the health; a value of each is a row of the table. */
enum module_part {
	MODULE_PART_HEALTH,		/* a bit */
	MODULE_PART_MEDIA,		/* a value */
	MODULE_PART_LIFE,		/* a value, of Additional Status as the next three */
	MODULE_PART_TEMPERATURE,	/* a value */
	MODULE_PART_CORRECTED_VOLATILE, /* a bit */
	MODULE_PART_CORRECTED_PERSISTENT,
};

/* Return: how severe that a part has that value, or that bit number, is; EVENT_OK for others. */
enum event_severity module_part_severity(enum module_part part, unsigned int value);

/* Return: the worst of all that a record has; EVENT_OK for a record of another type. */
enum event_severity module_severity_of(const struct event_record *rec);

/* Return: what its health says of the device, as EVENT_FLAG_STATES. */
unsigned int module_flags_of(const struct event_record *rec);

#endif
