// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/feed/event_feed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/feed/event_message.h"
#include "redfish/core/registry.h"
#include "redfish/view/view.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"

static int page_take_entry(void *userdata, const struct stored_event *event)
{
	struct feed_page *page = userdata;

	page->entries[page->n_entries++] = *event;
	return 0;
}

static int page_take_message(void *userdata, uint64_t seq, const char *body, size_t len)
{
	struct feed_page *page = userdata;
	json_t *json = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);

	/* A message that cannot be parsed is skipped. */
	page->messages[page->n_messages].seq = seq;
	page->messages[page->n_messages++].body = json;
	return 0;
}

/* The last overwritten number is read last, so that it is not one of the entries read before. */
static int page_read_store(struct store_reader *r, struct feed_page *page, uint64_t from,
			   struct store_info *ret_info, struct error *e)
{
	const struct event_filter all = {0};
	const struct event_page one = {.from = from, .max = EVENT_PAGE_MAX};
	int rc;

	rc = store_read_messages(r, from, EVENT_PAGE_MAX, page_take_message, page, e);
	if (rc >= 0)
		rc = store_read_page(r, &all, &one, page_take_entry, page, e);
	if (rc >= 0)
		rc = store_read_info(r, ret_info, e);
	return rc;
}

static const struct view *page_view(const struct feed_page *page)
{
	return page->hold ? view_of_hold(page->hold) : NULL;
}

static const char *schema_at(const struct view *v, const char *uri)
{
	const struct resource *r = v && uri ? resource_find(v->index, uri) : NULL;

	return r ? r->type->schema : NULL;
}

static struct event_item *page_add(struct feed_page *page, uint64_t seq)
{
	struct event_item *item = &page->items[page->n++];

	*item = (struct event_item){.seq = seq};
	return item;
}

static void page_add_entry(struct feed_page *page, const struct stored_event *ev)
{
	const struct view *v = page_view(page);
	struct event_item *item = page_add(page, ev->seq);

	item->entry = ev;
	item->message_id = event_message_id(ev);
	item->severity = event_severity_name(ev->severity);
	item->event_type = "Alert";
	item->origin = v ? event_origin(v, ev) : NULL;
	item->resource_type = schema_at(v, item->origin);
}

static const char *link_of(const json_t *value)
{
	return json_string_value(json_object_get(value, "@odata.id"));
}

/* Replaces the URI in the text. Return: a new string; NULL when it is not in it. */
static json_t *text_with(const char *text, const char *uri, const char *shown)
{
	const char *at = text ? strstr(text, uri) : NULL;

	return at ? json_sprintf("%.*s%s%s", (int)(at - text), text, shown, at + strlen(uri))
		  : NULL;
}

/* Whether the first argument of a message is, by its registry, the URI of its origin. */
static bool has_uri_argument(const struct event_item *item)
{
	const json_t *args = json_object_get(item->record, "MessageArgs");

	return str_equal(item->event_type, "StatusChange") &&
	       (str_after_prefix(item->message_id, "ResourceEvent.") ||
		str_equal(item->message_id, registry_message_id(REGISTRY_STATUS_NOT_KNOWN))) &&
	       str_equal(json_string_value(json_array_get(args, 0)), item->origin);
}

/* A stored message is shown with the URI of now in its text, too. Texts of clients are theirs. */
static void show_argument(const struct event_item *item)
{
	json_t *record = item->record, *text;
	char shown[SHOWN_URI_MAX];
	const char *uri;

	if (!system_id_is_used() || !has_uri_argument(item))
		return;
	uri = system_id_show(item->origin, shown);
	text = text_with(json_string_value(json_object_get(record, "Message")), item->origin, uri);
	if (text)
		(void)json_object_set_new(record, "Message", text);
	(void)json_array_set_new(json_object_get(record, "MessageArgs"), 0, json_string(uri));
}

static void page_add_message(struct feed_page *page, uint64_t seq, const json_t *body)
{
	json_t *record = json_object_get(body, "Record");
	struct event_item *item;

	if (!json_is_object(record))
		return;
	item = page_add(page, seq);
	item->record = record;
	item->message_id = json_string_value(json_object_get(record, "MessageId"));
	item->severity = json_string_value(json_object_get(record, "MessageSeverity"));
	item->event_type = json_string_value(json_object_get(record, "EventType"));
	item->origin = link_of(json_object_get(record, "OriginOfCondition"));
	item->resource_type = json_string_value(json_object_get(body, "ResourceType"));
	show_argument(item);
}

static void page_add_gap(struct feed_page *page, uint64_t seq)
{
	struct event_item *item = page_add(page, seq);

	item->is_gap = true;
	item->message_id = BASE_REGISTRY ".EventBufferExceeded";
	item->severity = "Warning";
	item->event_type = "Other";
}

/* The end of the page: where one of the two kinds was cut off, the other may be incomplete. */
static uint64_t page_end(const struct feed_page *page, uint64_t upto)
{
	uint64_t end = upto;

	if (page->n_entries == EVENT_PAGE_MAX && page->entries[EVENT_PAGE_MAX - 1].seq < end)
		end = page->entries[EVENT_PAGE_MAX - 1].seq;
	if (page->n_messages == EVENT_PAGE_MAX && page->messages[EVENT_PAGE_MAX - 1].seq < end)
		end = page->messages[EVENT_PAGE_MAX - 1].seq;
	return end;
}

