/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DELIVERY_H
#define CXLR_REDFISH_EVENTING_DELIVERY_H

/*
 * The thread that delivers events to subscriptions. The event service owns it; it takes the lock
 * of struct event_service when it looks at a subscription.
 */

#include "common/error.h"

struct delivery;
struct event_service;

int delivery_new(struct event_service *es, struct delivery **ret, struct error *e);

/* Stores the cursors and ends the thread. Accepts NULL. Return: NULL. */
struct delivery *delivery_free(struct delivery *d);

#endif
