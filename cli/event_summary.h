/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_EVENT_SUMMARY_H
#define CXLR_CLI_EVENT_SUMMARY_H

/*
 * events --summary: how many events there are of each device, of each type and at each page of
 * memory, most first. One thread.
 */

#include "common/json_writer.h"
#include "events/stored_event.h"

struct event_summary;

/* Return: NULL when out of memory. */
struct event_summary *event_summary_new(uint64_t page_size);

/* Return: 0 or -ENOMEM. */
int event_summary_add(struct event_summary *s, const struct stored_event *ev);

/* Sorts, and prints it as text, or into @w. */
void event_summary_text(struct event_summary *s);
void event_summary_json(struct event_summary *s, struct json_writer *w);

/* Accepts NULL. Return: NULL. */
struct event_summary *event_summary_free(struct event_summary *s);

#endif
