/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_HANDLER_H
#define CXLR_HTTP_HANDLER_H

/*
 * The interface of an HTTP server to its requests' handler: a vtable that is called for each
 * request, on any of the server's threads, on several of them at the same time.
 *
 * A handler that must wait does not block the server's thread: it calls http_call_suspend(),
 * returns HTTP_LATER, and replies from another thread.
 */

#include <stdbool.h>

#include "http/reply.h"
#include "http/request.h"

/*
 * A request that was suspended. Given to the handler, which calls one of the functions exactly
 * once.
 */
struct http_pending {
	/*
	 * Sends @reply, which is empty afterwards. Any thread, also before handle() has returned.
	 * The request and @self are invalid afterwards.
	 */
	void (*complete)(struct http_pending *self, struct http_reply *reply);
	/*
	 * Has the handler called again as it was when it suspended the request, with @verdict in
	 * the request. Any thread, also before that call has returned. @self is invalid afterwards.
	 */
	void (*again)(struct http_pending *self, int verdict);
	/* The client's socket, to be looked at until then; nothing is read from it or written. */
	int fd;
};

struct http_sink;

/* One call of handle(), wants_body() or a sink, valid until it returns. */
struct http_call {
	struct http_pending *(*suspend)(struct http_call *self);
	/*
	 * For wants_body() to set, taken over: what the body is given to with HTTP_BODY_STREAM.
	 * With HTTP_BODY_DISCARD it is only passed on to handle(), for what it has of the reason.
	 */
	struct http_sink *sink;
};

/*
 * Receives the body of one request as it arrives, which is then never in memory as a whole. Its
 * functions are called on the connection's thread, one at a time, and must not wait.
 */
struct http_sink {
	uint64_t max; /* bytes of a body: a longer one is FAULT_BODY_TOO_LARGE */
	/*
	 * @data: copied; @len 0 is the end of the body
	 * @call: may be suspended when more cannot be copied yet; nothing is given until again().
	 *
	 * Return: whether more is taken; if not, the rest is read and discarded.
	 */
	bool (*take)(struct http_sink *self, const char *data, size_t len, struct http_call *call);
	/* The request has ended, or broken off at any byte. */
	void (*free)(struct http_sink *self);
};

enum http_outcome {
	HTTP_REPLIED, /* @ret is filled in */
	HTTP_LATER,   /* the call was suspended; @ret is not used */
};

enum http_body_choice {
	HTTP_BODY_DISCARD, /* handle() may be called before the client has sent it */
	HTTP_BODY_KEEP,	   /* in memory */
	HTTP_BODY_STREAM,  /* given to call->sink */
	HTTP_BODY_LATER,   /* the call was suspended, and again() repeats it */
};

struct http_handler {
	/*
	 * Whether the body is to be read, decided by the head: @req has no body yet. Nothing of it
	 * is in memory before the answer. Must not wait.
	 */
	enum http_body_choice (*wants_body)(void *userdata, const struct http_request *req,
					    struct http_call *call);

	/*
	 * Called once for each request, and once more each time that the handler asked for it by
	 * again(). @ret is initialized. Must not wait.
	 */
	enum http_outcome (*handle)(void *userdata, const struct http_request *req,
				    struct http_reply *ret, struct http_call *call);
};

/*
 * http_call_suspend() - reply later; at most once in a call
 *
 * Return: the suspended request, to be completed or repeated; NULL when out of memory, and the
 * handler replies at once.
 */
static inline struct http_pending *http_call_suspend(struct http_call *call)
{
	return call->suspend(call);
}

#endif
