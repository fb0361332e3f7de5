// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/host_root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "sysfs/attr.h"

DEFINE_CLEANUP(struct host_root, host_root_free);

struct host_root *host_root_free(struct host_root *root)
{
	if (!root)
		return NULL;
	if (root->dirfd >= 0)
		(void)close(root->dirfd);
	acpi_dump_done(&root->dump);
	free(root->path);
	free(root);
	return NULL;
}

int host_root_open_live(struct host_root **ret, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = calloc(1, sizeof(*root));

	if (!root)
		return error_set(e, ENOMEM, "out of memory");
	root->dirfd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root->dirfd < 0)
		return error_set(e, errno, "/: %s", strerror(errno));
	*ret = STEAL_PTR(root);
	return 0;
}

bool host_path_is_safe(const char *path)
{
	size_t depth = 0;

	if (strlen(path) >= CAPTURE_PATH_MAX || str_has_control(path))
		return false;
	for (const char *p = path;; p++) {
		size_t len = strcspn(p, "/");

		if (len == 0 || (len == 1 && p[0] == '.') ||
		    (len == 2 && p[0] == '.' && p[1] == '.') || ++depth > CAPTURE_DEPTH_MAX)
			return false;
		p += len;
		if (!*p)
			return true;
	}
}

/* Return: @path of a captured host opened for reading. */
static int open_beneath(int dirfd, const char *path)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));

	/* Linux before 5.6, and valgrind: the check when the host was opened must suffice. */
	if (fd < 0 && errno == ENOSYS)
		fd = openat(dirfd, path, (int)how.flags);
	return fd < 0 ? -errno : fd;
}

int host_root_open_sys(const struct host_root *root, const char *path)
{
	return root->in_place ? attr_open_dir(root->dirfd, path + 1)
			      : attr_open_dir(AT_FDCWD, path);
}

static int read_by_opener(struct opener *opener, const char *path, size_t max, char **ret,
			  size_t *ret_len)
{
	char absolute[CAPTURE_PATH_MAX + 1], *slash;
	_cleanup_close_ int dir_fd = -1, fd = -1;

	(void)snprintf(absolute, sizeof(absolute), "/%s", path);
	slash = strrchr(absolute, '/');
	/* By its directory it is kept open: walks read the same files. */
	if (slash != absolute) {
		*slash = '\0';
		dir_fd = open(absolute, O_PATH | O_DIRECTORY | O_CLOEXEC);
		*slash = '/';
	}
	if (dir_fd >= 0)
		fd = opener_open_at(opener, dir_fd, slash + 1);
	/* Most machines lack some of the ACPI tables, and the helper need not be asked twice. */
	if (fd == -ENOENT)
		return fd;
	return fd >= 0 ? read_open_file(fd, max, ret, ret_len)
		       : opener_read(opener, absolute, max, ret, ret_len);
}

int host_root_read(const struct host_root *root, const char *path, size_t max, char **ret,
		   size_t *ret_len)
{
	_cleanup_close_ int fd = -1;

	if (!host_path_is_safe(path))
		return -EINVAL;
	if (!root->captured && root->opener)
		return read_by_opener(root->opener, path, max, ret, ret_len);
	if (!root->captured)
		return read_file_at(root->dirfd, path, max, ret, ret_len);
	fd = open_beneath(root->dirfd, path);
	return fd < 0 ? fd : read_open_file(fd, max, ret, ret_len);
}
