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
	_cleanup_(addresses_done) struct addresses a = {
		.timeout = {ADDRESSES_CALL_MS, ADDRESSES_BUCKET_MS},
	};
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

int addresses_translate(struct addresses *a, const struct memdev *memdev, uint64_t first,
			uint64_t last, struct answers *ret)
{
	ret->n = 0;
	if (memdev)
		return translate_dpa_wait(a->translator, memdev, first, last, &a->timeout, ret);
	return translate_spa_wait(a->translator, first, last, &a->timeout, ret);
}
