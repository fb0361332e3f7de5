// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/reply.h"

#include <string.h>
#include <strings.h>

#include "http/stream.h"

void http_reply_init(struct http_reply *r)
{
	/* Not the whole struct: the text is large and read only as far as it was written. */
	r->status = 0;
	r->body = NULL;
	r->shared = false;
	r->hold = NULL;
	r->release = NULL;
	r->stream = NULL;
	r->n_headers = r->text_len = 0;
}

void http_reply_done(struct http_reply *r)
{
	if (r->stream)
		r->stream->ops->free(r->stream);
	if (!r->shared)
		(void)representation_unref(r->body);
	if (r->hold)
		r->release(r->hold);
	http_reply_init(r);
}

void http_reply_move(struct http_reply *to, struct http_reply *from)
{
	to->status = from->status;
	to->body = from->body;
	to->shared = from->shared;
	to->hold = from->hold;
	to->release = from->release;
	to->stream = from->stream;
	to->n_headers = from->n_headers;
	to->text_len = from->text_len;
	memcpy(to->headers, from->headers, from->n_headers * sizeof(from->headers[0]));
	memcpy(to->text, from->text, from->text_len);
	http_reply_init(from);
}

bool http_reply_header(struct http_reply *r, const char *name, const char *value)
{
	size_t len = strlen(value) + 1;

	if (r->n_headers == HTTP_REPLY_HEADERS_MAX || len > sizeof(r->text) - r->text_len)
		return false;
	memcpy(r->text + r->text_len, value, len);
	r->headers[r->n_headers++] = (struct http_reply_header){name, r->text_len};
	r->text_len += len;
	return true;
}

const char *http_reply_value(const struct http_reply *r, const char *name)
{
	for (size_t i = 0; i < r->n_headers; i++)
		if (strcasecmp(r->headers[i].name, name) == 0)
			return r->text + r->headers[i].value;
	return NULL;
}
