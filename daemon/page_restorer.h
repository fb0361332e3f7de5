/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PAGE_RESTORER_H
#define CXLR_DAEMON_PAGE_RESTORER_H

/*
 * Puts remembered pages out of use again: those of a memory block as soon as it came online; all of
 * them at the start, after each new topology, and when events were lost. On a thread of its own,
 * which waits for the disk, for firmware and for the page helper.
 *
 * Their places are looked up with each new topology, before a block comes online, so that a block
 * waits neither for a walk of the host nor for firmware. Where a place was not found, a block that
 * came online has the host walked at once. A round of all pages is interrupted for a block, and
 * begun again after it. A round that did not take all pages out is repeated some times; then the
 * next topology is waited for.
 */

#include <stdbool.h>

#include "common/error.h"
#include "common/uevent.h"
#include "daemon/publisher.h"
#include "redfish/pages/page_keeper.h"
#include "redfish/view/view_holder.h"

struct page_restorer;

/* Blocks that wait at a time; with more of them all pages are looked at instead. */
enum { PAGE_BLOCKS_MAX = 256 };

/*
 * page_restorer_new() - begin with the topology that is shown; main thread
 * @keeper, @publisher, @views: must outlive it; the publisher ends first
 */
int page_restorer_new(struct publisher *publisher, struct view_holder *views,
		      struct page_keeper *keeper, struct page_restorer **ret, struct error *e);

/* page_restorer_notify() - an event, as it was received; any thread, never waits */
void page_restorer_notify(struct page_restorer *r, const struct uevent *event);

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
