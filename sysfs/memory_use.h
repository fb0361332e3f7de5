/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MEMORY_USE_H
#define CXLR_SYSFS_MEMORY_USE_H

/*
 * The users of the memory of CXL regions and of dax devices, as they were at one time: state and
 * zone of their memory blocks, blocks with pages that the kernel cannot move, processes that have a
 * dax device open or mapped.
 *
 * Immutable and reference counted; any thread. Reading it needs privileges that the reading helper
 * has (/proc/kpageflags; /proc/PID/fd of other users): it is for workers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"
#include "sysfs/block_pages.h"
#include "sysfs/host.h"

enum {
	MEMORY_HOLDERS_MAX = 16, /* of a dax device; more are counted */
	MEMORY_HOLDER_NAME = 32, /* of a process, as in /proc/PID/comm, with the NUL */
	MEMORY_BLOCKS_MAX = 8,	 /* of a dax device that are named; more are counted */
	MEMORY_USE_PAGES_MAX = 4 * 1024 * 1024, /* 16 GiB: about 0.2 s of one CPU */
};

struct memory_holder {
	uint32_t pid; /* of this host; 0: not a process, but `name` (a mount, a namespace) */
	char name[MEMORY_HOLDER_NAME];
};

/* A memory block that is online and has, or may have, pages that the kernel cannot move. */
struct memory_block {
	uint64_t number;  /* the N of memoryN */
	const char *zone; /* as the kernel names it: "Normal"; static; NULL: not known */
	/*
	 * 0, or a negative errno: why its pages were not counted. -ENXIO: its zone or state is not
	 * known; -E2BIG: it is beyond MEMORY_USE_PAGES_MAX; -ENOENT: not in a captured host.
	 */
	int64_t error;
	struct block_pages pages;
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
	/* Blocks of the last two, pinned ones first; those beyond are only counted. */
	struct memory_block blocks[MEMORY_BLOCKS_MAX];
	size_t n_blocks, n_more_pinned, n_more_unclear;
	/* A region without dax device: whether the kernel had its memory from the start on. */
	struct opt_bool boot_memory;
	struct opt_bool holders_known; /* absent or false: there may be more */
	struct memory_holder holders[MEMORY_HOLDERS_MAX];
	size_t n_holders, n_more; /* more: beyond MEMORY_HOLDERS_MAX */
};

struct memory_use {
	const struct dax_use
		*items; /* dax devices of regions, regions without, other dax devices */
	size_t n;
};

/*
 * memory_use_read() - of all CXL regions, then of dax devices that are in none
 * @ret: one reference
 *
 * Reads at most MEMORY_USE_PAGES_MAX page flags, and those only of blocks in other zones than
 * ZONE_MOVABLE; what is beyond is unclear. A value that may not be read, or is not in a captured
 * host, is absent.
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

/* Return: whether the kernel cannot move a page of the block, as far as its pages were counted. */
static inline bool memory_block_is_pinned(const struct memory_block *b)
{
	return block_pages_unmovable(&b->pages) > 0;
}

const struct memory_use *memory_use_ref(const struct memory_use *u);
const struct memory_use *memory_use_unref(const struct memory_use *u); /* NULL */
bool memory_use_equal(const struct memory_use *a, const struct memory_use *b);

#endif
