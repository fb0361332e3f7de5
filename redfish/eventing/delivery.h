/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DELIVERY_H
#define CXLR_REDFISH_EVENTING_DELIVERY_H

/*
 * The thread that delivers events to subscriptions. The event service owns it; it takes the lock
 * of struct event_service when it looks at a subscription.
 */

#include <stdbool.h>

#include "common/error.h"

struct delivery;
struct event_service;
struct event_service_options;

/* delivery_new() - the settings of the collector are taken over from the options of @es */
int delivery_new(struct event_service *es, struct delivery **ret, struct error *e);

/* delivery_set_helper() - as event_service_set_options(); any thread; 0 or -ENOMEM */
int delivery_set_helper(struct delivery *d, const struct event_service_options *o);

/*
 * delivery_free() - store the cursors and end the thread
 * @wait_ms: how long to wait for it: a helper process that cannot be killed, or the disk, delays it
 *
 * Accepts NULL. Return: whether it has ended. If not, nothing that it uses may be freed; the call
 * may be repeated.
 */
bool delivery_free(struct delivery *d, unsigned int wait_ms);

#endif
