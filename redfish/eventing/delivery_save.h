/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DELIVERY_SAVE_H
#define CXLR_REDFISH_EVENTING_DELIVERY_SAVE_H

/*
 * Stores the cursors of subscriptions in the state database, periodically and in batches. For the
 * delivery thread.
 */

#include <stdbool.h>

#include "redfish/state/state.h"

struct event_service;

/* Whether a cursor differs from the stored one. */
bool delivery_unsaved(struct event_service *es);

/* Waits for the disk when @durability is STATE_DURABLE. */
void delivery_save(struct event_service *es, enum state_durability durability);

#endif
