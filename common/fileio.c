// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/fileio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "common/cleanup.h"

int read_file_at(int dirfd, const char *path, size_t max, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = -1;

	fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	return read_open_file(fd, max, ret, ret_len);
}

int read_open_file(int fd, size_t max, char **ret, size_t *ret_len)
{
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, cap = 4096;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	if (cap > max)
		cap = max + 1;
	buf = malloc(cap + 1);
	if (!buf)
		return -ENOMEM;
	for (;;) {
		ssize_t n = pread(fd, buf + len, cap - len, (off_t)len);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (n == 0)
			break;
		len += (size_t)n;
		if (len > max)
			return -EFBIG;
		if (len == cap) {
			char *bigger;

			cap = cap > max / 2 ? max + 1 : cap * 2;
			bigger = realloc(buf, cap + 1);
			if (!bigger)
				return -ENOMEM;
			buf = bigger;
		}
	}
	buf[len] = '\0';
	*ret = STEAL_PTR(buf);
	if (ret_len)
		*ret_len = len;
	return 0;
}
