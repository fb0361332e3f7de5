/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_FEED_EVENT_FEED_H
#define CXLR_REDFISH_FEED_EVENT_FEED_H

/*
 * The events for subscribers, in the order of numbers: entries of the log, messages that are not
 * entries (ResourceEvent), and a notice of entries that were overwritten before they could be sent.
 *
 * A page is read from a subscriber's cursor whenever the subscriber can take more, and freed
 * afterwards, so nothing is queued in memory. A page belongs to one thread; reading it waits for
 * the disk as any other read of the store.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/error.h"
#include "common/json_writer.h"
#include "events/event_log.h"
#include "events/stored_event.h"
#include "redfish/view/view_holder.h"

enum { EVENT_PAGE_MAX = 16 }; /* an event has some kilobytes */

/* One event, with the properties that filters use; NULL: the property is absent. */
struct event_item {
	uint64_t seq; /* EventId; of a gap: the last number that is missing */
	const char *message_id;
	const char *severity;	   /* "OK", "Warning", "Critical" */
	const char *event_type;	   /* deprecated by Redfish, and required */
	const char *origin;	   /* URI of the OriginOfCondition */
	const char *resource_type; /* its schema, "Memory" */
	bool is_gap;		   /* passes every filter, because the missing events are unknown */
	const struct stored_event *entry; /* of an entry */
	json_t *record; /* of a message: the record without EventId and MemberId */
};

struct feed_page {
	struct event_item items[2 * EVENT_PAGE_MAX + 1];
	size_t n;
	uint64_t covered; /* the page has everything up to this number */

	/* Owners of the memory that the items point to. */
	struct view_hold *hold;
	struct stored_event *entries;
	size_t n_entries;
	struct {
		uint64_t seq;
		json_t *body;
	} messages[EVENT_PAGE_MAX];
	size_t n_messages;
};

/*
 * feed_page_read() - read what follows a cursor
 * @hold: a view, for the origins; taken over, also on failure
 * @from: the cursor
 * @upto: the value of event_bus_newest() before; above @from
 * @ret: for feed_page_done(), also after a failure
 *
 * Return: 0, or as event_log_reader_get() and the calls of store_reader.h.
 */
int feed_page_read(struct event_log *log, struct view_hold *hold, uint64_t from, uint64_t upto,
		   struct feed_page *ret, struct error *e);

void feed_page_done(struct feed_page *page);

/*
 * put_event() - an Event resource with one record
 * @context: the subscriber's; NULL none
 * @expand: include the OriginOfCondition as a whole, if it is in the view
 */
void put_event(struct json_writer *w, const struct feed_page *page, const struct event_item *item,
	       const char *context, bool expand);

#endif
