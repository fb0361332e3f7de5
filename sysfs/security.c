// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/security.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/attr.h"

#define NVDIMMS "/sys/bus/nd/devices"

/* The value is not used: reading it is enough. */
void security_refresh(void)
{
	_cleanup_closedir_ DIR *dir = opendir(NVDIMMS);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char path[sizeof("/security") + NAME_MAX], state[64];
		_cleanup_close_ int fd = -1;

		if (!str_after_prefix(entry->d_name, "nmem"))
			continue;
		(void)snprintf(path, sizeof(path), "%s/security", entry->d_name);
		fd = openat(dirfd(dir), path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 && read(fd, state, sizeof(state)) < 0)
			continue;
	}
}

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
