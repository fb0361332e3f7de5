/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_INCIDENT_USE_H
#define CXLR_DAEMON_INCIDENT_USE_H

/*
 * The use of the page of a critical incident, at the moment when it is opened: for subscribers and
 * the journal. Waits for the reading helper, so for workers only; no state.
 */

#include <jansson.h>

#include "events/incident_now.h"
#include "redfish/view/view.h"

/*
 * incident_use_record() - the use of the first page of an incident that is known exactly
 * @now: of the incident, by the view
 *
 * The journal has the memory cgroup, which clients see only with show-page-users. Firmware is not
 * asked.
 *
 * Return: an EventRecord of REGISTRY_INCIDENT_PAGE; NULL when nothing is known, as of a captured
 * host, or out of memory.
 */
json_t *incident_use_record(const struct view *v, const struct incident *i,
			    const struct incident_now *now);

#endif
