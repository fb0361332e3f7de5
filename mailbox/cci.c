// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/cci.h"

#include <errno.h>

/* Of a Tunnel Management Command, and of the CCI message in it (CXL 3.2 7.6.3, 7.6.7.3.1). */
enum { TUNNEL_HEAD = 4 + 12 };

size_t cci_payload_max(const struct cci *c, enum cci_target_kind kind)
{
	const size_t tunnels = kind == CCI_SWITCH ? 0 : kind == CCI_PORT ? 1 : 2;

	return c->payload_max - tunnels * TUNNEL_HEAD;
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
