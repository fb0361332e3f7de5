/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_REPORT_H
#define CXLR_EVENTS_REPORT_H

/*
 * Reports of memory errors in a text, in every form that people have: one reader for `translate
 * --trace`, the action TranslateText, the page and `triage`.
 *
 * Records of CXL events (trace_text.h) of the kernel, trace-cmd, perf, rasdaemon, ras-mc-ctl, cxl
 * monitor and cxl-spa; the poison list of `cxl list -L`; CPER sections as the kernel's log has
 * them; and what the host says of system addresses: memory failure, soft offlining, EDAC, machine
 * checks, GHES; PCIe errors of a function. Before them may be what syslog, journalctl and dmesg
 * print; around them the JSON of `dmesg -J`, `journalctl -o json` and container logs, and colours;
 * lines may be wrapped.
 *
 * Where something is missing of a report, or may be of another one, it is malformed and has the
 * reason. Texts are untrusted; everything has a limit. Pure but for reading @lines; any thread.
 */

#include "common/error.h"
#include "events/stored_event.h"
#include "events/trace_lines.h"
#include "events/trace_text.h"

enum report_form {
	REPORT_RECORD,		     /* of a CXL event, by its program: text.program */
	REPORT_POISON_LIST,	     /* cxl list -L */
	REPORT_CPER,		     /* CPER section of a CXL device: a record */
	REPORT_MEMORY_FAILURE,	     /* "Memory failure: 0x110008: ..." */
	REPORT_MEMORY_FAILURE_EVENT, /* the trace event of that, of any system */
	REPORT_SOFT_OFFLINE,
	REPORT_EDAC,	      /* "EDAC MC0: 1 UE ..." */
	REPORT_MC_EVENT,      /* the trace event of that, and rasdaemon's */
	REPORT_MACHINE_CHECK, /* ADDR of an x86 machine check */
	REPORT_GHES,	      /* physical_address of a memory error of firmware */
	REPORT_PCIE,	      /* AER of a PCIe function */
};
enum { REPORT_FORMS = REPORT_PCIE + 1 };

/* Whether a line of REPORT_PCIE is all of the error, or comes before or behind another one. */
enum report_part { REPORT_WHOLE, REPORT_BEFORE, REPORT_BEHIND };

enum {
	REPORT_WHAT_MAX = 128,
	REPORT_NESTING_MAX = 8,	    /* of JSON, and of texts in its strings */
	REPORTS_OF_LINE_MAX = 4096, /* of one line or JSON value; others are left out */
};

struct report {
	enum report_form form;
	size_t line;	    /* its first one, from 1 */
	struct error wrong; /* text is "": it can be read; else only line and form are set */

	/* Where has_record: device, address, fields; else only its time, text.when. */
	bool has_record;
	struct trace_text text;

	/* The system addresses that it names: first and last byte. */
	bool has_spa;
	uint64_t spa, spa_last;
	/* The bits of spa that the report vouches for name these; else the same. */
	uint64_t granule, granule_last;
	const char *doubt; /* why spa may be no system address; NULL */

	char device[EVENT_HOST_MAX]; /* the PCI function of REPORT_PCIE */
	bool names_cxl;		     /* the report itself calls that one a CXL device */
	enum report_part part;
	bool has_severity;
	enum event_severity severity;
	bool previous_boot;	    /* firmware had kept it over a restart (BERT) */
	char what[REPORT_WHAT_MAX]; /* in words of the report, printable; "" for records */
};

/* Return: "kernel trace", "EDAC", ...: the form or the program of a report; of a malformed record
 * "CXL event". */
const char *report_form_name(const struct report *r);

/* Return: a sentence that lists the forms that are looked for. */
const char *reports_looked_for(void);

/*
 * A user of reports. Return: 0 to go on, or what reports_read() returns.
 */
typedef int report_fn(const struct report *r, void *arg);

/*
 * reports_read() - all reports of a text, in their order
 * @page_size: of the host that the text is of, as far as known: numbers of pages become addresses
 *
 * Return: 0 at the end; -EINTR when a signal was caught; the error of reading; -ENOMEM; or what @f
 * returned.
 */
int reports_read(struct trace_lines *lines, uint64_t page_size, report_fn *f, void *arg);

#endif
