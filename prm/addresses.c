// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/addresses.h"

#include "common/cleanup.h"

void addresses_done(struct addresses *a)
{
	a->translator = translator_unref(a->translator);
	a->firmware = firmware_free(a->firmware);
	a->host = host_unref(a->host);
}

int addresses_read(const struct host_root *root, struct addresses *ret, struct error *e)
{
	_cleanup_(addresses_done) struct addresses a = {0};
	int r;

	r = host_read(root, &a.host, e);
	if (r == 0 && !root->captured)
		r = firmware_new(FIRMWARE_DEVICE, &a.firmware);
	if (r == 0)
		r = translator_new(a.host, a.firmware, &a.translator, e);
	if (r < 0)
		return r;
	*ret = a;
	a = (struct addresses){0};
	return 0;
}
