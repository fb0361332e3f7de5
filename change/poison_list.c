// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>

#include "change/device.h"
#include "change/operations.h"

/*
 * Get Poison List (4300h) is sent by the kernel alone: a write to memN/trigger_poison_list reads
 * all of the list before it returns, and each entry is a trace event cxl_poison
 * (drivers/cxl/core/memdev.c, trigger_poison_list_store()). The file exists while the driver is
 * bound and the device has the command.
 */
#define TRIGGER "trigger_poison_list"

static int refuse_missing(const struct memdev *m, struct change_result *ret)
{
	if (!m->enabled)
		return change_result_set(
			ret, ENODEV, CHANGE_REFUSED,
			"the poison list of %s cannot be read: it is not enabled; enable it first",
			m->name);
	return change_result_set(ret, EOPNOTSUPP, CHANGE_REFUSED,
				 "the poison list of %s cannot be read: there is no " TRIGGER
				 ", so the device does not support Get Poison List",
				 m->name);
}

int change_poison_list(const struct change_context *x, const struct change *c,
		       const struct host *host, struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	char path[DEVICE_PATH_MAX];
	int r;

	if (!m)
		return ret->error;
	device_path(m, TRIGGER, path);
	r = change_write(x->root, path, "1");
	if (r == -ENOENT)
		return refuse_missing(m, ret);
	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED,
					 "the poison list of %s could not be read: %s", m->name,
					 strerror(-r));
	return 0;
}
