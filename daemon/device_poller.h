/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_DEVICE_POLLER_H
#define CXLR_DAEMON_DEVICE_POLLER_H

/*
 * Reads the devices' mailboxes and error counters: at the start, periodically, after each walk of
 * the topology, after an event of a device, and on request; never as part of an HTTP request.
 *
 * A device may take seconds to answer, so a thread does it and posts what it has read to the
 * publisher. A device that does not answer at all is shown as unresponsive, and the others are
 * still read (mailbox/mailbox_read.c). A device with a running clock changes with each poll; entity
 * tags are made of the content, so resources that did not change keep theirs.
 */

#include "daemon/history_recorder.h"
#include "daemon/poller.h"

enum { POLL_SECONDS_DEFAULT = 30, POLL_SECONDS_MAX = 24 * 60 * 60 };

/*
 * device_poller_new() - start to poll; main thread
 * @publisher: shows a view already
 * @poll_seconds: 1 to POLL_SECONDS_MAX
 * @history: gets the readings of all devices; must outlive the poller; NULL: none
 *
 * Waits for the first readings, but not long (100 ms; 10 s for those of a captured host, which are
 * files), so that the first request finds them. Polls are at least one second apart.
 */
int device_poller_new(struct publisher *publisher, unsigned int poll_seconds,
		      const struct history_recorder *history, struct poller **ret, struct error *e);

#endif
