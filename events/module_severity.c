// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/module_severity.h"

#include "common/array.h"

/* Bits of FIELD_HEALTH_STATUS. */
enum { HEALTH_MAINTENANCE, HEALTH_DEGRADED, HEALTH_REPLACE, HEALTH_CAPACITY };

static const struct {
	enum module_part part;
	unsigned int value;
	enum event_severity severity;
} rows[] = {
	{MODULE_PART_HEALTH, HEALTH_MAINTENANCE, EVENT_WARNING},
	{MODULE_PART_HEALTH, HEALTH_DEGRADED, EVENT_WARNING},
	{MODULE_PART_HEALTH, HEALTH_REPLACE, EVENT_CRITICAL},
	{MODULE_PART_HEALTH, HEALTH_CAPACITY, EVENT_WARNING},
	{MODULE_PART_MEDIA, 1, EVENT_CRITICAL}, /* not ready */
	{MODULE_PART_MEDIA, 2, EVENT_CRITICAL}, /* write persistency lost */
	{MODULE_PART_MEDIA, 3, EVENT_CRITICAL}, /* all data lost */
	{MODULE_PART_MEDIA, 4, EVENT_WARNING},	/* write persistency: at a loss of power */
	{MODULE_PART_MEDIA, 5, EVENT_WARNING},	/* at a shutdown */
	{MODULE_PART_MEDIA, 6, EVENT_CRITICAL}, /* imminent */
	{MODULE_PART_MEDIA, 7, EVENT_WARNING},	/* all data: at a loss of power */
	{MODULE_PART_MEDIA, 8, EVENT_WARNING},	/* at a shutdown */
	{MODULE_PART_MEDIA, 9, EVENT_CRITICAL}, /* imminent */
	{MODULE_PART_LIFE, 1, EVENT_WARNING},
	{MODULE_PART_LIFE, 2, EVENT_CRITICAL},
	{MODULE_PART_TEMPERATURE, 1, EVENT_WARNING},
	{MODULE_PART_TEMPERATURE, 2, EVENT_CRITICAL},
	{MODULE_PART_CORRECTED_VOLATILE, 1, EVENT_WARNING},
	{MODULE_PART_CORRECTED_PERSISTENT, 1, EVENT_WARNING},
};

enum event_severity module_part_severity(enum module_part part, unsigned int value)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].part == part && rows[i].value == value)
			return rows[i].severity;
	return EVENT_OK;
}

static void worsen(enum event_severity *severity, enum module_part part, uint64_t value)
{
	const enum event_severity s = module_part_severity(part, (unsigned int)value);

	if (s > *severity)
		*severity = s;
}

enum event_severity module_severity_of(const struct event_record *rec)
{
	const uint64_t health = event_number(rec, FIELD_HEALTH_STATUS).value;
	const uint64_t additional = event_number(rec, FIELD_ADD_STATUS).value;
	enum event_severity severity = EVENT_OK;

	if (rec->type != EVENT_MEMORY_MODULE)
		return EVENT_OK;
	for (unsigned int bit = HEALTH_MAINTENANCE; bit <= HEALTH_CAPACITY; bit++)
		if (health >> bit & 1)
			worsen(&severity, MODULE_PART_HEALTH, bit);
	worsen(&severity, MODULE_PART_MEDIA, event_number(rec, FIELD_MEDIA_STATUS).value);
	worsen(&severity, MODULE_PART_LIFE, additional & 3);
	worsen(&severity, MODULE_PART_TEMPERATURE, additional >> 2 & 3);
	worsen(&severity, MODULE_PART_CORRECTED_VOLATILE, additional >> 4 & 1);
	worsen(&severity, MODULE_PART_CORRECTED_PERSISTENT, additional >> 5 & 1);
	return severity;
}

unsigned int module_flags_of(const struct event_record *rec)
{
	static const unsigned int flags[] = {
		[HEALTH_MAINTENANCE] = EVENT_FLAG_MAINTENANCE,
		[HEALTH_DEGRADED] = EVENT_FLAG_DEGRADED,
		[HEALTH_REPLACE] = EVENT_FLAG_REPLACE,
	};
	const uint64_t health = event_number(rec, FIELD_HEALTH_STATUS).value;
	unsigned int found = 0;

	for (size_t bit = 0; rec->type == EVENT_MEMORY_MODULE && bit < ARRAY_SIZE(flags); bit++)
		if (health >> bit & 1)
			found |= flags[bit];
	return found;
}
