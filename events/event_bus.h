/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_BUS_H
#define CXLR_EVENTS_EVENT_BUS_H

/*
 * Word that there is something new in the store.
 *
 * It carries one number: what is committed up to. Nobody is handed an event; each subscriber keeps
 * a cursor and reads the store from there when it can, so one that is slow costs nobody anything.
 * A reader goes no further than event_bus_newest() said before it read: entries and messages are
 * read by two calls, and what is committed between them would be shown out of order.
 *
 * All calls may be made from any thread.
 */

#include <stdint.h>

#include "common/error.h"

struct event_bus;

/* Belongs to the subscriber; stays where it is while it is subscribed. */
struct event_subscriber {
	/*
	 * There is something new, or somebody wants it to look. Called with the bus locked, on the
	 * thread that publishes: must return at once and call nothing of the bus.
	 */
	void (*wake)(struct event_subscriber *self);
	struct event_subscriber *next; /* the bus's own */
};

/* Return: 0 or -ENOMEM. */
int event_bus_new(struct event_bus **ret, struct error *e);

/* Nobody may be subscribed any more. Accepts NULL. Return: NULL. */
struct event_bus *event_bus_free(struct event_bus *b);

/*
 * event_bus_publish() - wake all subscribers
 * @newest: all numbers up to it that will ever be seen are committed; lower than before, as 0 is,
 *          it changes nothing and wakes only
 *
 * To be called by the store's thread, after the commit; never waits for anything but another
 * call of the bus.
 */
void event_bus_publish(struct event_bus *b, uint64_t newest);

/* What was published last; 0 before. */
uint64_t event_bus_newest(struct event_bus *b);

void event_bus_subscribe(struct event_bus *b, struct event_subscriber *s);

/* When it returns, @s is not being woken and will not be. */
void event_bus_unsubscribe(struct event_bus *b, struct event_subscriber *s);

#endif
