// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/cross_site.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/host_name.h"
#include "common/strutil.h"

/* Headers of a reply that a page's script may read, besides the body and what Fetch always allows.
 */
#define READABLE                                                                                   \
	"Allow, ETag, Link, Location, OData-Version, Retry-After, WWW-Authenticate, X-Auth-Token"
#define SENDABLE                                                                                   \
	"Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, OData-Version, "     \
	"Prefer, X-Auth-Token"
#define PREFLIGHT_SECONDS "600"

/* Host and port of an origin or of a Host header. */
struct origin {
	bool tls;
	struct authority authority; /* with the scheme's own port where none was given */
};

static bool authority_read(const char *text, bool tls, struct authority *ret)
{
	if (authority_parse(text, strlen(text), ret) < 0)
		return false;
	if (ret->port == AUTHORITY_NO_PORT)
		ret->port = tls ? 443 : 80;
	return true;
}

/* Host names have no case (RFC 3986 3.2.2). */
static bool same_authority(const struct authority *a, const struct authority *b)
{
	return a->port == b->port && strcasecmp(a->host, b->host) == 0;
}

/* Schemes have no case. Return: what follows it; NULL of any by which no page of ours is loaded. */
static const char *after_scheme(const char *text, bool *ret_tls)
{
	*ret_tls = strncasecmp(text, "https://", 8) == 0;
	if (*ret_tls)
		return text + 8;
	return strncasecmp(text, "http://", 7) == 0 ? text + 7 : NULL;
}

/* Return: false for "null", too. */
static bool origin_read(const char *text, struct origin *ret)
{
	const char *rest = after_scheme(text, &ret->tls);

	return rest && authority_read(rest, ret->tls, &ret->authority);
}

void origins_init(struct origins *o)
{
	atomic_init(&o->any, false);
	(void)pthread_mutex_init(&o->lock, NULL);
	o->n = 0;
}

void origins_done(struct origins *o)
{
	(void)pthread_mutex_destroy(&o->lock);
}

/* Browsers send neither a zone nor a ':' without a port. */
int origin_check(const char *text, struct error *e)
{
	const size_t len = strlen(text);
	struct origin o;

	if (len < ORIGIN_MAX && origin_read(text, &o) && o.authority.port > 0 &&
	    o.authority.kind != AUTHORITY_ZONE && text[len - 1] != ':')
		return 0;
	return error_set(
		e, EINVAL,
		"'%.64s' is no origin: give http:// or https://, a host, and :PORT unless it is the scheme's own, without a path",
		text);
}

void origins_set(struct origins *o, const char *const *items, size_t n)
{
	(void)pthread_mutex_lock(&o->lock);
	o->n = n < ORIGINS_MAX ? n : ORIGINS_MAX;
	for (size_t i = 0; i < o->n; i++)
		(void)snprintf(o->items[i], sizeof(o->items[i]), "%s", items[i]);
	atomic_store(&o->any, o->n > 0);
	(void)pthread_mutex_unlock(&o->lock);
}

const char *origins_allow(struct origins *o, const struct http_request *req)
{
	const char *text = req->headers[HEADER_ORIGIN];
	struct origin from, listed;
	bool found = false;

	if (!text || !atomic_load_explicit(&o->any, memory_order_relaxed) ||
	    strlen(text) >= ORIGIN_MAX || !origin_read(text, &from))
		return NULL;
	(void)pthread_mutex_lock(&o->lock);
	for (size_t i = 0; i < o->n && !found; i++)
		found = origin_read(o->items[i], &listed) && listed.tls == from.tls &&
			same_authority(&listed.authority, &from.authority);
	(void)pthread_mutex_unlock(&o->lock);
	return found ? text : NULL;
}

/* On a Unix socket it is a proxy that knows the scheme. */
static bool is_own(const char *text, const struct http_request *req)
{
	const char *host = req->headers[HEADER_HOST];
	bool tls = req->client.transport == HTTP_OVER_TLS;
	struct authority own;
	struct origin from;

	if (!host || !origin_read(text, &from) || !authority_read(host, from.tls, &own))
		return false;
	if (req->client.transport != HTTP_OVER_UNIX && from.tls != tls)
		return false;
	return same_authority(&from.authority, &own);
}

const char *cross_site_header(struct origins *o, const struct http_request *req)
{
	const char *origin = req->headers[HEADER_ORIGIN];
	const char *site = req->headers[HEADER_SEC_FETCH_SITE];

	if (origins_allow(o, req))
		return NULL;
	if (origin && !is_own(origin, req))
		return "Origin";
	if (site && !str_equal(site, "same-origin") && !str_equal(site, "none"))
		return "Sec-Fetch-Site";
	return NULL;
}

bool cross_site_preflight(const struct http_request *req)
{
	return req->method == METHOD_OPTIONS && req->headers[HEADER_ORIGIN] &&
	       req->headers[HEADER_ACCESS_CONTROL_REQUEST_METHOD];
}

static void add_headers(struct http_reply *reply, const struct http_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++)
		(void)http_reply_header(reply, fields[i].name, fields[i].value);
}

void cross_site_reply(struct origins *o, const char *origin, struct http_reply *reply)
{
	const struct http_field fields[] = {
		{"Access-Control-Allow-Origin", origin},
		{"Access-Control-Expose-Headers", READABLE},
	};

	/* A cache must not send the reply for one origin to another one. */
	if (atomic_load_explicit(&o->any, memory_order_relaxed))
		(void)http_reply_header(reply, "Vary", "Origin");
	if (origin)
		add_headers(reply, fields, ARRAY_SIZE(fields));
}

void cross_site_reply_preflight(struct http_reply *reply)
{
	static const struct http_field fields[] = {
		{"Access-Control-Allow-Methods", "GET, HEAD, POST, PATCH, DELETE"},
		{"Access-Control-Allow-Headers", SENDABLE},
		{"Access-Control-Max-Age", PREFLIGHT_SECONDS},
	};

	add_headers(reply, fields, ARRAY_SIZE(fields));
}
