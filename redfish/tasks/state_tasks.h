/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_TASKS_H
#define CXLR_REDFISH_STATE_TASKS_H

/*
 * Tasks in the state database. Threads and errors are those of state.h.
 */

#include <stddef.h>

#include "redfish/state/state.h"
#include "redfish/tasks/task_parts.h"

/*
 * state_put_task() - add or replace one, with its parts
 * @parts: NULL none
 * @answer: body of its answer, @len bytes; NULL none
 */
int state_put_task(struct state *st, enum state_durability durability, const struct task *t,
		   const struct task_parts *parts, const char *answer, size_t len, struct error *e);

int state_remove_task(struct state *st, uint64_t id, struct error *e);

/* Return: 0, or a negative errno that ends the call. */
typedef int state_each_task(void *userdata, const struct task *t, const char *answer, size_t len);

/* The same for a part of task @id, in their order; without its answer, which is @len bytes. */
typedef int state_each_part(void *userdata, uint64_t id, const struct task_part *p,
			    const char *answer, size_t len);

/*
 * state_read_tasks() - all of them, and then all of their parts
 * @ret_last: the highest number that was ever given
 */
int state_read_tasks(struct state *st, state_each_task *each, state_each_part *each_part,
		     void *userdata, uint64_t *ret_last, struct error *e);

#endif
