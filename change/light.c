// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>

#include "change/device.h"
#include "change/operations.h"
#include "common/strutil.h"
#include "sysfs/slot_light.h"

enum { VALUE_MAX = 16 };

int change_light(const struct change_context *x, const struct change *c, const struct host *host,
		 struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	char path[SLOT_LIGHT_PATH_MAX], now[VALUE_MAX];
	int r;

	if (!m)
		return ret->error;
	if (!slot_light_path(m, path))
		return change_result_set(ret, -ENODEV, CHANGE_REFUSED,
					 "%s is in no slot with an attention indicator", m->name);
	r = change_write(x->root, path, c->on ? SLOT_LIGHT_BLINKS : SLOT_LIGHT_OFF);
	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED,
					 "the light of %s's slot cannot be switched: %s", m->name,
					 strerror(-r));
	r = device_read(x->root, path, now, sizeof(now));
	if (r == 0 && str_equal(now, SLOT_LIGHT_OFF) == (c->on == 0))
		return 0;
	return change_result_set(ret, -EIO, CHANGE_INCOMPLETE,
				 "the light of %s's slot was switched, and does not show it",
				 m->name);
}
