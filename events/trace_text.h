/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_TEXT_H
#define CXLR_EVENTS_TRACE_TEXT_H

/*
 * Reads records of CXL events as programs print them, one a line:
 *
 *	kernel		... cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 ... dpa=1000 ...
 *	trace-cmd, perf	... cxl_dram: [FAILED TO PARSE] memdev=mem2 ... serial=43968 ... dpa=4096
 *	perf trace	... cxl:cxl_dram(memdev: "mem2", ... serial: 43968, ... dpa: 4096, ...)
 *	rasdaemon	... cxl_dram ... memdev:mem2 host:0000:0d:00.0 serial:0xabc0 ... dpa:0x1000
 *	ras-mc-ctl	... memdev=mem2, host=0000:0d:00.0, serial=0xabc0, ... dpa=0x1000, ...
 *	cxl monitor	{"event":"cxl_dram","memdev":"mem2","serial":43968,"dpa":4096, ...}
 *	cxl-spa events	{"event":"cxl_dram","memdev":"mem2","serial":"0xabc0","dpa":"0x1000", ...}
 *
 * Each has a grammar (trace_grammar.h): its names in its order, and the base that it prints a
 * number in. Any other text is refused, as the rest of a record of which something is missing,
 * or two records in one. Without the name of a cxl_ event numbers without 0x are refused.
 *
 * Lines are untrusted. Pure functions; any thread.
 */

#include <jansson.h>

#include "common/error.h"
#include "events/record.h"
#include "events/trace_grammar.h"
#include "events/trace_when.h"

/* The longest line without its newline; cxl monitor prints arrays of bytes. */
enum { TRACE_TEXT_LINE_MAX = 16384 };

/* A line, or what a line was before it was wrapped. */
struct trace_line {
	const char *text;
	size_t number; /* of the line, or of its first part, from 1 */
	/* Where the second and each later part begins. */
	const size_t *breaks;
	size_t n_breaks;
};

/* The reason for a record that is divided and that its hpa does not confirm. */
#define TRACE_DIVIDED                                                                              \
	"its fields are in several lines, or some are missing behind its dpa, and no hpa confirms that they are of one record and whole: give the record as one line, and other words apart from it"

struct trace_text {
	/* All that a translation depends on is certain; the rest is there where it could be read
	 * (trace_details.h). */
	struct event_record record;
	enum trace_program program;
	bool has_region; /* the line has the field, empty or not */
	/* The fields were in several lines, or some are missing behind the address: they are of one
	 * record, and whole, if the translation of the address is the record's hpa. */
	bool divided;
	struct trace_when when;
};

/*
 * trace_text_parse() - read one line
 *
 * Return: 1 for a record with a device and an address; 0 for a line without; -EINVAL for one that
 * is in no program's grammar, or whose values cannot be read, for the reason in @e.
 */
int trace_text_parse(const struct trace_line *line, struct trace_text *ret, struct error *e);

/* trace_text_parse_json() - the same, of an object of trace_json_load(); it has no time. */
int trace_text_parse_json(json_t *object, struct trace_text *ret, struct error *e);

#endif
