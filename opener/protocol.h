/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OPENER_PROTOCOL_H
#define CXLR_OPENER_PROTOCOL_H

/*
 * Messages between a client (opener.h) and cxl-redfish-helper: a struct opener_request, and the
 * struct opener_reply to it with a payload of `len` bytes, one packet each (common/frame.h). A
 * connection has one request at a time. After OPENER_WATCH it sends a reply for each change, and
 * takes no further request.
 *
 * To cxl-redfish-switch-helper a struct opener_switch_request is sent, which begins alike. Each of
 * the two helpers ends a connection with a request of the other one.
 *
 * The helper trusts nothing in a request: it is parsed by opener_request_parse() or
 * opener_switch_request_parse() (request.h), and whatever is not exactly right ends the connection.
 * Constants and plain data only.
 */

#include <stddef.h>
#include <stdint.h>

/* Where the helper of the service listens. */
#define OPENER_SOCKET "/run/cxl-redfish-helper/socket"

/* Where the one that drives the mailboxes of switches does. */
#define OPENER_SWITCH_SOCKET "/run/cxl-redfish-switch-helper/socket"

/* Where the one that changes the host does; its messages are in change/protocol.h. */
#define OPENER_CHANGE_SOCKET "/run/cxl-redfish-change-helper/socket"

/* Where the one that takes pages out of use does; its messages are in pages/protocol.h. */
#define OPENER_PAGE_SOCKET "/run/cxl-redfish-page-helper/socket"

#define OPENER_PRM_DEVICE "/dev/cxl_prm"

/* The helper refuses another version; both programs are of one package. */
#define OPENER_VERSION 0x43584c03U

enum {
	OPENER_PATH_MAX = 512,	     /* with the NUL; those of real hosts have up to 150 bytes */
	OPENER_FRAME_ROW_MAX = 255,  /* a page frame has 40 bits: PAGE_PFN_MAX */
	OPENER_DEVICE_MAX = 65535,   /* numbers of memdevs, as CXL_MEM_MAX_DEVS of the kernel */
	OPENER_OUTPUT_MAX = 256,     /* of a mailbox command: MAILBOX_OUTPUT_MAX */
	OPENER_LIST_MAX = 96 * 1024, /* of OPENER_LIST: 8192 CPUs have 64 KiB */
	OPENER_REPLY_MAX = OPENER_LIST_MAX + 64,
	OPENER_CONNECTIONS_MAX = 64,	/* of a helper; each has a thread */
	OPENER_HANGING_MAX = 24,	/* of a client in use at a time; others fail with EUSERS */
	OPENER_SWITCH_NAME_MAX = 32,	/* of a PCI address, with the NUL: CCI_NAME_MAX */
	OPENER_SWITCH_REASON_MAX = 192, /* SWITCH_REASON_MAX */
	OPENER_SWITCH_PAYLOAD_MAX = 2048, /* CCI_PAYLOAD_MAX */
	OPENER_SWITCHES_MAX = 64,	  /* CCI_SWITCHES_MAX */
};

enum opener_kind {
	OPENER_OPEN = 1, /* `path`: the reply has a descriptor */
	OPENER_LIST,	 /* `path` of a directory: names, each ended by a NUL */
	OPENER_STAT,	 /* `path`: `value` is the inode, `value2` ns since 1970 of the change */
	OPENER_COMMANDS, /* `device`: `value` has a bit for each command id that it supports */
	OPENER_COMMAND, /* `device`, `row` and `opcode` of mailbox_commands(): `code`, the output */
	OPENER_WATCH,	/* changes of devices: a reply now, and one for each, see below */
	OPENER_BLOCK_PAGES, /* `path`: struct block_pages */
	OPENER_DAX_HOLDERS, /* struct dax_holder each; `value` 1: all processes were looked at */
	OPENER_KERNEL_LOG,  /* the lines about CXL, as kernel_log_write() (sysfs/kernel_log.h) */
	/* Requests to cxl-redfish-switch-helper: */
	OPENER_SWITCHES,       /* struct opener_switch each; `value`: changes are allowed */
	OPENER_SWITCH_COMMAND, /* all of struct opener_switch_request: `code`, the output */
	/* Again to cxl-redfish-helper: */
	OPENER_PAGE_USE, /* `device` and `row`, bits 0 and 32 on of a page frame: struct page_use */
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

/* Without a port, with one, and with a port and an LD: as enum cci_target_kind. */
enum opener_target { OPENER_TARGET_SWITCH, OPENER_TARGET_PORT, OPENER_TARGET_LD };

struct opener_switch_request {
	uint32_t version; /* OPENER_VERSION */
	uint16_t kind;	  /* enum opener_kind */
	uint16_t opcode;  /* this and what follows is of OPENER_SWITCH_COMMAND, otherwise 0 */
	uint8_t target;	  /* enum opener_target */
	uint8_t port, ld; /* 0 when the target has none */
	uint8_t reserved; /* 0 */
	uint32_t len;	  /* bytes of `input`: only so many are sent */
	char name[OPENER_SWITCH_NAME_MAX]; /* PCI address; zeros follow its NUL */
	uint8_t input[OPENER_SWITCH_PAYLOAD_MAX];
};

enum { OPENER_SWITCH_REQUEST_HEAD = 48 };

struct opener_switch {
	char name[OPENER_SWITCH_NAME_MAX];
	char reason[OPENER_SWITCH_REASON_MAX]; /* why it cannot be used; "": it can */
	uint32_t payload_max;
	uint32_t reserved;
};

/* A change: `code` is enum uevent_kind, `value` the time, `value2` the block (common/uevent.h). */
struct opener_reply {
	int32_t result; /* of OPENER_COMMAND its length as the device says; 0; negative errno */
	uint32_t code;	/* return code of a mailbox command */
	uint64_t value, value2;
	uint32_t len; /* bytes of the payload that follows */
	uint32_t reserved;
};

#endif
