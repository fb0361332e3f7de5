// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Faults of parts that the service depends on, which the manager's Conditions show.
#include "daemon/daemon.h"

#include <stdio.h>
#include <string.h>

#include "model/findings.h"

void post_faults(struct daemon *d)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_SERVICE_FAULTS)};
	struct service_faults *faults = &post.values.service_faults;
	const int helper = d->helper ? helper_link_fault(d->helper) : 0;
	const char *no_memory = host_memory_absence(publisher_view(d->publisher)->host);
	char clock[EVENT_CLOCK_MAX];
	struct otlp_status otlp = {0};
	struct audit_status audit;
	struct error e;

	audit_status(d->service->audit, &audit);
	faults->audit = audit_health(&audit);
	if (helper < 0)
		(void)snprintf(faults->text[SERVICE_FAULT_HELPER], SERVICE_FAULT_TEXT_MAX, "%s",
			       strerror(-helper));
	if (d->state && state_status(d->state, &e) < 0)
		(void)snprintf(faults->text[SERVICE_FAULT_STATE], SERVICE_FAULT_TEXT_MAX, "%.300s",
			       e.text);
	if (d->config_refused)
		(void)snprintf(faults->text[SERVICE_FAULT_CONFIG], SERVICE_FAULT_TEXT_MAX,
			       "the log of the service has the reason");
	if (d->config.expect_cxl && no_memory)
		(void)snprintf(faults->text[SERVICE_FAULT_NO_CXL], SERVICE_FAULT_TEXT_MAX, "%.300s",
			       no_memory);
	if (d->policy && page_policy_clock(d->policy, clock))
		(void)snprintf(
			faults->text[SERVICE_FAULT_POLICY], SERVICE_FAULT_TEXT_MAX,
			"the clock of the trace instance is not boot but %s, so that it is not known when errors happened",
			clock);
	if (d->event_service)
		event_service_otlp(d->event_service, &otlp);
	for (unsigned int i = OTLP_SIGNALS; i-- > 0;)
		if (otlp.signals[i].state == OTLP_STATE_BLOCKED)
			(void)snprintf(faults->text[SERVICE_FAULT_COLLECTOR],
				       SERVICE_FAULT_TEXT_MAX, "%s", otlp.signals[i].reason);
	if (service_faults_equal(faults, &d->faults))
		return;
	d->faults = *faults;
	(void)publisher_post(d->publisher, &post);
}
