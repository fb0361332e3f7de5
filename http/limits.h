/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_LIMITS_H
#define CXLR_HTTP_LIMITS_H

/*
 * Limits on the memory and the time that one connection may use in an HTTP server, and on the
 * number of connections. The limits of principals and clients together are in http/budget.h.
 * Constant.
 */

#include <stddef.h>

enum {
	HTTP_CONNECTIONS_MAX = 1024,
	/* Accepted beyond `connections` while others are being closed for them. */
	HTTP_CONNECTIONS_SPARE = 64,
	HTTP_URI_MAX = 8192,
	HTTP_HEAD_MAX = 16 * 1024,
	HTTP_BODY_MAX = 1024 * 1024,
	HTTP_UNSENT_MAX = 128 * 1024, /* bytes of a reply that the kernel keeps unsent */
	/* Read and discarded, so that the client receives the error response before the close.
	 */
	HTTP_DRAIN_MAX = 64 * 1024 * 1024,
};

struct http_limits {
	/* From the start of the connection or the end of the last reply to the end of a head. */
	unsigned int head_ms;
	/* From there to the end of the body; of one that a sink receives, again whenever the sink
	 * has made it wait. */
	unsigned int body_ms;
	unsigned int reply_ms; /* from there until the reply is sent */
	/* Without a byte that the client of a stream has taken, while there are some for it. */
	unsigned int stalled_ms;
	/* Instead of head_ms, while more than crowd connections are open. */
	unsigned int crowded_ms;
	unsigned int crowd;
	/* For a request, before a connection is closed for another one rather than those that do
	 * not read their reply. */
	unsigned int kept_ms;
	unsigned int connections; /* at most HTTP_CONNECTIONS_MAX */
	/*
	 * Bytes of a request line with its headers, and of the reply's headers; at most
	 * HTTP_HEAD_MAX. Not larger than needed: libmicrohttpd clears this memory for each request,
	 * which is the largest single cost of a small reply.
	 */
	size_t head_bytes;
	unsigned int threads; /* 0: by the number of processors */
};

/* For a server of many clients. */
extern const struct http_limits http_limits_default;

#endif
