// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/translate_timeout.h"

#include "common/clock.h"
#include "redfish/service/service.h"

struct firmware_timeout translate_action_timeout(const struct exchange *x)
{
	uint64_t now = clock_monotonic_ms(), deadline = job_deadline_ms(x->job);
	uint64_t call = x->service->limits.firmware_call_ms;

	if (job_is_late(x->job) || job_is_cancelled(x->job) || now >= deadline)
		call = 0;
	else if (deadline - now < call)
		call = deadline - now;
	/* No wait at the rate limit: it would delay all jobs that are queued behind this one. */
	return (struct firmware_timeout){.call_ms = (unsigned int)call};
}
