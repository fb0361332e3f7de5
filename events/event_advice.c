// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_advice.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"

#define LOST	   "Do not use the address.  The data at the address is lost."
#define WATCH_LINK "Observe how often it happens.  If it continues, check the link."

enum event_type event_type_now(const struct event_record *rec)
{
	const struct opt_u64 trace_type = event_number(rec, FIELD_TRACE_TYPE);

	if (rec->type == EVENT_POISON && opt_u64_is(trace_type, POISON_TRACE_CLEAR))
		return EVENT_POISON_CLEARED;
	return rec->type;
}

const char *event_type_advice(enum event_type type)
{
	static const char *const advices[EVENT_TYPES] = {
		[EVENT_GENERAL_MEDIA] = EVENT_ADVICE_WATCH,
		[EVENT_DRAM] = EVENT_ADVICE_WATCH,
		[EVENT_MEMORY_MODULE] = "See the Status of the Memory.",
		[EVENT_GENERIC] = "Ask the device's vendor what the record means.",
		[EVENT_POISON] = LOST,
		[EVENT_OVERFLOW] = "Check for other problems at that time.",
		[EVENT_AER_CORRECTABLE] = WATCH_LINK,
		[EVENT_AER_UNCORRECTABLE] =
			"Check the link and the device.  If it continues, move data away from the device, and replace it.",
		[EVENT_PORT_AER_CORRECTABLE] = WATCH_LINK,
		[EVENT_PORT_AER_UNCORRECTABLE] = "Check the link and the device connected to it.",
		[EVENT_OTHER] = "See the other properties of the entry.",
		[EVENT_LOST] = "Check for other problems at that time.",
		[EVENT_LOST_AT_END] =
			"Look for the reason of the end in the service's log, and for the records in other logs of that time.  Then set Resolved of the entry.",
		[EVENT_UNREADABLE] =
			"Check the disk of the event log.  The damaged file is kept, see the conditions of the Manager.",
	};

	return advices[type];
}

/* ---- records of memory ------------------------------------------------------------------------
 */

enum event_cause event_cause_of(const struct event_record *rec)
{
	static const enum event_cause media[] = {EVENT_CAUSE_MEDIA,	EVENT_CAUSE_ADDRESS,
						 EVENT_CAUSE_PATH,	EVENT_CAUSE_PROTECTION,
						 EVENT_CAUSE_MEDIA,	EVENT_CAUSE_MEDIA,
						 EVENT_CAUSE_PROTECTION};
	static const enum event_cause dram[] = {
		EVENT_CAUSE_MEDIA,	EVENT_CAUSE_MEDIA, EVENT_CAUSE_ADDRESS,	  EVENT_CAUSE_PATH,
		EVENT_CAUSE_PROTECTION, EVENT_CAUSE_MEDIA, EVENT_CAUSE_PROTECTION};
	const struct opt_u64 type = event_number(rec, FIELD_TYPE);
	const enum event_cause *causes = rec->type == EVENT_DRAM ? dram : media;

	if (!type.present || type.value >= ARRAY_SIZE(media))
		return EVENT_CAUSE_UNKNOWN;
	/* The datapath of the device, or the link to its media. */
	if (causes[type.value] == EVENT_CAUSE_MEDIA && event_number(rec, FIELD_SUB_TYPE).value)
		return EVENT_CAUSE_PATH;
	return causes[type.value];
}

uint64_t event_record_severity(const struct event_record *rec)
{
	const uint64_t log = event_number(rec, FIELD_LOG).value;
	const uint64_t own = event_number(rec, FIELD_HDR_FLAGS).value & EVENT_FLAG_SEVERITY;

	return log > own ? log : own;
}

bool event_is_recurring(const struct event_record *rec)
{
	return event_number(rec, FIELD_DESCRIPTOR).value & EVENT_DESCRIPTOR_THRESHOLD ||
	       event_number(rec, FIELD_CME_THRESHOLD_EV_FLAGS).value;
}

static const char *advice_for_media(const struct event_record *rec, bool *ret_retire)
{
	const struct opt_u64 descriptor = event_number(rec, FIELD_DESCRIPTOR);
	const bool fatal = event_record_severity(rec) >= EVENT_LOG_FATAL;

	if (!descriptor.present)
		return fatal ? EVENT_ADVICE_REPLACE : EVENT_ADVICE_WATCH;
	if (descriptor.value & EVENT_DESCRIPTOR_UNCORRECTABLE)
		return fatal ? LOST "  " EVENT_ADVICE_REPLACE : LOST;
	/* A failure may be one of reading, too: then moving its data is no option. */
	if (event_record_severity(rec) >= EVENT_LOG_FAILURE)
		return fatal ? EVENT_ADVICE_REPLACE : EVENT_ADVICE_WATCH;
	if (!event_is_recurring(rec))
		return EVENT_ADVICE_WATCH;
	*ret_retire = true;
	return "Take the page out of use while its errors are corrected, which loses nothing.  If other pages follow, replace the device.";
}

static const char *advice_for_memory(const struct event_record *rec, bool *ret_retire)
{
	static const char *const advices[EVENT_CAUSES] = {
		[EVENT_CAUSE_UNKNOWN] = EVENT_ADVICE_WATCH,
		[EVENT_CAUSE_ADDRESS] =
			"Check which program or device uses this address.  The media has not failed.",
		[EVENT_CAUSE_PATH] =
			"Check the link and the device.  The media has not failed.  If it continues, move data away from the device, and replace it.",
		[EVENT_CAUSE_PROTECTION] =
			"Check which virtual machine or device may use this memory.  The media has not failed.",
	};
	const enum event_cause cause = event_cause_of(rec);

	return cause == EVENT_CAUSE_MEDIA ? advice_for_media(rec, ret_retire) : advices[cause];
}

/* ---- all of them ------------------------------------------------------------------------------
 */

/* Adds the requests of the device in the header of its record. */
static void add_states(const struct event_record *rec, char text[static EVENT_ADVICE_MAX])
{
	const struct event_flag *flag;

	for (size_t i = 0; (flag = event_flag_at(i)); i++) {
		const size_t n = strlen(text);

		if (event_flags_of(rec) & flag->bit && flag->advice && !strstr(text, flag->advice))
			(void)snprintf(text + n, EVENT_ADVICE_MAX - n, "%s%s", n ? "  " : "",
				       flag->advice);
	}
}

const char *event_advice(const struct event_record *rec, char text[static EVENT_ADVICE_MAX],
			 bool *ret_retire)
{
	const enum event_type type = event_type_now(rec);
	const bool is_memory = type == EVENT_GENERAL_MEDIA || type == EVENT_DRAM;
	bool retire = false;
	const char *advice = is_memory ? advice_for_memory(rec, &retire) : event_type_advice(type);

	if (type == EVENT_POISON && !event_number(rec, FIELD_TRACE_TYPE).present)
		advice = "Find out whether the poison was cleared: the record does not say it.";
	if (ret_retire)
		*ret_retire = retire;
	/* A request of the device is more specific than what is usual for its records. */
	text[0] = '\0';
	if (is_memory && strcmp(advice, EVENT_ADVICE_WATCH) != 0)
		(void)snprintf(text, EVENT_ADVICE_MAX, "%s", advice);
	add_states(rec, text);
	return text[0] ? text : advice;
}
