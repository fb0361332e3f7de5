// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

void event_uuid_text(const uint8_t uuid[static EVENT_UUID_SIZE],
		     char ret[static EVENT_UUID_TEXT_MAX])
{
	char *at = ret;

	for (size_t i = 0; i < EVENT_UUID_SIZE; i++) {
		bool dash = i == 4 || i == 6 || i == 8 || i == 10;

		at += snprintf(at, (size_t)(ret + EVENT_UUID_TEXT_MAX - at), "%s%02x",
			       dash ? "-" : "", uuid[i]);
	}
}

bool event_uuid(const struct event_record *rec, enum event_bytes which,
		char ret[static EVENT_UUID_TEXT_MAX])
{
	size_t len;
	const uint8_t *b = event_bytes(rec, which, &len);

	if (!b || len != EVENT_UUID_SIZE)
		return false;
	event_uuid_text(b, ret);
	return true;
}

void event_time(uint64_t ns, char ret[static EVENT_TIME_MAX])
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	size_t n;

	(void)gmtime_r(&seconds, &tm);
	n = strftime(ret, EVENT_TIME_MAX, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(ret + n, EVENT_TIME_MAX - n, ".%09" PRIu64 "Z", ns % 1000000000);
}
