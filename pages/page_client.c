// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_client.h"

#include <errno.h>
#include <stdlib.h>

struct page_client {
	const struct page_client_ops *ops;
	void *userdata;
};

struct page_client *page_client_new(const struct page_client_ops *ops, void *userdata)
{
	struct page_client *c = malloc(sizeof(*c));

	if (c)
		*c = (struct page_client){ops, userdata};
	return c;
}

struct page_client *page_client_free(struct page_client *c)
{
	if (c && c->ops->free)
		c->ops->free(c->userdata);
	free(c);
	return NULL;
}

unsigned int page_client_allowed(struct page_client *c)
{
	return c->ops->allowed(c->userdata);
}

void page_client_prepare(struct page_client *c)
{
	if (c->ops->prepare)
		c->ops->prepare(c->userdata);
}

int page_client_run(struct page_client *c, const struct page_request *requests, size_t n,
		    struct page_result *ret)
{
	if (n > PAGE_RUN_MAX)
		return -E2BIG;
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct page_result){0};
	c->ops->run(c->userdata, requests, n, ret);
	for (size_t i = 0; i < n; i++)
		if (ret[i].error < 0)
			return ret[i].error;
	return 0;
}
