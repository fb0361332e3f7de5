/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_CLIENT_H
#define CXLR_PAGES_PAGE_CLIENT_H

/*
 * How a process has pages taken out of use: cxl-redfishd by cxl-redfish-page-helper, cxl-spa by
 * page_run() in its own process, tests by a table of their own.
 *
 * Any thread may call page_client_run(), several at a time, but the requests of one host are done
 * one after the other. It waits until all of its requests are done: for workers and jobs only.
 */

#include "opener/opener.h"
#include "pages/page.h"
#include "sysfs/host_root.h"

struct page_client;

struct page_client_ops {
	/* Fills in @n results, also when it fails. */
	void (*run)(void *userdata, const struct page_request *requests, size_t n,
		    struct page_result *ret);
	/* The bits of --allow that it does at present. */
	unsigned int (*allowed)(void *userdata);
	void (*free)(void *userdata); /* NULL: nothing to free */
	/* NULL: nothing to prepare */
	void (*prepare)(void *userdata);
};

/* page_client_new() - one that calls @ops. Return: NULL when out of memory, with nothing freed */
struct page_client *page_client_new(const struct page_client_ops *ops, void *userdata);

/* page_client_new_direct() - one that writes in this process, which must be root's. @root: outlives
 * it */
struct page_client *page_client_new_direct(const struct host_root *root);

/*
 * page_client_new_helper() - one that asks the helper that listens at the address of @opener
 * @silence_ms: a helper that does not answer for so long is away: PAGE_SILENCE_MS
 */
struct page_client *page_client_new_helper(struct opener *opener, unsigned int silence_ms);

/* Much longer than a batch that waits for others at the lock. */
enum { PAGE_SILENCE_MS = 300 * 1000 };

/* Accepts NULL. Return: NULL. */
struct page_client *page_client_free(struct page_client *c);

/* page_client_allowed() - ALLOW_PAGES and ALLOW_HARD_PAGES, as far as the helper allows them now; 0
 * while it is away. Waits for it. */
unsigned int page_client_allowed(struct page_client *c);

/* page_client_prepare() - the helper gets ready for the next request, and does not let this wait */
void page_client_prepare(struct page_client *c);

/*
 * page_client_run() - have requests done, in their order
 * @n: up to PAGE_RUN_MAX; more are -E2BIG
 * @ret: @n results, all filled in; PAGE_UNVERIFIABLE when the helper went away meanwhile
 *
 * Return: 0 when all are done or were so already; otherwise the error of the first other one.
 */
int page_client_run(struct page_client *c, const struct page_request *requests, size_t n,
		    struct page_result *ret);

#endif
