// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/lock_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "common/cleanup.h"

int lock_file_open(const char *directory)
{
	_cleanup_close_ int dirfd = -1;
	int fd;

	if (mkdir(directory, 0700) < 0 && errno != EEXIST)
		return -errno;
	dirfd = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dirfd < 0)
		return -errno;
	fd = openat(dirfd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

int lock_file_lock(int fd, off_t byte)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};

	return fcntl(fd, F_OFD_SETLK, &l) < 0 ? -errno : 0;
}
