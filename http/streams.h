/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_STREAMS_H
#define CXLR_HTTP_STREAMS_H

/*
 * The streams on the connections of one HTTP server.
 *
 * While there is nothing to send a connection is suspended and uses no resources but memory.
 * libmicrohttpd does not check a suspended connection, so http_streams_sweep() does: it makes each
 * source send something now and then, and ends the streams whose client has closed its side or
 * takes no bytes. Any thread, apart from init, end, done and sweep, which are the main thread's.
 *
 * A stream belongs to libmicrohttpd's response and to the request, whose ends come in either order;
 * only the request's has the result.
 */

#include <pthread.h>
#include <stdbool.h>
#include <sys/queue.h>

#include <microhttpd.h>

#include "http/limits.h"
#include "http/reply.h"

enum { STREAM_KEEP_ALIVE_MS = 15 * 1000 };

struct http_stream;

struct http_streams {
	unsigned int stalled_ms; /* of struct http_limits */
	pthread_mutex_t lock; /* guards the following members; not held when a function of a source
				 is called */
	LIST_HEAD(http_stream_list, http_stream) all;
	bool ending;
};

void http_streams_init(struct http_streams *all, const struct http_limits *limits);

/* Resumes all, and suspends none from now on; before libmicrohttpd is stopped. Can be repeated. */
void http_streams_end(struct http_streams *all);

/* After libmicrohttpd was stopped. */
void http_streams_done(struct http_streams *all);

/* To be called about once a second. */
void http_streams_sweep(struct http_streams *all);

/*
 * http_stream_queue() - reply with a stream
 * @reply: its stream is taken over, also on failure; its headers are the response's
 * @ret: for http_stream_end(), also on failure; NULL when out of memory
 *
 * Return: MHD_NO makes libmicrohttpd close the connection.
 */
enum MHD_Result http_stream_queue(struct http_streams *all, struct MHD_Connection *c,
				  struct http_reply *reply, struct http_stream **ret);

/*
 * http_stream_end() - the request of a stream has ended; on the connection's thread
 * @all: its response was given to the network to the end
 */
void http_stream_end(struct http_stream *h, bool all);

#endif
