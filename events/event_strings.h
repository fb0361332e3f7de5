/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_STRINGS_H
#define CXLR_EVENTS_EVENT_STRINGS_H

/*
 * Values of events as text, in the same form wherever they are shown. Pure functions; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "events/stored_event.h"

enum {
	EVENT_UUID_TEXT_MAX = 37, /* with the NUL, as the next one */
	EVENT_TIME_MAX = 40,
};

/* "fbcd0a77-c260-417f-85a9-088b1621eba6" (RFC 4122). */
void event_uuid_text(const uint8_t uuid[static EVENT_UUID_SIZE],
		     char ret[static EVENT_UUID_TEXT_MAX]);

/* The same of a byte array of a record. Return: false when the record does not have it. */
bool event_uuid(const struct event_record *rec, enum event_bytes which,
		char ret[static EVENT_UUID_TEXT_MAX]);

/* "2026-02-28T13:14:15.123456789Z" (RFC 3339); @ns: since 1970. */
void event_time(uint64_t ns, char ret[static EVENT_TIME_MAX]);

#endif
