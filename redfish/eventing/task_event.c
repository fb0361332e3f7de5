// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/task_event.h"

#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

#include "common/clock.h"
#include "common/log.h"
#include "events/event_strings.h"
#include "redfish/eventing/event_service.h"
#include "redfish/core/registry.h"
#include "redfish/tasks/task_body.h"

static enum registry_message message_for(const struct task *t, enum task_event event)
{
	switch (event) {
	case TASK_STARTED:
		return REGISTRY_TASK_STARTED;
	case TASK_PROGRESSED:
		return REGISTRY_TASK_PROGRESS_CHANGED;
	case TASK_REMOVED:
		return REGISTRY_TASK_REMOVED;
	case TASK_ENDED:
		break;
	}
	if (t->state == TASK_COMPLETED)
		return REGISTRY_TASK_COMPLETED;
	return t->state == TASK_CANCELLED ? REGISTRY_TASK_CANCELLED : REGISTRY_TASK_ABORTED;
}

static json_t *make_record(const struct task *t, enum registry_message id)
{
	char now[EVENT_TIME_MAX], number[24], percent[8], text[128], uri[RESOURCE_URI_MAX];
	const char *const args[] = {number, percent};
	json_t *list = json_array();

	event_time(clock_realtime_ns(), now);
	(void)snprintf(number, sizeof(number), "%" PRIu64, t->id);
	(void)snprintf(percent, sizeof(percent), "%u", t->percent);
	message_text(text, sizeof(text), registry_text(id), args);
	task_uri(t->id, uri);
	for (size_t i = 0; list && i < message_n_args(registry_text(id)); i++)
		(void)json_array_append_new(list, json_string(args[i]));
	return json_pack("{s:s,s:s,s:s++,s:s,s:o,s:s,s:s,s:{s:s}}", "EventType", "Other",
			 "EventTimestamp", now, "MessageId", TASK_EVENT_REGISTRY, ".",
			 registry_key(id), "Message", text, "MessageArgs", list, "MessageSeverity",
			 health_name(registry_severity(id)), "Resolution", registry_resolution(id),
			 "OriginOfCondition", "@odata.id", uri);
}

void notify_task_event(void *event_service, const struct task *t, enum task_event event)
{
	json_t *record = make_record(t, message_for(t, event));

	if (!record || event_service_notify(event_service, record, "Task", NULL) < 0)
		log_warning("subscribers are not notified of task %" PRIu64 ": out of memory",
			    t->id);
}
