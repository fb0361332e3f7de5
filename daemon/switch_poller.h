/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_SWITCH_POLLER_H
#define CXLR_DAEMON_SWITCH_POLLER_H

/*
 * Reads the switches whose mailboxes this host has: at the start, periodically, after each walk of
 * the topology, and on request; never as part of an HTTP request. The switches of a captured host
 * do not change and are read at the start only.
 *
 * A command may take seconds, so a thread does it and posts what it has read to the publisher. A
 * periodic poll reads what changes; a request, a new topology and every few minutes all
 * (mailbox/switch_reader.h, which has what that costs). A failure to read is logged once.
 */

#include <stdatomic.h>

#include "daemon/poller.h"
#include "mailbox/switch_access.h"

/*
 * switch_poller_new() - start to poll; main thread
 * @publisher: shows a view already
 * @access, @plans: must outlive it; @plans: extents that no host has yet
 * @poll_seconds: as of device_poller_new()
 * @allowed: ALLOW_... of this process at present; must outlive it. The helper's permission is
 * needed, too
 *
 * Waits for the first readings, but not long (100 ms; 10 s for those of a captured host, which are
 * files), so that the first request finds them. Polls are at least one second apart.
 */
int switch_poller_new(struct publisher *publisher, struct switch_access *access,
		      struct extent_plans *plans, unsigned int poll_seconds,
		      const atomic_uint *allowed, struct poller **ret, struct error *e);

#endif
