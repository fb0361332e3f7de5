// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci_message.h"

#include <errno.h>
#include <string.h>

#include "mailbox/fmapi.h"
#include "sysfs/acpi_table.h"

enum { CATEGORY_RESPONSE = 1, CATEGORY_MASK = 0xf, LENGTH_MASK = 0x1fffff, RETURN_SUCCESS = 0 };

/* Return: the opcode of the message behind @tunnel of @n tunnels. */
static uint16_t opcode_in(const struct cci_request *q, size_t tunnel, size_t n)
{
	return tunnel + 1 < n ? FMAPI_TUNNEL : q->opcode;
}

static void put16(uint8_t *p, size_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

int cci_message_wrap(const struct cci_request *q, uint8_t tag, uint16_t *ret_opcode, uint8_t *p,
		     size_t size)
{
	const uint8_t targets[] = {q->target.port, q->target.ld};
	const size_t n = cci_tunnels(q->target.kind), len = q->len + n * CCI_TUNNEL_OVERHEAD;

	if (q->len > CCI_PAYLOAD_MAX || len > size || len > UINT16_MAX)
		return -EMSGSIZE;
	for (size_t i = 0; i < n; i++, p += CCI_TUNNEL_OVERHEAD) {
		const size_t payload = q->len + (n - i - 1) * CCI_TUNNEL_OVERHEAD;

		memset(p, 0, CCI_TUNNEL_OVERHEAD);
		p[0] = targets[i];
		put16(p + 2, CCI_MESSAGE_HEAD + payload);
		p[CCI_TUNNEL_HEAD + 1] = tag;
		put16(p + CCI_TUNNEL_HEAD + 3, opcode_in(q, i, n));
		put16(p + CCI_TUNNEL_HEAD + 5, payload);
	}
	if (q->len > 0)
		memcpy(p, q->input, q->len);
	*ret_opcode = n > 0 ? FMAPI_TUNNEL : q->opcode;
	return (int)len;
}

/*
 * Takes one tunnel away.
 *
 * Return: 0 with the return code and the payload of the message in @p; -EBADMSG.
 */
static int leave_tunnel(uint16_t opcode, uint8_t tag, unsigned int *code, const uint8_t **p,
			size_t *len)
{
	const uint8_t *m = *p + CCI_TUNNEL_HEAD;
	size_t message, payload;

	if (*len < CCI_TUNNEL_OVERHEAD)
		return -EBADMSG;
	message = le16(*p);
	if (message < CCI_MESSAGE_HEAD || message > *len - CCI_TUNNEL_HEAD)
		return -EBADMSG;
	payload = (le16(m + 5) | (size_t)m[7] << 16) & LENGTH_MASK;
	if ((m[0] & CATEGORY_MASK) != CATEGORY_RESPONSE || m[1] != tag || le16(m + 3) != opcode ||
	    payload != message - CCI_MESSAGE_HEAD)
		return -EBADMSG;
	*code = le16(m + 8);
	*p = m + CCI_MESSAGE_HEAD;
	*len = payload;
	return 0;
}

int cci_message_unwrap(const struct cci_request *q, uint8_t tag, unsigned int return_code,
		       const uint8_t *p, size_t len, struct cci_reply *ret)
{
	const size_t n = cci_tunnels(q->target.kind);
	unsigned int code = return_code;
	size_t i = 0;
	int r = 0;

	for (; r == 0 && i < n && code == RETURN_SUCCESS; i++)
		r = leave_tunnel(opcode_in(q, i, n), tag, &code, &p, &len);
	if (r < 0)
		return r;
	if (i < n)
		len = 0; /* that is the output of a tunnel, which was not asked for */
	if (len > CCI_PAYLOAD_MAX)
		return -EMSGSIZE;
	ret->return_code = code;
	ret->len = len;
	if (len > 0)
		memcpy(ret->output, p, len);
	return 0;
}
