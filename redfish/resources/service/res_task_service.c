// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The task service, its tasks, and their monitors, at which the answers of the requests are.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/tasks/task_body.h"
#include "redfish/tasks/tasks.h"
#include "redfish/core/uris.h"

static int get_task_service(struct exchange *x)
{
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Task Service");
	put_string(w, "Description", "Requests that were answered before their work had ended");
	put_bool(w, "ServiceEnabled", true);
	put_opt_time(w, "DateTime", OPT_U64(clock_realtime_ns()));
	put_state(w, "Enabled");
	put_string(w, "CompletedTaskOverWritePolicy", "Oldest");
	put_bool(w, "LifeCycleEventOnTaskStateChange", true);
	put_link(w, "Tasks", "%s", URI_TASKS);
	return 0;
}

static int get_task_collection(struct exchange *x)
{
	uint64_t ids[TASKS_MAX];
	size_t n = tasks_list(x->service->tasks, ids);
	struct json_writer *w = &x->w;

	put_string(w, "Name", x->resource->type->title);
	put_array(w, "Members");
	for (size_t i = 0; i < n; i++)
		put_link(w, NULL, URI_TASK, ids[i]);
	put_end(w);
	put_number(w, "Members@odata.count", n);
	return 0;
}

/* Only the canonical form of a number is an Id. Return: whether the @i-th of the URI is one. */
static bool get_id(const struct exchange *x, size_t i, uint64_t *ret)
{
	const char *id = exchange_id(x, i);

	return id && strspn(id, "0123456789") == strlen(id) && id[0] != '0' &&
	       parse_u64(id, ret) == 0;
}

/* Return: whether the task of the URI exists; otherwise the message is set. */
static bool find(struct exchange *x, struct task *ret, struct representation **ret_answer)
{
	uint64_t number;

	if (get_id(x, 0, &number) && tasks_get(x->service->tasks, number, ret, ret_answer))
		return true;
	(void)exchange_missing(x);
	return false;
}

/* The resource may have been removed since the task created it. */
static void put_created(struct exchange *x, const struct task *t)
{
	if (!t->location[0] || !exchange_exists(x, t->location))
		return;
	put_object(&x->w, "Links");
	put_link_list(&x->w, "CreatedResources", "%s", t->location);
	put_end(&x->w);
}

static int get_task(struct exchange *x)
{
	_cleanup_representation_ struct representation *answer = NULL;
	struct task t;

	if (!find(x, &t, &answer))
		return -EINVAL;
	put_task(&t, answer, &x->w);
	put_created(x, &t);
	return 0;
}

static int get_sub_tasks(struct exchange *x)
{
	_cleanup_representation_ struct representation *answer = NULL;
	struct json_writer *w = &x->w;
	struct task t;

	if (!find(x, &t, &answer))
		return -EINVAL;
	put_string(w, "Name", x->resource->type->title);
	put_array(w, "Members");
	for (size_t i = 1; i <= t.n_parts; i++)
		put_link(w, NULL, URI_SUB_TASK, t.id, i);
	put_end(w);
	put_number(w, "Members@odata.count", t.n_parts);
	return 0;
}

static int get_sub_task(struct exchange *x)
{
	_cleanup_representation_ struct representation *answer = NULL;
	uint64_t number;
	struct task_part part;
	struct task t;

	if (!find(x, &t, &answer))
		return -EINVAL;
	if (!get_id(x, 1, &number) || !tasks_get_part(x->service->tasks, t.id, number, &part))
		return exchange_missing(x);
	put_sub_task(&part, number, &x->w);
	(void)representation_unref(part.answer);
	return 0;
}

static int remove_task(struct exchange *x)
{
	_cleanup_representation_ struct representation *answer = NULL;
	struct task t;
	int r;

	if (!find(x, &t, &answer))
		return -EINVAL;
	r = tasks_remove(x->service->tasks, t.id);
	if (r == -ENOENT)
		return exchange_missing(x);
	if (r == -EBUSY)
		return exchange_refuse(x, MESSAGE_TASK_NOT_CANCELLABLE, x->resource->id, NULL,
				       NULL);
	return r;
}

/* The answer is for the client that made the request, and for administrators. */
static bool may_see_answer(const struct exchange *x, const struct task *t)
{
	return x->principal.privileges & PRIVILEGE_CONFIGURE_MANAGER ||
	       (t->user[0] && str_equal(x->principal.name, t->user));
}

static int get_task_monitor(struct exchange *x)
{
	_cleanup_representation_ struct representation *answer = NULL;
	char monitor[RESOURCE_URI_MAX], retry[8];
	struct task t;

	if (!find(x, &t, &answer))
		return -EINVAL;
	if (!may_see_answer(x, &t))
		return exchange_refuse(x, MESSAGE_INSUFFICIENT_PRIVILEGE, NULL, NULL, NULL);
	if (!task_has_ended(&t)) {
		task_monitor_uri(t.id, monitor);
		(void)snprintf(retry, sizeof(retry), "%d", TASK_RETRY_S);
		(void)http_reply_header(x->reply, "Retry-After", retry);
		return exchange_answer(x, 202, task_representation(&t, answer), monitor);
	}
	if (t.state == TASK_CANCELLED) {
		(void)exchange_missing(x);
		x->message.status = 410;
		return -EINVAL;
	}
	if (t.state == TASK_INTERRUPTED || t.status == 0)
		return exchange_refuse(x, MESSAGE_TASK_INTERRUPTED, NULL, NULL, NULL);
	return exchange_answer(x, t.status, answer ? representation_ref(answer) : NULL, t.location);
}

static const struct resource_type task_types[] = {
	{.pattern = URI_TASK_SERVICE, SCHEMA("TaskService", "v1_3_0"), .get = get_task_service},
	{.pattern = URI_TASKS,
	 COLLECTION_SCHEMA("TaskCollection", "Task", "Tasks"),
	 .get = get_task_collection},
	{.pattern = URI_TASKS "/{Task}",
	 SCHEMA("Task", TASK_VERSION),
	 .dynamic = true,
	 .get = get_task,
	 .remove = remove_task},
	{.pattern = URI_TASKS "/{Task}/SubTasks",
	 COLLECTION_SCHEMA("TaskCollection", "Task", "Sub-tasks"),
	 .dynamic = true,
	 .get = get_sub_tasks},
	{.pattern = URI_TASKS "/{Task}/SubTasks/{SubTask}",
	 SCHEMA("Task", TASK_VERSION),
	 .dynamic = true,
	 .get = get_sub_task},
	{.pattern = URI_TASK_MONITORS "/{Task}",
	 .dynamic = true,
	 .get = get_task_monitor,
	 .remove = remove_task},
};

const struct resource_rows task_rows = RESOURCE_ROWS(task_types);
