/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_TASK_BODY_H
#define CXLR_REDFISH_TASK_BODY_H

/*
 * A task as the resource Task. Any thread.
 */

#include <stddef.h>

#include "common/json_writer.h"
#include "http/representation.h"
#include "redfish/tasks/task_parts.h"

#define TASK_VERSION "v1_7_4"

enum { TASK_RETRY_S = 1 }; /* Retry-After, while a task has not ended */

/*
 * put_task() - all properties but @odata.id, @odata.type, Id and Links, which depend on what is
 * there
 * @answer: body of its answer; NULL none
 */
void put_task(const struct task *t, const struct representation *answer, struct json_writer *w);

/* The same for a sub-task. @number: from 1 */
void put_sub_task(const struct task_part *p, size_t number, struct json_writer *w);

/* Return: the whole resource, one reference; NULL when out of memory. */
struct representation *task_representation(const struct task *t,
					   const struct representation *answer);

void task_uri(uint64_t id, char ret[static RESOURCE_URI_MAX]);
void task_monitor_uri(uint64_t id, char ret[static RESOURCE_URI_MAX]);

#endif
