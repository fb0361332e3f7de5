// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/memory_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/release.h"
#include "sysfs/block_pages.h"

/* A step that was made: a driver, or the state of a block. */
struct memory_step {
	const struct dax_device *device;
	bool is_mode;
	enum dax_mode mode;	/* before */
	uint64_t block;		/* number */
	enum block_state state; /* before */
};

/* ---- what was made, and is undone -------------------------------------------------------------
 */

/* Return: whether there is room for one more, so that what is changed is always recorded. */
static bool steps_reserve(struct memory_steps *s)
{
	const size_t capacity = s->capacity > 0 ? 2 * s->capacity : 64;
	struct memory_step *items;

	if (s->n < s->capacity)
		return true;
	items = reallocarray(s->items, capacity, sizeof(*items));
	if (!items)
		return false;
	s->items = items;
	s->capacity = capacity;
	return true;
}

void memory_steps_done(struct memory_steps *steps)
{
	free(steps->items);
	*steps = (struct memory_steps){.access = steps->access};
}

static void step_name(const struct memory_step *s, char *ret, size_t size)
{
	if (s->is_mode)
		(void)snprintf(ret, size, "%s is not %s again", s->device->name,
			       s->mode == DAX_MODE_UNKNOWN ? "without driver"
							   : dax_mode_name(s->mode));
	else
		(void)snprintf(ret, size, "memory%" PRIu64 " is not %s again", s->block,
			       s->state == BLOCK_OFFLINE ? "offline" : "online");
}

/*
 * Blocks that the kernel or another program brought online meanwhile must be offline first: without
 * kmem they would stay online for ever.
 */
static int undo_mode(const struct change_context *x, const struct memory_access *access,
		     const struct memory_step *s)
{
	struct dax_blocks blocks = {0};
	int r = 0;

	if (s->mode != DAX_MODE_SYSTEM_RAM)
		r = access->read_blocks(x, s->device, &blocks);
	for (size_t i = 0; i < blocks.n && r == 0; i++)
		if (blocks.items[i].state != BLOCK_OFFLINE)
			r = access->set_block(x, blocks.items[i].number, BLOCK_OFFLINE, false);
	dax_blocks_done(&blocks);
	return r < 0 ? r : access->set_mode(x, s->device, s->mode);
}

static int step_undo(const struct change_context *x, const struct memory_access *access,
		     const struct memory_step *s)
{
	return s->is_mode ? undo_mode(x, access, s)
			  : access->set_block(x, s->block, s->state, false);
}

bool memory_undo(const struct change_context *x, struct memory_steps *steps, char *text,
		 size_t size)
{
	size_t failed = 0;

	while (steps->n > 0) {
		const struct memory_step *s = &steps->items[--steps->n];
		const int r = step_undo(x, steps->access, s);
		const size_t len = strnlen(text, size);
		char name[64];

		if (r == 0)
			continue;
		/* The text has room for the first of them; the others have the same cause. */
		if (failed++ == 0 && len < size) {
			step_name(s, name, sizeof(name));
			(void)snprintf(text + len, size - len, "; %s: %s", name, strerror(-r));
		}
	}
	if (failed > 1) {
		const size_t len = strnlen(text, size);

		if (len < size)
			(void)snprintf(text + len, size - len, ", and %zu more", failed - 1);
	}
	return failed == 0;
}

/* ---- making them ------------------------------------------------------------------------------
 */

struct memory_work memory_work_new(const struct change_context *x, const struct region *region,
				   struct memory_steps *steps, struct change_result *ret)
{
	if (!steps->access)
		steps->access = &memory_access_live;
	return (struct memory_work){.x = x, .region = region, .steps = steps, .ret = ret};
}

int memory_work_fail(struct memory_work *w, int error, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(w->why, sizeof(w->why), fmt, args);
	va_end(args);
	return error;
}

int memory_work_read_blocks(struct memory_work *w, const struct dax_device *d,
			    struct dax_blocks *ret)
{
	const int r = w->steps->access->read_blocks(w->x, d, ret);

	return r < 0 ? memory_work_fail(w, r, "the memory blocks of %s cannot be read: %s", d->name,
					strerror(-r))
		     : 0;
}

