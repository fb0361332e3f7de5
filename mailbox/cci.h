/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_CCI_H
#define CXLR_MAILBOX_CCI_H

/*
 * The component command interface (CCI) of a switch: a command goes to the switch itself, or
 * through it to a device on one of its ports, or to a logical device of that. A transport knows
 * nothing of the contents of payloads; it wraps what goes further than the switch into Tunnel
 * Management Commands.
 *
 *	cci_registers.c	the mailbox registers of the switch's PCI function; for the helper only
 *	cci_helper.c	cxl-redfish-switch-helper, which has the registers
 *	cci_recorded.c	mbox/ of a captured host
 *
 * One thread at a time may use a CCI, and a command may take seconds: only a worker may send one.
 *
 * Sources: CXL 3.2 7.6.3 (CCI message format), 7.6.7.3.1 (tunnel), 8.2.9.4 (mailbox registers).
 */

#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

enum {
	/* The longest input or output payload here; a mailbox accepts 256 bytes to 1 MiB.
	 */
	CCI_PAYLOAD_MAX = 2048,
	CCI_PAYLOAD_MIN = 256,	/* of every mailbox */
	CCI_NAME_MAX = 32,	/* of a switch, with the NUL */
	CCI_SWITCHES_MAX = 64,	/* of a host */
	CCI_DEADLINE_MS = 2000, /* of a command, with the tunnels and a background operation */
};

enum cci_target_kind {
	CCI_SWITCH,
	CCI_PORT, /* the device on `port`: its FM-owned LD, or all of an SLD */
	CCI_LD,	  /* LD `ld` of the device on `port` */
};

struct cci_target {
	enum cci_target_kind kind;
	uint8_t port, ld; /* 0 when the kind does not need it */
};

struct cci_request {
	struct cci_target target;
	uint16_t opcode;
	const uint8_t *input; /* NULL when it has none */
	size_t len;	      /* at most CCI_PAYLOAD_MAX */
};

struct cci_reply {
	unsigned int return_code; /* of the target, or of the tunnel on the way; command.h */
	size_t len;
	uint8_t output[CCI_PAYLOAD_MAX];
};

struct cci;

struct cci_ops {
	/*
	 * A command whose return code is Background Command Started is answered when the operation
	 * has completed, with its return code.
	 *
	 * Return: 0 with @ret set, whatever the return code; -ETIMEDOUT: not completed within
	 * CCI_DEADLINE_MS; -EBUSY: another command, or another process, had the mailbox for so
	 * long; -ENODEV: the function is gone (all bits of its registers are one);
	 * -EBADMSG: the reply is none to this command, or its lengths contradict each other;
	 * -EMSGSIZE: input or output are too long for the mailbox or for CCI_PAYLOAD_MAX;
	 * -EACCES: the command is not in the table of the helper, or changes something and that is
	 * not allowed; -EROFS: it changes something, and the host is a captured one; -ENODATA: it
	 * was not recorded; -ECONNRESET: the helper has ended.
	 */
	int (*send)(struct cci *c, const struct cci_request *q, struct cci_reply *ret);
	void (*free)(struct cci *c);
};

/* The first member of every transport. */
struct cci {
	const struct cci_ops *ops;
	char name[CCI_NAME_MAX]; /* address of the PCI function, "0000:0d:00.1" */
	/* The longest payload to and from the switch itself; at least CCI_PAYLOAD_MIN, at most
	 * CCI_PAYLOAD_MAX. */
	size_t payload_max;
	/* The origin of recorded answers, CCI_ORIGIN_...; NULL: the switch answers now. */
	const char *recorded;
	uint64_t n_commands; /* sent; a tunnelled one counts once */
};

enum {
	CCI_MESSAGE_HEAD = 12,
	CCI_TUNNEL_HEAD = 4,
	/* The bytes that each tunnel adds to a payload. */
	CCI_TUNNEL_OVERHEAD = CCI_TUNNEL_HEAD + CCI_MESSAGE_HEAD,
};

/* Return: how many tunnels there are on the way. */
size_t cci_tunnels(enum cci_target_kind kind);

/* The origins of the answers that a capture has. */
#define CCI_ORIGIN_HARDWARE "hardware"
#define CCI_ORIGIN_EMULATED "emulated" /* the switch of a virtual machine */
#define CCI_ORIGIN_MODEL    "model"    /* made for a test */

/* Return: how long a payload to and from @kind may be, as it is wrapped on the way. */
size_t cci_payload_max(const struct cci *c, enum cci_target_kind kind);

/* Checks the lengths, counts, and sends. */
int cci_send(struct cci *c, const struct cci_request *q, struct cci_reply *ret);

/* Accepts NULL. Return: NULL. */
struct cci *cci_free(struct cci *c);

DEFINE_CLEANUP(struct cci, cci_free);
#define _cleanup_cci_ _cleanup_(cci_freep)

/*
 * Messages of a component command interface, and Tunnel Management Commands that carry them: how a
 * command to a port's device, or to an LD of it, becomes one to the switch, and what its reply
 * says. Pure functions on plain data; any thread. Replies are untrusted.
 *
 * Layouts (little endian):
 *
 *	message (7.6.3)	0 category in bits 3:0: 0 request, 1 response; 1 tag; 2 reserved;
 *			3 opcode (2); 5 payload length in bits 20:0 (3); 8 return code (2);
 *			10 vendor's extended status (2); 12 payload
 *	tunnel request	0 port or LD; 1 target type, 0; 2 length of the message (2); 4 message
 *	tunnel reply	0 length of the message (2); 2 reserved (2); 4 message
 *
 * The tunnel to a port reaches the device on it; a tunnel in that message reaches an LD of it.
 *
 * Sources: CXL 3.2 7.6.3 (message), 7.6.7.3.1 (tunnel).
 */

/*
 * cci_message_wrap() - what is sent to the switch
 * @tag: of the messages in the tunnels; another one each time
 * @p: at most @size bytes of the input; may not overlap that of @q
 *
 * Return: the length of the input; -EMSGSIZE when it is more than @size.
 */
int cci_message_wrap(const struct cci_request *q, uint8_t tag, uint16_t *ret_opcode, uint8_t *p,
		     size_t size);

/*
 * cci_message_unwrap() - what was received from the switch
 * @q, @tag: what was sent
 * @return_code, @p, @len: of the switch
 *
 * When a tunnel on the way failed, @ret has its return code, and no output.
 *
 * Return: 0; -EBADMSG: at some level there is no response with this tag and opcode, or lengths
 * contradict each other; -EMSGSIZE: the output is longer than CCI_PAYLOAD_MAX.
 */
int cci_message_unwrap(const struct cci_request *q, uint8_t tag, unsigned int return_code,
		       const uint8_t *p, size_t len, struct cci_reply *ret);

#endif
