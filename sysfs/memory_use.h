/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MEMORY_USE_H
#define CXLR_SYSFS_MEMORY_USE_H

/*
 * The users of the memory of CXL regions, as they were at one time: state and zone of their memory
 * blocks, blocks with pages that the kernel cannot move, processes that have a dax device open or
 * mapped.
 *
 * Immutable and reference counted; any thread. Reading it needs privileges that the reading helper
 * has (/proc/kpageflags; /proc/PID/fd of other users): it is for workers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"
#include "sysfs/host.h"

enum {
	MEMORY_HOLDERS_MAX = 16, /* of a dax device; more are counted */
	MEMORY_HOLDER_NAME = 32, /* of a process, as in /proc/PID/comm, with the NUL */
	MEMORY_USE_PAGES_MAX = 4 * 1024 * 1024, /* 16 GiB: about 0.2 s of one CPU */
};

struct memory_holder {
	uint32_t pid; /* of this host; 0: not a process, but `name` (a mount, a namespace) */
	char name[MEMORY_HOLDER_NAME];
};

/* Bytes; online = movable + pinned + unclear + those of other blocks without such pages. */
struct dax_use {
	/* "dax0.0"; of a region without a dax device, and of a persistent one, its name: "region0"
	 */
	char dax[32];
	struct opt_u64 online;	/* of memory blocks that are online */
	struct opt_u64 movable; /* of those in ZONE_MOVABLE */
	struct opt_u64 pinned;	/* of other blocks, with pages that the kernel cannot move */
	struct opt_u64 unclear; /* of blocks of which this cannot be seen */
	/* A region without dax device: whether the kernel had its memory from the start on. */
	struct opt_bool boot_memory;
	struct opt_bool holders_known; /* absent or false: there may be more */
	struct memory_holder holders[MEMORY_HOLDERS_MAX];
	size_t n_holders, n_more; /* more: beyond MEMORY_HOLDERS_MAX */
};

struct memory_use {
	const struct dax_use *items; /* the dax devices in their order, then regions */
	size_t n;
};

/*
 * memory_use_read() - of all CXL regions
 * @ret: one reference
 *
 * Reads at most MEMORY_USE_PAGES_MAX page flags, and those only of blocks in other zones than
 * ZONE_MOVABLE; what is beyond is unclear. What is not permitted, or not in a captured host, is
 * absent.
 *
 * Return: 0 or -ENOMEM.
 */
int memory_use_read(const struct host *host, const struct memory_use **ret, struct error *e);

/*
 * memory_use_read_quick() - the same without what takes long: page flags, and open files of
 * processes
 *
 * Return: 0 when neither was needed, and the result is complete; -EAGAIN, -ENOMEM.
 */
int memory_use_read_quick(const struct host *host, const struct memory_use **ret, struct error *e);

/* Return: what is known of a dax device, or of a region without; NULL: nothing. Accepts NULL. */
const struct dax_use *memory_use_of(const struct memory_use *u, const char *dax);

const struct memory_use *memory_use_ref(const struct memory_use *u);
const struct memory_use *memory_use_unref(const struct memory_use *u); /* NULL */
bool memory_use_equal(const struct memory_use *a, const struct memory_use *b);

#endif
