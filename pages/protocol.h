/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PROTOCOL_H
#define CXLR_PAGES_PROTOCOL_H

/*
 * Messages between a client (page_client.h) and cxl-redfish-page-helper, one packet of a
 * SOCK_SEQPACKET socket each (common/frame.h). A connection has up to PAGE_PACKETS_MAX packets of
 * the first kind, which are answered in their order and may be sent before the answers, or one
 * packet of another:
 *
 *	PAGE_PACKET_RUN    a struct page_packet with `n` requests; the answer is
 *			   PAGE_PACKET_RESULTS, with as many results
 *	PAGE_PACKET_QUERY  its head only; the answer is PAGE_PACKET_ALLOWED, with `allowed`
 *	PAGE_PACKET_PREPARE
 *			   the same; the helper reads the host afterwards, if that has changed and
 *			   no request is there, so that the next one need not wait for it
 *
 * The helper ends a connection with whatever is not exactly right, and with a packet that does not
 * come in time. A change that it has begun it ends, also when the client is gone.
 * Plain data and constants only.
 */

#include <stddef.h>
#include <stdint.h>

#include "pages/page.h"

/* The helper refuses another version; both programs are of one package. */
#define PAGE_VERSION 0x43585004U

enum page_packet_kind {
	PAGE_PACKET_RUN = 1,
	PAGE_PACKET_QUERY,
	/* Packets that the helper sends. */
	PAGE_PACKET_RESULTS,
	PAGE_PACKET_ALLOWED,
	/* A packet of the client, which came later. */
	PAGE_PACKET_PREPARE,
};

enum {
	PAGE_FIRST_MS = 5 * 1000,
	PAGE_NEXT_MS = 30 * 1000, /* for the next packet, or the end of the client */
	PAGE_PACKETS_MAX = PAGE_RUN_MAX / PAGE_BATCH_MAX,
	PAGE_QUERY_MS = 1000, /* for the answer to PAGE_PACKET_QUERY */
};

struct page_head {
	uint32_t version; /* PAGE_VERSION */
	uint32_t kind;	  /* enum page_packet_kind */
	uint32_t n;	  /* requests or results that follow: 1 to PAGE_BATCH_MAX, or 0 */
	uint32_t allowed; /* of PAGE_PACKET_ALLOWED: ALLOW_...; otherwise 0 */
};

struct page_packet {
	struct page_head head;
	struct page_request requests[PAGE_BATCH_MAX];
};

struct page_reply {
	struct page_head head;
	struct page_result results[PAGE_BATCH_MAX];
};

#endif
