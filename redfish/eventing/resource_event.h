/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H
#define CXLR_REDFISH_EVENTING_RESOURCE_EVENT_H

/*
 * Messages to subscribers that are no entry of the log: those of DMTF's ResourceEvent registry
 * about changes of the view, and the test events that clients request.
 */

#include "redfish/eventing/event_service.h"
#include "redfish/dynamic.h"
#include "redfish/view.h"

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

/* Of EventService, its stream, the subscriptions, and one of them: res_event_service.c. */
extern const struct dynamic_ops event_service_ops, event_stream_ops, subscriptions_ops,
	subscription_ops;

/* EventDestination.SuspendSubscription and ResumeSubscription. */
int run_suspend_subscription(struct dynamic_request *q, struct json_writer *w);
int run_resume_subscription(struct dynamic_request *q, struct json_writer *w);

/* EventService.SubmitTestEvent and TestEventSubscription. */
int run_submit_test_event(struct dynamic_request *q, struct json_writer *w);
int run_test_event_subscription(struct dynamic_request *q, struct json_writer *w);

#endif
