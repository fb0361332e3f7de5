/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_ADVICE_H
#define CXLR_EVENTS_EVENT_ADVICE_H

/*
 * The next step for an event: one text for the log of cxl-spa and for Redfish, whose messages have
 * it as their Resolution. Sentences, with two blanks between, as the messages of DMTF have them.
 * Pure functions; any thread.
 */

#include "events/event_strings.h"
#include "events/stored_event.h"

enum { EVENT_ADVICE_MAX = 512 };

/* An older version stored cleared poison with the type of other poison. Return: the right one. */
enum event_type event_type_now(const struct event_record *rec);

/* Return: the advice for a type of events; NULL when there is nothing to do. */
const char *event_type_advice(enum event_type type);

/*
 * event_advice() - the advice for one event
 *
 * What the device asks for in the header of its record is more specific than the type of the event.
 *
 * Return: @text or a constant; NULL when there is nothing to do.
 */
const char *event_advice(const struct event_record *rec, char text[static EVENT_ADVICE_MAX]);

#endif
