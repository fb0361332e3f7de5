/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_VIEW_LISTENERS_H
#define CXLR_DAEMON_VIEW_LISTENERS_H

/*
 * Actions of the daemon for each new view: it drops the answers of firmware for an older topology,
 * logs what changed, and sends ResourceEvents to subscribers. Main thread only.
 */

#include "daemon/publisher.h"
#include "prm/firmware.h"
#include "redfish/service/service.h"

/*
 * view_listeners_add() - begin with the next view
 * @service, @firmware: must outlive @p; @firmware may be NULL
 */
int view_listeners_add(struct publisher *p, struct service *service, struct firmware *firmware,
		       struct error *e);

#endif
