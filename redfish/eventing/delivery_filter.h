/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DELIVERY_FILTER_H
#define CXLR_REDFISH_EVENTING_DELIVERY_FILTER_H

/*
 * Selects the events of a subscriber: by the properties of an EventDestination, or by the $filter
 * of a stream of server-sent events (DSP0266 13.5.2). Pure functions; any thread.
 *
 * MessageIds match whatever the version of their registry, as the schema of EventDestination
 * requires.
 */

#include <stdbool.h>

#include <jansson.h>

#include "redfish/feed/event_feed.h"

/*
 * subscription_admits() - whether the properties of a subscription match an event
 * @properties: as subscription_new() made them
 */
bool subscription_admits(const json_t *properties, const struct event_item *item);

/*
 * delivery_filter_check() - whether a $filter is valid
 *
 * Comparisons by `eq` and `ne` of EventFormatType, MessageId, MessageSeverity, OriginResource,
 * RegistryPrefix and ResourceType with an unquoted or a single-quoted string; `and`, `or`, `not`
 * and parentheses.
 */
bool delivery_filter_check(const char *filter);

/* delivery_filter_admits() - whether a valid $filter matches an event */
bool delivery_filter_admits(const char *filter, const struct event_item *item);

#endif
