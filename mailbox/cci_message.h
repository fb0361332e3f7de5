/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_CCI_MESSAGE_H
#define CXLR_MAILBOX_CCI_MESSAGE_H

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

#include <stddef.h>
#include <stdint.h>

#include "mailbox/cci.h"

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
