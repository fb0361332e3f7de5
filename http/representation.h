/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REPRESENTATION_H
#define CXLR_HTTP_REPRESENTATION_H

/*
 * A finished answer: its bytes and what must be said about them.
 *
 * Made once, constant afterwards, reference counted, readable from any thread. The transport may
 * hang its own form of it (headers already laid out) in `transport`, so that an answer that is
 * given many times costs it nothing; whoever keeps representations for reuse, which is the view,
 * takes that form away again with representation_retire(), because it holds a reference back.
 */

#include <stdatomic.h>
#include <stddef.h>

#include "common/cleanup.h"
#include "common/json_writer.h"

/* First member of what a transport hangs into a representation. */
struct transport_form {
	void (*destroy)(struct transport_form *form);
};

enum { ETAG_DIGITS = 32, ETAG_MAX = ETAG_DIGITS + 3 };

struct representation {
	atomic_uint references;
	_Atomic(struct transport_form *) transport;
	const char *content_type; /* static */
	const char *allow;	  /* methods of the resource, "GET, HEAD"; NULL unknown; static */
	const char *schema;	  /* URI of the JSON schema it is described by; NULL none; static */
	char etag[ETAG_MAX];	  /* with its quotes; "" none */
	char *bytes;
	size_t len;
};

#define CONTENT_TYPE_JSON "application/json;charset=utf-8"
#define CONTENT_TYPE_XML  "application/xml;charset=utf-8"

/*
 * representation_new() - take over what a writer holds
 * @w: empty afterwards, also on failure
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
 * They depend on the bytes alone, so a client's cache survives a rebuild of the topology that
 * changed nothing for it, and a restart.
 */
void etag_digits(const void *bytes, size_t len, char ret[static ETAG_DIGITS + 1]);

DEFINE_CLEANUP(struct representation, representation_unref);
#define _cleanup_representation_ _cleanup_(representation_unrefp)

#endif
