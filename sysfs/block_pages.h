/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_BLOCK_PAGES_H
#define CXLR_SYSFS_BLOCK_PAGES_H

/*
 * The pages of a memory block that is online, by their kind, as shown in /proc/kpageflags
 * (Documentation/admin-guide/mm/pagemap.rst), which only root may open.
 *
 * Pages that cannot be moved are what has_unmovable_pages() of the kernel's mm/page_isolation.c
 * looks for before a block is taken offline, as far as page flags show it. Pages that are not clear
 * are free ones that a CPU keeps for itself, pages in use by drivers or as stacks, and pages on
 * their way to a list: the flags are the same. The struct pages of a block that are stored at its
 * beginning (memmap_on_memory) are no obstacle.
 *
 * The flags do not show pages of a program that a device has pinned (DMA), and whether
 * there is enough free memory elsewhere.
 */

#include <stdint.h>

/* The most pages of a block; 64 GiB in pages of 4 KiB. The largest blocks of Linux have 2 GiB on
 * x86. */
enum { BLOCK_PAGES_MAX = 16 * 1024 * 1024 };

enum page_kind {
	/* The kernel cannot move its own: */
	PAGES_SLAB,
	PAGES_TABLES, /* page tables */
	PAGES_RESERVED,
	PAGES_OTHER, /* the page of zeros, and compound pages of none of the other kinds */

	PAGES_UNCLEAR, /* no flag says what they are */
	PAGES_MOVABLE, /* of programs and files: LRU, ANON, SWAPBACKED, SWAPCACHE, THP, HUGE, KSM */
	PAGES_FREE, /* or no obstacle: holes, of a balloon, failed, the struct pages of the block */
	PAGE_KINDS,
	PAGE_KINDS_UNMOVABLE = PAGES_UNCLEAR, /* how many kinds cannot be moved: the first ones */
};

/* Plain data: the helper sends it as it is. */
struct block_pages {
	uint32_t n[PAGE_KINDS]; /* pages of each kind: all of the block */
};

/*
 * block_pages_read() - count the pages of memory@number
 * @root: "/" of the host
 *
 * Any thread. Return: 0; -ENOENT: there is no such block; -ENXIO: it is not online; -EACCES;
 * -ENODATA: there are no flags for all of its pages; -ERANGE: more than BLOCK_PAGES_MAX pages.
 */
int block_pages_read(int root, uint64_t number, struct block_pages *ret);

/* Return: the pages that the kernel cannot move. */
static inline uint64_t block_pages_unmovable(const struct block_pages *b)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < PAGE_KINDS_UNMOVABLE; i++)
		n += b->n[i];
	return n;
}

#endif
