/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OPENER_PROTOCOL_H
#define CXLR_OPENER_PROTOCOL_H

/*
 * Messages between a client (opener.h) and cxl-redfish-helper: a struct opener_request, and the
 * struct opener_reply to it with a payload of `len` bytes, one packet each (common/frame.h). A
 * connection has one request at a time. After OPENER_WATCH it sends a reply for each change, and
 * takes no further request.
 *
 * The helper trusts nothing in a request: it is parsed by opener_request_parse() (request.h), and
 * whatever is not exactly right ends the connection. Constants and plain data only.
 */

#include <stddef.h>
#include <stdint.h>

/* Where the helper of the service listens. */
#define OPENER_SOCKET "/run/cxl-redfish-helper/socket"

#define OPENER_PRM_DEVICE "/dev/cxl_prm"

/* The helper refuses another version; both programs are of one package. */
#define OPENER_VERSION 0x43584c01U

enum {
	OPENER_PATH_MAX = 512,	     /* with the NUL; those of real hosts have up to 150 bytes */
	OPENER_DEVICE_MAX = 65535,   /* numbers of memdevs, as CXL_MEM_MAX_DEVS of the kernel */
	OPENER_OUTPUT_MAX = 256,     /* of a mailbox command: MAILBOX_OUTPUT_MAX */
	OPENER_LIST_MAX = 96 * 1024, /* of OPENER_LIST: 8192 CPUs have 64 KiB */
	OPENER_REPLY_MAX = OPENER_LIST_MAX + 64,
	OPENER_CONNECTIONS_MAX = 64, /* of a helper; each has a thread */
	OPENER_HANGING_MAX = 24,     /* of a client in use at a time; others fail with EUSERS */
};

enum opener_kind {
	OPENER_OPEN = 1, /* `path`: the reply has a descriptor */
	OPENER_LIST,	 /* `path` of a directory: names, each ended by a NUL */
	OPENER_STAT,	 /* `path`: `value` is the inode, `value2` ns since 1970 of the change */
	OPENER_COMMANDS, /* `device`: `value` has a bit for each command id that it supports */
	OPENER_COMMAND, /* `device`, `row` and `opcode` of mailbox_commands(): `code`, the output */
	OPENER_WATCH,	/* changes of devices: a reply now, and one with `value` for each */
	OPENER_KINDS
};

struct opener_request {
	uint32_t version; /* OPENER_VERSION */
	uint16_t kind;	  /* enum opener_kind */
	uint16_t row;
	uint32_t device;
	uint16_t opcode;
	uint16_t reserved;	    /* 0 */
	char path[OPENER_PATH_MAX]; /* absolute; only as many bytes as it has with its NUL are sent
				     */
};

/* The part before `path`; a request without path is so long and one byte, the NUL. */
enum { OPENER_REQUEST_HEAD = 16, OPENER_REQUEST_MIN = OPENER_REQUEST_HEAD + 1 };

struct opener_reply {
	int32_t result; /* of OPENER_COMMAND its length as the device says; 0; negative errno */
	uint32_t code;	/* return code of a mailbox command */
	uint64_t value, value2;
	uint32_t len; /* bytes of the payload that follows */
	uint32_t reserved;
};

#endif
