// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/tasks/task_body.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "events/event_strings.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry.h"
#include "redfish/core/render.h"
#include "redfish/core/uris.h"

enum { NUMBER_MAX = 24 };

void task_uri(uint64_t id, char ret[static RESOURCE_URI_MAX])
{
	(void)snprintf(ret, RESOURCE_URI_MAX, URI_TASK, id);
}

void task_monitor_uri(uint64_t id, char ret[static RESOURCE_URI_MAX])
{
	(void)snprintf(ret, RESOURCE_URI_MAX, URI_TASK_MONITOR, id);
}

static const char *state_name(enum task_state state)
{
	static const char *const names[] = {
		[TASK_PENDING] = "Pending",	    [TASK_RUNNING] = "Running",
		[TASK_CANCELLING] = "Cancelling",   [TASK_COMPLETED] = "Completed",
		[TASK_EXCEPTION] = "Exception",	    [TASK_CANCELLED] = "Cancelled",
		[TASK_INTERRUPTED] = "Interrupted",
	};

	return names[state];
}

static enum health_level status_of(const struct task *t)
{
	if (t->state == TASK_EXCEPTION)
		return HEALTH_CRITICAL;
	return t->state == TASK_CANCELLED || t->state == TASK_INTERRUPTED ? HEALTH_WARNING
									  : HEALTH_OK;
}

/* ---- "Messages" -------------------------------------------------------------------------------
 */

static void put_message(enum registry_message id, const char *const *args, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "@odata.type", "#Message.v1_3_0.Message");
	put_registry_message(id, args, w);
	put_string(w, "MessageSeverity", health_name(registry_severity(id)));
	put_string(w, "Resolution", registry_resolution(id));
	put_end(w);
}

/* Puts the parts that were done and those that were not. */
static void put_interruption(const struct task *t, const char *const *amount, struct json_writer *w)
{
	enum registry_message id = REGISTRY_TASK_NOT_BEGUN;

	if (t->began)
		id = t->total > 0 ? REGISTRY_TASK_INTERRUPTED : REGISTRY_TASK_RESULT_UNKNOWN;
	put_message(id, amount, w);
}

/* The messages of a response: of an error, or of an action or a PATCH that was done. */
static void put_answer(const struct representation *answer, bool is_error, struct json_writer *w)
{
	json_t *body = answer ? json_loadb(answer->bytes, answer->len, 0, NULL) : NULL;
	json_t *list = json_object_get(is_error ? json_object_get(body, "error") : body,
				       "@Message.ExtendedInfo");

	for (size_t i = 0; i < json_array_size(list); i++) {
		char *text = json_dumps(json_array_get(list, i), JSON_COMPACT | JSON_ENSURE_ASCII);

		if (text)
			put_json(w, NULL, text, strlen(text));
		free(text);
	}
	json_decref(body);
}

static void put_end_message(const struct task *t, const char *const *id, const char *const *amount,
			    const struct representation *answer, struct json_writer *w)
{
	switch (t->state) {
	case TASK_COMPLETED:
		put_answer(answer, false, w);
		put_message(REGISTRY_TASK_COMPLETED, id, w);
		break;
	case TASK_EXCEPTION:
		put_answer(answer, true, w);
		put_message(REGISTRY_TASK_ABORTED, id, w);
		break;
	case TASK_CANCELLED:
		put_message(REGISTRY_TASK_CANCELLED, id, w);
		break;
	case TASK_INTERRUPTED:
		put_interruption(t, amount, w);
		put_message(REGISTRY_TASK_ABORTED, id, w);
		break;
	default:
		break;
	}
}

/* @started: whether to say that it was */
static void put_task_messages(const struct task *t, bool started,
			      const struct representation *answer, struct json_writer *w)
{
	char id[NUMBER_MAX], done[NUMBER_MAX], total[NUMBER_MAX];
	const char *const ids[] = {id}, *const amount[] = {done, total, t->unit};

	(void)snprintf(id, sizeof(id), "%" PRIu64, t->id);
	(void)snprintf(done, sizeof(done), "%" PRIu64, t->done);
	(void)snprintf(total, sizeof(total), "%" PRIu64, t->total);
	put_array(w, "Messages");
	if (started)
		put_message(REGISTRY_TASK_STARTED, ids, w);
	if (t->total > 0 && t->state != TASK_INTERRUPTED)
		put_message(REGISTRY_TASK_PROGRESS, amount, w);
	put_end_message(t, ids, amount, answer, w);
	put_end(w);
}

/* ---- the resource -----------------------------------------------------------------------------
 */

static void put_time(struct json_writer *w, const char *key, uint64_t ns)
{
	char text[EVENT_TIME_MAX];

	if (ns == 0)
		return;
	event_time(ns, text);
	put_string(w, key, text);
}

static void put_state_of(const struct task *t, struct json_writer *w)
{
	put_string(w, "TaskState", state_name(t->state));
	put_string(w, "TaskStatus", health_name(status_of(t)));
	put_number(w, "PercentComplete", t->percent);
	put_time(w, "StartTime", t->started_ns);
	put_time(w, "EndTime", t->ended_ns);
}

void put_sub_task(const struct task_part *p, size_t number, struct json_writer *w)
{
	struct task t = {
		.id = number,
		.state = p->state,
		.began = p->started_ns != 0,
		.percent = p->percent,
		.done = p->done,
		.total = p->total,
		.started_ns = p->started_ns,
		.ended_ns = p->ended_ns,
	};

	memcpy(t.unit, p->unit, sizeof(t.unit));
	put_string(w, "Name", p->name);
	put_state_of(&t, w);
	if (t.state == TASK_CANCELLED && !t.began) {
		put_array(w, "Messages");
		put_message(REGISTRY_SUB_TASK_NOT_BEGUN, (const char *const[]){p->name}, w);
		put_end(w);
		return;
	}
	put_task_messages(&t, t.began, p->answer, w);
}

void put_task(const struct task *t, const struct representation *answer, struct json_writer *w)
{
	put_format(w, "Name", "Task %" PRIu64, t->id);
	put_state_of(t, w);
	put_uri(w, "TaskMonitor", URI_TASK_MONITOR, t->id);
	/* Bodies and headers may have secrets: they are not kept. */
	put_object(w, "Payload");
	put_string(w, "HttpOperation", t->method);
	put_uri(w, "TargetUri", "%s", t->uri);
	put_end(w);
	put_task_messages(t, true, answer, w);
	if (t->n_parts > 0)
		put_link(w, "SubTasks", URI_SUB_TASKS, t->id);
}

struct representation *task_representation(const struct task *t,
					   const struct representation *answer)
{
	static const struct resource_type type = {SCHEMA("Task", TASK_VERSION)};
	char uri[RESOURCE_URI_MAX], id[NUMBER_MAX];
	const struct resource r = {.type = &type, .uri = uri, .id = id};
	struct json_writer w = {0};
	struct representation *body;
	size_t begun;

	task_uri(t->id, uri);
	(void)snprintf(id, sizeof(id), "%" PRIu64, t->id);
	begun = render_begin(&r, &w);
	put_task(t, answer, &w);
	body = render_end(&r, begun, &w);
	if (body)
		body->allow = "GET, HEAD, DELETE";
	return body;
}
