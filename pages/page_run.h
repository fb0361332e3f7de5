/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_RUN_H
#define CXLR_PAGES_PAGE_RUN_H

/*
 * Takes pages out of use, and brings them back: the only code that writes soft_offline_page,
 * hard_offline_page and unpoison-pfn; and takes a block offline instead (page_fence.h). It trusts
 * nothing in a request: the host is read (kept_host.h), the address translated, the block and the
 * flags of the page looked at again. Any thread; a lock that all processes share lets one at a
 * time.
 */

#include "pages/block_marks.h"
#include "pages/kept_host.h"
#include "pages/page.h"

#define PAGE_LOCK_DIRECTORY "/run/cxl-redfish-page"

struct page_context {
	const struct host_root *root; /* the live host, or one of tests */
	struct kept_host *kept;	      /* of `root`, for page_run() */
	const char *lock_directory;   /* PAGE_LOCK_DIRECTORY */
	bool allow_huge;	      /* offline-huge-pages; both it and the request must say so */
	bool allow_fence;	      /* page-on-online = fence */
	struct block_marks *marks;    /* NULL: the client alone keeps page-limit-block */
	unsigned int block_limit;     /* page-limit-block, with `marks` */
	/* Called with true before a file is opened or written, with false after it. NULL: none. */
	void (*use_privileges)(bool on);
};

/*
 * page_run() - do requests in their order; the host is read at most once for all
 * @n: up to PAGE_BATCH_MAX
 * @ret: @n results, all filled in
 */
void page_run(const struct page_context *x, const struct page_request *requests, size_t n,
	      struct page_result *ret);

/*
 * page_run_on() - the same without the lock, on a host that the caller has read
 * @translator: of @host
 */
void page_run_on(const struct page_context *x, const struct host *host,
		 const struct translator *translator, const struct page_request *requests, size_t n,
		 struct page_result *ret);

/* page_prepare() - read the host, if it has changed since, for the next page_run() */
void page_prepare(const struct page_context *x);

#endif
