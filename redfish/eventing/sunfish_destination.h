/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_SUNFISH_DESTINATION_H
#define CXLR_REDFISH_EVENTING_SUNFISH_DESTINATION_H

/*
 * The event service's Sunfish core, as others see it: its settings, and the two resources that it
 * expects, a ConnectionMethod and a subscription of a fixed name. Any thread.
 */

#include <stdbool.h>

#include <jansson.h>

#include "common/json_writer.h"
#include "redfish/core/messages.h"
#include "redfish/sunfish/sunfish_agent.h"
#include "redfish/service/service.h"

struct event_service;

/*
 * event_service_set_sunfish() - the core in use from now on; its requests may come from then on
 * @s: copied; what has failed is tried at once
 */
void event_service_set_sunfish(struct event_service *es, const struct sunfish_settings *s);

/* event_service_sunfish() - the present state; does not wait */
void event_service_sunfish(struct event_service *es, struct sunfish_status *ret);

/* Whether an Id is that of the core's subscription, and there is a core. Does not wait. */
bool sunfish_destination_is(struct event_service *es, const char *id);

/* As event_service_put(), of the core's subscription. */
int sunfish_destination_put(struct event_service *es, struct json_writer *w);

/*
 * sunfish_destination_change() - the core gives its id for this service as the Context
 * @given: the body, as the table of subscriptions admits it
 *
 * Waits for the disk. Return: 0; -ENOENT without a core; -EBUSY before the state database was read;
 * -EINVAL with @ret_message; or as state.h.
 */
int sunfish_destination_change(struct event_service *es, const json_t *given,
			       struct message *ret_message);

/* event_service_core_agent() - the URI of the AggregationSource; a core_agent_of */
void event_service_core_agent(struct event_service *es, bool copies,
			      char ret[static CORE_AGENT_MAX]);

/*
 * event_service_connection_method() - the Id of the ConnectionMethod
 *
 * Return: whether there is one.
 */
bool event_service_connection_method(struct event_service *es, char ret[static SUNFISH_METHOD_MAX]);

#endif
