// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Remembered pages whose reservation of before stands: they were taken out in this boot, and count
// as used until their entry says otherwise.
#include "redfish/pages/page_keeper_private.h"

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
