// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Errors of PCIe functions: the lines of AER, of DPC and of the driver of CXL devices in the
// kernel's log, and those of rasdaemon. report_give.c joins the lines of one error.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/report_private.h"

/* "0000:0d:00.0". Return: its length; 0: it is none. */
static size_t function_length(const char *at)
{
	static const char form[] = "hhhh:hh:hh.h";
	size_t n = 0;

	for (; form[n]; n++)
		if (form[n] == 'h' ? !isxdigit((unsigned char)at[n]) : at[n] != form[n])
			return 0;
	return isalnum((unsigned char)at[n]) ? 0 : n;
}

static bool take_function(const char *at, struct report *r)
{
	const size_t n = function_length(at);

	(void)snprintf(r->device, sizeof(r->device), "%.*s", (int)n, at);
	return n > 0;
}

/* The last one before @end. */
static bool find_function(const char *text, const char *end, struct report *r)
{
	const char *last = NULL;

	for (const char *at = text; at < end; at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) && function_length(at))
			last = at;
	return last && take_function(last, r);
}

static bool is_corrected(const char *severity)
{
	return str_after_prefix(severity, "Correct") || str_after_prefix(severity, "Multiple Corr");
}

static void set(struct report *r, const char *severity)
{
	report_set_severity(r, is_corrected(severity) ? EVENT_WARNING : EVENT_CRITICAL);
}

/* "cxl_pci 0000:0d:00.0: PCIe Bus Error: severity=Correctable, type=..." */
static bool read_bus_error(const char *text, struct report *r)
{
	static const char words[] = "PCIe Bus Error: severity=";
	const char *at = strstr(text, words);

	if (!at || !find_function(text, at, r))
		return false;
	set(r, at + strlen(words));
	report_set_what(r, at);
	return true;
}

/* "pcieport 0000:0c:00.0: AER: Multiple Correctable error message received from 0000:0d:00.0" */
static bool read_message(const char *text, struct report *r)
{
	static const char *const words[] = {" error message received from ", " error received: "};
	const char *at = strstr(text, "AER: ");

	for (size_t i = 0; at && i < ARRAY_SIZE(words); i++) {
		const char *from = strstr(at, words[i]);

		if (!from || !take_function(from + strlen(words[i]), r))
			continue;
		r->part = REPORT_BEFORE;
		set(r, at + strlen("AER: "));
		report_set_what(r, at);
		return true;
	}
	return false;
}

/*
 * "pcieport 0000:0c:00.0: DPC: containment event, status:0x1f01 source:0x0000": the port has cut
 * the link. Linux 6.16 and later name the function that sent the error.
 */
static bool read_containment(const char *text, struct report *r)
{
	static const char sender[] = " received from ";
	const char *at = strstr(text, "DPC: containment event");
	const char *from = at ? strstr(at, sender) : NULL;

	if (!at ||
	    !((from && take_function(from + strlen(sender), r)) || find_function(text, at, r)))
		return false;
	r->part = REPORT_BEFORE;
	report_set_severity(r, EVENT_CRITICAL);
	report_set_what(r, at);
	return true;
}

/* Registers and states that the kernel prints behind an error, or alone when firmware has it. */
static bool read_state(const char *text, struct report *r)
{
	static const struct {
		const char *words;
		bool is_lost;
	} states[] = {
		{"aer_status: 0x", false},
		{"aer_uncor_severity: 0x", true},
		{"frozen state error detected", true},
		{"failure state error detected", true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		const char *at = strstr(text, states[i].words);

		if (!at || !find_function(text, at, r))
			continue;
		r->part = REPORT_BEHIND;
		if (states[i].is_lost)
			report_set_severity(r, EVENT_CRITICAL);
		report_set_what(r, at);
		return true;
	}
	return false;
}

/* A row of ras-mc-ctl: "1 2026-... 0000:0d:00.0 Corrected error: Bad TLP"; rasdaemon has aer_event.
 */
static bool read_rasdaemon(const char *text, struct report *r)
{
	static const char *const severities[] = {
		"Corrected", "Uncorrected (Fatal)", "Uncorrected (Non-Fatal)", "Uncorrected",
		"Fatal",
	};
	const bool has_name = strstr(text, "aer_event");

	for (size_t i = 0; i < ARRAY_SIZE(severities); i++) {
		const char *at = strstr(text, severities[i]);
		const char *end = at ? at + strlen(severities[i]) : NULL;

		if (!at || at == text || at[-1] != ' ' ||
		    !(has_name || str_after_prefix(end, " error: ")) ||
		    !find_function(text, has_name ? text + strlen(text) : at, r) ||
		    !(has_name || at[-2] == r->device[strlen(r->device) - 1]))
			continue;
		set(r, at);
		report_set_what(r, at);
		return true;
	}
	return false;
}

bool report_pcie_read(const char *text, struct report *ret)
{
	if (!read_bus_error(text, ret) && !read_message(text, ret) &&
	    !read_containment(text, ret) && !read_state(text, ret) && !read_rasdaemon(text, ret))
		return false;
	ret->form = REPORT_PCIE;
	/* The driver of CXL devices prints its name before the function. */
	ret->names_cxl = strstr(text, "cxl_pci ");
	return true;
}
