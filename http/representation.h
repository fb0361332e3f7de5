/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REPRESENTATION_H
#define CXLR_HTTP_REPRESENTATION_H

/*
 * The body of a reply and the headers that describe it.
 *
 * Made once, constant afterwards, reference counted, readable from any thread. The transport may
 * keep a prepared response in `transport`, so that a body that is sent many times is prepared once.
 * The prepared response holds a reference; the owner of a shared representation drops it with
 * representation_retire().
 */

#include <stdatomic.h>
#include <stddef.h>

#include "common/cleanup.h"
#include "common/json_writer.h"

/* First member of a transport's prepared response. */
struct transport_form {
	void (*destroy)(struct transport_form *form);
};

struct http_field {
	const char *name, *value;
};

enum { ETAG_DIGITS = 32, ETAG_MAX = ETAG_DIGITS + 3 };

struct representation {
	atomic_uint references;
	_Atomic(struct transport_form *) transport;
	const char *content_type;	 /* static */
	const struct http_field *fields; /* more headers, up to a NULL name; NULL none; static */
	const char *allow;	  /* methods of the resource, "GET, HEAD"; NULL unknown; static */
	const char *described_by; /* URI of a schema, for the Link header; NULL none; static */
	char etag[ETAG_MAX];	  /* with its quotes; "" none */
	char *bytes;
	size_t len;
};

#define CONTENT_TYPE_JSON "application/json;charset=utf-8"
#define CONTENT_TYPE_XML  "application/xml;charset=utf-8"

/*
 * representation_new() - take over the text of a writer
 * @w: empty afterwards, also on failure
 * @content_type: static; NULL for a reply without a body
 *
 * Return: one reference, or NULL when out of memory (also when the writer ran out before).
 */
struct representation *representation_new(struct json_writer *w, const char *content_type);

struct representation *representation_ref(struct representation *r);

/* Accepts NULL. Return: NULL. */
struct representation *representation_unref(struct representation *r);

/* Drops the transport's form and then the caller's reference. Accepts NULL. Return: NULL. */
struct representation *representation_retire(struct representation *r);

/*
 * etag_digits() - the digits of a strong entity tag for some bytes
 *
 * They depend on the bytes alone, so a client's cache stays valid when the topology is read again
 * without a change, and across a restart.
 */
void etag_digits(const void *bytes, size_t len, char ret[static ETAG_DIGITS + 1]);

DEFINE_CLEANUP(struct representation, representation_unref);
#define _cleanup_representation_ _cleanup_(representation_unrefp)

#endif
