/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_SERVER_H
#define CXLR_HTTP_SERVER_H

/*
 * HTTP/1.1 by libmicrohttpd: one server for one listening socket, with a pool of epoll threads.
 *
 * It hands requests to the service and knows neither resources nor the protocol above HTTP. The
 * main thread makes, sweeps and frees it; libmicrohttpd's threads do the rest.
 */

#include "common/error.h"
#include "http/connections.h"
#include "redfish/service.h"

/* What a client may make us hold. */
enum {
	HTTP_URI_MAX = 8192,
	/*
	 * Request line and headers, and the reply's headers. No more than needed: libmicrohttpd
	 * clears it for each request, which is the dearest single thing in answering one.
	 */
	HTTP_HEAD_BYTES_MAX = 16 * 1024,
	HTTP_BODY_MAX = 1024 * 1024,
	HTTP_BODIES_MAX = 32 * 1024 * 1024, /* all request bodies of a server together */
	/* What is read and thrown away so that a refused client sees why, before it is cut off. */
	HTTP_DRAIN_MAX = 4 * 1024 * 1024,
};

/* The limits that the daemon runs with. */
extern const struct http_limits http_limits_default;

struct http_server;

/*
 * http_server_new() - begin to serve
 * @service: must outlive the server
 * @listen_fd: bound and listening; taken over, also on failure
 * @limits: must outlive the server
 */
int http_server_new(struct service *service, int listen_fd, const struct http_limits *limits,
		    struct http_server **ret, struct error *e);

/* Cuts off the connections that take too long; to be called about once a second. */
void http_server_sweep(struct http_server *s);

/* Answers nothing from now on; to be called for all servers before the first is freed. */
void http_server_end(struct http_server *s);

/*
 * Ends at once, with requests in flight; one that firmware is being asked for is waited for, so
 * firmware_stop() comes first, and so is one that the store is asked for, which must be there
 * still. Accepts NULL. Return: NULL.
 */
struct http_server *http_server_free(struct http_server *s);

#endif
