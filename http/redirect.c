// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/redirect.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "common/host_name.h"
#include "common/strutil.h"

enum { LOCATION_MAX = HTTP_REDIRECT_URI_MAX + 300 };

/* Return: whether a Host header has a host that its client can be sent back to, with any port. */
static bool has_host(const char *header, struct authority *ret)
{
	return header && authority_parse(header, strlen(header), ret) == 0 &&
	       ret->kind != AUTHORITY_ZONE;
}

/* Return: the path and query of a URI in origin or absolute form; NULL when it has neither. */
static const char *path_of(const char *uri)
{
	const char *authority = str_after_prefix(uri, "http://");

	if (authority)
		uri = strchr(authority, '/');
	if (!uri || *uri != '/')
		return NULL;
	for (const char *s = uri; *s; s++)
		if (*s <= 0x20 || *s >= 0x7f || *s == '"' || *s == '<' || *s == '>' || *s == '\\')
			return NULL;
	return uri;
}

int http_redirect_location(const char *host, const char *own, unsigned int port, const char *uri,
			   char *ret, size_t size)
{
	const char *path = path_of(uri);
	struct authority a;
	bool brackets;
	int n;

	if (!path)
		return -EINVAL;
	if (strlen(path) > HTTP_REDIRECT_URI_MAX)
		return -ENAMETOOLONG;
	host = has_host(host, &a) ? a.host : own;
	brackets = strchr(host, ':') != NULL;
	n = snprintf(ret, size, "https://%s%s%s:%u%s", brackets ? "[" : "", host,
		     brackets ? "]" : "", port, path);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

/* The address that the client has connected to: that of the listener may be a wildcard. */
static void own_address(struct MHD_Connection *connection, char ret[static INET6_ADDRSTRLEN])
{
	int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	struct sockaddr_storage ss = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(ss);

	(void)snprintf(ret, INET6_ADDRSTRLEN, "localhost");
	if (getsockname(fd, (struct sockaddr *)&ss, &len) < 0)
		return;
	if (ss.ss_family == AF_INET)
		(void)inet_ntop(AF_INET, &((struct sockaddr_in *)&ss)->sin_addr, ret,
				INET6_ADDRSTRLEN);
	if (ss.ss_family == AF_INET6)
		(void)inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&ss)->sin6_addr, ret,
				INET6_ADDRSTRLEN);
}

static unsigned int redirect_status(struct MHD_Connection *connection,
				    const struct http_request *req, unsigned int tls_port,
				    const char *uri, char ret_location[static LOCATION_MAX])
{
	char own[INET6_ADDRSTRLEN];
	int r;

	if (req->fault == FAULT_HEADER || req->fault == FAULT_URI)
		return MHD_HTTP_BAD_REQUEST;
	if (req->fault == FAULT_URI_TOO_LONG)
		return MHD_HTTP_URI_TOO_LONG;
	if (tls_port == 0)
		return MHD_HTTP_FORBIDDEN;
	if (!uri)
		return MHD_HTTP_SERVICE_UNAVAILABLE;
	own_address(connection, own);
	r = http_redirect_location(req->headers[HEADER_HOST], own, tls_port, uri, ret_location,
				   LOCATION_MAX);
	if (r < 0)
		return r == -EINVAL ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_URI_TOO_LONG;
	return MHD_HTTP_PERMANENT_REDIRECT;
}

enum MHD_Result http_redirect_queue(struct MHD_Connection *connection,
				    const struct http_request *req, unsigned int tls_port,
				    const char *uri)
{
	char location[LOCATION_MAX];
	unsigned int status = redirect_status(connection, req, tls_port, uri, location);
	struct MHD_Response *m = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result r = MHD_YES;

	if (!m)
		return MHD_NO;
	if (status == MHD_HTTP_PERMANENT_REDIRECT)
		r = MHD_add_response_header(m, "Location", location);
	/* Bytes after a malformed head, or after a body that is not read, are no request. */
	if (req->fault != FAULT_NONE && r == MHD_YES)
		r = MHD_add_response_header(m, "Connection", "close");
	if (r == MHD_YES)
		r = MHD_queue_response(connection, status, m);
	MHD_destroy_response(m);
	return r;
}

/* @text: constant. @name, @value: a header */
static enum MHD_Result queue_text(struct MHD_Connection *connection, unsigned int status,
				  const char *text, const char *name, const char *value)
{
	struct MHD_Response *m = MHD_create_response_from_buffer(
		strlen(text), (char *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result r;

	if (!m)
		return MHD_NO;
	r = MHD_add_response_header(m, "Content-Type", "text/plain; charset=utf-8");
	if (r == MHD_YES)
		r = MHD_add_response_header(m, name, value);
	if (r == MHD_YES)
		r = MHD_queue_response(connection, status, m);
	MHD_destroy_response(m);
	return r;
}

enum MHD_Result http_busy_queue(struct MHD_Connection *connection)
{
	return queue_text(
		connection, MHD_HTTP_SERVICE_UNAVAILABLE,
		"Too many long replies were not read yet. Read them, and request this one later.\n",
		"Retry-After", "5");
}

enum MHD_Result http_misdirected_queue(struct MHD_Connection *connection)
{
	return queue_text(
		connection, MHD_HTTP_MISDIRECTED_REQUEST,
		"The name in the Host header is not one of this host. Use its address, localhost or the host's name, or add the name by the key host-name of the configuration.\n",
		"Connection", "close");
}
