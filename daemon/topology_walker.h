/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_TOPOLOGY_WALKER_H
#define CXLR_DAEMON_TOPOLOGY_WALKER_H

/*
 * Keeps the service's view up to date.
 *
 * When the monitor says that something may have changed, a thread of its own walks the host, for
 * that takes milliseconds and may have to wait for udev, and hands the new view back to the main
 * thread by an eventfd. If the host changed meanwhile it walks once more. A walk that fails
 * leaves the old view in place. Every few seconds the same thread looks whether the device that
 * firmware is asked through is as the view says, for conditions are part of it, and if not makes a
 * new view of the same host.
 * All functions are the main thread's.
 */

#include <stdbool.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "daemon/device_poller.h"
#include "prm/firmware.h"
#include "redfish/service.h"
#include "sysfs/host_root.h"

struct topology_walker;

/*
 * topology_walker_read() - walk the host now, in the calling thread, and log what is worth knowing
 *
 * Devices are not asked for that.
 *
 * @firmware: the client for translators, which must outlive all views; NULL without
 */
int topology_walker_read(const struct host_root *root, struct firmware *firmware, struct view **ret,
			 struct error *e);

/*
 * topology_walker_new() - begin to follow changes and put each new view into @service
 * @firmware: as above; what it has learnt is dropped with each walk
 * @poller: what it has read goes into each new view, which it is then told of; must outlive this
 */
int topology_walker_new(sd_event *event, const struct host_root *root, struct firmware *firmware,
			struct service *service, struct device_poller *poller,
			struct topology_walker **ret, struct error *e);

/* Walk again although no event was seen. */
void topology_walker_poke(struct topology_walker *t);

/*
 * topology_walker_free() - end following
 *
 * Waits for a walk that is under way, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the host and the service, and the
 * process must end without freeing them.
 */
bool topology_walker_free(struct topology_walker *t, unsigned int wait_ms);

#endif
