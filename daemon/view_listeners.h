/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_VIEW_LISTENERS_H
#define CXLR_DAEMON_VIEW_LISTENERS_H

/*
 * What the daemon does with each new view apart from showing it: it drops what firmware answered
 * about an older topology, logs what changed, and sends ResourceEvents to subscribers. The main
 * thread's.
 */

#include "daemon/publisher.h"
#include "prm/firmware.h"
#include "redfish/service.h"

/*
 * view_listeners_add() - begin with the next view
 * @service, @firmware: must outlive @p; @firmware may be NULL
 */
int view_listeners_add(struct publisher *p, struct service *service, struct firmware *firmware,
		       struct error *e);

#endif
