/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_FLAGS_H
#define CXLR_PAGES_PAGE_FLAGS_H

/* Flags of a page in /proc/kpageflags. Constants only. */

#include <stdint.h>

#include <linux/kernel-page-flags.h>

#define PAGE_FLAG(name) (UINT64_C(1) << (name))

/* Bit 19: the kernel does not use the page any more. */
#define PAGE_FLAG_HWPOISON PAGE_FLAG(KPF_HWPOISON)

/* Not in the header for programs: KPF_RESERVED of include/linux/kernel-page-flags.h. */
#define PAGE_FLAG_RESERVED (UINT64_C(1) << 32)

/* The pages that the kernel can move or drop: its lists of pages in use, and free ones. */
#define PAGE_FLAGS_NEEDED (PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_BUDDY))

#define PAGE_FLAGS_FORBIDDEN                                                                       \
	(PAGE_FLAG(KPF_SLAB) | PAGE_FLAG(KPF_PGTABLE) | PAGE_FLAG_RESERVED |                       \
	 PAGE_FLAG(KPF_OFFLINE) | PAGE_FLAG(KPF_NOPAGE) | PAGE_FLAG(KPF_ZERO_PAGE))

#endif
