/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_REPLAY_H
#define CXLR_EVENTS_REPLAY_H

/*
 * A trace ring that was saved into files, read by the same code as a live one: that of a captured
 * host (its directory events/), or what the kernel recorded before the service started (saved by
 * daemon/cxl-redfish-trace).
 *
 *	raw.cpuN		the content of per_cpu/cpuN/trace_pipe_raw
 *	formats/cxl_*.format	the format files of the kernel that wrote them, at that boot: events
 *	formats/header_page	have other numbers at another
 *	trace_clock		which clock their times are by; may be missing
 *	now			per_cpu/cpu0/stats when they were saved, and a line
 *				"wall ts: SECONDS.MICROSECONDS", the time since 1970 just then; may
 *				be missing
 *
 * `cxl-spa capture` does not make these files: reading a ring empties it, and what the service has
 * read is in its store. docs/events.md describes how to save a ring by hand.
 */

#include "common/error.h"
#include "events/ring.h"

/* Where cxl-redfish-trace saves what trace_event=cxl:* has recorded. */
#define TRACE_BOOT_RING "/run/cxl-redfish-boot"

/*
 * event_replay() - all records of a saved ring
 * @dirfd: the directory
 * @sink: gets them CPU by CPU, in the order of each
 * @ret: the counts of all CPUs together; set whenever pages were read
 *
 * Return: 0; -ENOENT when there are no raw pages; -EBADMSG when some page or format is damaged:
 * everything else has been read, and @e names the first damage; -EINVAL without formats;
 * -ENOMEM; errors of reading.
 */
int event_replay(int dirfd, event_sink *sink, void *userdata, struct event_counts *ret,
		 struct error *e);

#endif
