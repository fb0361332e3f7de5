// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdio.h>

#include "events/event_fill.h"
#include "events/report_private.h"

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