void memory_work_report(const struct memory_work *w)
{
	change_report(w->x, NULL, w->done, w->total, "blocks");
}

/* The kernel has tried it: what can be seen of the block is what is on it now. */
static int fail_busy_block(struct memory_work *w, uint64_t number)
{
	const int root = w->x->root->dirfd;
	struct memory_block b = {.number = number, .zone = memory_block_zone(root, number)};
	char text[RELEASE_REASON_TEXT], name[RELEASE_BLOCK_NAME];

	b.error = block_pages_read(root, number, &b.pages);
	(void)memory_block_text(&b, text);
	(void)memory_block_name(&b, name);
	return memory_work_fail(
		w, -EBUSY,
		"%s cannot be taken offline: it has pages that the kernel cannot move%s; %" PRIu64
		" of %" PRIu64 " blocks were done",
		name, text + strlen(name), w->done, w->total);
}

static int fail_block(struct memory_work *w, uint64_t block, enum block_state state, int error)
{
	const char *done = state == BLOCK_OFFLINE ? "taken offline" : "brought online";

	if (error == -ECANCELED)
		return memory_work_fail(w, error,
					"it was cancelled when %" PRIu64 " of %" PRIu64
					" memory blocks were done",
					w->done, w->total);
	if (state == BLOCK_OFFLINE && error == -EBUSY)
		return fail_busy_block(w, block);
	if (state == BLOCK_OFFLINE && error == -ETIMEDOUT)
		return memory_work_fail(
			w, error,
			"memory%" PRIu64
			" could not be emptied within two minutes: there may be no free memory elsewhere; end programs that use it, and try again",
			block);
	if (state != BLOCK_OFFLINE && error == -EHWPOISON)
		return memory_work_fail(
			w, error,
			"memory%" PRIu64
			" cannot be brought online: it has pages that were taken out of use; take the memory back to devdax, and bring it online from there, which makes its dax device anew",
			block);
	return memory_work_fail(w, error, "memory%" PRIu64 " cannot be %s: %s", block, done,
				strerror(-error));
}

int memory_work_set_block(struct memory_work *w, const struct dax_block *b, enum block_state state)
{
	int r;

	if (change_is_cancelled(w->x))
		return fail_block(w, b->number, state, -ECANCELED);
	if (!steps_reserve(w->steps))
		return memory_work_fail(w, -ENOMEM, "out of memory");
	r = w->steps->access->set_block(w->x, b->number, state, true);
	if (r < 0)
		return fail_block(w, b->number, state, r);
	w->steps->items[w->steps->n++] =
		(struct memory_step){.block = b->number, .state = b->state};
	return 0;
}

int memory_work_set_mode(struct memory_work *w, const struct dax_device *d, enum dax_mode to)
{
	int r;

	if (d->mode == to)
		return 0;
	if (!steps_reserve(w->steps))
		return memory_work_fail(w, -ENOMEM, "out of memory");
	/* Recorded also when it failed: the device may be without driver then. */
	w->steps->items[w->steps->n++] =
		(struct memory_step){.device = d, .is_mode = true, .mode = d->mode};
	r = w->steps->access->set_mode(w->x, d, to);
	if (r < 0)
		return memory_work_fail(w, r, "the driver of %s cannot be changed to %s: %s",
					d->name,
					to == DAX_MODE_SYSTEM_RAM ? "kmem"
					: to == DAX_MODE_DEVDAX	  ? "device_dax"
								  : "none",
					strerror(-r));
	return 0;
}

int memory_work_undo(struct memory_work *w, size_t n, int r)
{
	struct memory_steps own = {
		.access = w->steps->access, .items = w->steps->items + n, .n = w->steps->n - n};
	const bool changed = own.n > 0;
	bool undone;

	w->steps->n = n;
	undone = memory_undo(w->x, &own, w->why, sizeof(w->why));
	return change_result_set(w->ret, r,
				 !changed ? CHANGE_REFUSED
				 : undone ? CHANGE_UNDONE
					  : CHANGE_INCOMPLETE,
				 "%s: %s%s", w->region->name, w->why,
				 changed && undone ? "; what was changed before is undone" : "");
}
