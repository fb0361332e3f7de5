/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_EXPORT_H
#define CXLR_REDFISH_OTLP_OTLP_EXPORT_H

/*
 * The metrics that wait for the collector: the points of one time, and the errors that are counted
 * for them. delivery_metrics.c collects and sends them. Used by the delivery thread only, which
 * owns it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otlp/points.h"
#include "redfish/otlp/otlp_errors.h"
#include "redfish/otlp/otlp_lane.h"

struct otlp_export {
	struct otlp_lane lane;
	struct otlp_errors errors;
	struct otlp_points points; /* of one time */
	bool has_points;
	size_t next;	      /* the first point that was not accepted */
	uint64_t due_ms;      /* when they are collected anew; 0: not known yet */
	uint64_t earliest_ns; /* the smallest time of an export; 0: there was none */
};

void otlp_export_done(struct otlp_export *x);

/* otlp_export_drop() - frees the points, if there are any */
void otlp_export_drop(struct otlp_export *x);

/* otlp_export_answer() - the outcome of the request in flight, as the lane has it */
void otlp_export_answer(struct otlp_export *x, const struct otlp_outcome *out);

#endif
