/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_FEED_H
#define CXLR_REDFISH_EVENTING_EVENT_FEED_H

/*
 * What subscribers are told, in the order of its numbers: entries of the log, messages that are no
 * entry (ResourceEvent), and a word about what was overwritten before they could be told.
 *
 * A page is read from a subscriber's cursor whenever the subscriber can take more, and dropped
 * afterwards, so nothing waits in memory. A page belongs to one thread; reading it waits for the
 * disk at most as long as any other reading of the store.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/error.h"
#include "common/json_writer.h"
#include "events/event_log.h"
#include "events/stored_event.h"
#include "redfish/view_holder.h"

enum { EVENT_PAGE_MAX = 16 }; /* an event is some kilobytes */

/* One event; what a filter looks at stands here, and NULL is "it has none". */
struct event_item {
	uint64_t seq; /* EventId; of a gap: the last number that is missing */
	const char *message_id;
	const char *severity;	   /* "OK", "Warning", "Critical" */
	const char *event_type;	   /* deprecated by Redfish, and required */
	const char *origin;	   /* URI of the OriginOfCondition */
	const char *resource_type; /* its schema, "Memory" */
	bool is_gap; /* for everybody, whatever the filter: nobody knows what is missing */
	const struct stored_event *entry; /* of an entry */
	json_t *record; /* of a message: the record without EventId and MemberId */
};

struct feed_page {
	struct event_item items[2 * EVENT_PAGE_MAX + 1];
	size_t n;
	uint64_t covered; /* up to here nothing else is to be told */

	/* What the items point into. */
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
 * feed_page_read() - what there is behind a cursor
 * @hold: a view, for the origins; taken over, also on failure
 * @from: the cursor
 * @upto: what event_bus_newest() said before; above @from
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
 * @expand: whether the OriginOfCondition is to be there as a whole, as far as it is in the view
 */
void put_event(struct json_writer *w, const struct feed_page *page, const struct event_item *item,
	       const char *context, bool expand);

#endif
