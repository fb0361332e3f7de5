/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MEMORY_USE_PRIVATE_H
#define CXLR_SYSFS_MEMORY_USE_PRIVATE_H

/*
 * The users of a persistent region: its active namespaces, and mounts of their block devices.
 *
 * Private to sysfs/. Plain values, any thread.
 */

#include "sysfs/memory_use.h"

enum {
	PMEM_MOUNTS_MAX = 1024 * 1024, /* bytes of /proc/self/mountinfo */
	PMEM_NAMESPACES_MAX = 256,     /* of a region */
};

/*
 * memory_use_read_pmem() - add the holders of a persistent region
 * @root: "/" of the host
 * @u: zeroed, but for its name
 *
 * A holder that is not a process has the process id 0. Mounts are those that this process sees.
 * A file that cannot be read leaves `holders_known` false or absent.
 */
void memory_use_read_pmem(int root, const struct region *region, struct dax_use *u);

#endif
