/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PAGE_RESTORER_H
#define CXLR_DAEMON_PAGE_RESTORER_H

/*
 * Puts remembered pages out of use again: at the start, and after each new topology, which a memory
 * block that came online makes. On a thread of its own, which waits for the disk, for firmware and
 * for the page helper. A round that did not take all pages out is repeated some times; then the
 * next topology is waited for.
 */

#include <stdbool.h>

#include "common/error.h"
#include "daemon/publisher.h"
#include "redfish/state/page_keeper.h"

struct page_restorer;

/*
 * page_restorer_new() - begin with the topology that is shown; main thread
 * @keeper, @publisher: must outlive it; the publisher ends first
 */
int page_restorer_new(struct publisher *publisher, struct page_keeper *keeper,
		      struct page_restorer **ret, struct error *e);

/*
 * page_restorer_stop() - end it after the batch that is under way, but wait no longer than @wait_ms
 *
 * Return: whether the thread has ended; if not, it still uses what it was given.
 */
bool page_restorer_stop(struct page_restorer *r, unsigned int wait_ms);

/* After page_restorer_stop() has returned true, and the publisher was freed. Accepts NULL. Return:
 * NULL. */
struct page_restorer *page_restorer_free(struct page_restorer *r);

#endif
