/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_ROOT_H
#define CXLR_SYSFS_HOST_ROOT_H

/*
 * Which host is looked at: this one, or a captured one.
 *
 * host_root_open(NULL) is the live machine. With a path (a directory, or a .tar.zst made by
 * `cxl-spa capture`) the calling process moves into a mount namespace of its own whose /sys is
 * the captured one, read-only, and whose /dev holds stand-ins, so that the real libcxl, libdaxctl
 * and libudev run on it. This happens once per process, before any thread exists, and cannot be
 * taken back. All other captured files (proc/, prm/, mbox/, events/) are read relative to
 * `dirfd`. One object per process, owned by main; readable from any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct host_root {
	bool captured;
	char *path; /* as the user gave it, for messages; NULL for the live machine */
	int dirfd;  /* "/" of the live machine, or the capture's top folder */
};

/* A capture is somebody else's file: no more than this is unpacked or looked at. */
#define CAPTURE_BYTES_MAX  (256ULL * 1024 * 1024)
#define CAPTURE_FILES_MAX  400000
#define CAPTURE_MEMORY_MAX (1024ULL * 1024 * 1024) /* of the tmpfs: every file costs a page */

/*
 * host_root_open() - choose the host, and enter it when it is a captured one
 * @path: NULL, a directory, or an archive
 * @ret: the caller owns it and frees it with host_root_free() when no snapshot uses it any more
 * @e: says what was wrong and the way out, e.g. what to allow in a container
 *
 * Return: 0; -EPERM when namespaces are forbidden; -ENOENT; -EINVAL for a capture that is damaged
 * or hostile (it names the entry); -EFBIG beyond the limits above; -ENOMEM; other system errors.
 */
int host_root_open(const char *path, struct host_root **ret, struct error *e);

/* Accepts NULL. Return: NULL. The namespace stays until the process ends. */
struct host_root *host_root_free(struct host_root *root);

/*
 * host_root_read() - read a file of the host
 * @path: relative to the host's "/", without a leading slash, e.g. "proc/iomem", "prm/pairs.txt"
 * @max, @ret, @ret_len: as read_file_at()
 *
 * "sys/..." is the host's sysfs in both cases. prm/, mbox/, events/ exist in captures only.
 *
 * Return: 0 or a negative errno.
 */
int host_root_read(const struct host_root *root, const char *path, size_t max, char **ret,
		   size_t *ret_len);

#endif
