/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_HEAD_H
#define CXLR_HTTP_HEAD_H

/*
 * The head of a request: libmicrohttpd's values as a struct http_request, checked.
 *
 * libmicrohttpd accepts requests that two HTTP parsers may interpret differently (two lengths, a
 * length and chunks, two hosts, a space before the colon, control characters, NUL bytes, folded
 * headers). Such requests get a fault here, because a proxy in front of the server may have
 * interpreted them differently.
 *
 * libmicrohttpd cuts a method, a URI and a value at a NUL byte and appends a folded line to the
 * name of its header, so neither can be seen in what it passes on. But it says how long the head
 * was: a head with a NUL byte or a folded line is longer than its parts. Each header must follow
 * the end of the one before after one line end, each value its name, and all parts with their line
 * ends must have the length of the head. Some bytes stay hidden: up to three from a NUL byte
 * on, in the request line or the last header, in a request whose lines end with CR LF except for as
 * many, of the request line, the last header and the empty line, that end with LF alone.
 */

#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "http/request.h"

struct http_head {
	struct http_request req; /* points into the connection's memory */
	bool expects_continue;
};

/* Return: the fault of a URI as it was received, before libmicrohttpd decodes it. */
enum http_fault http_uri_fault(const char *raw);

/* Whether a name in the query is that of an option; others are ignored (DSP0266 1.20 7.3.1). */
bool http_is_option(const char *name);

/* Whether the head announces a body. */
bool http_has_framing(struct MHD_Connection *connection);

/* Whether the head has "Expect: 100-continue", which announces a body, but there is no body. */
bool http_announces_no_body(struct MHD_Connection *connection);

/*
 * http_head_read() - read a head
 * @method, @url, @version: as libmicrohttpd passes them to the request handler
 * @uri_fault: from http_uri_fault()
 * @uri_len: length of the URI as it was received
 * @client: of the connection
 */
void http_head_read(struct MHD_Connection *connection, const char *method, const char *url,
		    const char *version, enum http_fault uri_fault, size_t uri_len,
		    const struct http_client *client, struct http_head *h);

#endif
