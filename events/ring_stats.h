/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_RING_STATS_H
#define CXLR_EVENTS_RING_STATS_H

/*
 * Statistics of a ring that tracefs shows as text: per_cpu/cpuN/stats and trace_clock. Pure
 * functions of a text; any thread.
 */

#include <stdbool.h>

#include "common/opt.h"
#include "events/record.h"

/* Each absent when the kernel does not show it. */
struct ring_stats {
	struct opt_u64 overrun;			/* overwritten unread; the pages show these, too */
	struct opt_u64 commit_overrun, dropped; /* lost, not shown in the pages */
	/* The time of the trace clock, in ns (with a resolution of microseconds); absent also
	 * for clocks that do not count time (counter, x86-tsc). */
	struct opt_u64 now_ns;
	/* Ns since 1970 at about the same time: not from the kernel, added when a ring is saved.
	 */
	struct opt_u64 wall_ns;
};

/* ring_stats_parse() - read the file as kernel/trace/trace.c, tracing_stats_read() writes it */
void ring_stats_parse(const char *text, struct ring_stats *ret);

/* Return: what to add to the trace clock for ns since 1970, modulo 2^64, where both are known. */
struct opt_u64 ring_stats_wall_offset(const struct ring_stats *stats);

/*
 * ring_clock_parse() - which clock is chosen in trace_clock: "local global [boot]"
 *
 * Return: false, and "" in @ret, when none is.
 */
bool ring_clock_parse(const char *text, char ret[EVENT_CLOCK_MAX]);

#endif
