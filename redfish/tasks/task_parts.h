/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_TASK_PARTS_H
#define CXLR_REDFISH_TASK_PARTS_H

/*
 * The parts of a task that changes several objects: one for each, with a state, a progress and an
 * error of its own. Shown as sub-tasks (DSP0266 1.20 clause 12.2), numbered from 1 in the order in
 * which they were added.
 *
 * A set of parts owns the answers of its parts. Not thread safe: that of a task is guarded by the
 * lock of the tasks, a copy belongs to its caller.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "http/representation.h"
#include "redfish/tasks/task.h"

enum {
	TASK_PARTS_MAX = 64, /* of one task; further ones are not shown */
	TASK_PART_NAME_MAX = 64,
};

struct task_part {
	char name[TASK_PART_NAME_MAX]; /* of its object: "mem3" */
	enum task_state state;
	unsigned int percent;
	uint64_t done, total; /* of `unit`; total 0: not known */
	char unit[TASK_UNIT_MAX];
	uint64_t started_ns, ended_ns; /* 0: it was not begun, has not ended */
	struct representation *answer; /* an error body: why it failed; NULL none */
};

DEFINE_ARRAY(struct task_part, task_parts);

/*
 * task_percent() - whole percent that @done is of @total, both as some process reports them
 *
 * Return: 0 to 100; 0 when @total is.
 */
unsigned int task_percent(uint64_t done, uint64_t total);

/*
 * task_parts_find() - the part of an object; it is added, pending, if it does not exist
 *
 * Return: valid until the next call; NULL: out of memory, or there are TASK_PARTS_MAX.
 */
struct task_part *task_parts_find(struct task_parts *parts, const char *name);

/* task_part_progress() - it runs from now on, if it did not, and so much of it is done */
void task_part_progress(struct task_part *p, uint64_t done, uint64_t total, const char *unit);

/*
 * task_part_end() - it has ended; nothing happens if it had before
 * @state: one of the final ones
 * @answer: one reference, taken over; NULL none
 */
void task_part_end(struct task_part *p, enum task_state state, struct representation *answer);

/*
 * task_parts_settle() - the task has ended as @state, and so have those that had not
 *
 * A part that was not begun when its task failed is TASK_CANCELLED.
 */
void task_parts_settle(struct task_parts *parts, enum task_state state);

/* Return: of all, 0 to 100. */
unsigned int task_parts_percent(const struct task_parts *parts);

/* task_parts_copy() - Return: 0, or -ENOMEM, and @ret is empty */
int task_parts_copy(const struct task_parts *from, struct task_parts *ret);

/* Releases all, and leaves an empty set. */
void task_parts_clear(struct task_parts *parts);

#define _cleanup_task_parts_ _cleanup_(task_parts_clear)

#endif
