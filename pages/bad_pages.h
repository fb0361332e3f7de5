/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_BAD_PAGES_H
#define CXLR_PAGES_BAD_PAGES_H

/*
 * The pages of a region that are out of use: the kernel brings no memory block online that has one,
 * and a dax device that is made anew brings them back into service. Reads /proc/kpageflags, with
 * the privileges of this process; any thread.
 */

#include <stdbool.h>

#include "sysfs/host.h"

struct bad_pages {
	uint64_t pages;
	uint64_t blocks; /* that have one */
};

/*
 * bad_pages_count() - those of all blocks of a region that are online
 * @host: live; @region is of it
 *
 * Return: 0; the error of /proc/kpageflags or of reading the blocks.
 */
int bad_pages_count(const struct host *host, const struct region *region, struct bad_pages *ret);

enum { BAD_PAGES_TEXT_MAX = 288 };

/*
 * bad_pages_text() - what it costs to take the memory away from them
 * @offline: its blocks go offline; otherwise its dax device is made anew, or goes away
 *
 * "3 pages out of use in 1 memory block: once offline, ...". Return: @ret.
 */
const char *bad_pages_text(const struct bad_pages *bad, bool offline,
			   char ret[static BAD_PAGES_TEXT_MAX]);

/*
 * bad_pages_in_range() - pages whose flags have one of some bits
 * @flags: descriptor of /proc/kpageflags
 * @mask: PAGE_FLAG_HWPOISON: pages that are out of use
 * @first, @n: page frames
 *
 * Return: 0; -ENODATA where there are no flags; the error of reading.
 */
int bad_pages_in_range(int flags, uint64_t mask, uint64_t first, uint64_t n, uint64_t *ret);

#endif
