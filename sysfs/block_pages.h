/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_BLOCK_PAGES_H
#define CXLR_SYSFS_BLOCK_PAGES_H

/*
 * Whether a memory block that is online has pages that the kernel cannot move elsewhere, by
 * /proc/kpageflags (Documentation/admin-guide/mm/pagemap.rst), which only root may open.
 *
 * It is what has_unmovable_pages() of the kernel's mm/page_isolation.c looks for before a block is
 * taken offline, as far as page flags show it:
 *	free (BUDDY), balloon (OFFLINE), failed (HWPOISON), holes	no obstacle
 *	of programs and files (LRU, ANON, SWAPBACKED, SWAPCACHE, THP, HUGE,
 *	KSM)									can be moved
 *	of the kernel (SLAB, PGTABLE, RESERVED, ZERO_PAGE, other COMPOUND)	cannot be moved
 *	none of these								not clear
 * The last are free pages that a CPU keeps for itself, pages in use by drivers or as stacks, and
 *pages on their way to a list: the flags are the same. The struct pages of a block that are stored
 *at its beginning (memmap_on_memory) are no obstacle.
 *
 * What the flags do not show: pages of a program that a device has pinned (DMA), and whether
 * there is enough free memory elsewhere.
 */

#include <stdbool.h>
#include <stdint.h>

/* The most pages of a block; 64 GiB in pages of 4 KiB. The largest blocks of Linux have 2 GiB on
 * x86. */
enum { BLOCK_PAGES_MAX = 16 * 1024 * 1024 };

struct block_pages {
	bool pinned;	  /* there is a page that cannot be moved; the block is read no further */
	uint64_t unclear; /* pages of which it is not clear, of those that were read */
	uint64_t n;	  /* pages that were read */
};

/*
 * block_pages_read() - look at the pages of memory@number
 * @root: "/" of the host
 *
 * Any thread. Return: 0; -ENOENT: there is no such block; -ENXIO: it is not online; -EACCES;
 * -ENODATA: there are no flags for all of its pages; -ERANGE: more than BLOCK_PAGES_MAX pages.
 */
int block_pages_read(int root, uint64_t number, struct block_pages *ret);

#endif
