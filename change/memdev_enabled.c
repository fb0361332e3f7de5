// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "change/dax_wait.h"
#include "change/device.h"
#include "change/operations.h"

/*
 * A memory device is enabled while the driver cxl_mem has it. libcxl's cxl_memdev_enable() and
 * cxl_memdev_disable_invalidate() are the same write, after another walk of the host.
 */
#define DRIVER "/sys/bus/cxl/drivers/cxl_mem/"

static bool has_driver(const struct memdev *m)
{
	char path[DEVICE_PATH_MAX];
	struct stat st;

	device_path(m, "driver", path);
	return stat(path, &st) == 0;
}

/* A region that the device's decoders map already becomes one with it. */
static int enable(const struct change_context *x, const struct host *host, const struct memdev *m,
		  struct change_result *ret)
{
	int r = change_write(x->root, DRIVER "bind", m->name);

	if (r == 0 && has_driver(m)) {
		(void)dax_wait_new(x, host, DAX_WAIT_MS);
		return 0;
	}
	return change_result_set(
		ret, r < 0 ? r : -EIO, CHANGE_REFUSED,
		"%s cannot be enabled: the driver cxl_mem does not accept it: %s; the kernel's log may have more",
		m->name, r < 0 ? strerror(-r) : "no error is reported");
}

static int disable(const struct change_context *x, const struct memdev *m,
		   struct change_result *ret)
{
	int r = device_check_idle(m, DEVICE_ALL, "be disabled", ret);

	if (r < 0)
		return r;
	r = change_write(x->root, DRIVER "unbind", m->name);
	if (r == 0 && !has_driver(m))
		return 0;
	return change_result_set(ret, r < 0 ? r : -EIO, CHANGE_REFUSED,
				 "%s cannot be disabled: the driver cxl_mem keeps it: %s", m->name,
				 r < 0 ? strerror(-r) : "no error is reported");
}

int change_memdev_enabled(const struct change_context *x, const struct change *c,
			  const struct host *host, struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	const bool on = c->kind == CHANGE_MEMDEV_ENABLE;

	if (!m)
		return ret->error;
	if (m->enabled == on)
		return 0;
	return on ? enable(x, host, m, ret) : disable(x, m, ret);
}
