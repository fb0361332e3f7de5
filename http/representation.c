// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/representation.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <zlib.h>

#include "http/negotiation.h"

struct representation *representation_new(struct json_writer *w, const char *content_type)
{
	struct representation *r = NULL;
	char *fitted = NULL;

	if (!w->failed)
		r = calloc(1, sizeof(*r));
	if (!r) {
		json_writer_done(w);
		return NULL;
	}
	/* The writer's unused memory would stay allocated as long as the representation. */
	if (!w->constant)
		fitted = realloc(w->text, w->len > 0 ? w->len : 1);
	r->bytes = fitted ? fitted : w->text;
	r->len = w->len;
	r->constant = w->constant;
	r->content_type = content_type;
	atomic_init(&r->references, 1);
	atomic_init(&r->transport, NULL);
	atomic_init(&r->gzipped, NULL);
	*w = (struct json_writer){0};
	return r;
}

struct representation *representation_ref(struct representation *r)
{
	atomic_fetch_add_explicit(&r->references, 1, memory_order_relaxed);
	return r;
}

struct representation *representation_unref(struct representation *r)
{
	if (!r || atomic_fetch_sub_explicit(&r->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	(void)representation_unref(atomic_load_explicit(&r->gzipped, memory_order_acquire));
	if (!r->constant)
		free(r->bytes);
	free(r);
	return NULL;
}

struct representation *representation_retire(struct representation *r)
{
	struct representation *gzipped;
	struct transport_form *form;

	if (!r)
		return NULL;
	gzipped = atomic_load_explicit(&r->gzipped, memory_order_acquire);
	form = gzipped ? atomic_exchange(&gzipped->transport, NULL) : NULL;
	if (form)
		form->destroy(form);
	form = atomic_exchange(&r->transport, NULL);
	if (form)
		form->destroy(form);
	return representation_unref(r);
}

/* ---- gzip -------------------------------------------------------------------------------------
 */

enum {
	GZIP_WINDOW = 15 + 16, /* the largest, and a gzip header instead of zlib's */
	GZIP_MEMORY = 8,       /* zlib's usual one */
};

/* Return: whether the bytes of @from were compressed into @to. */
static bool compress_bytes(const struct representation *from, struct representation *to)
{
	z_stream z = {0};
	char *fitted;
	bool done;

	/* Fast: JSON of many like objects is reduced to a tenth anyway. */
	if (from->len > UINT_MAX / 2 || deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW,
						     GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	to->len = deflateBound(&z, from->len);
	to->bytes = malloc(to->len);
	z.next_in = (unsigned char *)from->bytes;
	z.avail_in = (unsigned int)from->len;
	z.next_out = (unsigned char *)to->bytes;
	z.avail_out = (unsigned int)to->len;
	done = to->bytes && deflate(&z, Z_FINISH) == Z_STREAM_END;
	to->len = z.total_out;
	(void)deflateEnd(&z);
	fitted = done ? realloc(to->bytes, to->len) : NULL;
	if (fitted)
		to->bytes = fitted;
	return done;
}

static struct representation *gzip_new(const struct representation *from)
{
	struct representation *r = calloc(1, sizeof(*r));
	size_t len = strlen(from->etag);

	if (!r)
		return NULL;
	atomic_init(&r->references, 1);
	atomic_init(&r->transport, NULL);
	atomic_init(&r->gzipped, NULL);
	if (!compress_bytes(from, r))
		return representation_unref(r);
	r->content_type = from->content_type;
	r->fields = from->fields;
	r->allow = from->allow;
	r->described_by = from->described_by;
	r->varies = from->varies;
	r->coding = "gzip";
	/* Other bytes need another strong tag (RFC 9110 8.8.3.3). */
	if (len > 0)
		(void)snprintf(r->etag, sizeof(r->etag), "%.*s" ETAG_GZIP "\"", (int)len - 1,
			       from->etag);
	return r;
}

struct representation *representation_gzip(struct representation *r)
{
	struct representation *made = atomic_load_explicit(&r->gzipped, memory_order_acquire);
	struct representation *expected = NULL;

	if (made)
		return made;
	made = gzip_new(r);
	if (!made)
		return NULL;
	/* Two threads may have made it at the same time: the second one drops its result. */
	if (!atomic_compare_exchange_strong(&r->gzipped, &expected, made)) {
		(void)representation_unref(made);
		made = expected;
	}
	return made;
}

void etag_digits(const void *bytes, size_t len, char ret[static ETAG_DIGITS + 1])
{
	uint8_t digest[32];

	/* Fails only when SHA-256 is disabled; then there is no entity tag. */
	if (gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, len, digest) < 0) {
		ret[0] = '\0';
		return;
	}
	for (size_t i = 0; i < ETAG_DIGITS / 2; i++) {
		ret[2 * i] = "0123456789abcdef"[digest[i] >> 4];
		ret[2 * i + 1] = "0123456789abcdef"[digest[i] & 0xf];
	}
	ret[ETAG_DIGITS] = '\0';
}
