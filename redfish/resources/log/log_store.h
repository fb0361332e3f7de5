/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_STORE_H
#define CXLR_REDFISH_RESOURCES_LOG_STORE_H

/*
 * The event log behind a log of the host or of a device. Any thread.
 */

#include <stdbool.h>

#include "events/store_reader.h"
#include "redfish/service/exchange.h"

struct event_log;

/* Return: the event log, NULL when the service has none. */
struct event_log *log_of(const struct exchange *x);

/* put_no_entries() - the entries of a log while the service has no event log. Return: 0. */
int put_no_entries(struct exchange *x);

/* Return: the Id of the device whose log it is; NULL for the log of the host. */
const char *log_device(const struct exchange *x);

/* The next overflow of a device's log that the kernel reported (DSP0288 1.2.0, comment 1). */
struct log_overflow {
	bool happened;
	struct opt_u64 count, first_ns, last_ns;
};

/*
 * log_overflow_after() - whether the next entry of the event's device is an overflow
 *
 * Return: 0, or as store_read_page().
 */
int log_overflow_after(struct store_reader *r, const struct stored_event *ev,
		       struct log_overflow *ret);

#endif
