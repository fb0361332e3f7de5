/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REQUEST_H
#define CXLR_HTTP_REQUEST_H

/*
 * A request as a handler receives it. All memory belongs to the transport and is valid until the
 * handler has replied; data that is needed longer must be copied.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct budget_share;
struct http_peer;
struct sockaddr;
struct http_sink;

enum http_transport {
	HTTP_OVER_TCP, /* without encryption */
	HTTP_OVER_TLS,
	HTTP_OVER_UNIX, /* a Unix socket */
};

/* The rights that a listener gives to a client, before anything is known of who sends the request.
 */
enum http_access {
	HTTP_ACCESS_ALL,       /* whatever the principal may */
	HTTP_ACCESS_READ_ONLY, /* reading, without authentication: a named peer */
	HTTP_ACCESS_CORE,      /* what the handler lets the core of an aggregator do */
	HTTP_ACCESS_REDIRECT,  /* only a redirection to the TLS listener */
};

/* A handler's memory of a connection; used by the connection's thread alone. */
struct http_note {
	uint64_t what, until_ms; /* 0 at first */
};

/* The other side of a connection. Valid as long as the request. */
struct http_client {
	struct http_note *note;	    /* of the connection, as long as the request; NULL: none */
	struct http_peer *peer;	    /* of the connection; NULL: not known */
	struct budget_share *share; /* what the connection holds; NULL: it is not counted */
	enum http_transport transport;
	enum http_access access;
	const struct sockaddr *address; /* NULL when it is not known */

	/* The credentials of a Unix socket's peer, from the time of connect(). */
	bool has_credentials;
	uid_t uid;
	gid_t gid;
	pid_t pid;
	bool in_own_group; /* the group of this process is one of the client's */

	/* Certificate of a TLS client, DER, verified by the configured authorities; NULL none. */
	const unsigned char *certificate;
	size_t certificate_len;
};

enum http_method {
	METHOD_GET,
	METHOD_HEAD,
	METHOD_POST,
	METHOD_PATCH,
	METHOD_DELETE,
	METHOD_OPTIONS,
	METHOD_OTHER,
};

/* The headers that handlers read. A new one is a row here and a row in head.c. */
enum http_header {
	HEADER_ACCEPT,
	HEADER_ACCEPT_ENCODING,
	HEADER_ACCESS_CONTROL_REQUEST_METHOD,
	HEADER_AUTHORIZATION,
	HEADER_CONTENT_LENGTH,
	HEADER_CONTENT_TYPE,
	HEADER_EXPECT,
	HEADER_HOST,
	HEADER_IF_MATCH,
	HEADER_IF_NONE_MATCH,
	HEADER_LAST_EVENT_ID,
	HEADER_ODATA_VERSION,
	HEADER_ORIGIN,
	HEADER_PREFER,
	HEADER_SEC_FETCH_SITE,
	HEADER_TRANSFER_ENCODING,
	HEADER_X_AUTH_TOKEN,
	HTTP_HEADERS,
};

/* Faults found by the transport. The handler rejects the request. */
enum http_fault {
	FAULT_NONE,
	FAULT_HEADER, /* `fault_header` is malformed or repeated; the connection must be closed */
	FAULT_URI,    /* the URI has invalid bytes */
	FAULT_URI_TOO_LONG,
	FAULT_BODY_TOO_LARGE, /* for memory, or for the sink; `body` is NULL */
	FAULT_NO_MEMORY,      /* none left for request bodies; `body` is NULL */
	FAULT_BODY_NOT_READ,  /* the handler did not want the body of a request that has one */
};

enum { HTTP_OPTIONS_MAX = 11 }; /* as many as there are */

/* A query option, "$…" or one of three others; without percent-encoding. */
struct http_option {
	const char *name, *value; /* value NULL: without '='; "%00": it has a NUL byte */
};

struct http_request {
	enum http_method method;
	/* The host of a target in absolute form (RFC 9112 3.2.2), not terminated; NULL without. */
	const char *authority;
	size_t authority_len;
	const char *path; /* decoded, without the query; slashes at its start are one */
	struct http_option options[HTTP_OPTIONS_MAX];
	size_t n_options;
	/* NULL: absent. Also NULL when a header that is a list has several lines. */
	const char *headers[HTTP_HEADERS];
	enum http_fault fault;
	const char *fault_header;
	const char *body; /* not NUL-terminated; NULL without */
	size_t body_len;
	bool length_known;	/* of the body, by the head */
	uint64_t length;	/* bytes that the head announces; with length_known */
	struct http_sink *sink; /* what the handler gave the body to; NULL none */
	struct http_client client;
	int verdict; /* what the handler gave to again() in its last call; 0 in the first one */
};

#endif
