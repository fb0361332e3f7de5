// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdio.h>

#include "common/strutil.h"
#include "events/event_fill.h"
#include "events/report_private.h"

void report_set_what(struct report *r, const char *text)
{
	(void)snprintf(r->what, sizeof(r->what), "%s", text);
	str_make_plain(r->what);
	(void)str_chomp(r->what);
}

void report_set_severity(struct report *r, enum event_severity severity)
{
	r->has_severity = true;
	r->severity = severity;
}

int report_give(struct report_reader *reader, struct report *r)
{
	int e = report_pcie_end(reader);

	if (e)
		return e;
	(void)snprintf(reader->pcie, sizeof(reader->pcie), "%s",
		       r->form == REPORT_PCIE ? r->device : "");
	if (reader->n == REPORTS_OF_LINE_MAX)
		return 0;
	reader->n++;
	if (!r->has_severity && r->has_record && !r->wrong.text[0]) {
		r->has_severity = true;
		r->severity = event_severity_of(&r->text.record);
	}
	return reader->f(r, reader->arg);
}

int report_wrong(struct report_reader *reader, enum report_form form, size_t line, const char *why)
{
	struct report r = {.form = form, .line = line};

	(void)error_set(&r.wrong, EINVAL, "%s", why);
	return report_give(reader, &r);
}

/* ---- several lines of one error ---------------------------------------------------------------
 */

static bool is_of(const struct report *r, const char *device)
{
	return str_equal(r->device, device);
}

static void add_severity(struct report *r, const struct report *more)
{
	if (more->has_severity && (!r->has_severity || more->severity > r->severity))
		report_set_severity(r, more->severity);
}

int report_pcie_end(struct report_reader *reader)
{
	if (!reader->has_part)
		return 0;
	reader->has_part = false;
	return report_give(reader, &reader->part);
}

int report_pcie_give(struct report_reader *reader, struct report *r)
{
	int e;

	if (reader->has_part && is_of(r, reader->part.device) && r->part != REPORT_BEFORE) {
		reader->part.names_cxl |= r->names_cxl;
		if (r->part == REPORT_BEHIND) {
			add_severity(&reader->part, r);
			return 0;
		}
		reader->has_part = false;
	}
	e = report_pcie_end(reader);
	if (e)
		return e;
	if (r->part == REPORT_WHOLE)
		return report_give(reader, r);
	if (r->part == REPORT_BEHIND && is_of(r, reader->pcie))
		return 0;
	reader->part = *r;
	reader->has_part = true;
	return 0;
}
