/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REDIRECT_H
#define CXLR_HTTP_REDIRECT_H

/*
 * The only reply of a listener for plain HTTP to clients that it does not serve: where the TLS
 * listener is. Neither the credentials nor the body of such a request are looked at. And the reply
 * to requests for a host that this one is not.
 */

#include <stddef.h>

#include <microhttpd.h>

#include "http/request.h"

/* Twice in the memory of a connection, with all other headers. */
enum { HTTP_REDIRECT_URI_MAX = 4096 };

/*
 * http_redirect_location() - the same resource at the TLS listener
 * @host: the Host header, NULL for none; @own is used when it has no valid host
 * @own: address of this listener, without brackets
 * @uri: as it was received, with its query
 * @ret: at least HTTP_REDIRECT_URI_MAX + 300 bytes
 *
 * Return: 0; -EINVAL for a URI that is none; -ENAMETOOLONG.
 */
int http_redirect_location(const char *host, const char *own, unsigned int port, const char *uri,
			   char *ret, size_t size);

/*
 * http_redirect_queue() - send 308 with a Location, or 403 when there is no TLS listener
 * @req: its head was checked; 400 and 414 for those that have a fault
 * @uri: as it was received; NULL when out of memory
 */
enum MHD_Result http_redirect_queue(struct MHD_Connection *connection,
				    const struct http_request *req, unsigned int tls_port,
				    const char *uri);

/* http_busy_queue() - send 503 with a Retry-After: the client has not read other replies */
enum MHD_Result http_busy_queue(struct MHD_Connection *connection);

/* http_misdirected_queue() - send 421 (RFC 9110 15.5.20), and close the connection */
enum MHD_Result http_misdirected_queue(struct MHD_Connection *connection);

#endif
