// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/revocation.h"

void revocations_listen(struct revocations *all, revocation_listener *fn, void *userdata)
{
	if (all->n == REVOCATION_LISTENERS_MAX)
		return;
	all->listeners[all->n].userdata = userdata;
	all->listeners[all->n++].fn = fn;
}

void revocations_tell(const struct revocations *all, const struct revocation *r)
{
	for (size_t i = 0; i < all->n; i++)
		all->listeners[i].fn(all->listeners[i].userdata, r);
}

bool revocation_concerns(const struct revocation *r, const struct principal *p)
{
	if (p->account == 0 || p->account != r->account)
		return false;
	return r->cause != REVOKED_SESSION || p->session == r->session;
}
