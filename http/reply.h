/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REPLY_H
#define CXLR_HTTP_REPLY_H

/*
 * A reply as a handler makes it: a status, a body or a stream, and the headers of this reply only.
 * The headers of every reply with the same body are part of its representation.
 *
 * A reply belongs to one thread at a time. Initialized by http_reply_init(), released by
 * http_reply_done(); a struct assignment moves it; the source is then initialized again.
 */

#include <stdbool.h>
#include <stddef.h>

#include "http/representation.h"

struct http_stream_source;

enum { HTTP_REPLY_HEADERS_MAX = 14, HTTP_REPLY_TEXT_MAX = 1280 };

struct http_reply_header {
	const char *name; /* static */
	size_t value;	  /* where it begins in `text` */
};

struct http_reply {
	unsigned int status;
	/* One reference; without a stream, NULL closes the connection. Not sent with 304. */
	struct representation *body;
	/*
	 * The body belongs to `hold`, not to the reply, and is sent many times: the transport
	 * prepares its headers once and keeps them in the representation.
	 */
	bool shared;
	void *hold; /* owner of a shared body; released by release() */
	void (*release)(void *hold);
	struct http_stream_source *stream; /* instead of a body */
	size_t n_headers, text_len;
	struct http_reply_header headers[HTTP_REPLY_HEADERS_MAX];
	char text[HTTP_REPLY_TEXT_MAX];
};

/* Status 0, no body, no headers. */
void http_reply_init(struct http_reply *r);

/* Releases the contents of the reply and initializes it. */
void http_reply_done(struct http_reply *r);

/* Moves the contents of @from to @to; @from is empty afterwards. */
void http_reply_move(struct http_reply *to, struct http_reply *from);

/*
 * http_reply_header() - add a header
 * @name: static
 * @value: copied
 *
 * Return: false if there is no space for it.
 */
bool http_reply_header(struct http_reply *r, const char *name, const char *value);

/* Return: the value of a header, NULL when the reply does not have it. */
const char *http_reply_value(const struct http_reply *r, const char *name);

#endif
