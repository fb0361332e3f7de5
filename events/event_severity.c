// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The severity of an event, one of Redfish's three.
#include "common/array.h"
#include "events/event_advice.h"
#include "events/event_fill.h"
#include "events/module_severity.h"

/*
 * A choice of this project: no standard maps the event logs to Redfish's severities. DSP0288 1.2.0
 * maps them to LogEntry.CXLEntryType only, with the same names as CXL 3.2 8.2.10.2. Events of
 * the logs "Failure" and "Fatal" are Critical, because the device can no longer do something.
 */
static const enum event_severity by_log[] = {EVENT_OK, EVENT_WARNING, EVENT_CRITICAL,
					     EVENT_CRITICAL};

static enum event_severity worse(enum event_severity a, enum event_severity b)
{
	return a > b ? a : b;
}

/* An event of an unknown log is not taken for harmless. */
static enum event_severity of_log(const struct event_record *rec)
{
	const struct opt_u64 log = event_number(rec, FIELD_LOG);

	return log.present && log.value < ARRAY_SIZE(by_log) ? by_log[log.value] : EVENT_WARNING;
}

/* The header of a record has a severity of its own, and states of the device. */
static enum event_severity of_flags(const struct event_record *rec)
{
	const struct opt_u64 flags = event_number(rec, FIELD_HDR_FLAGS);
	enum event_severity severity;

	if (!flags.present)
		return EVENT_OK;
	severity = by_log[flags.value & EVENT_FLAG_SEVERITY];
	if (flags.value & EVENT_FLAG_REPLACE)
		return EVENT_CRITICAL;
	return flags.value & EVENT_FLAG_STATES ? worse(severity, EVENT_WARNING) : severity;
}

/* Too many corrected errors are as severe as the same in the health of the device. */
static enum event_severity of_media(const struct event_record *rec)
{
	if (rec->type != EVENT_GENERAL_MEDIA && rec->type != EVENT_DRAM)
		return EVENT_OK;
	if (event_number(rec, FIELD_DESCRIPTOR).value & EVENT_DESCRIPTOR_UNCORRECTABLE)
		return EVENT_CRITICAL;
	return event_is_recurring(rec) ? EVENT_WARNING : EVENT_OK;
}

enum event_severity event_severity_of(const struct event_record *rec)
{
	switch (rec->type) {
	case EVENT_POISON: /* reading the address fails */
	case EVENT_AER_UNCORRECTABLE:
	case EVENT_PORT_AER_UNCORRECTABLE:
		return EVENT_CRITICAL;
	case EVENT_POISON_CLEARED: /* the address can be used again */
		return EVENT_OK;
	case EVENT_AER_CORRECTABLE:
	case EVENT_PORT_AER_CORRECTABLE:
	case EVENT_OVERFLOW: /* of any log: records are missing */
	case EVENT_LOST:
	case EVENT_LOST_AT_END:
	case EVENT_UNREADABLE:
		return EVENT_WARNING;
	default: /* those with the header of the event logs, and unknown ones */
		return worse(worse(of_log(rec), module_severity_of(rec)),
			     worse(of_flags(rec), of_media(rec)));
	}
}

bool event_severity_is_known(const struct event_record *rec)
{
	return event_number(rec, FIELD_LOG).present || event_number(rec, FIELD_HDR_FLAGS).present ||
	       event_number(rec, FIELD_DESCRIPTOR).present;
}
