/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_SCAN_EVENT_H
#define CXLR_EVENTS_SCAN_EVENT_H

/*
 * Poison that a scan of media found, as an event. The kernel traces none of it, so the service
 * makes the record: of type EVENT_POISON, with POISON_TRACE_SCAN.
 *
 * The device reports what is poisoned now, so the address is that of the present mapping, whenever
 * the mapping was seen first. Pure functions; any thread.
 */

#include "events/event_fill.h"

/* One result of a scan. */
struct scan_finding {
	const struct memdev *memdev;
	uint64_t boot_ns, wall_ns; /* when it was read: CLOCK_BOOTTIME, and since 1970 */
	unsigned int index;	   /* of those that were read at that time */
	uint64_t dpa, length;	   /* bytes */
	uint64_t source;
};

/*
 * scan_event_fill() - as event_fill(), of such a record
 * @m: the newest mapping
 * @timeout: as event_answer(): the answer is final
 */
void scan_event_fill(const struct event_mapping *m,
		     const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
		     const struct scan_finding *found, struct firmware_timeout *timeout,
		     struct stored_event *ret);

#endif
