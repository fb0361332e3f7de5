/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H
#define CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H

/*
 * Messages to subscribers that are not entries of the log: those of DMTF's ResourceEvent registry
 * about changes of the view, and the test events that clients request.
 */

#include "redfish/eventing/event_service.h"
#include "redfish/view/view.h"

/*
 * A change of all devices of a large host; subscribers learn that there were more by one message.
 * Fewer than STORE_MESSAGES_MAX.
 */
enum { RESOURCE_EVENTS_MAX = 9000 };

/* Arrays for event_service_notify_all(); NULL when out of memory. */
struct resource_events {
	json_t *news;
	/*
	 * The Status of resources with the first view and the first readings. Subscribers learn it
	 * where they were told something else, also by an earlier process of the service.
	 */
	json_t *first;
};

/*
 * resource_events() - the differences of two views
 * @before: NULL with the first view: all health that it has
 *
 * Resources that were created or removed, but not those below one that was itself; and each State,
 * Health and HealthRollup that is another one, or is not known any more.
 */
struct resource_events resource_events(const struct view *before, const struct view *now);

void resource_events_done(struct resource_events *events);

/*
 * notify_resource_events() - notify subscribers of resource_events()
 * @es: NULL: does nothing
 *
 * Returns at once; called by the thread that sets views.
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
