/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REPRESENTATION_H
#define CXLR_HTTP_REPRESENTATION_H

/*
 * The body of a reply and the headers that describe it.
 *
 * Made once, constant afterwards, reference counted, readable from any thread. The transport may
 * keep a prepared response in `transport`, so that a body that is sent many times is prepared once;
 * one that was sent once only, as most are that a crawler reads, has none. The prepared response
 * holds a reference; the owner of a shared representation drops it with representation_retire().
 */

#include <stdatomic.h>
#include <stdbool.h>
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

/* With two quotes, "-gzip" and the NUL. */
enum { ETAG_DIGITS = 32, ETAG_MAX = ETAG_DIGITS + 8 };

enum {
	GZIP_BYTES_MIN = 1024, /* a shorter body is not compressed */
	/* Longer ones only where there is time for it: some milliseconds. */
	GZIP_AT_ONCE_MAX = 512 * 1024,
};

struct representation {
	atomic_uint references;
	_Atomic(struct transport_form *) transport;
	atomic_bool was_sent; /* by the transport, without a prepared response */
	_Atomic(struct representation *) gzipped; /* from representation_gzip() */
	const char *content_type;		  /* static */
	const struct http_field *fields; /* more headers, up to a NULL name; NULL none; static */
	const char *allow;	  /* methods of the resource, "GET, HEAD"; NULL unknown; static */
	const char *described_by; /* URI of a schema, for the Link header; NULL none; static */
	const char *coding;	  /* of its bytes, "gzip"; NULL none; static */
	bool varies;		  /* there may be another one with a coding */
	char etag[ETAG_MAX];	  /* with its quotes; "" none */
	char *bytes;
	size_t len;
	bool constant; /* the bytes are part of the program */
};

#define CONTENT_TYPE_JSON "application/json;charset=utf-8"
#define CONTENT_TYPE_XML  "application/xml;charset=utf-8"

/*
 * representation_new() - take over the text of a writer, or refer to that of put_constant()
 * @w: empty afterwards, also on failure
 * @content_type: static; NULL for a reply without a body
 *
 * Return: one reference, or NULL when out of memory (also when the writer ran out before).
 */
struct representation *representation_new(struct json_writer *w, const char *content_type);

/*
 * representation_gzip() - the same body with the gzip coding (RFC 1952), made on the first call
 *
 * Return: it is part of @r and lives as long; NULL when out of memory.
 */
struct representation *representation_gzip(struct representation *r);

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
