/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_SERVER_H
#define CXLR_HTTP_SERVER_H

/*
 * HTTP/1.1 by libmicrohttpd: one server for one listening socket, with a pool of epoll threads.
 *
 * It passes requests to a handler and has no knowledge of resources. The main thread creates,
 * sweeps and frees it; libmicrohttpd's threads serve requests.
 */

#include "common/error.h"
#include "http/access.h"
#include "http/handler.h"
#include "http/limits.h"
#include "http/tls.h"

struct http_server;

/* All that is referred to must outlive the server. */
struct http_server_options {
	const struct http_handler *handler;
	void *userdata; /* the handler's */
	const struct http_limits *limits;
	struct tls_store *tls;			/* NULL: without TLS */
	const struct http_access_rules *access; /* NULL: the listener is for all */
};

/*
 * http_server_new() - start to serve
 * @o: copied
 * @listen_fd: bound and listening; taken over, also on failure
 */
int http_server_new(const struct http_server_options *o, int listen_fd, struct http_server **ret,
		    struct error *e);

/* Closes the connections that are past their deadline; to be called about once a second. */
void http_server_sweep(struct http_server *s);

/* Handles no request from now on; to be called for all servers before the first is freed. */
void http_server_end(struct http_server *s);

/*
 * Closes all connections at once. Waits for the handler to complete the requests that it has
 * suspended; the handler must have been stopped, so that this takes no time. Accepts NULL.
 * Return: NULL.
 */
struct http_server *http_server_free(struct http_server *s);

#endif
