/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_TRIAGE_REPORT_H
#define CXLR_CLI_TRIAGE_REPORT_H

/*
 * Reports of errors in a text, as incidents: each is one that the log has, when it has it, or one
 * that only the text says. One thread.
 */

#include "cli/triage_incident.h"
#include "common/error.h"
#include "events/trace_lines.h"

enum { TRIAGE_REPORTED_MAX = 1024 }; /* incidents of one text; further reports are only counted */

struct triage_reports {
	struct triage_list list;
	size_t n;	    /* reports that are read */
	size_t n_left_out;  /* of incidents beyond the limit */
	size_t n_malformed; /* each was named on standard error */
};

/*
 * triage_read_reports() - all reports of a text
 * @ret: freed by the caller, also after an error
 *
 * Return: 0 or a negative errno, with the reason in @e.
 */
int triage_read_reports(struct cli *cli, const struct memdev_ids *ids, struct trace_lines *lines,
			struct triage_reports *ret, struct error *e);

/* Gives a reported incident the number and the counts that the log has, if it is the same. */
void triage_adopt(struct triage_incident *t, const struct incident *logged, uint64_t age);

#endif
