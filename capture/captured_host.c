// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/captured_host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/captured_tree.h"
#include "capture/namespace.h"
#include "capture/tree_check.h"
#include "common/cleanup.h"
#include "common/privileges.h"

/* Root keeps the capabilities to read the capture and the files that the user names. */
#define CAPABILITIES_KEPT ((UINT64_C(1) << CAP_DAC_OVERRIDE) | (UINT64_C(1) << CAP_DAC_READ_SEARCH))

DEFINE_CLEANUP(struct host_root, host_root_free);

/* Return: the opened archive, -EISDIR for a directory, or why @path is neither. */
static int open_archive(const char *path, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct stat st;
	char link[64];
	int readable;

	/* First without opening a driver or waiting for a FIFO's other end. */
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, errno, "%s", strerror(errno));
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (S_ISDIR(st.st_mode)) {
		/* In the user namespace the directory could be listed, but not its files read. */
		if (faccessat(AT_FDCWD, link, R_OK | X_OK, AT_EACCESS) < 0)
			return error_set(e, errno, "%s", strerror(errno));
		return -EISDIR;
	}
	if (!S_ISREG(st.st_mode))
		return error_set(e, EINVAL, "not a directory and not an archive");
	if (st.st_size < 0 || (unsigned long long)st.st_size > CAPTURE_BYTES_MAX)
		return error_set(
			e, EFBIG,
			"the archive is larger than %llu MiB, the limit for captured hosts",
			CAPTURE_BYTES_MAX >> 20);
	readable = open(link, O_RDONLY | O_CLOEXEC);
	return readable < 0 ? error_set(e, errno, "%s", strerror(errno)) : readable;
}

/* Return: the top directory of what was unpacked. */
static int unpack_to_scratch(int archive, struct error *e)
{
	_cleanup_close_ int dirfd = namespace_scratch(e);
	int r;

	if (dirfd < 0)
		return dirfd;
	r = archive_unpack(archive, dirfd, e);
	if (r < 0)
		return r;
	r = namespace_make_read_only("/sys");
	return r < 0 ? error_set(e, r, "the unpacked archive cannot be mounted read-only: %s",
				 strerror(-r))
		     : STEAL_FD(dirfd);
}

static int enter_captured(struct host_root *root, const char *path, struct error *e)
{
	_cleanup_close_ int archive = -1;
	bool own_user;
	int r;

	archive = open_archive(path, e);
	if (archive < 0 && archive != -EISDIR)
		return archive;
	r = namespace_enter(&own_user, e);
	if (r < 0)
		return r;
	/* A directory is opened only now: a mount of the former namespace cannot be bound here. */
	root->dirfd = archive < 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
				  : unpack_to_scratch(archive, e);
	if (root->dirfd < 0)
		return archive < 0 ? error_set(e, errno, "%s", strerror(errno)) : root->dirfd;
	r = tree_check(root->dirfd, e);
	if (r == 0)
		r = namespace_bind_sys(root->dirfd, e);
	if (r == 0)
		r = namespace_make_dev(root->dirfd, e);
	if (r == 0)
		r = captured_tree_tables(root, e);
	if (r < 0)
		return r;
	r = capabilities_drop(own_user ? 0 : CAPABILITIES_KEPT);
	return r < 0 ? error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r)) : 0;
}

int host_root_open(const char *path, struct host_root **ret, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	int r;

	if (!path)
		return host_root_open_live(ret, e);
	root = calloc(1, sizeof(*root));
	if (!root)
		return error_set(e, ENOMEM, "out of memory");
	root->dirfd = -1;
	root->captured = true;
	root->path = strdup(path);
	if (!root->path)
		return error_set(e, ENOMEM, "out of memory");
	r = enter_captured(root, path, e);
	if (r < 0) {
		error_prefix(e, "%s", path);
		return r;
	}
	*ret = STEAL_PTR(root);
	return 0;
}
