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

/* Advice that several kinds of events have, see events/event_advice.h. */
#define EVENT_ADVICE_WATCH   "Observe how often it happens.  If it continues, replace the device."
#define EVENT_ADVICE_REPLACE "Move data away from the device, and replace it."

/* A bit of FIELD_HDR_FLAGS that is a state of the device. */
struct event_flag {
	unsigned int bit;   /* EVENT_FLAG_PERMANENT, ... */
	const char *name;   /* "MaintenanceNeeded", as Redfish writes names */
	const char *words;  /* "maintenance needed" */
	const char *advice; /* a sentence: what to do; NULL without */
};

/* Return: the @i-th of them; NULL behind the last. */
const struct event_flag *event_flag_at(size_t i);

/* Return: the flags of a record that are states of the device; 0 when it has none. */
unsigned int event_flags_of(const struct event_record *rec);

/*
 * Return: the severity that the header of a record has, "Warning"; the names are those of the logs;
 * NULL when the record has no header.
 */
const char *event_flag_severity(const struct event_record *rec);

/* Return: the name of a log of the device by its number; NULL when there is none. */
const char *event_log_number_name(struct opt_u64 log);

/* "2026-02-28T13:14:15.123456789Z" (RFC 3339); @ns: since 1970. */
void event_time(uint64_t ns, char ret[static EVENT_TIME_MAX]);

#endif
