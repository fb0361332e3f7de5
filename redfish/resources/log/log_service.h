/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_SERVICE_H
#define CXLR_REDFISH_RESOURCES_LOG_SERVICE_H

/*
 * Declarations that a log and its entries share.
 */

#include "events/store_reader.h"
#include "redfish/resources/log/log_entry.h"

#define LOG_ENTRY_VERSION "v1_21_0"
#define LOG_ENTRY_TYPE	  "#LogEntry." LOG_ENTRY_VERSION ".LogEntry"

/*
 * log_overflow_after() - whether the next entry of the event's device is an overflow
 *
 * Return: 0, or as store_read_page().
 */
int log_overflow_after(struct store_reader *r, const struct stored_event *ev,
		       struct log_overflow *ret);

/* LogService.ClearLog. Return: the entity tag that the entries must have; NULL: none was given. */
extern const struct parameters log_clear_parameters;
const char *log_clear_etag(const struct exchange *x);

/*
 * log_check_entries() - whether the entries are those that the client read; in a job
 * @uri: of the collection; changed meanwhile
 *
 * Return: 0; -EINVAL with a message; or as exchange_represent().
 */
int log_check_entries(struct exchange *x, char *uri, const char *etag);

#endif
