/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PUSH_PROTOCOL_H
#define CXLR_PUSH_PROTOCOL_H

/*
 * The messages between the daemon and its helper process cxl-redfish-push (common/helper.h), in the
 * byte order of the machine. Each request gets one answer, in any order; at most PUSH_TRANSFERS_MAX
 * requests are open at a time. cxl-redfish-push ends when the daemon closes the socket.
 */

#include <stdint.h>

enum {
	PUSH_TRANSFERS_MAX = 128,
	PUSH_URL_MAX = 2048,
	PUSH_HEADERS_MAX = 8192,
	PUSH_PACKET_MAX = 128 * 1024, /* the kernel takes it in one piece (net.core.wmem_default) */
	PUSH_TEXT_MAX = 256,
	PUSH_RETRY_AFTER_MAX = 64,
	PUSH_BODY_MAX = 4096, /* bytes of the response's body that the daemon gets */

	PUSH_CONNECT_SECONDS = 10, /* to connect, TLS handshake included */
	PUSH_SECONDS = 30,	   /* for the whole request */
	PUSH_REPLY_MAX =
		64 * 1024, /* bytes of the response's body; a longer one ends the transfer */
};

enum {
	PUSH_VERIFY = 1 << 0, /* verify the receiver's certificate */
	/* To the collector: with its certificates, and without the headers of a Redfish event; a
	 * response whose body does not end is none. */
	PUSH_COLLECTOR = 1 << 1,
	PUSH_GET = 1 << 2, /* a GET without a body, instead of a POST */
};

/* The arguments of the helper process, in this order; NULL: none, which is an empty argument. */
struct push_files {
	const char *allow;   /* as for push_allow_parse() */
	const char *ca_file; /* CA certificates to verify receivers with; NULL: the system's */
	/* The same for the collector, and the client certificate that it gets, with its key. */
	const char *collector_ca, *collector_certificate, *collector_key;
};

enum { PUSH_ARGS = 5 };

/* Followed by URL, headers and body. */
struct push_request {
	uint64_t ticket; /* copied into the answer */
	uint32_t flags;
	uint32_t url_len;
	uint32_t headers_len; /* "Name: value", each with a NUL behind it */
	uint32_t body_len;
};

struct push_answer {
	uint64_t ticket;
	uint32_t status;  /* HTTP status; 0: no response */
	uint32_t refused; /* 1: by the addresses that are allowed; the text is the address */
	char text[PUSH_TEXT_MAX];		/* the reason for no response */
	char retry_after[PUSH_RETRY_AFTER_MAX]; /* the header; "" without, or when it is longer */
	uint32_t body_len;
	uint32_t body_cut; /* 1: it was longer */
	uint8_t body[PUSH_BODY_MAX];
};

#endif
