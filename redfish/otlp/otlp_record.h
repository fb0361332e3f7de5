/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_RECORD_H
#define CXLR_REDFISH_OTLP_OTLP_RECORD_H

/*
 * Events as log records of OpenTelemetry; docs/otlp.md lists the attributes. Pure functions, of
 * values and a view; any thread.
 */

#include "otlp/writer.h"
#include "redfish/feed/event_feed.h"
#include "redfish/otlp/otlp_status.h"
#include "redfish/otlp/state_otlp.h"

/* The version of the semantic conventions that names are taken from; docs/otlp.md names it, too. */
#define OTLP_CONVENTIONS "1.36.0"

/* Severity numbers of OpenTelemetry. */
enum { OTLP_INFO = 9, OTLP_WARN = 13, OTLP_ERROR = 17, OTLP_FATAL = 21 };

/*
 * otlp_begin_request() - begin a request, whose records or metrics follow
 * @uuid: of the state database
 * @v: a view of the host; NULL: its name is not known
 */
void otlp_begin_request(struct otlp_writer *w, enum otlp_encoding encoding, enum otlp_signal signal,
			const uint8_t uuid[static STATE_UUID_SIZE], const struct view *v);

/*
 * otlp_put_record() - one event
 * @now_ns: ns since 1970, for a notice that has no time of its own
 */
void otlp_put_record(struct otlp_writer *w, const uint8_t uuid[static STATE_UUID_SIZE],
		     const struct event_item *item, uint64_t now_ns);

enum { OTLP_UID_MAX = 37 };

/*
 * otlp_record_uid() - a UUID of version 5 (RFC 9562): the same each time that the event is sent
 *
 * The name in it is entry/NUMBER of an entry, incident/ID/NUMBER of a message about an incident,
 * whose number is its revision, and message/NUMBER or gap/NUMBER of the others.
 *
 * Return: false when there is no SHA-1.
 */
bool otlp_record_uid(const uint8_t uuid[static STATE_UUID_SIZE], const struct event_item *item,
		     char ret[static OTLP_UID_MAX]);

#endif
