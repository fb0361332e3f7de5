// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/representation.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

struct representation *representation_new(struct json_writer *w, const char *content_type)
{
	struct representation *r = NULL;
	char *fitted;

	if (!w->failed)
		r = calloc(1, sizeof(*r));
	if (!r) {
		json_writer_done(w);
		return NULL;
	}
	/* The writer's unused memory would stay allocated as long as the representation. */
	fitted = realloc(w->text, w->len > 0 ? w->len : 1);
	r->bytes = fitted ? fitted : w->text;
	r->len = w->len;
	r->content_type = content_type;
	atomic_init(&r->references, 1);
	atomic_init(&r->transport, NULL);
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
	free(r->bytes);
	free(r);
	return NULL;
}

struct representation *representation_retire(struct representation *r)
{
	struct transport_form *form;

	if (!r)
		return NULL;
	form = atomic_exchange(&r->transport, NULL);
	if (form)
		form->destroy(form);
	return representation_unref(r);
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
