/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DELIVERY_FILTER_H
#define CXLR_REDFISH_EVENTING_DELIVERY_FILTER_H

/*
 * Which events a subscriber wants: the properties of an EventDestination, or the $filter of a
 * stream of server-sent events (DSP0266 13.5.2). Pure functions; any thread.
 *
 * A MessageId is the same whatever the version of its registry says, as EventDestination wants it.
 */

#include <stdbool.h>

#include <jansson.h>

#include "redfish/eventing/event_feed.h"

/*
 * subscription_admits() - judge by the properties of a subscription
 * @properties: an object that subscription_check() has let pass
 */
bool subscription_admits(const json_t *properties, const struct event_item *item);

/*
 * delivery_filter_check() - whether a $filter can be understood
 *
 * Comparisons by `eq` and `ne` of EventFormatType, MessageId, MessageSeverity, OriginResource,
 * RegistryPrefix and ResourceType with a word or a text in single quotes; `and`, `or`, `not` and
 * parentheses.
 */
bool delivery_filter_check(const char *filter);

/* delivery_filter_admits() - judge by a $filter that delivery_filter_check() has let pass */
bool delivery_filter_admits(const char *filter, const struct event_item *item);

#endif
