/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CROSS_SITE_H
#define CXLR_REDFISH_CROSS_SITE_H

/*
 * Requests that a web page of another site makes a browser send, with the credentials that the
 * browser has of this service. They change nothing, and the page cannot read the reply, unless its
 * origin (RFC 6454) is configured.
 *
 * Browsers say where a request comes from in the headers Origin and Sec-Fetch-Site; other clients
 * send neither, and are not concerned. A page that was loaded from this service, or by a name that
 * was made to resolve to it, has the authority of the Host header; it has no credential unless the
 * user gives it one.
 *
 * The list may be replaced at any time, on any thread.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "http/reply.h"
#include "http/request.h"

enum {
	ORIGINS_MAX = 16,
	ORIGIN_MAX = 270, /* "https://", a host name of 253 bytes, and ":65535" */
};

struct origins {
	atomic_bool any; /* without a list, replies do not depend on Origin */
	pthread_mutex_t lock;
	size_t n;
	char items[ORIGINS_MAX][ORIGIN_MAX];
};

/* An empty list. */
void origins_init(struct origins *o);
void origins_done(struct origins *o);

/*
 * origin_check() - whether a text is an origin: SCHEME://HOST[:PORT], http or https, no path
 *
 * Return: 0, or -EINVAL with the reason.
 */
int origin_check(const char *text, struct error *e);

/* Replaces the list. @items: @n that origin_check() accepts; those beyond ORIGINS_MAX are ignored
 */
void origins_set(struct origins *o, const char *const *items, size_t n);

/* Return: the request's origin if it is in the list; otherwise NULL. */
const char *origins_allow(struct origins *o, const struct http_request *req);

/*
 * cross_site_header() - whether a request comes from another site
 *
 * Return: the name of the header that says so; NULL if it may change something.
 */
const char *cross_site_header(struct origins *o, const struct http_request *req);

/* cross_site_preflight() - whether a browser asks if a page may send a request (Fetch 3.3.2) */
bool cross_site_preflight(const struct http_request *req);

/*
 * cross_site_reply() - the headers by which a browser lets a page read the reply
 * @origin: from origins_allow(); NULL: it must not
 */
void cross_site_reply(struct origins *o, const char *origin, struct http_reply *reply);

/* The further headers of the reply to a preflight whose origin is allowed. */
void cross_site_reply_preflight(struct http_reply *reply);

#endif
