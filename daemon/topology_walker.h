/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_TOPOLOGY_WALKER_H
#define CXLR_DAEMON_TOPOLOGY_WALKER_H

/*
 * Reads the host's topology again when it may have changed, and posts it to the publisher.
 *
 * The monitor of the main thread reports changes; a thread walks the host, because that takes
 * milliseconds and may have to wait for udev, and walks it once more when the host changed
 * meanwhile. A walk that fails leaves the previous topology in place. Every few seconds the same
 * thread checks whether the state of the firmware client has changed, which resources show.
 */

#include <stdbool.h>
#include <stdint.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "common/uevent.h"
#include "daemon/publisher.h"
#include "prm/firmware.h"
#include "sysfs/host_root.h"

struct topology_walker;

/*
 * topology_walker_walk() - walk the host in the calling thread, and show it; main thread
 * @firmware: the client for translators, which must outlive all views; NULL without
 *
 * For the start, before topology_walker_new(). Devices are not read.
 */
int topology_walker_walk(const struct host_root *root, struct firmware *firmware,
			 struct publisher *publisher, struct error *e);

/*
 * topology_walker_new() - start to follow changes; main thread
 * @firmware: as above
 */
int topology_walker_new(sd_event *event, const struct host_root *root, struct firmware *firmware,
			struct publisher *publisher, struct topology_walker **ret, struct error *e);

/* Treats this as a change that was just reported; main thread. */
void topology_walker_poke(struct topology_walker *w);

/*
 * topology_walker_listen() - have @fn called with each event at once; main thread
 * @fn: NULL: no longer
 *
 * For what cannot wait until no further event comes.
 */
void topology_walker_listen(struct topology_walker *w,
			    void (*fn)(void *userdata, const struct uevent *event), void *userdata);

/* An event that the reading helper has reported; main thread. */
void topology_walker_report(struct topology_walker *w, const struct uevent *event);

/*
 * topology_walker_request() - walk now, without waiting for further changes; any thread
 *
 * Return: the number of the topology whose walk was begun after this call, for view_holder_wait().
 */
uint64_t topology_walker_request(struct topology_walker *w);

/*
 * topology_walker_free() - stop; accepts NULL; main thread, whose loop has ended
 *
 * Waits for a walk that is under way, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the host and the publisher, and the
 * process must exit without freeing them.
 */
bool topology_walker_free(struct topology_walker *w, unsigned int wait_ms);

#endif
