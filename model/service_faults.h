/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_SERVICE_FAULTS_H
#define CXLR_MODEL_SERVICE_FAULTS_H

/*
 * Faults of what the daemon depends on beside the path to firmware and the recording of events, as
 * the daemon finds them. Plain values.
 */

#include <stdbool.h>
#include <string.h>

#include "model/health.h"

enum service_fault {
	SERVICE_FAULT_HELPER,	 /* cxl-redfish-helper cannot be used */
	SERVICE_FAULT_STATE,	 /* the state database is damaged, or cannot be written */
	SERVICE_FAULT_CONFIG,	 /* the last reload of the configuration was refused */
	SERVICE_FAULT_NO_CXL,	 /* there is no CXL memory, and expect-cxl is set */
	SERVICE_FAULT_POLICY,	 /* page-policy is on, and no error is a reason for it */
	SERVICE_FAULT_COLLECTOR, /* the OpenTelemetry collector accepts no events */
};
enum { SERVICE_FAULTS = SERVICE_FAULT_COLLECTOR + 1, SERVICE_FAULT_TEXT_MAX = 320 };

struct service_faults {
	char text[SERVICE_FAULTS]
		 [SERVICE_FAULT_TEXT_MAX]; /* the cause, a clause; "" without this fault */
	enum health_level audit;	   /* of the audit log, which says itself why */
};

static inline bool service_faults_equal(const struct service_faults *a,
					const struct service_faults *b)
{
	for (int i = 0; i < SERVICE_FAULTS; i++)
		if (strcmp(a->text[i], b->text[i]) != 0)
			return false;
	return a->audit == b->audit;
}

#endif
