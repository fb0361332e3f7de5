// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/empty_host.h"

#include <errno.h>

#include <check.h>

void empty_host_init(struct empty_host *h)
{
	*h = (struct empty_host){.root.dirfd = -1};
	snapshot_init(&h->snapshot, NULL);
	h->host = &h->snapshot.host;
	h->snapshot.host.root = &h->root;
	h->snapshot.host.page_size = PAGE_SIZE_DEFAULT;
	h->snapshot.host.tables[HOST_TABLE_CEDT].error = -ENOENT;
	h->snapshot.host.tables[HOST_TABLE_PRMT].error = -ENOENT;
	ck_assert_int_eq(translator_new(h->host, NULL, &h->translator, NULL), 0);
}

void empty_host_done(struct empty_host *h)
{
	h->translator = translator_unref(h->translator);
	ck_assert(snapshot_is_unshared(&h->snapshot));
}

uint64_t empty_host_post(const struct empty_host *h, struct publisher *p)
{
	const struct publisher_post post = {
		.values = {.host = h->host, .translator = h->translator},
		.inputs = VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY),
	};

	return publisher_post(p, &post);
}
