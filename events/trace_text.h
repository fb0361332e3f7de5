/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_TEXT_H
#define CXLR_EVENTS_TRACE_TEXT_H

/*
 * Reads records of CXL events as programs print them, one a line:
 *
 *	ftrace		... cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 ... dpa=1000 ...
 *			(trace, trace_pipe, trace-cmd report, perf script)
 *	rasdaemon	... cxl_dram ... memdev:mem2 host:0000:0d:00.0 serial:0xabc0 ... dpa:0x1000
 *... cxl monitor	{"event":"cxl_dram","memdev":"mem2","serial":43968,"dpa":4096, ...}
 *
 * The base of a number follows from its form: 0x is hexadecimal everywhere; without it, the
 * kernel's dpa and hpa are hexadecimal (%llx), its serial decimal (%lld), and JSON's numbers
 * decimal. Where that is not known the number is refused.
 *
 * Lines are untrusted. Pure functions; any thread.
 */

#include "common/error.h"
#include "events/record.h"

/* The longest line without its newline; cxl monitor prints arrays of bytes. */
enum { TRACE_TEXT_LINE_MAX = 16384 };

struct trace_text {
	/* Only what a translation depends on, and what to do about it: trace_type, and of the
	 * descriptor EVENT_DESCRIPTOR_UNCORRECTABLE. */
	struct event_record record;
	bool has_region; /* the line has the field, empty or not */
};

/* trace_text_reads() - whether the address of a record depends on the field of that name */
bool trace_text_reads(const char *name, size_t len);

/*
 * trace_text_parse() - read one line
 * @line: without newline, but for those where it is not certain whether a value goes on
 *
 * Return: 1 for a record with a device and an address; 0 for a line without; -EINVAL for one whose
 * fields cannot be read, contradict each other or are missing, which @e names.
 */
int trace_text_parse(const char *line, struct trace_text *ret, struct error *e);

#endif
