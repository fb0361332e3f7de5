/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_PERF_H
#define CXLR_EVENTS_TRACE_PERF_H

/*
 * The form of perf trace: the fields of the format file with their values as signed numbers,
 *without those that are 0.
 *
 *	0.000 kworker/1:2/93 cxl:cxl_dram(memdev: "mem2", host: "0000:0d:00.0", log: 2, dpa: 4096)
 *
 * A dpa of 0 cannot be told from one that is missing, so such a record is refused. The number of an
 * array (comp_id, cor_mask, UUIDs) is an address in perf's memory, and is left out.
 *
 * Pure functions; any thread.
 */

#include <stdbool.h>

#include "common/error.h"

enum { TRACE_PERF_TEXT_MAX = 4096 };

/*
 * trace_perf_read() - a record of perf trace as the text that libtraceevent prints of it
 * @is_wrapped: the line was in several ones, in which digits may be missing
 *
 * Return: 1; 0 for a line that has none; -EINVAL for one that is not whole, for the reason in @e.
 */
int trace_perf_read(const char *line, bool is_wrapped, char ret[static TRACE_PERF_TEXT_MAX],
		    struct error *e);

#endif
