/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_ERRORS_H
#define CXLR_REDFISH_OTLP_OTLP_ERRORS_H

/*
 * Errors of memory by device and kind: each entry of the event log is counted once, and the counts
 * are kept in the state database, so that they only grow, whatever is removed from the log. Used by
 * the delivery thread only, which owns them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "events/stored_event.h"
#include "otlp/points.h"
#include "redfish/otlp/state_otlp.h"

/* Further devices are counted together, as OTLP_OTHER_DEVICES. */
enum { OTLP_ERROR_DEVICES_MAX = 2048 };
#define OTLP_OTHER_DEVICES "other"

struct otlp_errors {
	struct otlp_error_counts list; /* by the time of the first error */
	uint64_t counted;	       /* the number of the last event that was looked at */
	uint64_t since_ns;	       /* when counting began: ns since 1970 */
	bool loaded, changed;
};

/*
 * otlp_errors_load() - read the counts, unless that is done
 * @row: of the collector, for when counting began
 */
int otlp_errors_load(struct otlp_errors *x, struct state *st, const struct state_otlp *row,
		     struct error *e);

/* otlp_errors_not_after() - counting began no later, whatever the clock was then */
void otlp_errors_not_after(struct otlp_errors *x, uint64_t earliest_ns);

/* otlp_errors_count() - count an entry, which is behind all that were; others than errors are not
 * counted. 0 or -ENOMEM */
int otlp_errors_count(struct otlp_errors *x, const struct stored_event *ev);

/* otlp_errors_save() - keep them, if they have changed */
int otlp_errors_save(struct otlp_errors *x, struct state *st, struct error *e);

/* otlp_errors_collect() - hw.errors */
void otlp_errors_collect(const struct otlp_errors *x, struct otlp_points *points);

void otlp_errors_done(struct otlp_errors *x);

#endif
