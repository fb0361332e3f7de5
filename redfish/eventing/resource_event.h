/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H
#define CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H

/*
 * Messages to subscribers that are not entries of the log: those of DMTF's ResourceEvent registry
 * about changes of the view, and the test events that clients request.
 */

#include "redfish/eventing/event_service.h"
#include "redfish/view/view.h"

/* Hot-plug of all devices of a large host; further changes are not reported one by one. */
enum { RESOURCE_EVENTS_MAX = 4096 };

/*
 * notify_resource_events() - notify subscribers of the differences of two views
 * @es: NULL: does nothing
 *
 * Resources below one that was created or removed itself are not reported. Returns at once; called
 * by the thread that sets views, before it does.
 */
void notify_resource_events(struct event_service *es, const struct view *before,
			    const struct view *now);

/*
 * resource_event_test_message() - the EventRecord of ResourceEvent's TestMessage
 *
 * Return: for event_service_notify(); NULL when out of memory.
 */
json_t *resource_event_test_message(void);

#endif
