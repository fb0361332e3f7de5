/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_TASKS_H
#define CXLR_REDFISH_STATE_TASKS_H

/*
 * Tasks in the state database. Threads and errors are those of state.h.
 */

#include <stddef.h>

#include "redfish/state.h"
#include "redfish/task.h"

/*
 * state_put_task() - add or replace one
 * @answer: body of its answer, @len bytes; NULL none
 */
int state_put_task(struct state *st, enum state_durability durability, const struct task *t,
		   const char *answer, size_t len, struct error *e);

int state_remove_task(struct state *st, uint64_t id, struct error *e);

/* Return: 0, or a negative errno that ends the call. */
typedef int state_each_task(void *userdata, const struct task *t, const char *answer, size_t len);

/* state_read_tasks() - all of them; @ret_last: the highest number that was ever given */
int state_read_tasks(struct state *st, state_each_task *each, void *userdata, uint64_t *ret_last,
		     struct error *e);

#endif
