// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The client that writes in its own process. In a file of its own: a program that only asks links
// none of it.
#include "pages/page_client.h"

#include <stdlib.h>

#include "common/allow.h"
#include "pages/page_run.h"

struct direct {
	const struct host_root *root;
	struct kept_host *kept;
};

static void direct_run(void *userdata, const struct page_request *requests, size_t n,
		       struct page_result *ret)
{
	const struct direct *d = userdata;
	const struct page_context x = {
		.root = d->root,
		.kept = d->kept,
		.lock_directory = PAGE_LOCK_DIRECTORY,
		.allow_huge = true, /* the request says it */
	};

	page_run(&x, requests, n, ret);
}

static unsigned int direct_allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_PAGE_HELPER;
}

static void direct_free(void *userdata)
{
	struct direct *d = userdata;

	(void)kept_host_free(d->kept);
	free(d);
}

struct page_client *page_client_new_direct(const struct host_root *root)
{
	static const struct page_client_ops ops = {direct_run, direct_allowed, direct_free, NULL};
	struct direct *d = calloc(1, sizeof(*d));
	struct page_client *c = NULL;

	if (d) {
		d->root = root;
		d->kept = kept_host_new(root);
		if (d->kept)
			c = page_client_new(&ops, d);
	}
	if (!c && d)
		direct_free(d);
	return c;
}
