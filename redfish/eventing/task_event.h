/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_TASK_EVENT_H
#define CXLR_REDFISH_EVENTING_TASK_EVENT_H

/*
 * Messages of DMTF's TaskEvent registry to subscribers.
 */

#include "redfish/tasks/tasks.h"

/*
 * notify_task_event() - notify subscribers of what happened to a task
 * @event_service: a struct event_service
 *
 * A listener of service_set_task_listener(). Returns at once.
 */
void notify_task_event(void *event_service, const struct task *t, enum task_event event);

#endif
