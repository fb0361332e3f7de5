/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_RING_STATS_H
#define CXLR_EVENTS_RING_STATS_H

/*
 * What tracefs tells of a ring in text: per_cpu/cpuN/stats and trace_clock. Pure functions of a
 * text; any thread.
 */

#include <stdbool.h>

#include "common/opt.h"
#include "events/record.h"

/* Each absent when the kernel does not say it. */
struct ring_stats {
	struct opt_u64 overrun; /* overwritten unread; the pages tell of these, too */
	struct opt_u64 commit_overrun, dropped; /* lost without a sign in the pages */
	/* What the trace clock shows now, in ns (of which it tells whole microseconds); absent also
	 * for clocks that do not count time (counter, x86-tsc). */
	struct opt_u64 now_ns;
	/* Ns since 1970 at about the same moment: not the kernel's, but added by who saved a ring.
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
