// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci.h"

#include <errno.h>
#include <string.h>

#include "common/little_endian.h"
#include "mailbox/fmapi.h"

size_t cci_tunnels(enum cci_target_kind kind)
{
	return kind == CCI_SWITCH ? 0 : kind == CCI_PORT ? 1 : 2;
}

size_t cci_payload_max(const struct cci *c, enum cci_target_kind kind)
{
	return c->payload_max - cci_tunnels(kind) * CCI_TUNNEL_OVERHEAD;
}

int cci_send(struct cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	int r;

	if (q->len > cci_payload_max(c, q->target.kind))
		return -EMSGSIZE;
	c->n_commands++;
	ret->return_code = 0;
	ret->len = 0;
	r = c->ops->send(c, q, ret);
	return r == 0 && ret->len > CCI_PAYLOAD_MAX ? -EBADMSG : r;
}

struct cci *cci_free(struct cci *c)
{
	if (c)
		c->ops->free(c);
	return NULL;
}

enum { CATEGORY_RESPONSE = 1, CATEGORY_MASK = 0xf, LENGTH_MASK = 0x1fffff, RETURN_SUCCESS = 0 };

/* Return: the opcode of the message behind @tunnel of @n tunnels. */
static uint16_t opcode_in(const struct cci_request *q, size_t tunnel, size_t n)
{
	return tunnel + 1 < n ? FMAPI_TUNNEL : q->opcode;
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
		put_le16(p + 2, (uint16_t)(CCI_MESSAGE_HEAD + payload));
		p[CCI_TUNNEL_HEAD + 1] = tag;
		put_le16(p + CCI_TUNNEL_HEAD + 3, opcode_in(q, i, n));
		put_le16(p + CCI_TUNNEL_HEAD + 5, (uint16_t)payload);
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
