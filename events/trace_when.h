/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_WHEN_H
#define CXLR_EVENTS_TRACE_WHEN_H

/*
 * The time of a record as its line has it, before the fields of the record: those may have the time
 * of the device's clock, which says nothing about the boot that made the record.
 *
 *	14.051859:			since boot: ftrace, perf
 *	[   14.051859]			since boot: the kernel's log
 *	"timestamp":14051859000		since boot, in ns: cxl monitor
 *	2026-11-21 21:43:41 +0000	rasdaemon, ras-mc-ctl; with T, Z, a fraction: syslog,
 *journalctl Sat Nov 21 21:43:41 2026	dmesg -T
 *	"__REALTIME_TIMESTAMP":"1..."	journalctl -o json; also "_BOOT_ID", "_HOSTNAME"
 *	"time":"2026-...", "boot_id"	cxl-spa events --json
 *
 *	Nov 21 21:43:41			syslog, journalctl: no year, no zone
 *
 * A time of day without a zone is an interval of all zones. Lines are untrusted. Pure functions;
 *any thread.
 */

#include <stdint.h>

#include "common/opt.h"

enum {
	TRACE_BOOT_ID_MAX = 37,
	TRACE_HOSTNAME_MAX = 65,
	/* Local time of all zones, against UTC. */
	TRACE_ZONE_WEST_S = -12 * 3600,
	TRACE_ZONE_EAST_S = 14 * 3600,
};

/* A time of day that lacks its year and its zone; month: from 0. */
struct trace_day {
	bool present;
	uint8_t month, day, hour, minute, second;
};

struct trace_when {
	struct opt_u64 since_boot_ns;
	/* The first and the last ns since 1970 that a time of day in the line may be; absent
	 * without one. */
	struct opt_u64 wall_first_ns, wall_last_ns;
	struct trace_day day;		   /* where the line has no other time of day */
	char boot_id[TRACE_BOOT_ID_MAX];   /* as the line has it; "" without */
	char hostname[TRACE_HOSTNAME_MAX]; /* "" without */
	bool joined; /* the line was wrapped: they may be those of another record */
};

/* @joined: the line was put together of several */
void trace_when_read(const char *line, bool joined, struct trace_when *ret);

#endif
