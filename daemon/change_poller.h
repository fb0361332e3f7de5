/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_CHANGE_POLLER_H
#define CXLR_DAEMON_CHANGE_POLLER_H

/*
 * The changes of this host that are possible at present: those that the daemon's --allow has and
 * that cxl-redfish-change-helper, or cxl-redfish-page-helper for pages, which read their
 * configuration themselves, would do. Posted to the publisher.
 *
 * A helper is asked by a thread, periodically and on request, and not at all while --allow has
 * none of its names: then it is not even started. While it would do less than --allow has, it is
 * asked again soon, and then at growing intervals: it may be reading the same configuration.
 */

#include <stdatomic.h>

#include "change/client.h"
#include "daemon/poller.h"
#include "pages/page_client.h"

enum { CHANGE_RETRY_MS = 500 }; /* the first interval; each is twice the one before */

/*
 * change_poller_new() - start; main thread
 * @publisher: shows a view already
 * @client, @pages: must outlive it; NULL: there is no such helper
 * @poll_seconds: as of device_poller_new()
 * @allowed: ALLOW_... of --allow at present; must outlive it
 *
 * Waits for the first answer, but not long, so that the first request finds it.
 */
int change_poller_new(struct publisher *publisher, struct change_client *client,
		      struct page_client *pages, unsigned int poll_seconds,
		      const atomic_uint *allowed, struct poller **ret, struct error *e);

#endif
