/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_TEST_DELIVERY_H
#define CXLR_REDFISH_EVENTING_TEST_DELIVERY_H

/*
 * Whether an event is delivered, for a client that tests its subscriptions. Any thread; the
 * functions do not wait.
 */

#include <stddef.h>
#include <stdint.h>

#include "redfish/eventing/event_service.h"
#include "redfish/core/messages.h"

struct test_delivery;

/*
 * test_delivery_new() - remember the subscriptions as they are now
 *
 * Subscribers that could not be reached are tried again at once, without the delay of their retry
 * policy. Return: NULL when out of memory.
 */
struct test_delivery *test_delivery_new(struct event_service *es);

/* Accepts NULL. Return: NULL. */
struct test_delivery *test_delivery_free(struct test_delivery *t);

/*
 * test_delivery_result() - the delivery of an event to the subscriptions that are remembered
 * @number: of the event, from event_service_notify() after test_delivery_new()
 * @final: the caller waits no longer
 *
 * An event that a subscription filters out counts as delivered, as do all events to subscriptions
 * that were suspended before.
 *
 * Return: 0 when all have accepted it; -EAGAIN when some are not decided; -EINVAL with @ret_message
 * when one failed, or was not decided at the end.
 */
int test_delivery_result(struct test_delivery *t, uint64_t number, bool final,
			 struct message *ret_message);

#endif
