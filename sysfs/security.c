// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/security.h"

#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "sysfs/attr.h"

bool security_has_nvdimm(int fd, const char *memdev)
{
	char child[NAME_MAX + sizeof("pmem/driver")];
	struct stat st;

	(void)snprintf(child, sizeof(child), "p%.*s/driver", NAME_MAX, memdev);
	return fstatat(fd, child, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

void security_read(const char *memdev, struct read_notes *notes, struct memdev_security *ret)
{
	static const struct attr_field state = {"security/state", ATTR_TEXT,
						offsetof(struct memdev_security, state)};
	char path[sizeof("/sys/bus/cxl/devices/") + NAME_MAX];
	_cleanup_close_ int fd = -1;

	*ret = (struct memdev_security){0};
	(void)snprintf(path, sizeof(path), "/sys/bus/cxl/devices/%.*s", NAME_MAX, memdev);
	fd = attr_open_dir(AT_FDCWD, path);
	if (fd < 0)
		return;
	ret->has_nvdimm = security_has_nvdimm(fd, memdev);
	(void)attr_read(&(struct attr_dir){fd, "memdev", memdev, notes}, &state, ret);
}
