// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/page_fences.h"

#include <errno.h>
#include <string.h>

#include "pages/page_fence.h"

/* Return: the place of a block in the list, or where it would be. */
static size_t fence_at(const struct fences *list, uint64_t block)
{
	return ARRAY_LOWER_BOUND(list, fence, fence->block < block);
}

struct fence *fences_find(const struct fences *list, uint64_t block)
{
	const size_t at = fence_at(list, block);

	return at < list->n && list->items[at].block == block ? &list->items[at] : NULL;
}

static struct fence *insert_fence(struct fences *list, uint64_t block)
{
	const size_t at = fence_at(list, block);

	if (!fences_add(list))
		return NULL;
	memmove(list->items + at + 1, list->items + at,
		(list->n - 1 - at) * sizeof(list->items[0]));
	return &list->items[at];
}

int fences_add_entry(struct fences *list, const struct remembered_page *p,
		     const struct page_wish *w, size_t entry, bool wanted)
{
	struct fence *f = fences_find(list, w->block);

	if (!f) {
		f = insert_fence(list, w->block);
		if (!f)
			return -ENOMEM;
		*f = (struct fence){
			.block = w->block,
			.node = w->node,
			.node_pages = w->node_pages,
			.entry = entry,
			.wanted = wanted,
			.imported = true,
		};
	}
	f->is_offline |= p->state == REMEMBERED_FENCED;
	f->only_free |= p->only_free || p->hard;
	f->imported &= p->state == REMEMBERED_KNOWN;
	return 0;
}

/* Return: the memory blocks of its node that are offline because of entries, without its own. */
static uint64_t offline_beside(const struct fences *list, const struct fence *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct fence *other = &list->items[i];

		n += other != f && other->is_offline && other->node == f->node;
	}
	return n;
}

const char *fences_refusal(const struct fences *list, const struct fence *f,
			   const struct page_limits *limits, uint64_t block_pages)
{
	const uint64_t offline = offline_beside(list, f), lost = (offline + 1) * block_pages;
	const char *refusal = fence_refusal(offline, block_pages, f->node_pages);

	if (refusal)
		return refusal;
	if (f->imported && lost > f->node_pages * limits->share_ppm / 1000000)
		return "its entries were imported, and such ones may take no more of a node offline than page-limit-node-share allows";
	return NULL;
}
