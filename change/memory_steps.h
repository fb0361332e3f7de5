/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_MEMORY_STEPS_H
#define CXLR_CHANGE_MEMORY_STEPS_H

/*
 * One driver of a dax device or one memory block at a time, changed and recorded, in order, so that
 * it can be undone when a later one fails.
 *
 * A struct memory_steps belongs to one thread, and refers to the host that the devices are of.
 * Private to change/; each call waits for the kernel.
 */

#include "change/context.h"
#include "sysfs/dax_blocks.h"

/* How memory is reached; of tests another table. All return 0 or a negative errno. */
struct memory_access {
	int (*read_blocks)(const struct change_context *x, const struct dax_device *d,
			   struct dax_blocks *ret);
	/*
	 * @state: BLOCK_OFFLINE, BLOCK_MOVABLE or BLOCK_KERNEL
	 *
	 * Return: also -ECANCELED, -ETIMEDOUT; then the block has its state from before.
	 */
	int (*set_block)(const struct change_context *x, uint64_t number, enum block_state state,
			 bool can_cancel);
	/* @mode: DAX_MODE_UNKNOWN is without driver */
	int (*set_mode)(const struct change_context *x, const struct dax_device *d,
			enum dax_mode mode);
};

/* Access to the live host: sysfs and libdaxctl. */
extern const struct memory_access memory_access_live;

struct memory_step;

struct memory_steps {
	const struct memory_access *access;
	struct memory_step *items;
	size_t n, capacity;
};

/*
 * memory_undo() - take back all steps, in reverse order; never cancelled
 * @text, @size: what could not be undone, "" when all was; may begin with a text already
 *
 * Return: whether all was undone. @steps is empty then.
 */
bool memory_undo(const struct change_context *x, struct memory_steps *steps, char *text,
		 size_t size);

/* Forgets the steps, which stay. Accepts a zeroed one. */
void memory_steps_done(struct memory_steps *steps);

/* ---- for memory_state.c -----------------------------------------------------------------------
 */

/* One change of one region. */
struct memory_work {
	const struct change_context *x;
	const struct region *region;
	struct memory_steps *steps;
	uint64_t done, total; /* blocks */
	struct change_result *ret;
	char why[CHANGE_TEXT_MAX / 2]; /* of the step that failed */
};

struct memory_work memory_work_new(const struct change_context *x, const struct region *region,
				   struct memory_steps *steps, struct change_result *ret);

/* memory_work_fail() - keep why a step failed, for memory_work_undo(). Return: @error. */
int memory_work_fail(struct memory_work *w, int error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Passes on how many blocks are done. */
void memory_work_report(const struct memory_work *w);

/*
 * The calls of struct memory_access, recorded, with the reason kept when one fails.
 *
 * Return: 0; the error of the access; -ENOMEM; -ECANCELED before a block.
 */
int memory_work_read_blocks(struct memory_work *w, const struct dax_device *d,
			    struct dax_blocks *ret);
int memory_work_set_block(struct memory_work *w, const struct dax_block *b, enum block_state state);
int memory_work_set_mode(struct memory_work *w, const struct dax_device *d, enum dax_mode to);

/*
 * memory_work_undo() - undo what was done since there were @n steps, and fill in the result
 * @r: of the step that failed
 *
 * Return: @r.
 */
int memory_work_undo(struct memory_work *w, size_t n, int r);

#endif
