// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Remembered pages that were taken out in this boot, and count as used until their entry says
// otherwise: their reservation of before stands.
#include "redfish/pages/page_keeper_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool counts(const struct page_keeper *k, const struct remembered_page *p)
{
	return remembered_may_be_out(p) && memcmp(p->boot_id, k->boot_id, sizeof(p->boot_id)) == 0;
}

bool page_keeper_stands(const struct page_keeper *k, const struct remembered_page *p,
			const struct page_wish *w)
{
	return counts(k, p) && !p->alias && !w->alias && p->spa == w->spa && p->block == w->block &&
	       p->node == w->node;
}

uint64_t page_keeper_count_used(const struct page_keeper *k, const struct remembered_pages *list,
				uint64_t block)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct remembered_page *p = &list->items[i];

		if (!counts(k, p))
			continue;
		if (p->block == block)
			n++;
		if (p->alias && p->alias_block == block)
			n++;
	}
	return n;
}

/* The pages of one block follow each other. */
static int page_order(const void *a, const void *b)
{
	const struct remembered_page *const *x = a, *const *y = b;

	return (*x)->spa < (*y)->spa ? -1 : (*x)->spa > (*y)->spa;
}

static void count_places(const struct remembered_page **pages, size_t n, struct bad_pages *ret)
{
	*ret = (struct bad_pages){0};
	if (n > 0)
		qsort(pages, n, sizeof(pages[0]), page_order);
	for (size_t i = 0; i < n; i++) {
		ret->pages += i == 0 || pages[i]->spa != pages[i - 1]->spa;
		ret->blocks += i == 0 || pages[i]->block != pages[i - 1]->block;
	}
}

int page_keeper_count_out(struct page_keeper *k, uint64_t first, uint64_t last,
			  struct bad_pages *ret)
{
	struct remembered_pages list = {0};
	const struct remembered_page **pages = NULL;
	size_t n = 0;
	int r = state_read_pages(k->state, &list, NULL);

	if (r == 0 && list.n > 0) {
		pages = calloc(list.n, sizeof(pages[0]));
		r = pages ? 0 : -ENOMEM;
	}
	for (size_t i = 0; pages && i < list.n; i++) {
		const struct remembered_page *p = &list.items[i];

		if (counts(k, p) && p->spa >= first && p->spa <= last)
			pages[n++] = p;
	}
	if (r == 0)
		count_places(pages, n, ret);
	free(pages);
	remembered_pages_done(&list);
	return r;
}
