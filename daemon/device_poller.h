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

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "daemon/publisher.h"

enum { POLL_SECONDS_DEFAULT = 30, POLL_SECONDS_MAX = 24 * 60 * 60 };

struct device_poller;

/*
 * device_poller_new() - start to poll; main thread
 * @publisher: shows a view already
 * @poll_seconds: 1 to POLL_SECONDS_MAX
 *
 * Waits for the first readings, but not long (100 ms; 10 s for those of a captured host, which are
 * files), so that the first request finds them.
 */
int device_poller_new(struct publisher *publisher, unsigned int poll_seconds,
		      struct device_poller **ret, struct error *e);

/*
 * device_poller_request() - read one device, or all, soon; any thread
 * @memdev: its name; NULL for all
 *
 * Several requests at a time are served by one poll. Polls are at least one second apart.
 *
 * Return: the number of the readings that were begun after this call, for view_holder_wait().
 */
uint64_t device_poller_request(struct device_poller *p, const char *memdev);

/* device_poller_set_interval() - poll now, and at this interval from now on */
void device_poller_set_interval(struct device_poller *p, unsigned int poll_seconds);

/*
 * device_poller_free() - stop; accepts NULL; main thread, whose loop has ended
 *
 * Waits for a device that is being read, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the publisher and the host, and the
 * process must exit without freeing them.
 */
bool device_poller_free(struct device_poller *p, unsigned int wait_ms);

#endif
