// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/tasks/task_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"

struct task_part *task_parts_find(struct task_parts *parts, const char *name)
{
	struct task_part *p;

	ARRAY_FOREACH(it, parts)
		if (strncmp(it->name, name, sizeof(it->name) - 1) == 0)
			return it;
	p = parts->n < TASK_PARTS_MAX ? task_parts_add(parts) : NULL;
	if (!p)
		return NULL;
	*p = (struct task_part){.state = TASK_PENDING};
	(void)snprintf(p->name, sizeof(p->name), "%s", name);
	return p;
}

static void part_begin(struct task_part *p)
{
	if (p->started_ns == 0)
		p->started_ns = clock_realtime_ns();
	if (p->state == TASK_PENDING)
		p->state = TASK_RUNNING;
}

unsigned int task_percent(uint64_t done, uint64_t total)
{
	if (done >= total)
		return total > 0 ? 100 : 0;
	return (unsigned int)((double)done * 100 / (double)total);
}

void task_part_progress(struct task_part *p, uint64_t done, uint64_t total, const char *unit)
{
	if (p->state >= TASK_COMPLETED)
		return;
	part_begin(p);
	p->total = total;
	p->done = total > 0 && done > total ? total : done;
	p->percent = task_percent(done, total);
	(void)snprintf(p->unit, sizeof(p->unit), "%s", unit);
}

void task_part_end(struct task_part *p, enum task_state state, struct representation *answer)
{
	if (p->state >= TASK_COMPLETED) {
		(void)representation_unref(answer);
		return;
	}
	if (state == TASK_COMPLETED) {
		part_begin(p);
		p->percent = 100;
		p->done = p->total;
	}
	p->state = state;
	p->ended_ns = clock_realtime_ns();
	p->answer = answer;
}

void task_parts_settle(struct task_parts *parts, enum task_state state)
{
	ARRAY_FOREACH(p, parts) {
		const bool skipped = state == TASK_EXCEPTION && p->started_ns == 0;

		task_part_end(p, skipped ? TASK_CANCELLED : state, NULL);
	}
}

unsigned int task_parts_percent(const struct task_parts *parts)
{
	size_t sum = 0;

	for (size_t i = 0; i < parts->n; i++) {
		const struct task_part *p = &parts->items[i];

		sum += p->state >= TASK_COMPLETED ? 100 : p->percent;
	}
	return parts->n > 0 ? (unsigned int)(sum / parts->n) : 0;
}

int task_parts_copy(const struct task_parts *from, struct task_parts *ret)
{
	*ret = (struct task_parts){0};
	for (size_t i = 0; i < from->n; i++) {
		struct task_part *to = task_parts_add(ret);

		if (!to) {
			task_parts_clear(ret);
			return -ENOMEM;
		}
		*to = from->items[i];
		if (to->answer)
			(void)representation_ref(to->answer);
	}
	return 0;
}

void task_parts_clear(struct task_parts *parts)
{
	ARRAY_FOREACH(p, parts)
		(void)representation_unref(p->answer);
	task_parts_done(parts);
}
