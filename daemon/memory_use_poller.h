/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_MEMORY_USE_POLLER_H
#define CXLR_DAEMON_MEMORY_USE_POLLER_H

/*
 * Reads who uses the memory of CXL regions (sysfs/memory_use.h): at the start, after each walk of
 * the topology, on request, and periodically; never as part of an HTTP request. A captured host
 * does not change and is read after a walk only. What a poll costs grows with the memory that is
 * online in zones of the kernel; without any, and without devdax, it is nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "daemon/publisher.h"

struct memory_use_poller;

/*
 * memory_use_poller_new() - start to poll; main thread
 * @publisher: shows a view already
 * @poll_seconds: as of device_poller_new()
 *
 * Waits for the first reading, but not long (1 s), so that the first request finds it.
 */
int memory_use_poller_new(struct publisher *publisher, unsigned int poll_seconds,
			  struct memory_use_poller **ret, struct error *e);

/* memory_use_poller_set_interval() - at this interval from now on; accepts NULL */
void memory_use_poller_set_interval(struct memory_use_poller *p, unsigned int poll_seconds);

/*
 * memory_use_poller_free() - stop; accepts NULL; main thread, whose loop has ended
 *
 * Return: whether the thread has ended within @wait_ms. If not, it still uses the publisher, and
 * the process must exit without freeing it.
 */
bool memory_use_poller_free(struct memory_use_poller *p, unsigned int wait_ms);

#endif
