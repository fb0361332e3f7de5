/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_LIMITS_H
#define CXLR_REDFISH_LIMITS_H

/*
 * How long the service and its jobs wait. Constant.
 */

#include "redfish/job.h"

struct service_limits {
	struct job_limits jobs;
	unsigned int firmware_call_ms; /* for one response of firmware */
};

enum { FIRMWARE_CALL_MS = 2000 };

extern const struct service_limits service_limits_default;

#endif
