/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_REPAIRED_INCIDENTS_H
#define CXLR_DAEMON_REPAIRED_INCIDENTS_H

/*
 * Incidents of repairs that were done while the service could not be asked: before it started, by
 * cxl-spa without it, or confirmed by an event later. A thread that may wait for the disk.
 */

#include "events/event_log.h"
#include "events/store_reader.h"
#include "redfish/service/service.h"

/*
 * repaired_incidents_close() - close those that have no other place to be repaired, with a note
 * @r: of the log
 *
 * An incident that the log does not have for certain any more stays as it is. Errors are logged,
 * and the next call tries again.
 */
void repaired_incidents_close(struct service *service, struct event_log *log,
			      struct store_reader *r);

#endif
