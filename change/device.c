// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "model/topology.h"
#include "sysfs/host_root.h"

enum { ATTRIBUTE_BYTES_MAX = 4096 };

static bool is_of_part(const struct decoder *d, enum device_part part)
{
	return part == DEVICE_ALL || d->mode != DECODER_MODE_RAM;
}

int device_check_idle(const struct memdev *m, enum device_part part, const char *what,
		      struct change_result *ret)
{
	const struct port *p = m->endpoint;

	if (!p || !m->enabled)
		return change_result_set(
			ret, ENODEV, CHANGE_REFUSED,
			"%s cannot %s: it is not enabled, so that Linux does not know its decoders; enable it first",
			m->name, what);
	for (size_t i = 0; i < p->n_decoders; i++) {
		const struct decoder *d = p->decoders[i];

		if (!is_of_part(d, part) || !decoder_is_used(d))
			continue;
		if (d->region)
			return change_result_set(
				ret, EBUSY, CHANGE_REFUSED,
				"%s cannot %s: its memory is part of %s, by %s; destroy the region first",
				m->name, what, d->region->name, d->name);
		return change_result_set(
			ret, EBUSY, CHANGE_REFUSED,
			"%s cannot %s: its decoder %s has memory without a region; release it first",
			m->name, what, d->name);
	}
	return 0;
}

void device_path(const struct memdev *m, const char *attr, char ret[static DEVICE_PATH_MAX])
{
	(void)snprintf(ret, DEVICE_PATH_MAX, "/sys/bus/cxl/devices/%s/%s", m->name, attr);
}

int device_read(const struct host_root *root, const char *path, char *ret, size_t size)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = host_root_read(root, path + 1, ATTRIBUTE_BYTES_MAX, &text, &len);

	if (r < 0)
		return r;
	if (strlen(text) != len)
		return -EINVAL;
	(void)str_chomp(text);
	if (!str_is_plain(text) || strlen(text) >= size)
		return -EINVAL;
	memcpy(ret, text, strlen(text) + 1);
	return 0;
}
