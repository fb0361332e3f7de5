// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/cross_site.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/strutil.h"

/* Headers of a reply that a page's script may read, besides the body and what Fetch always allows.
 */
#define READABLE                                                                                   \
	"Allow, ETag, Link, Location, OData-Version, Retry-After, WWW-Authenticate, X-Auth-Token"
#define SENDABLE                                                                                   \
	"Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, OData-Version, "     \
	"Prefer, X-Auth-Token"
#define PREFLIGHT_SECONDS "600"

/* Host and port of an origin or of a Host header, without the port that is the scheme's own. */
struct authority {
	const char *text;
	size_t len;
};

struct origin {
	bool tls;
	struct authority authority;
};

static struct authority authority_of(const char *text, bool tls)
{
	const char *port = tls ? ":443" : ":80";
	size_t len = strlen(text), n = strlen(port);

	if (len > n && str_equal(text + len - n, port))
		len -= n;
	return (struct authority){text, len};
}

/* Schemes and host names have no case (RFC 3986 3.1, 3.2.2). */
static bool same_authority(struct authority a, struct authority b)
{
	return a.len == b.len && strncasecmp(a.text, b.text, a.len) == 0;
}

/* Return: false for "null", and for schemes by which no page of ours is loaded. */
static bool origin_read(const char *text, struct origin *ret)
{
	if (strncasecmp(text, "https://", 8) == 0)
		*ret = (struct origin){true, authority_of(text + 8, true)};
	else if (strncasecmp(text, "http://", 7) == 0)
		*ret = (struct origin){false, authority_of(text + 7, false)};
	else
		return false;
	return ret->authority.len > 0;
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

/* Return: what follows the host, NULL when there is no valid one. */
static const char *skip_host(const char *s)
{
	size_t n;

	if (*s == '[') {
		n = strspn(s + 1, "0123456789abcdefABCDEF:.");
		return n > 0 && s[1 + n] == ']' ? s + n + 2 : NULL;
	}
	n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._");
	return n > 0 ? s + n : NULL;
}

int origin_check(const char *text, struct error *e)
{
	struct origin parts;
	const char *rest = NULL;
	uint64_t port = 1;

	if (strlen(text) < ORIGIN_MAX && origin_read(text, &parts))
		rest = skip_host(parts.authority.text);
	if (rest && *rest == ':') {
		size_t n = strspn(rest + 1, "0123456789");

		if (n == 0 || n > 5 || parse_u64(rest + 1, &port) < 0)
			rest = NULL;
		else
			rest += 1 + n;
	}
	if (rest && *rest == '\0' && port >= 1 && port <= UINT16_MAX)
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
			same_authority(listed.authority, from.authority);
	(void)pthread_mutex_unlock(&o->lock);
	return found ? text : NULL;
}

/* On a Unix socket it is a proxy that knows the scheme. */
static bool is_own(const char *text, const struct http_request *req)
{
	const char *host = req->headers[HEADER_HOST];
	bool tls = req->client.transport == HTTP_OVER_TLS;
	struct origin from;

	if (!host || !origin_read(text, &from))
		return false;
	if (req->client.transport != HTTP_OVER_UNIX && from.tls != tls)
		return false;
	return same_authority(from.authority, authority_of(host, from.tls));
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
