/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_FEED_EVENT_MESSAGE_H
#define CXLR_REDFISH_FEED_EVENT_MESSAGE_H

/*
 * The message of an event in the CXLHost registry, for its LogEntry and for the record of an Event.
 * All functions read the view and the event only; any thread.
 */

#include "common/json_writer.h"
#include "events/event_strings.h"
#include "events/stored_event.h"
#include "redfish/core/resource_index.h"

struct view;

/* Return: the MessageId, "CXLHost.1.0.GeneralMediaEvent"; static. */
const char *event_message_id(const struct stored_event *ev);

/* Return: the same for a type, without its registry, "GeneralMediaEvent"; static. */
const char *event_type_key(enum event_type type);

/* Return: the name of the log of the device that the record was in, "Fatal"; NULL unknown. */
const char *event_log_name(const struct stored_event *ev);

/* Return: Redfish's name of the severity, "Warning"; static. */
const char *event_severity_name(enum event_severity severity);

/*
 * put_event_message() - MessageId, MessageArgs, Message and Resolution, which a LogEntry and the
 * record of an Event have in common; the severity is Severity in one, MessageSeverity in the other
 */
void put_event_message(struct json_writer *w, const struct stored_event *ev);

/* event_message_text() - the Message alone, cut at @size */
void event_message_text(const struct stored_event *ev, char *text, size_t size);

/* The URI of the entry in the log of the host, which has all entries. */
void event_entry_uri(uint64_t seq, char ret[static RESOURCE_URI_MAX]);

/*
 * event_origin() - the resource where the event originated: a Memory, a Port for errors of a port
 *
 * Return: its URI, which is the view's; NULL when the event has none, or it no longer exists.
 */
const char *event_origin(const struct view *v, const struct stored_event *ev);

/*
 * event_chunks() - the MemoryChunks that the event's address was in
 * @boot_id: of the running kernel
 *
 * Return: its URI, which is the view's; NULL unless the region still exists: same boot, same name,
 * same resource and UUID.
 */
const char *event_chunks(const struct view *v, const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
			 const struct stored_event *ev);

#endif
