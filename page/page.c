// SPDX-License-Identifier: LGPL-2.1-or-later
#include "page/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/strutil.h"
#include "http/negotiation.h"
#include "page/files.h"

/*
 * Only the page's own files and the service's own answers are used, and nothing may show the page
 * in a frame. Scripts cannot make HTML of text either (trusted types).
 */
#define POLICY                                                                                     \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "          \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "        \
	"require-trusted-types-for 'script'; trusted-types 'none'"

static const struct http_field page_fields[] = {
	{"Cache-Control", "no-cache"},
	{"Content-Security-Policy", POLICY},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Content-Type-Options", "nosniff"},
	{NULL, NULL},
};

struct page {
	const struct http_handler *next;
	void *userdata;
	struct representation *refused; /* the text of a 405 */
	struct representation *files[]; /* as page_files */
};

static struct representation *make_body(const char *bytes, size_t len, const char *type)
{
	struct json_writer w = {0};
	char digits[ETAG_DIGITS + 1];
	struct representation *r;

	put_constant(&w, bytes, len);
	r = representation_new(&w, type);
	if (!r)
		return NULL;
	etag_digits(bytes, len, digits);
	(void)snprintf(r->etag, sizeof(r->etag), "\"%s\"", digits);
	r->fields = page_fields;
	r->allow = "GET, HEAD";
	r->varies = len >= GZIP_BYTES_MIN;
	return r;
}

int page_new(const struct http_handler *next, void *userdata, struct page **ret, struct error *e)
{
	static const char why[] = "The methods of the page are GET and HEAD.\n";
	struct page *p = calloc(1, sizeof(*p) + page_files_n * sizeof(p->files[0]));
	bool made;

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->next = next;
	p->userdata = userdata;
	p->refused = make_body(why, sizeof(why) - 1, "text/plain; charset=utf-8");
	made = p->refused != NULL;
	for (size_t i = 0; i < page_files_n && made; i++) {
		const struct page_file *f = &page_files[i];

		p->files[i] = make_body(f->bytes, f->len, f->type);
		made = p->files[i] != NULL;
	}
	if (!made) {
		(void)page_free(p);
		return error_set(e, ENOMEM, "out of memory");
	}
	*ret = p;
	return 0;
}

struct page *page_free(struct page *p)
{
	if (!p)
		return NULL;
	for (size_t i = 0; i < page_files_n; i++)
		(void)representation_retire(p->files[i]);
	(void)representation_retire(p->refused);
	free(p);
	return NULL;
}

/* Return: the file that the request names; NULL none, or the request is not valid. */
static struct representation *find_file(const struct page *p, const struct http_request *req)
{
	if (req->fault == FAULT_HEADER || req->fault == FAULT_URI ||
	    req->fault == FAULT_URI_TOO_LONG)
		return NULL;
	for (size_t i = 0; i < page_files_n; i++)
		if (str_equal(page_files[i].path, req->path))
			return p->files[i];
	return NULL;
}

static void reply_file(const struct http_request *req, struct representation *file,
		       struct http_reply *ret)
{
	const char *coding = req->headers[HEADER_ACCEPT_ENCODING];
	const char *known = req->headers[HEADER_IF_NONE_MATCH];
	struct representation *gzipped = NULL;

	ret->status = known && etag_listed(known, file->etag) ? 304 : 200;
	if (file->varies && coding && accept_encoding_admits_gzip(coding))
		gzipped = representation_gzip(file);
	ret->body = gzipped ? gzipped : file;
	ret->shared = true;
}

static enum http_body_choice on_wants_body(void *userdata, const struct http_request *req,
					   struct http_call *call)
{
	const struct page *p = userdata;

	if (find_file(p, req))
		return HTTP_BODY_DISCARD;
	return p->next->wants_body(p->userdata, req, call);
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	const struct page *p = userdata;
	struct representation *file = find_file(p, req);

	if (!file)
		return p->next->handle(p->userdata, req, ret, call);
	if (req->method == METHOD_GET || req->method == METHOD_HEAD) {
		reply_file(req, file, ret);
		return HTTP_REPLIED;
	}
	ret->status = 405;
	ret->body = p->refused;
	ret->shared = true;
	return HTTP_REPLIED;
}

const struct http_handler page_handler = {on_wants_body, on_handle};
