// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "common/array.h"

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

static const struct event_flag flags[] = {
	{EVENT_FLAG_PERMANENT, "PermanentCondition", "permanent condition", NULL},
	{EVENT_FLAG_MAINTENANCE, "MaintenanceNeeded", "maintenance needed",
	 "Perform the maintenance that the device's vendor describes."},
	{EVENT_FLAG_DEGRADED, "PerformanceDegraded", "performance degraded",
	 "See the device's MemoryMetrics."},
	{EVENT_FLAG_REPLACE, "HardwareReplacementNeeded", "hardware replacement needed",
	 EVENT_ADVICE_REPLACE},
};

const struct event_flag *event_flag_at(size_t i)
{
	return i < ARRAY_SIZE(flags) ? &flags[i] : NULL;
}

unsigned int event_flags_of(const struct event_record *rec)
{
	return (unsigned int)(event_number(rec, FIELD_HDR_FLAGS).value & EVENT_FLAG_STATES);
}

const char *event_log_number_name(struct opt_u64 log)
{
	static const char *const names[] = {"Informational", "Warning", "Failure", "Fatal"};

	return log.present && log.value < ARRAY_SIZE(names) ? names[log.value] : NULL;
}

const char *event_flag_severity(const struct event_record *rec)
{
	struct opt_u64 header = event_number(rec, FIELD_HDR_FLAGS);

	header.value &= EVENT_FLAG_SEVERITY;
	return event_log_number_name(header);
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
