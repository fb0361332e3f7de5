// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_export.h"

#include <stdio.h>

#include "common/log.h"

void otlp_export_drop(struct otlp_export *x)
{
	if (x->has_points)
		otlp_points_done(&x->points);
	x->has_points = false;
	x->next = 0;
}

void otlp_export_done(struct otlp_export *x)
{
	otlp_export_drop(x);
	otlp_errors_done(&x->errors);
}

/* A metric has many values, and each interval has new ones: one line for each metric and reason. */
static void say_refused(struct otlp_export *x, const char *name, const char *why)
{
	char text[OTLP_TEXT_MAX + 128];

	(void)snprintf(text, sizeof(text), "%.100s: %s", name, why);
	if (otlp_is_new_text(&x->lane.said, text))
		log_warning("the OpenTelemetry collector refuses a value of %s", text);
}

void otlp_export_answer(struct otlp_export *x, const struct otlp_outcome *out)
{
	if (out->action != OTLP_SENT && out->action != OTLP_SKIP)
		return;
	if (out->action == OTLP_SKIP && x->next < x->points.list.n)
		say_refused(x, x->points.list.items[x->next].name, out->text);
	x->next += x->lane.n;
}
