/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_CPER_SECTION_H
#define CXLR_REDFISH_RESOURCES_CPER_SECTION_H

/*
 * A record of a device's event logs in the form that tools exchange: the section of a CPER, "CXL
 * Component Events" (UEFI 2.10 N.2.14), whose type is the UUID of the record.
 *
 * The kernel reports a record's fields and not its bytes, so it is rebuilt from them (CXL
 * 3.2 tables 8-55 to 8-60). Fields that are not reported, or not valid, are 0.
 * Pure function, any thread.
 */

#include <stdbool.h>

#include "events/record.h"

enum { CPER_SECTION_SIZE = 144, CPER_RECORD_SIZE = 128 };

/*
 * cper_section_of_raw() - the section of a record whose bytes are known
 * @raw: with its UUID
 * @serial: of the component that has the log
 */
void cper_section_of_raw(const uint8_t raw[static CPER_RECORD_SIZE], struct opt_u64 serial,
			 uint8_t ret[static CPER_SECTION_SIZE]);

/* Return: false for events that are no record of a device's log. */
bool cper_section(const struct event_record *rec, uint8_t ret[static CPER_SECTION_SIZE]);

#endif
