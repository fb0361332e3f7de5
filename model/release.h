/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_RELEASE_H
#define CXLR_MODEL_RELEASE_H

/*
 * Whether the memory of a region can be released: taken offline, and from the programs that have
 * it. A prediction, from what sysfs/memory_use.h read at one time: memory blocks, their zones, the
 * pages that the kernel cannot move, and the processes that hold a dax device open.
 *
 * Pure functions of immutable values; any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/opt.h"
#include "sysfs/host.h"
#include "sysfs/memory_use.h"

enum release_verdict {
	RELEASE_YES,	 /* nothing uses it, or all of it can be moved elsewhere */
	RELEASE_NO,	 /* the kernel has pages that cannot be moved, or a process holds it */
	RELEASE_UNKNOWN, /* what is needed for an answer cannot be read */
};

enum {
	RELEASE_REASONS_MAX = 8,
	RELEASE_REASON_TEXT = 192,
	RELEASE_BLOCKS_MAX = 16,
	RELEASE_BLOCK_NAME = 32,
	RELEASE_HOLDERS_MAX = 2 * MEMORY_HOLDERS_MAX, /* of a region; more are in the reasons */
};

struct release {
	enum release_verdict verdict;
	/*
	 * Bytes of memory blocks that are online; of those in ZONE_MOVABLE or without a page that
	 * the kernel cannot move; of those that are seen to have such pages. Absent when not known.
	 */
	struct opt_u64 online, movable, pinned;
	/* Memory blocks with such pages, and then those of which it is not known; not all of them.
	 */
	struct memory_block blocks[RELEASE_BLOCKS_MAX];
	size_t n_blocks;
	struct memory_holder holders[RELEASE_HOLDERS_MAX]; /* of all of its dax devices */
	size_t n_holders;
	/* Reasons against it; if there are none, reasons for it. Sentences, without a period. */
	char reasons[RELEASE_REASONS_MAX][RELEASE_REASON_TEXT];
	size_t n_reasons;
};

/* region_release() - @use: NULL when it was not read */
void region_release(const struct region *r, const struct memory_use *use, struct release *ret);

/* dax_release() - the same of a dax device, as one that is in no region */
void dax_release(const struct dax_device *d, const struct memory_use *use, struct release *ret);

/* Return: "memory36", in @text. */
const char *memory_block_name(const struct memory_block *b, char text[static RELEASE_BLOCK_NAME]);

/*
 * memory_block_text() - a memory block and what is on it: "memory36, zone Normal, 212 unmovable
 * pages (180 slab, 32 page tables)"
 */
const char *memory_block_text(const struct memory_block *b, char text[static RELEASE_REASON_TEXT]);

/* Return: "Releasable", "NotReleasable", "Unknown". */
const char *release_verdict_name(enum release_verdict v);

#endif
