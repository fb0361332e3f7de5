// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/response.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINK_MAX = 200 };

struct prepared_response {
	struct transport_form base;
	struct MHD_Response *response;
};

static void drop_representation(void *cls)
{
	(void)representation_unref(cls);
}

/* Return: false when out of memory; nothing is added for a @value of NULL. */
static bool add_header(struct MHD_Response *m, const char *name, const char *value)
{
	return !value || MHD_add_response_header(m, name, value) == MHD_YES;
}

static bool add_body_headers(struct MHD_Response *m, const struct representation *r)
{
	char link[LINK_MAX];

	for (const struct http_field *f = r->fields; f && f->name; f++)
		if (!add_header(m, f->name, f->value))
			return false;
	(void)snprintf(link, sizeof(link), "<%s>; rel=describedby",
		       r->described_by ? r->described_by : "");
	return add_header(m, "Content-Type", r->content_type) && add_header(m, "Allow", r->allow) &&
	       add_header(m, "Link", r->described_by ? link : NULL) &&
	       add_header(m, "ETag", r->etag[0] ? r->etag : NULL) &&
	       add_header(m, "Content-Encoding", r->coding) &&
	       add_header(m, "Vary", r->varies ? "Accept-Encoding" : NULL);
}

bool http_response_add_headers(struct MHD_Response *m, const struct http_reply *reply)
{
	for (size_t i = 0; i < reply->n_headers; i++)
		if (!add_header(m, reply->headers[i].name, reply->text + reply->headers[i].value))
			return false;
	return true;
}

/* Return: a response with a reference to its representation; NULL when out of memory. */
static struct MHD_Response *response_new(struct representation *r)
{
	struct MHD_Response *m;

	m = MHD_create_response_from_buffer_with_free_callback_cls(
		r->len, r->bytes, drop_representation, representation_ref(r));
	if (!m) {
		(void)representation_unref(r);
		return NULL;
	}
	if (!add_body_headers(m, r)) {
		MHD_destroy_response(m);
		return NULL;
	}
	return m;
}

static void prepared_destroy(struct transport_form *form)
{
	MHD_destroy_response(((struct prepared_response *)form)->response);
	free(form);
}

static struct transport_form *prepared_new(struct representation *r)
{
	struct prepared_response *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->base.destroy = prepared_destroy;
	p->response = response_new(r);
	if (!p->response) {
		free(p);
		return NULL;
	}
	return &p->base;
}

/* Return: the prepared response of a shared representation; NULL when out of memory. */
static struct MHD_Response *shared_response(struct representation *r)
{
	struct transport_form *form, *expected = NULL;

	form = atomic_load_explicit(&r->transport, memory_order_acquire);
	if (!form) {
		form = prepared_new(r);
		if (!form)
			return NULL;
		if (!atomic_compare_exchange_strong(&r->transport, &expected, form)) {
			prepared_destroy(form);
			form = expected;
		}
	}
	return ((struct prepared_response *)form)->response;
}

static enum MHD_Result queue_once(struct MHD_Connection *c, const struct http_reply *reply)
{
	struct MHD_Response *m = response_new(reply->body);
	enum MHD_Result r = MHD_NO;

	if (!m)
		return MHD_NO;
	if (http_response_add_headers(m, reply))
		r = MHD_queue_response(c, reply->status, m);
	MHD_destroy_response(m);
	return r;
}

enum MHD_Result http_response_queue(struct MHD_Connection *c, const struct http_reply *reply)
{
	struct MHD_Response *m;

	if (!reply->body)
		return MHD_NO;
	if (!reply->shared || reply->n_headers > 0 ||
	    !atomic_exchange(&reply->body->was_sent, true))
		return queue_once(c, reply);
	/* With HEAD, and with 304, libmicrohttpd sends the headers of the body but not the body. */
	m = shared_response(reply->body);
	return m ? MHD_queue_response(c, reply->status, m) : MHD_NO;
}
