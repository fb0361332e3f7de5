/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_ENTRY_H
#define CXLR_REDFISH_RESOURCES_LOG_ENTRY_H

/*
 * An event as a LogEntry, wherever it is shown: alone, or within the collection of a log. Any
 * thread; the view and the event are only read.
 */

#include "common/json_writer.h"
#include "events/stored_event.h"
#include "redfish/resources/log/cper_section.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/service/exchange.h"

#define LOG_ENTRY_VERSION "v1_21_0"
#define LOG_ENTRY_TYPE	  "#LogEntry." LOG_ENTRY_VERSION ".LogEntry"

/* All properties but @odata.id, @odata.type and Id. */
void put_log_entry(const struct exchange *x, const struct stored_event *ev,
		   const struct log_overflow *overflow, struct json_writer *w);

/* DiagnosticData of a record of a CXL event log; @uuid: its type */
void put_cper_section(const uint8_t section[static CPER_SECTION_SIZE], const char *uuid,
		      struct json_writer *w);

/* Operations of the rows for entries. */
int get_log_entry(struct exchange *x);
int patch_log_entry(struct exchange *x);
extern const struct parameters log_entry_patch_body;

#endif
