/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_BLOCK_MARKS_H
#define CXLR_PAGES_BLOCK_MARKS_H

/*
 * The pages of each memory block that this process has taken out of use, and the blocks that it
 * took offline. Whoever sends the requests keeps limits of its own; page-limit-block, and the limit
 * of a node (page_fence.h), are kept here as well, because a client that somebody else controls
 * could otherwise take all memory out, page by page, or block by block.
 *
 * The kernel's flags decide: they are counted when so many pages of a block were taken out as the
 * limit allows. Pages that were marked before this process are not counted before that. The lock of
 * pages is the caller's.
 */

#include <stdbool.h>
#include <stdint.h>

#include "pages/page.h"

struct block_marks;

/* block_marks_new() - Return: NULL when out of memory. */
struct block_marks *block_marks_new(void);

/* Accepts NULL. Return: NULL. */
struct block_marks *block_marks_free(struct block_marks *m);

/*
 * block_marks_check() - whether one more page of a block may be taken out
 * @flags: descriptor of /proc/kpageflags
 * @per_block: pages of a block
 * @limit: page-limit-block
 *
 * Return: 0, or ret->error.
 */
int block_marks_check(struct block_marks *m, int flags, uint64_t block, uint64_t per_block,
		      unsigned int limit, struct page_result *ret);

/* block_marks_has_room() - whether block_marks_check() would allow one more, without reading any
 * flags */
bool block_marks_has_room(const struct block_marks *m, uint64_t block, unsigned int limit);

/* block_marks_count_fenced() - the blocks of a node that this process took offline, and that are
 * offline; @root: "/" of the host */
uint64_t block_marks_count_fenced(const struct block_marks *m, int root, uint64_t node);

/* block_marks_note_fence() - a block is about to go offline. Return: 0 or -ENOMEM. */
int block_marks_note_fence(struct block_marks *m, uint64_t block, uint64_t node);

/* block_marks_note() - one was taken out; without memory for it, the next one is refused */
void block_marks_note(struct block_marks *m, uint64_t block);

#endif
