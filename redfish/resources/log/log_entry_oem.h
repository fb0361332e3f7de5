/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_ENTRY_OEM_H
#define CXLR_REDFISH_RESOURCES_LOG_ENTRY_OEM_H

/*
 * The OEM properties of an event. Any thread; the view and the event are only read.
 */

#include "common/json_writer.h"
#include "events/stored_event.h"
#include "redfish/service/exchange.h"

/* OEM properties: what the header of a record states, apart from the log that it is in. */
void put_record_flags(const struct event_record *rec, struct json_writer *w);

/* "Oem" of an entry. */
void put_log_entry_oem(const struct exchange *x, const struct stored_event *ev,
		       struct json_writer *w);

/*
 * put_event_extents() - the parts of a record, and the pages that they touch
 * @page_size: of the host, in bytes
 */
void put_event_extents(const struct stored_event *ev, uint64_t page_size, struct json_writer *w);

#endif