/* @gap: number of the last entry that was overwritten, 0 for none */
static void page_merge(struct feed_page *page, uint64_t gap)
{
	size_t i = 0, j = 0;

	for (;;) {
		uint64_t entry = i < page->n_entries ? page->entries[i].seq : UINT64_MAX;
		uint64_t message = j < page->n_messages ? page->messages[j].seq : UINT64_MAX;

		if (gap && gap < entry && gap < message && gap <= page->covered) {
			page_add_gap(page, gap);
			gap = 0;
		} else if (entry < message && entry <= page->covered) {
			page_add_entry(page, &page->entries[i++]);
		} else if (message < entry && message <= page->covered) {
			page_add_message(page, message, page->messages[j++].body);
		} else {
			return;
		}
	}
}

int feed_page_read(struct event_log *log, struct view_hold *hold, uint64_t from, uint64_t upto,
		   struct feed_page *ret, struct error *e)
{
	struct store_info info = {0};
	struct store_reader *r;
	int rc;

	*ret = (struct feed_page){.hold = hold};
	ret->entries = malloc(EVENT_PAGE_MAX * sizeof(*ret->entries));
	if (!ret->entries)
		return error_set(e, ENOMEM, "out of memory");
	rc = event_log_reader_get(log, &r, e);
	if (rc < 0)
		return rc;
	rc = page_read_store(r, ret, from, &info, e);
	event_log_reader_put(log, r, rc);
	if (rc < 0)
		return rc;
	ret->covered = page_end(ret, upto);
	/* More entries may be overwritten than existed when the caller read @upto. */
	if (info.wrapped > ret->covered)
		ret->covered = info.wrapped;
	page_merge(ret, info.wrapped > from ? info.wrapped : 0);
	return 0;
}

void feed_page_done(struct feed_page *page)
{
	for (size_t i = 0; i < page->n_messages; i++)
		json_decref(page->messages[i].body);
	free(page->entries);
	(void)view_hold_release(page->hold);
	*page = (struct feed_page){0};
}

/* ---- as JSON --------------------------------------------------------------------------------
 */

static void put_origin(struct json_writer *w, const struct view *v, const char *uri, bool expand)
{
	struct resource *r = expand && v ? resource_find(v->index, uri) : NULL;
	const struct representation *body = NULL;

	if (r && !r->action && r->type->render && !r->type->content_type)
		body = view_representation(v, r);
	if (!body) {
		put_link(w, "OriginOfCondition", "%s", uri);
		return;
	}
	put_json(w, "OriginOfCondition", body->bytes, body->len);
}

static void put_entry(struct json_writer *w, const struct stored_event *ev)
{
	char uri[RESOURCE_URI_MAX], time[EVENT_TIME_MAX];

	if (ev->record.wall_ns.present) {
		event_time(ev->record.wall_ns.value, time);
		put_string(w, "EventTimestamp", time);
	}
	put_event_message(w, ev);
	put_string(w, "MessageSeverity", event_severity_name(ev->severity));
	event_entry_uri(ev->seq, uri);
	put_link(w, "LogEntry", "%s", uri);
}

static void put_gap(struct json_writer *w)
{
	put_string(w, "MessageId", BASE_REGISTRY ".EventBufferExceeded");
	put_string(w, "Message",
		   "Undelivered events may have been lost due to exceeding the event buffer.");
	put_string(w, "MessageSeverity", "Warning");
	put_string(w, "Resolution", "None.");
}

/* All properties except those that records of every kind have. */
static void put_message(struct json_writer *w, json_t *record)
{
	const char *key, *entry;
	json_t *value;

	json_object_foreach(record, key, value) {
		_cleanup_free_ char *text = NULL;

		if (strcmp(key, "EventType") == 0 || strcmp(key, "OriginOfCondition") == 0 ||
		    strcmp(key, "EventId") == 0)
			continue;
		entry = strcmp(key, "LogEntry") == 0 ? link_of(value) : NULL;
		if (entry) {
			put_link(w, key, "%s", entry);
			continue;
		}
		text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
		if (!text) {
			w->failed = true;
			return;
		}
		put_json(w, key, text, strlen(text));
	}
}

void put_event(struct json_writer *w, const struct feed_page *page, const struct event_item *item,
	       const char *context, bool expand)
{
	const char *given = json_string_value(json_object_get(item->record, "EventId"));

	put_object(w, NULL);
	put_string(w, "@odata.type", "#Event.v1_13_0.Event");
	put_format(w, "Id", "%" PRIu64, item->seq);
	put_string(w, "Name", "CXL Event");
	put_string(w, "Context", context);
	put_array(w, "Events");
	put_object(w, NULL);
	put_string(w, "MemberId", "0");
	if (given)
		put_string(w, "EventId", given);
	else
		put_format(w, "EventId", "%" PRIu64, item->seq);
	put_string(w, "EventType", item->event_type ? item->event_type : "Other");
	if (item->entry)
		put_entry(w, item->entry);
	else if (item->record)
		put_message(w, item->record);
	else
		put_gap(w);
	if (item->origin)
		put_origin(w, page_view(page), item->origin, expand);
	put_end(w);
	put_end(w);
	put_end(w);
}
