// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_advice.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"

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
		[EVENT_POISON] = "Do not use the address.  The data at the address is lost.",
		[EVENT_OVERFLOW] = "Check for other problems at that time.",
		[EVENT_AER_CORRECTABLE] = EVENT_ADVICE_WATCH,
		[EVENT_AER_UNCORRECTABLE] = EVENT_ADVICE_REPLACE,
		[EVENT_PORT_AER_CORRECTABLE] =
			"Observe how often it happens.  If it continues, check the link.",
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

const char *event_advice(const struct event_record *rec, char text[static EVENT_ADVICE_MAX])
{
	const struct event_flag *flag;

	text[0] = '\0';
	for (size_t i = 0; (flag = event_flag_at(i)); i++) {
		const size_t n = strlen(text);

		if (event_flags_of(rec) & flag->bit && flag->advice)
			(void)snprintf(text + n, EVENT_ADVICE_MAX - n, "%s%s", n ? "  " : "",
				       flag->advice);
	}
	return text[0] ? text : event_type_advice(event_type_now(rec));
}
