/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_CXL_RECORD_H
#define CXLR_EVENTS_CXL_RECORD_H

/*
 * An event record as the device itself makes it, without the kernel's names: CXL r3.2 8.2.10.2.1,
 * behind the UUID. Pure function; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/record.h"

/*
 * cxl_record_decode() - decode the bytes of an event record
 * @uuid: what kind of record it is, in the order of RFC 4122's text form
 * @bytes, @len: from the record's length on
 * @rec: its type, event, numbers and payload are set; the caller has zeroed it, and sets the device
 *
 * Fields beyond @len are absent, and so are those that the record does not vouch for.
 *
 * Return: false for a UUID that is not one of general media, DRAM and memory module.
 */
bool cxl_record_decode(const uint8_t uuid[static 16], const uint8_t *bytes, size_t len,
		       struct event_record *rec);

#endif
