/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_BUS_H
#define CXLR_EVENTS_EVENT_BUS_H

/*
 * Notifies subscribers that the store has something new.
 *
 * The bus carries one number: the highest that is committed. It carries no events; each subscriber
 * keeps a cursor and reads the store from there when it can, so a slow one does not delay others.
 * A reader goes no further than the value of event_bus_newest() before it read: entries and
 * messages are read by two calls, and what is committed between them would be out of order.
 *
 * All calls may be made from any thread.
 */

#include <stdint.h>

#include "common/error.h"

struct event_bus;

/* Owned by the subscriber; must not move while it is subscribed. */
struct event_subscriber {
	/*
	 * There may be something new. Called with the bus locked, on the publishing thread: must
	 * return at once and must not call the bus.
	 */
	void (*wake)(struct event_subscriber *self);
	struct event_subscriber *next; /* the bus's own */
};

/* Return: 0 or -ENOMEM. */
int event_bus_new(struct event_bus **ret, struct error *e);

/* There must be no subscriber left. Accepts NULL. Return: NULL. */
struct event_bus *event_bus_free(struct event_bus *b);

/*
 * event_bus_publish() - wake all subscribers
 * @newest: all numbers up to it that will ever exist are committed; one lower than before, such
 *          as 0, only wakes
 *
 * Any number but 0 is published by the store's thread, after the commit. Waits for other calls
 * of the bus only.
 */
void event_bus_publish(struct event_bus *b, uint64_t newest);

/* The highest number that was published; 0 before the first. */
uint64_t event_bus_newest(struct event_bus *b);

void event_bus_subscribe(struct event_bus *b, struct event_subscriber *s);

/* After the return @s is not being woken and will not be. */
void event_bus_unsubscribe(struct event_bus *b, struct event_subscriber *s);

#endif
