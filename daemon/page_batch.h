/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PAGE_BATCH_H
#define CXLR_DAEMON_PAGE_BATCH_H

/*
 * The pages that the page policy takes out by one request, because the page helper reads the whole
 * host for each request. All of them are of one view, which the batch holds until it is cleared.
 *
 * For one thread. A batch of zeros is an empty one.
 */

#include <stdbool.h>

#include "events/incident_now.h"
#include "events/stored_event.h"
#include "redfish/pages/page_keeper.h"
#include "redfish/view/view_holder.h"

/* An address that a decision is about. */
struct page_candidate {
	char device[EVENT_DEVICE_MAX];
	uint64_t dpa, incident;
	uint64_t but_page; /* the page of the bytes before, of the same record; 0: none */
	bool counted;	   /* because of corrected errors that are many together */
	bool is_lost;	   /* data are: to move the page would read them */
	uint64_t retry_ms; /* of the monotonic clock; 0: not to be tried again */
};

/* A page that is to be taken out, and why. */
struct page_due {
	struct page_candidate c;
	struct incident incident;
	struct incident_now now;
	struct answers answers; /* one, exact; the batch's */
	uint64_t page;		/* the first SPA */
	struct page_result result;
};

struct page_batch {
	struct view_hold *hold;
	size_t n;
	struct page_due items[PAGE_BATCH_MAX];
};

/* Return: whether a page of a view can be added: there is a place, and the others are of it. */
bool page_batch_has_place(const struct page_batch *b, const struct view *v);

/*
 * page_batch_add() - add one, unless the batch has the same line of the device
 * @due: its answers are taken over
 *
 * Where a page has data that are lost, all requests for it are: none of them may read it.
 */
void page_batch_add(struct page_batch *b, struct page_due *due);

/* page_batch_keep_hold() - the hold on the view of what was added; released when it is not needed
 */
void page_batch_keep_hold(struct page_batch *b, struct view_hold *hold);

/*
 * page_batch_run() - take all out softly, because of the policy, and set their results
 *
 * A page over a limit is tried once more where the kernel refused others, which use no limit then
 * that the page would have met.
 */
void page_batch_run(struct page_batch *b, struct page_keeper *keeper);

/* page_batch_clear() - empty it, done or not */
void page_batch_clear(struct page_batch *b);

#endif
