/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_ENTRY_H
#define CXLR_REDFISH_RESOURCES_LOG_ENTRY_H

/*
 * An event as a LogEntry, wherever it is shown: alone, or within the collection of a log. Any
 * thread; the view and the event are only read.
 */

#include <stdbool.h>

#include "common/json_writer.h"
#include "events/stored_event.h"
#include "redfish/resources/log/cper_section.h"
#include "redfish/service/exchange.h"

struct event_log;
struct memdev;

/* The next overflow of a device's log that the kernel reported (DSP0288 1.2.0, comment 1). */
struct log_overflow {
	bool happened;
	struct opt_u64 count, first_ns, last_ns;
};

/* All properties but @odata.id, @odata.type and Id. */
void put_log_entry(const struct exchange *x, const struct stored_event *ev,
		   const struct log_overflow *overflow, struct json_writer *w);

/* DiagnosticData of a record of a CXL event log; @uuid: its type */
void put_cper_section(const uint8_t section[static CPER_SECTION_SIZE], const char *uuid,
		      struct json_writer *w);

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

/* Return: the Id of the device whose log it is; NULL for the log of the host. */
const char *log_device(const struct exchange *x);

/* Return: the event log, NULL when the service has none. */
struct event_log *log_of(const struct exchange *x);

/* Operations of the rows for entries. */
int get_log_entry(struct exchange *x);
int patch_log_entry(struct exchange *x);
extern const struct parameters log_entry_patch_body;

#endif
