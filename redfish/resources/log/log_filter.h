/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_LOG_FILTER_H
#define CXLR_REDFISH_RESOURCES_LOG_FILTER_H

/*
 * $filter of a collection of log entries, converted to a query that the store's indexes support.
 *
 * The language is that of redfish/query/filter.h. The properties are:
 *
 *	Severity, MessageId, CXLEntryType
 *		with eq and ne, combined by any and, or, not
 *	Created
 *		a range, by the kernel's clock; entries without a time do not match
 *	Oem/CXLHost/SystemPhysicalAddress
 *		a range; its strings are compared as numbers, and an entry that has an interval
 *		matches when its address may be in the range
 *
 * The expression must reduce to one set of each of the first three and one range of each of the
 * others, all combined by and. Everything else is rejected by name and not approximated.
 *
 * Pure functions; any thread. The text is a client's.
 */

#include "events/store_reader.h"
#include "redfish/core/messages.h"

/*
 * log_filter_parse() - read an expression
 * @text: without percent-encoding
 * @filter: all but its device is set
 *
 * Return: 0, or -EINVAL with an error message.
 */
int log_filter_parse(const char *text, struct event_filter *filter, struct message *ret_message);

#endif
