/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_DAX_BLOCKS_H
#define CXLR_SYSFS_DAX_BLOCKS_H

/*
 * The memory blocks of a dax device, with state and zone as they are now: drivers/base/memory.c of
 * the kernel. Plain values, any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "sysfs/host.h"

enum { DAX_BLOCKS_MAX = 1024 * 1024 }; /* 128 TiB in the smallest blocks of x86 */

#define MEMORY_DIRECTORY "sys/devices/system/memory"

enum block_state {
	BLOCK_OFFLINE,
	BLOCK_MOVABLE, /* online in ZONE_MOVABLE */
	BLOCK_KERNEL,  /* online in another zone, where the kernel also has pages of its own */
	BLOCK_UNKNOWN, /* online in a zone that cannot be read, or going offline */
};

struct dax_block {
	uint64_t number; /* the N of memoryN */
	enum block_state state;
};

struct dax_blocks {
	struct dax_block *items;
	size_t n;
	uint64_t size; /* bytes of a block */
};

/* memory_block_size() - bytes of a memory block. @root: "/" of the host. Return: 0; -EINVAL; ... */
int memory_block_size(int root, uint64_t *ret);

/* memory_block_state() - of one block. Return: 0; -ENOENT: there is none; the error of reading */
int memory_block_state(int root, uint64_t number, enum block_state *ret);

/*
 * memory_block_zone() - the zone of a block that is online, by the name that the kernel has for it
 *
 * Return: static; NULL: it cannot be read, is none of these, or the block may be in several zones.
 */
const char *memory_block_zone(int root, uint64_t number);

/*
 * memory_auto_online() - what the kernel does with new blocks (auto_online_blocks)
 *
 * BLOCK_UNKNOWN: it brings them online in a zone that it chooses. Return: 0; -EINVAL; the error of
 * reading.
 */
int memory_auto_online(int root, enum block_state *ret);

/*
 * dax_blocks_read() - the blocks that are completely in the device's ranges: kmem uses no others
 * @root: "/" of the host
 * @ret: to be freed by dax_blocks_done()
 *
 * A device that is not in use as system-ram has none.
 *
 * Return: 0; -ENODATA: its addresses are not known; -E2BIG: more than DAX_BLOCKS_MAX; -ENOMEM; the
 * error of reading.
 */
int dax_blocks_read(int root, const struct dax_device *d, struct dax_blocks *ret);

void dax_blocks_done(struct dax_blocks *b);

/* Return: how many of the blocks are in the state. */
size_t dax_blocks_count(const struct dax_blocks *b, enum block_state state);

#endif
