/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_FENCE_H
#define CXLR_PAGES_PAGE_FENCE_H

/*
 * A memory block is taken offline because of a bad page in it, while none of its pages is marked:
 * the kernel brings no block online again that has one. Private to pages/. The lock is the
 * caller's. Any thread.
 */

#include "pages/page_frame.h"

/* The kernel moves the pages of the block away, and would try for ever. */
enum { PAGE_FENCE_MS = 20 * 1000 };

/*
 * page_fence() - take the block of a page offline
 * @pfn: of the page
 * @ret: set when it fails
 *
 * Return: 0, with *ret_done: it was offline before; ret->error.
 */
int page_fence(const struct frame_files *f, uint64_t pfn, bool *ret_done, struct page_result *ret);

#endif
