// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/otlp/otlp_export.h"

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

void otlp_export_answer(struct otlp_export *x, const struct otlp_outcome *out)
{
	if (out->action != OTLP_SENT && out->action != OTLP_SKIP)
		return;
	if (out->action == OTLP_SKIP && x->next < x->points.list.n)
		log_warning("the OpenTelemetry collector refuses a value of %s: %s",
			    x->points.list.items[x->next].name, out->text);
	x->next += x->lane.n;
}
