/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H
#define CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H

/*
 * Messages to subscribers that are no entry of the log: of DMTF's ResourceEvent registry, about
 * what comes and goes in the view, and the test events that clients ask for.
 */

#include "redfish/eventing/event_service.h"
#include "redfish/view.h"

/* A plug and an unplug of a host with all its devices; what is more is not told one by one. */
enum { RESOURCE_EVENTS_MAX = 4096 };

/*
 * notify_resource_events() - have it told how two views differ
 * @es: NULL: nobody is told
 *
 * Resources below one that came or went itself are implied by it. Returns at once; to be called by
 * the thread that sets views, before it does.
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
