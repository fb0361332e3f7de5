/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_RESPONSE_H
#define CXLR_HTTP_RESPONSE_H

/*
 * Replies as libmicrohttpd's responses. A shared representation gets its response once, which is
 * then queued again and again without a copy. Any thread.
 */

#include <stdbool.h>

#include <microhttpd.h>

#include "http/reply.h"

/*
 * http_response_queue() - send a reply that has a body
 * @reply: stays the caller's; a shared body stays referenced by libmicrohttpd until it was sent
 *
 * Return: MHD_NO makes libmicrohttpd close the connection.
 */
enum MHD_Result http_response_queue(struct MHD_Connection *c, const struct http_reply *reply);

/* Adds the reply's own headers. Return: false when out of memory. */
bool http_response_add_headers(struct MHD_Response *m, const struct http_reply *reply);

#endif
