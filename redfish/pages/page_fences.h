/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PAGE_FENCES_H
#define CXLR_REDFISH_PAGE_FENCES_H

/*
 * The memory blocks that go offline because of remembered pages (page-on-online = fence), and how
 * much memory a node may lose by it (page_fence.h); entries that were imported may take less. Plain
 * values and pure functions; a list belongs to one thread.
 */

#include "redfish/pages/state_pages.h"

/* A block that was, or could not be, taken offline because of its entries. */
struct fence {
	uint64_t block;
	uint64_t node, node_pages; /* 0 pages: not known */
	size_t entry;		   /* whose request is sent: the first one */
	bool wanted;		   /* it is to go offline; otherwise it counts only */
	bool is_offline;	   /* because of its entries, now or before */
	bool only_free;
	bool imported;			  /* none of its entries was tried on this host before */
	char reason[REMEMBERED_TEXT_MAX]; /* of its entries */
};
DEFINE_ARRAY(struct fence, fences);

/* Return: that of a block, or NULL. */
struct fence *fences_find(const struct fences *list, uint64_t block);

/*
 * fences_add_entry() - the block of an entry
 * @w: its place now
 * @entry: a number of the caller's
 * @wanted: false: only what is offline because of it counts
 *
 * Return: 0 or -ENOMEM.
 */
int fences_add_entry(struct fences *list, const struct remembered_page *p,
		     const struct page_wish *w, size_t entry, bool wanted);

/*
 * fences_refusal() - whether one more block of its node may go offline
 * @block_pages: of each block, as those of the node; 0: not known
 *
 * A block of imported entries alone has the limit of page-limit-node-share, too. Return: why not, a
 * clause, static; NULL: it may.
 */
const char *fences_refusal(const struct fences *list, const struct fence *f,
			   const struct page_limits *limits, uint64_t block_pages);

#endif
