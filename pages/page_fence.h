/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_FENCE_H
#define CXLR_PAGES_PAGE_FENCE_H

/*
 * A memory block is taken offline because of a bad page in it, while none of its pages is marked:
 * the kernel brings no block online again that has one. And how much memory a node may lose by it:
 * one page in each block would take all of it. The lock of pages is the caller's. Any thread.
 */

#include "pages/block_marks.h"
#include "pages/page_frame.h"
#include "sysfs/host.h"

/* The kernel moves the pages of the block away, and would try for ever. */
enum { PAGE_FENCE_MS = 20 * 1000 };

/* A node loses at most one of so many parts of its memory, and so never its last block. */
enum { FENCE_NODE_PARTS = 2 };

/* fence_node_pages() - the pages of all dax devices of a node: DRAM in the same node makes the
 * limit only stricter */
uint64_t fence_node_pages(const struct host *host, int node);

/*
 * fence_refusal() - whether one more memory block of a node may go offline because of pages
 * @offline: blocks of it that are offline because of pages
 * @block_pages, @node_pages: 0: not known
 *
 * Return: why not, a clause, static; NULL: it may.
 */
const char *fence_refusal(uint64_t offline, uint64_t block_pages, uint64_t node_pages);

/* The node of a block, and the blocks that this process took offline. */
struct fence_node {
	struct block_marks *marks; /* NULL: the client alone keeps the limit */
	uint64_t node, pages;	   /* 0 pages: not known */
};

/*
 * page_fence() - take the block of a page offline
 * @pfn: of the page
 * @ret: set when it fails
 *
 * Return: 0, with *ret_done: it was offline before; ret->error.
 */
int page_fence(const struct frame_files *f, const struct fence_node *node, uint64_t pfn,
	       bool *ret_done, struct page_result *ret);

#endif
