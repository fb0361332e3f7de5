// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_fence.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "change/timed_write.h"
#include "pages/bad_pages.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"

/*
 * Pages that the kernel does not move when their block goes offline: free ones, and those that it
 * never had. One without any flag may be a driver's, or vmalloc's, or on a list of free pages of a
 * processor.
 */
#define NOT_MOVED                                                                                  \
	(PAGE_FLAG(KPF_BUDDY) | PAGE_FLAG(KPF_NOPAGE) | PAGE_FLAG(KPF_OFFLINE) | PAGE_FLAG_RESERVED)

/* Return: 0 when the block may go offline; else ret->error. */
static int check_pages(const struct frame_files *f, uint64_t block, uint64_t per_block,
		       struct page_result *ret)
{
	uint64_t bad = 0, free = per_block;
	int r = bad_pages_in_range(f->flags, PAGE_FLAG_HWPOISON, block * per_block, per_block,
				   &bad);

	if (r == 0 && f->only_free)
		r = bad_pages_in_range(f->flags, NOT_MOVED, block * per_block, per_block, &free);
	if (r < 0)
		return page_result_set(ret, r, PAGE_REFUSED,
				       "the flags of the pages of memory%" PRIu64
				       " cannot be read: /proc/kpageflags: %s",
				       block, strerror(-r));
	if (bad > 0)
		return page_result_set(
			ret, EPERM, PAGE_REFUSED,
			"memory%" PRIu64 " has %" PRIu64
			" pages that are out of use already: offline, it could not come online again",
			block, bad);
	/* To move a page would read what is lost. */
	if (free < per_block)
		return page_result_set(
			ret, EBUSY, PAGE_REFUSED,
			"%" PRIu64 " pages of memory%" PRIu64
			" may be in use, and data in it is lost: to move them could read it",
			per_block - free, block);
	return 0;
}

uint64_t fence_node_pages(const struct host *host, int node)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < host->n_dax_regions; i++) {
		const struct dax_region *r = host->dax_regions[i];

		for (size_t k = 0; k < r->n_devices; k++) {
			const struct dax_device *d = r->devices[k];

			if (d->target_node.present && d->target_node.value == node)
				bytes += d->size.present ? d->size.value : 0;
		}
	}
	return bytes / host->page_size;
}

const char *fence_refusal(uint64_t offline, uint64_t block_pages, uint64_t node_pages)
{
	if (block_pages == 0 || node_pages == 0)
		return "the memory of its node is not known, of which half may go offline";
	if (offline >= node_pages / FENCE_NODE_PARTS / block_pages)
		return "no more than half of the memory of a node goes offline because of pages";
	return NULL;
}

/* A client that somebody else controls could take all blocks offline, one by one. */
static int check_node(const struct frame_files *f, const struct fence_node *node, uint64_t block,
		      uint64_t per_block, struct page_result *ret)
{
	const char *refusal;

	if (!node->marks)
		return 0;
	refusal = fence_refusal(block_marks_count_fenced(node->marks, f->root, node->node),
				per_block, node->pages);
	return refusal ? page_result_set(ret, EDQUOT, PAGE_REFUSED,
					 "memory%" PRIu64 " stays online: %s", block, refusal)
		       : 0;
}

static int write_offline(const struct frame_files *f, uint64_t block)
{
	char path[128];
	int r;

	(void)snprintf(path, sizeof(path),
		       "/proc/self/fd/%d/" MEMORY_DIRECTORY "/memory%" PRIu64 "/state", f->root,
		       block);
	if (f->use_privileges)
		f->use_privileges(true);
	r = timed_write(path, "offline", PAGE_FENCE_MS);
	if (f->use_privileges)
		f->use_privileges(false);
	return r;
}

static int take_offline(const struct frame_files *f, uint64_t block, struct page_result *ret)
{
	enum block_state state;
	int error = write_offline(f, block);
	int r = memory_block_state(f->root, block, &state);

	ret->tries = 1;
	if (r < 0)
		return page_result_set(ret, r, PAGE_UNVERIFIABLE,
				       "it is not known whether memory%" PRIu64
				       " is offline: its state cannot be read: %s",
				       block, strerror(-r));
	if (state == BLOCK_OFFLINE)
		return 0;
	return page_result_set(ret, error < 0 ? EBUSY : EIO, error < 0 ? PAGE_REFUSED : PAGE_FAILED,
			       "the kernel does not take memory%" PRIu64 " offline: %s", block,
			       error < 0 ? strerror(-error) : "its state is not offline");
}

int page_fence(const struct frame_files *f, const struct fence_node *node, uint64_t pfn,
	       bool *ret_done, struct page_result *ret)
{
	enum block_state state;
	uint64_t size, block;
	int r = memory_block_size(f->root, &size);

	block = r == 0 ? pfn * f->page_size / size : 0;
	if (r == 0)
		r = memory_block_state(f->root, block, &state);
	if (r < 0)
		return page_result_set(ret, ENXIO, PAGE_REFUSED,
				       "page pfn:0x%" PRIx64 " has no memory block", pfn);
	*ret_done = state == BLOCK_OFFLINE;
	if (*ret_done)
		return 0;
	r = check_node(f, node, block, size / f->page_size, ret);
	if (r == 0)
		r = check_pages(f, block, size / f->page_size, ret);
	if (r < 0)
		return r;
	/* Before it: whatever becomes of it, it counts while it is offline. */
	if (node->marks && block_marks_note_fence(node->marks, block, node->node) < 0)
		return page_result_set(ret, ENOMEM, PAGE_REFUSED, "out of memory");
	return take_offline(f, block, ret);
}
