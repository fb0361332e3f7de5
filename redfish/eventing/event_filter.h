/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_FILTER_H
#define CXLR_REDFISH_EVENTING_EVENT_FILTER_H

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
 * event_wanted() - judge by the properties of a subscription
 * @properties: an object that subscription_check() has let pass
 */
bool event_wanted(const json_t *properties, const struct event_item *item);

/*
 * event_filter_check() - whether a $filter can be understood
 *
 * Comparisons by `eq` and `ne` of EventFormatType, MessageId, MessageSeverity, OriginResource,
 * RegistryPrefix and ResourceType with a word or a text in single quotes; `and`, `or`, `not` and
 * parentheses.
 */
bool event_filter_check(const char *filter);

/* event_filter_admits() - judge by a $filter that event_filter_check() has let pass */
bool event_filter_admits(const char *filter, const struct event_item *item);

#endif
