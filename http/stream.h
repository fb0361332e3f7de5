/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_STREAM_H
#define CXLR_HTTP_STREAM_H

/*
 * Streams of server-sent events on the connections of one HTTP server.
 *
 * Between events a connection is suspended and costs nothing but its memory. libmicrohttpd does not
 * look at a suspended connection, so http_streams_sweep() does: it has each say something now and
 * then, and ends those whose client has left or takes nothing any more.
 */

#include <pthread.h>
#include <stdbool.h>

#include <microhttpd.h>

#include "events/event_bus.h"
#include "redfish/eventing/event_stream.h"

enum {
	STREAM_KEEP_ALIVE_MS = 15 * 1000,
	STREAM_STALLED_MS = 30 * 1000, /* without taking what was ready for it */
};

struct http_stream;

struct http_streams {
	struct event_subscriber subscriber; /* first: its callback is given this */
	struct event_bus *bus;		    /* NULL: there can be no streams */
	pthread_mutex_t lock;		    /* guards what follows; no bus may be called with it */
	struct http_stream *first;
	bool ending;
};

/* @bus: NULL without events; must outlive it */
void http_streams_init(struct http_streams *all, struct event_bus *bus);

/* Resumes all and suspends none any more; before libmicrohttpd is stopped. May be repeated. */
void http_streams_end(struct http_streams *all);

/* After libmicrohttpd was stopped. */
void http_streams_done(struct http_streams *all);

/* To be called about once a second. */
void http_streams_sweep(struct http_streams *all);

/*
 * http_stream_queue() - answer with a stream
 * @stream: taken over, also on failure
 */
enum MHD_Result http_stream_queue(struct http_streams *all, struct MHD_Connection *c,
				  struct event_stream *stream);

#endif
