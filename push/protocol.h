/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PUSH_PROTOCOL_H
#define CXLR_PUSH_PROTOCOL_H

/*
 * What the daemon and cxl-redfish-push say to each other, over a SOCK_SEQPACKET socketpair on the
 * helper's descriptor PUSH_FD: a request or an answer is one packet, in this machine's byte order.
 * Each request gets one answer, in any order; at most PUSH_TRANSFERS_MAX are open at a time. Either
 * ends when the other is gone.
 */

#include <stdint.h>

enum {
	PUSH_FD = 3,
	PUSH_TRANSFERS_MAX = 128,
	PUSH_URL_MAX = 2048,
	PUSH_HEADERS_MAX = 8192,
	PUSH_PACKET_MAX = 128 * 1024, /* the kernel takes it in one piece (net.core.wmem_default) */
	PUSH_TEXT_MAX = 256,

	PUSH_CONNECT_SECONDS = 10,  /* until the connection is there, TLS and all */
	PUSH_SECONDS = 30,	    /* until the answer is there */
	PUSH_REPLY_MAX = 64 * 1024, /* bytes of the answer's body, which is not looked at */
};

enum { PUSH_VERIFY = 1 << 0 /* the receiver's certificate */ };

/* Followed by URL, headers and body. */
struct push_request {
	uint64_t ticket; /* comes back in the answer */
	uint32_t flags;
	uint32_t url_len;
	uint32_t headers_len; /* "Name: value", each with a NUL behind it */
	uint32_t body_len;
};

struct push_answer {
	uint64_t ticket;
	uint32_t status;	  /* HTTP status; 0: there was none */
	char text[PUSH_TEXT_MAX]; /* why there was none */
};

#endif
