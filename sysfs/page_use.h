/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_PAGE_USE_H
#define CXLR_SYSFS_PAGE_USE_H

/*
 * One page as the kernel shows it in /proc/kpageflags, kpagecount and kpagecgroup
 * (Documentation/admin-guide/mm/pagemap.rst), which only root may open, with the path of the memory
 * cgroup that it is charged to. True at one moment only.
 *
 * Without privilege the reading helper is asked: it gets the number of a page and answers with
 * this, and never passes a descriptor of these files.
 */

#include <stdbool.h>
#include <stdint.h>

#include "sysfs/host_root.h"

enum {
	PAGE_CGROUP_MAX = 512, /* of a path, with the NUL */
	PAGE_CGROUP_DIRECTORIES_MAX = 65536,
	PAGE_CGROUP_DEPTH_MAX = 32,
};

/* Page frame numbers have 52 bits of address at most, in pages of 4 KiB or more. */
#define PAGE_PFN_MAX ((UINT64_C(1) << 40) - 1)

enum page_cgroup_state {
	PAGE_CGROUP_UNKNOWN, /* not read, or /sys/fs/cgroup has no such hierarchy */
	PAGE_CGROUP_NONE,    /* charged to none: the kernel's, free, or of the root */
	PAGE_CGROUP_KNOWN,
	PAGE_CGROUP_GONE,      /* its directory does not exist any more */
	PAGE_CGROUP_NOT_FOUND, /* more directories than PAGE_CGROUP_DIRECTORIES_MAX, or deeper */
};

/* Plain data: the helper sends it as it is. */
struct page_use {
	uint64_t flags;	    /* 1 << KPF_... */
	uint64_t map_count; /* UINT64_MAX: not known */
	uint64_t inode;	    /* of the cgroup's directory; 0 none */
	uint64_t moment_ms; /* since 1970 */
	uint32_t cgroup_state;
	uint32_t reserved;
	char cgroup[PAGE_CGROUP_MAX]; /* "/system.slice/x.service"; "" unless it is known */
};

/*
 * page_use_read() - of the page @pfn, with the privileges of this process
 * @root: "/" of the host
 *
 * Return: 0; -ERANGE: there is no such page; the error of /proc/kpageflags.
 */
int page_use_read(int root, uint64_t pfn, struct page_use *ret);

/*
 * page_use_get() - the same of a live host: by its reading helper, if it has one
 *
 * Waits for the helper: for jobs and workers. Return: also -EROFS of a captured host.
 */
int page_use_get(const struct host_root *root, uint64_t pfn, struct page_use *ret);

/* page_flags_read() - kpageflags of a page alone. @fd: of /proc/kpageflags. Return: 0; -ERANGE; the
 * error of pread() */
int page_flags_read(int fd, uint64_t pfn, uint64_t *ret);

#endif
