/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_PROTOCOL_H
#define CXLR_CHANGE_PROTOCOL_H

/*
 * Messages between a client (client.h) and cxl-redfish-change-helper, one packet of a
 * SOCK_SEQPACKET socket each (common/frame.h). A connection has one request:
 *
 *	CHANGE_PACKET_RUN    a struct change_request, with the descriptor of an image for
 *			     CHANGE_FIRMWARE. While the change is made, packets
 *			     CHANGE_PACKET_PROGRESS come, at least one in CHANGE_ALIVE_MS; then, of
 *			     CHANGE_SCAN_MEDIA, its results in packets CHANGE_PACKET_FOUND; the last
 *			     one is CHANGE_PACKET_RESULT. The client may send one
 *			     CHANGE_PACKET_CANCEL; the end of the connection cancels, too.
 *	CHANGE_PACKET_QUERY  a struct change_head; the answer is CHANGE_PACKET_ALLOWED
 *
 * The helper ends a connection with whatever is not exactly right, and with the first packet that
 * does not come in CHANGE_FIRST_MS. Plain data and constants only.
 */

#include <stdint.h>

#include "change/change.h"

/* The helper refuses another version; both programs are of one package. */
#define CHANGE_VERSION 0x43584d03U

enum change_packet {
	CHANGE_PACKET_RUN = 1,
	CHANGE_PACKET_QUERY,
	CHANGE_PACKET_CANCEL,
	/* Packets that the helper sends. */
	CHANGE_PACKET_PROGRESS, /* `total` and `done` 0 and no unit: only that it is there */
	CHANGE_PACKET_RESULT,
	CHANGE_PACKET_ALLOWED,
	CHANGE_PACKET_FOUND,
};

enum {
	CHANGE_FIRST_MS = 5 * 1000,
	CHANGE_PROGRESS_MS = 250, /* at least, between two packets of progress */
	CHANGE_ALIVE_MS = 5 * 1000,
	CHANGE_SILENCE_MS = 60 * 1000, /* much longer than CHANGE_ALIVE_MS, on a busy machine too */
	CHANGE_QUERY_MS = 1000,	       /* likewise, for the answer to CHANGE_PACKET_QUERY */
	CHANGE_FOUND_AT_ONCE = 24,     /* ranges of one packet */
	CHANGES_AT_A_TIME_MAX = 16,    /* of a helper; further ones are refused with -EBUSY */
};

struct change_head {
	uint32_t version; /* CHANGE_VERSION */
	uint32_t kind;	  /* enum change_packet */
};

struct change_request {
	struct change_head head;
	struct change change;
};

struct change_found {
	uint64_t n; /* from 1 to CHANGE_FOUND_AT_ONCE */
	struct found_poison items[CHANGE_FOUND_AT_ONCE];
};

struct change_reply {
	struct change_head head;
	union {
		struct change_found found;
		struct change_progress progress;
		struct change_result result;
		uint64_t allowed; /* ALLOW_... */
	};
};

/* Return: bytes of a reply of a kind, with its head; 0 when there is no such kind. */
static inline size_t change_reply_bytes(uint32_t kind)
{
	switch (kind) {
	case CHANGE_PACKET_PROGRESS:
		return sizeof(struct change_head) + sizeof(struct change_progress);
	case CHANGE_PACKET_RESULT:
		return sizeof(struct change_head) + sizeof(struct change_result);
	case CHANGE_PACKET_ALLOWED:
		return sizeof(struct change_head) + sizeof(uint64_t);
	case CHANGE_PACKET_FOUND:
		return sizeof(struct change_head) + sizeof(struct change_found);
	default:
		return 0;
	}
}

#endif
