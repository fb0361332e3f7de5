// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/block_marks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "pages/bad_pages.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"

struct block_mark {
	uint64_t block, pages;
};
DEFINE_ARRAY(struct block_mark, block_mark_list);

struct fenced_block {
	uint64_t block, node;
};
DEFINE_ARRAY(struct fenced_block, fenced_blocks);

struct block_marks {
	struct block_mark_list list; /* by block */
	struct fenced_blocks fenced; /* each once, with the node that it was last in */
	bool incomplete;	     /* memory was short: nothing more is taken out */
};

struct block_marks *block_marks_new(void)
{
	return calloc(1, sizeof(struct block_marks));
}

struct block_marks *block_marks_free(struct block_marks *m)
{
	if (m) {
		block_mark_list_done(&m->list);
		fenced_blocks_done(&m->fenced);
	}
	free(m);
	return NULL;
}

static size_t place_of(const struct block_marks *m, uint64_t block)
{
	return ARRAY_LOWER_BOUND(&m->list, mark, mark->block < block);
}

static struct block_mark *find(const struct block_marks *m, uint64_t block)
{
	const size_t at = place_of(m, block);

	return at < m->list.n && m->list.items[at].block == block ? &m->list.items[at] : NULL;
}

bool block_marks_has_room(const struct block_marks *m, uint64_t block, unsigned int limit)
{
	const struct block_mark *mark = find(m, block);

	return !m->incomplete && limit > 0 && (mark ? mark->pages : 0) < limit;
}

int block_marks_check(struct block_marks *m, int flags, uint64_t block, uint64_t per_block,
		      unsigned int limit, struct page_result *ret)
{
	struct block_mark *mark = find(m, block);
	uint64_t now = 0;
	int r;

	if (m->incomplete)
		return page_result_set(ret, ENOMEM, PAGE_REFUSED, "out of memory");
	if (block_marks_has_room(m, block, limit))
		return 0;
	/* Pages may be in use again since, as in a dax device that was made anew. */
	r = bad_pages_in_range(flags, PAGE_FLAG_HWPOISON, block * per_block, per_block, &now);
	if (r < 0)
		return page_result_set(ret, r, PAGE_REFUSED,
				       "the flags of the pages of memory%" PRIu64
				       " cannot be read: /proc/kpageflags: %s",
				       block, strerror(-r));
	if (now >= limit)
		return page_result_set(
			ret, EDQUOT, PAGE_REFUSED,
			"memory%" PRIu64 " has %" PRIu64
			" pages that are out of use, and page-limit-block allows %u: give up the whole block, by taking it offline",
			block, now, limit);
	if (mark)
		mark->pages = now;
	return 0;
}

uint64_t block_marks_count_fenced(const struct block_marks *m, int root, uint64_t node)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->fenced.n; i++) {
		const struct fenced_block *b = &m->fenced.items[i];
		enum block_state state;

		n += b->node == node && memory_block_state(root, b->block, &state) == 0 &&
		     state == BLOCK_OFFLINE;
	}
	return n;
}

int block_marks_note_fence(struct block_marks *m, uint64_t block, uint64_t node)
{
	struct fenced_block *b = NULL;

	for (size_t i = 0; !b && i < m->fenced.n; i++)
		if (m->fenced.items[i].block == block)
			b = &m->fenced.items[i];
	if (!b)
		b = fenced_blocks_add(&m->fenced);
	if (!b)
		return -ENOMEM;
	*b = (struct fenced_block){block, node};
	return 0;
}

void block_marks_note(struct block_marks *m, uint64_t block)
{
	struct block_mark *mark = find(m, block);
	const size_t at = place_of(m, block);

	if (mark) {
		mark->pages++;
		return;
	}
	if (!block_mark_list_add(&m->list)) {
		m->incomplete = true;
		return;
	}
	mark = &m->list.items[at];
	memmove(mark + 1, mark, (m->list.n - 1 - at) * sizeof(*mark));
	*mark = (struct block_mark){block, 1};
}
