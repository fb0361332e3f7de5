// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/reply.h"

#include <stdio.h>
#include <stdlib.h>

#include "http/representation.h"

#define REALM "Basic realm=\"CXL memory\", charset=\"UTF-8\""

enum { LINK_MAX = 200 };

struct http_form {
	struct transport_form base;
	struct MHD_Response *response;
};

static void drop_representation(void *cls)
{
	(void)representation_unref(cls);
}

/* Return: whether the header could be added; @value NULL is nothing to add. */
static bool add(struct MHD_Response *m, const char *name, const char *value)
{
	return !value || MHD_add_response_header(m, name, value) == MHD_YES;
}

static bool add_headers(struct MHD_Response *m, const struct representation *r)
{
	char link[LINK_MAX];

	(void)snprintf(link, sizeof(link), "<%s>; rel=describedby", r->schema ? r->schema : "");
	return add(m, "OData-Version", "4.0") && add(m, "Cache-Control", "no-cache") &&
	       add(m, "X-Content-Type-Options", "nosniff") &&
	       add(m, "Content-Type", r->content_type) && add(m, "Allow", r->allow) &&
	       add(m, "Link", r->schema ? link : NULL) &&
	       add(m, "ETag", r->etag[0] ? r->etag : NULL);
}

/* Return: a response that holds a reference on its representation; NULL when out of memory. */
static struct MHD_Response *make_response(struct representation *r)
{
	struct MHD_Response *m;

	m = MHD_create_response_from_buffer_with_free_callback_cls(
		r->len, r->bytes, drop_representation, representation_ref(r));
	if (!m) {
		(void)representation_unref(r);
		return NULL;
	}
	if (!add_headers(m, r)) {
		MHD_destroy_response(m);
		return NULL;
	}
	return m;
}

static void destroy_form(struct transport_form *form)
{
	MHD_destroy_response(((struct http_form *)form)->response);
	free(form);
}

static struct http_form *make_form(struct representation *r)
{
	struct http_form *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->base.destroy = destroy_form;
	f->response = make_response(r);
	if (!f->response) {
		free(f);
		return NULL;
	}
	return f;
}

/* The form a shared representation has, or has from now on. NULL when out of memory. */
static struct MHD_Response *shared_response(struct representation *r)
{
	struct transport_form *form, *expected = NULL;

	form = atomic_load_explicit(&r->transport, memory_order_acquire);
	if (!form) {
		form = (struct transport_form *)make_form(r);
		if (!form)
			return NULL;
		if (!atomic_compare_exchange_strong(&r->transport, &expected, form)) {
			destroy_form(form);
			form = expected;
		}
	}
	return ((struct http_form *)form)->response;
}

/* Headers that belong to a status, whatever the body is. */
static bool add_status_headers(struct MHD_Response *m, unsigned int status, bool close)
{
	return add(m, "WWW-Authenticate", status == MHD_HTTP_UNAUTHORIZED ? REALM : NULL) &&
	       add(m, "Retry-After", status == MHD_HTTP_SERVICE_UNAVAILABLE ? "1" : NULL) &&
	       add(m, "Connection", close ? "close" : NULL);
}

static enum MHD_Result queue_once(struct MHD_Connection *c, const struct redfish_response *res,
				  bool close)
{
	struct MHD_Response *m = make_response(res->body);
	enum MHD_Result r = MHD_NO;

	if (!m)
		return MHD_NO;
	if (add_status_headers(m, res->status, close) &&
	    add(m, "Location", res->location[0] ? res->location : NULL))
		r = MHD_queue_response(c, res->status, m);
	MHD_destroy_response(m);
	return r;
}

enum MHD_Result http_reply_queue(struct MHD_Connection *c, const struct redfish_response *res,
				 bool close)
{
	struct MHD_Response *m;

	if (!res->body) /* not even the error's text could be made */
		return MHD_NO;
	if (!res->shared || close)
		return queue_once(c, res, close);
	/* With HEAD, and with 304, libmicrohttpd sends the headers of the body but not the body. */
	m = shared_response(res->body);
	return m ? MHD_queue_response(c, res->status, m) : MHD_NO;
}
