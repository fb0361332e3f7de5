/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_LIMITS_H
#define CXLR_REDFISH_LIMITS_H

/*
 * How long the service and its jobs wait, and what a query may cost. Constant.
 */

#include "redfish/core/job.h"

struct service_limits {
	struct job_limits jobs;
	unsigned int firmware_call_ms; /* for one response of firmware */
	/*
	 * Limits of a query of the log that is a job: the steps are those of some 2 million entries
	 * that are searched one by one, about a second; the deadline is for a disk that is slow.
	 */
	uint64_t query_steps;
	unsigned int task_after_ms; /* until a request becomes a task; see redfish/tasks/tasks.h */
};

enum { FIRMWARE_CALL_MS = 2000, QUERY_STEPS = 60000000, QUERY_RUN_MS = 4000 };

extern const struct service_limits service_limits_default;

#endif
