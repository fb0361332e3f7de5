/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_SERVICE_H
#define CXLR_REDFISH_RESOURCES_LOG_SERVICE_H

/*
 * Parts that logs share: the Status of those in the event log, and ClearLog. Any thread.
 */

#include "redfish/service/exchange.h"

/* "Status" of the store, with the reasons that it accepts no events as conditions. */
void put_log_status(const struct view *v, const struct resource *r, struct json_writer *w);

/* LogService.ClearLog. Return: the entity tag that the entries must have; NULL: none was given. */
extern const struct parameters log_clear_parameters;
const char *log_clear_etag(const struct exchange *x);

/* The same for the state of a job, to be freed; "": none was given. NULL: out of memory. */
char *log_clear_etag_copy(const struct exchange *x);

/*
 * log_check_entries() - whether the entries are those that the client read; in a job
 * @uri: of the collection; changed meanwhile
 *
 * Return: 0; -EINVAL with a message; or as exchange_represent().
 */
int log_check_entries(struct exchange *x, char *uri, const char *etag);

#endif
