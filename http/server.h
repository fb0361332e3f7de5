/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_SERVER_H
#define CXLR_HTTP_SERVER_H

/*
 * HTTP/1.1 by libmicrohttpd: one server for one listening socket, with a pool of epoll threads.
 *
 * It passes requests to a handler and has no knowledge of resources. The main thread creates,
 * sweeps and frees it; libmicrohttpd's threads serve requests.
 */

#include <stdbool.h>

#include "common/error.h"
#include "http/access.h"
#include "http/handler.h"
#include "http/hosts.h"
#include "http/limits.h"
#include "http/tls.h"

struct http_server;

/* The first four must outlive the server. */
struct http_server_options {
	const struct http_handler *handler;
	void *userdata; /* the handler's */
	const struct http_limits *limits;
	struct tls_store *tls; /* NULL: without TLS */
	bool is_shared; /* the socket is another process's, too, and goes on listening at the end */
	const struct http_access_rules *access; /* copied; NULL: the listener is for all */
	struct http_hosts *hosts; /* must outlive the server; NULL: requests may have any name */
};

/*
 * http_server_new() - start to serve
 * @o: copied
 * @listen_fd: bound and listening; taken over, also on failure
 */
int http_server_new(const struct http_server_options *o, int listen_fd, struct http_server **ret,
		    struct error *e);

/* Other rules for the connections that are accepted from now on. @rules: copied. Main thread. */
void http_server_set_access(struct http_server *s, const struct http_access_rules *rules);

/* Closes the connections that are past their deadline; to be called about once a second. */
void http_server_sweep(struct http_server *s);

/* Changes how many connections there may be: at most http_limits.connections; open ones stay. */
void http_server_set_connections(struct http_server *s, unsigned int n);

/*
 * http_server_retire() - accept no connection from now on
 *
 * Requests on open connections are answered; a response asks the client to close its connection.
 * Streams continue.
 */
void http_server_retire(struct http_server *s);

/* Return: whether no connection is open. */
bool http_server_is_idle(struct http_server *s);

/* Ends what is open, without waiting; later the server is idle. */
void http_server_shut(struct http_server *s);

/* Handles no request from now on; to be called for all servers before the first is freed. */
void http_server_end(struct http_server *s);

/*
 * Closes all connections at once. Waits for the handler to complete the requests that it has
 * suspended; the handler must have been stopped, or the server be retired and idle, so that this
 * takes no time. Accepts NULL.
 * Return: NULL.
 */
struct http_server *http_server_free(struct http_server *s);

#endif
