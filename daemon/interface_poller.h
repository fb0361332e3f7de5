/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_INTERFACE_POLLER_H
#define CXLR_DAEMON_INTERFACE_POLLER_H

/*
 * Reads the network interfaces that have the addresses of the listeners (http/interfaces.h): at the
 * start, when the listeners have changed, and periodically; never as part of an HTTP request,
 * because the kernel asks drivers. They are those of this machine also where a captured host is
 * served, as the listeners are.
 */

#include <pthread.h>

#include "common/options.h"
#include "daemon/poller.h"
#include "http/interfaces.h"

/* The addresses that are listened on; any thread. */
struct listened_list {
	pthread_mutex_t lock;
	struct listened items[OPTION_LIST_MAX];
	size_t n;
};

/*
 * interface_poller_new() - start to poll; main thread
 * @listened: must outlive the poller; a change of it is read after poller_request()
 *
 * Waits for the first reading, but not long (1 s), so that the first request finds it.
 */
int interface_poller_new(struct publisher *publisher, struct listened_list *listened,
			 unsigned int poll_seconds, struct poller **ret, struct error *e);

#endif
