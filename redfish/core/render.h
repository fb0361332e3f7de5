/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RENDER_H
#define CXLR_REDFISH_RENDER_H

/*
 * The parts that all resources share: the first properties, and the entity tag of the body.
 * Any thread.
 */

#include "redfish/core/resource_table.h"
#include "http/reply.h"
#include "http/representation.h"

/* Opens the resource. Return: for render_end(). */
size_t render_begin(const struct resource *r, struct json_writer *w);

/*
 * render_end() - close the resource and tag it
 * @w: empty afterwards, also on failure
 *
 * Return: one reference; NULL when out of memory.
 */
struct representation *render_end(const struct resource *r, size_t begun, struct json_writer *w);

/* render_take_etag() - tag what has more than the resource as the resource is; both are of @r */
void render_take_etag(struct representation *rep, const struct representation *of,
		      const struct resource *r);

/* ---- bodies with the headers that every Redfish response has (DSP0266 1.20 8.2) ---- */

/*
 * redfish_body_new() - as representation_new()
 *
 * Return: one reference, NULL when out of memory.
 */
struct representation *redfish_body_new(struct json_writer *w, const char *content_type);

/* The same headers for a stream, which has no representation; it must not be cached. */
void redfish_stream_headers(struct http_reply *reply, const char *content_type, const char *allow);

#endif
