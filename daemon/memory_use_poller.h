/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_MEMORY_USE_POLLER_H
#define CXLR_DAEMON_MEMORY_USE_POLLER_H

/*
 * Reads who uses the memory of CXL regions (sysfs/memory_use.h): at the start, after each walk of
 * the topology, on request, and periodically; never as part of an HTTP request. A captured host
 * does not change and is read after a walk only. The cost of a poll grows with the memory that is
 * online in zones of the kernel; without any, and without devdax, it is nothing.
 */

#include "daemon/poller.h"

/*
 * memory_use_poller_new() - start to poll; main thread
 * @publisher: shows a view already
 * @poll_seconds: as of device_poller_new()
 *
 * Waits for the first reading, but not long (1 s), so that the first request finds it.
 */
int memory_use_poller_new(struct publisher *publisher, unsigned int poll_seconds,
			  struct poller **ret, struct error *e);

#endif
