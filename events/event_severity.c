// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The severity of an event, one of Redfish's three.
#include "common/array.h"
#include "events/event_fill.h"

/*
 * DSP0288 1.2.0, LogEntry, Severity: it follows from the log that the device put the record into.
 * Informational is OK, Warning is Warning, Failure and Fatal are Critical.
 */
static const enum event_severity by_log[] = {EVENT_OK, EVENT_WARNING, EVENT_CRITICAL,
					     EVENT_CRITICAL};

/* An event of an unknown log is not taken for harmless. */
static enum event_severity of_log(const struct event_record *rec)
{
	const struct opt_u64 log = event_number(rec, FIELD_LOG);

	return log.present && log.value < ARRAY_SIZE(by_log) ? by_log[log.value] : EVENT_WARNING;
}

/* Reading a poisoned location fails; one that was cleared can be used again. */
static enum event_severity of_poison(const struct event_record *rec)
{
	return opt_u64_is(event_number(rec, FIELD_TRACE_TYPE), 2) ? EVENT_OK : EVENT_CRITICAL;
}

enum event_severity event_severity_of(const struct event_record *rec)
{
	switch (rec->type) {
	case EVENT_POISON:
		return of_poison(rec);
	case EVENT_AER_UNCORRECTABLE:
	case EVENT_PORT_AER_UNCORRECTABLE:
		return EVENT_CRITICAL;
	case EVENT_AER_CORRECTABLE:
	case EVENT_PORT_AER_CORRECTABLE:
	case EVENT_OVERFLOW: /* of any log: records are missing */
	case EVENT_LOST:
	case EVENT_UNREADABLE:
		return EVENT_WARNING;
	default: /* those with the header of the event logs, and unknown ones */
		return of_log(rec);
	}
}
