/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_INCIDENT_WATCHER_H
#define CXLR_DAEMON_INCIDENT_WATCHER_H

/*
 * Looks at the incidents of the event log once a second when it has changed, on a thread of its
 * own, and does seven things about them:
 *
 *	findings and readings of the view become incidents, and end them (daemon/found_keeper.h)
 *
 *	subscribers get IncidentOpened, IncidentWorsened (at most one a minute for each incident)
 *	and IncidentClosed. The messages in the store tell which of them were sent by an earlier
 *	process of the service
 *
 *	who is on the page of an incident is reported once, when it is first critical
 *
 *	records that ask for a repair are added to the worklist (redfish/repairs/repair_run.h)
 *
 *	those of repairs that were done without the service are closed (daemon/repaired_incidents.h)
 *
 *	an incident that is recorded anew in a new log is acknowledged if it was, and is not more
 *	severe
 *
 *	those of a device close when a device with another serial number is in its place: at the
 *	same PCI function, while the former one is nowhere. Serial numbers that are 0 or repeated
 *	decide nothing
 */

#include <stdbool.h>

#include "common/error.h"
#include "events/event_log.h"
#include "redfish/eventing/event_service.h"
#include "redfish/service/service.h"

enum {
	INCIDENT_WATCH_MS = 1000,
	INCIDENT_WORSENED_MS = 60 * 1000, /* between two messages about one incident */
};

struct incident_watcher;

/* incident_watcher_new() - start it; what it is given must outlive it, with a view of @service */
int incident_watcher_new(struct service *service, struct event_log *log,
			 struct event_service *event_service, struct incident_watcher **ret,
			 struct error *e);

/*
 * incident_watcher_free() - stop, but wait no longer than @wait_ms
 *
 * Accepts NULL. Return: whether the thread has ended. If not, nothing is freed.
 */
bool incident_watcher_free(struct incident_watcher *w, unsigned int wait_ms);

#endif
