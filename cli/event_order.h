/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_ORDER_H
#define CXLR_CLI_EVENT_ORDER_H

/*
 * The order of events by their time: of day, else by the device's clock (event_created()). One
 * without either follows the one before it by the trace clock of the same boot; one without that
 * follows the one before it in the log. Numbers of the log are no order: records of several CPUs
 * are read from one ring after the other.
 *
 * Keeps 40 bytes of an entry of the log, which is read again by its number; of a captured record
 * what it says, up to EVENTS_HELD_MAX of them. One thread; owns what it keeps.
 */

#include <stddef.h>

#include "common/array.h"
#include "common/error.h"
#include "events/stored_event.h"

enum { EVENTS_HELD_MAX = 1000000 };

/* A record without the rest of its arrays. */
struct held_record;

struct ordered_event {
	uint64_t time; /* ns since 1970; 0 while it is not known */
	uint64_t seq;  /* of the log, or which of those kept */
	uint64_t trace_ns;
	struct held_record *record; /* of a captured host */
	size_t boot;		    /* which of `boots`, from 1 on; 0: not known */
};
DEFINE_ARRAY(struct ordered_event, ordered_events);

/* A boot that recorded events. */
struct event_order_boot {
	uint8_t id[EVENT_BOOT_ID_SIZE];
	size_t rank; /* their order by the number of their first event; 0 while it is not known */
};
DEFINE_ARRAY(struct event_order_boot, event_order_boots);

struct event_order {
	struct ordered_events list;
	struct event_order_boots boots;
};

/* Return: 0 or -ENOMEM. */
int event_order_add_entry(struct event_order *o, const struct stored_event *ev);

/* Return: 0, -ENOMEM or -E2BIG, both with a message. */
int event_order_add_record(struct event_order *o, const struct event_record *rec, struct error *e);

/* The record of an item that has one. */
void event_order_record(const struct ordered_event *item, struct event_record *ret);

void event_order_sort(struct event_order *o);

/* Drops all but the last @n; 0: none. */
void event_order_last(struct event_order *o, size_t n);

void event_order_free(struct event_order *o);

#endif
