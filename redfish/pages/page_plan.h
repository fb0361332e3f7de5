/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PAGE_PLAN_H
#define CXLR_REDFISH_PAGE_PLAN_H

/*
 * The places of all remembered pages under one snapshot of the host, and putting these pages out of
 * use again. Firmware is asked while the plan is made, when the mapping has changed, so that it
 * need not be when a memory block has come online. A plan that is out of date does no harm: the
 * page helper refuses a page that is elsewhere now.
 *
 * The pages of a block that came online are reserved by one transaction before the first request.
 * It is left out where all of them were taken out before in this boot, at the same places: they
 * count as used already, within the limit of the block. Then the helper is not asked either; while
 * it is away the entries stay as they are.
 *
 * A page that was taken out hard is so again where hard-pages is allowed: its data were given up.
 * Otherwise it goes out softly, and only while nobody uses it.
 *
 * Where blocks are to be fenced (page_keeper_set_fence()), a block with a remembered page is taken
 * offline before any of its pages is marked, as it could never come online again afterwards. If it
 * cannot be, its pages are taken out, and their entries say so.
 *
 * A plan belongs to one thread, which waits for the disk, for firmware and for the page helper. It
 * has a reference on the host; the keeper must outlive it.
 */

#include "common/uevent.h"
#include "redfish/pages/page_keeper.h"

struct page_plan;

/* The outcomes of putting pages out again. */
struct page_round {
	size_t n[PAGE_OUTCOMES]; /* by enum page_outcome */
	size_t away;		 /* their device, or an exact address, was not there */
	size_t over;		 /* the limit of their block forbids it */
	size_t waiting;		 /* the page helper is away, or may not: nothing was tried */
	size_t of_block;	 /* entries whose place is in the block, or anywhere without one */
	size_t unplanned;	 /* they were remembered after the plan was made */
	size_t softened;	 /* out softly, although they were taken out hard before */
	size_t fenced, not_fenced; /* blocks that went offline instead, and that could not */
	uint64_t done_ns; /* clock_monotonic_ns() when the last of them was out; 0: none is */
};

/* Asked now and then; true ends the call with -ECANCELED. */
struct page_stop {
	bool (*fn)(void *userdata); /* NULL: never */
	void *userdata;
};

/*
 * page_plan_new() - find the places
 *
 * Firmware is asked where addresses need it, up to the timeout of the translator's calls. Return:
 * 0; the error of the database; -ENOMEM; -ECANCELED.
 */
int page_plan_new(struct page_keeper *k, const struct host *host, const struct translator *t,
		  const struct page_stop *stop, struct page_plan **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct page_plan *page_plan_free(struct page_plan *plan);

/* Return: the entries without a place. */
size_t page_plan_away(const struct page_plan *plan);

/*
 * page_plan_refresh() - read the entries, if they have changed, so that the next page_plan_apply()
 * need not
 *
 * Return: 0; the error of the database; -ENOMEM.
 */
int page_plan_refresh(struct page_plan *plan, struct error *e);

/*
 * page_plan_apply() - put out all that is remembered now and not brought back
 * @block: only those of this block, which came online; NULL: all
 *
 * Return: 0; the error of the database; -ENOMEM; -ECANCELED, with the outcomes until then in @ret.
 */
int page_plan_apply(struct page_plan *plan, const struct uevent *block,
		    const struct page_stop *stop, struct page_round *ret, struct error *e);

#endif
