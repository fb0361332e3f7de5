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

/* A page that a report names, and the incident that the report is in. */
struct triage_page {
	uint64_t page;
	size_t item;
};
DEFINE_ARRAY(struct triage_page, triage_pages);

struct triage_reports {
	struct triage_list list;
	uint16_t slots[4 * TRIAGE_REPORTED_MAX]; /* of the list, by identity; private */
	struct triage_pages pages;		 /* in their order; private */
	uint64_t page_size;			 /* of the host, in bytes; private */
	size_t n;				 /* reports that are read */
	size_t n_left_out;			 /* of incidents beyond the limit */
	size_t n_malformed;			 /* each was named on standard error */
	size_t n_no_cxl; /* of PCIe functions that are no CXL devices; the first of them: */
	char no_cxl[EVENT_HOST_MAX];
};

/*
 * triage_read_reports() - all reports of a text
 * @ret: freed by the caller, also after an error
 *
 * Return: 0 or a negative errno, with the reason in @e.
 */
int triage_read_reports(struct cli *cli, const struct memdev_ids *ids, struct trace_lines *lines,
			struct triage_reports *ret, struct error *e);

/*
 * triage_adopt() - give reports the number and the counts of an incident of the log
 * @logged: it has the identity of a report, or is about the page that a report names
 *
 * Severity, place and kind are the worst of both. An incident that has ended is not taken for what
 * is worse. A report of this host is in no log of another one.
 */
void triage_adopt(struct triage_reports *reports, const struct incident *logged,
		  const struct triage_log *log);

/* Frees all but the entries of the list. */
void triage_reports_done(struct triage_reports *reports);

#endif
