/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_BODY_H
#define CXLR_REDFISH_BODY_H

/*
 * Bodies with the headers that every Redfish response has (DSP0266 1.20 8.2). Any thread.
 */

#include "http/reply.h"
#include "http/representation.h"

/*
 * redfish_body_new() - as representation_new()
 *
 * Return: one reference, NULL when out of memory.
 */
struct representation *redfish_body_new(struct json_writer *w, const char *content_type);

/* The same headers for a stream, which has no representation; it must not be cached. */
void redfish_stream_headers(struct http_reply *reply, const char *content_type, const char *allow);

#endif
