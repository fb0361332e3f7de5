/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_STREAM_H
#define CXLR_REDFISH_EVENTING_EVENT_STREAM_H

/*
 * One stream of server-sent events (DSP0266 13.5.2), without its transport: text is made when the
 * transport has space for it. A stream keeps a cursor, and the rest of an event that did not fit.
 *
 * The transport owns it and reads it from one thread at a time; while it exists it is shown as an
 * EventDestination, and deleting that ends it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/json_writer.h"
#include "common/opt.h"
#include "http/stream.h"
#include "redfish/auth/revocation.h"
#include "redfish/core/principal.h"

struct event_service;
struct event_stream;
struct http_client;

/*
 * event_stream_new() - open a stream
 * @who: who asked for it; it ends by each revocation that concerns this principal
 * @client: where that client is; not kept
 * @filter: accepted by delivery_filter_check(); copied; NULL none
 * @with_origin: events have the resource of their OriginOfCondition instead of a link to it
 * @last_id: the last number that the client has received; absent: new events only
 *
 * Return: 0; -EBUSY when there are too many (BUDGET_STREAMS of http/budget.h); -ENOMEM.
 */
int event_stream_new(struct event_service *es, const struct principal *who,
		     const struct http_client *client, const char *filter, bool with_origin,
		     struct opt_u64 last_id, struct event_stream **ret);

/* Return: the stream as the source of an HTTP reply, which frees it then. */
struct http_stream_source *event_stream_source(struct event_stream *s);

/* Accepts NULL. Return: NULL. */
struct event_stream *event_stream_free(struct event_stream *s);

/*
 * event_stream_read() - the next bytes to send; reads the store
 * @keep_alive: return a comment line when there is nothing
 *
 * Return: the bytes written to @buf; 0: nothing now, call again when the bus wakes; -EPIPE: the
 * stream has ended.
 */
ssize_t event_stream_read(struct event_stream *s, char *buf, size_t size, bool keep_alive);

/* ---- for event_service.c: streams by their number ---------------------------------------------
 */

bool event_stream_exists(struct event_service *es, uint64_t number);

/* Ends those that @r concerns. */
void event_streams_revoke(struct event_service *es, const struct revocation *r);

/* Requests that its connection is closed. -ENOENT */
int event_stream_end(struct event_service *es, uint64_t number);

int event_stream_put(struct event_service *es, uint64_t number, struct json_writer *w);
size_t event_stream_put_links(struct event_service *es, struct json_writer *w);

#endif
