/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_SWITCH_POLLER_H
#define CXLR_DAEMON_SWITCH_POLLER_H

/*
 * Reads the switches whose mailboxes this host has: at the start, periodically, after each walk of
 * the topology, and on request; never as part of an HTTP request. Those of a captured host do not
 * change and are read at the start only.
 *
 * A command may take seconds, so a thread does it and posts what it has read to the publisher. A
 * periodic poll reads what changes; a request, a new topology and every few minutes all
 * (mailbox/switch_reader.h, which has what that costs). What could not be read is logged once.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "daemon/publisher.h"
#include "mailbox/switch_access.h"

struct switch_poller;

/*
 * switch_poller_new() - start to poll; main thread
 * @publisher: shows a view already
 * @access: must outlive it
 * @poll_seconds: as of device_poller_new()
 * @allows_changes: of this process; the helper's permission is needed, too
 *
 * Waits for the first readings, but not long (100 ms; 10 s for those of a captured host, which are
 * files), so that the first request finds them.
 */
int switch_poller_new(struct publisher *publisher, struct switch_access *access,
		      unsigned int poll_seconds, bool allows_changes, struct switch_poller **ret,
		      struct error *e);

/*
 * switch_poller_request() - read all switches soon; any thread
 *
 * Several requests at a time are served by one poll. Polls are at least one second apart.
 *
 * Return: the number of the readings that were begun after this call, for view_holder_wait().
 */
uint64_t switch_poller_request(struct switch_poller *p);

/* switch_poller_allow_changes() - @allows_changes of switch_poller_new() from now on; accepts NULL
 */
void switch_poller_allow_changes(struct switch_poller *p, bool allows_changes);

/* switch_poller_set_interval() - at this interval from now on; accepts NULL */
void switch_poller_set_interval(struct switch_poller *p, unsigned int poll_seconds);

/*
 * switch_poller_free() - stop; accepts NULL; main thread, whose loop has ended
 *
 * Waits for the command that a switch is executing, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the publisher and the access, and the
 * process must exit without freeing them.
 */
bool switch_poller_free(struct switch_poller *p, unsigned int wait_ms);

#endif
