// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci.h"

#include <errno.h>

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
