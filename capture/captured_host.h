/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_CAPTURED_HOST_H
#define CXLR_CAPTURE_CAPTURED_HOST_H

/*
 * Opens the host to read; a captured host becomes the /sys and /dev of the calling process.
 *
 * With a path (a directory, or a .tar.zst made by `cxl-spa capture`) the calling process moves
 * into a mount namespace of its own whose /sys is the captured one, read-only, and whose /dev
 * has empty files for the devices, so that the real libcxl and libudev run on it. This happens
 * once per process, before any thread is started, and cannot be undone. All other captured files
 * (proc/, prm/, mbox/, events/) are read relative to `dirfd`.
 */

#include "sysfs/host_root.h"

/*
 * host_root_open() - open the live machine or a captured host
 * @path: NULL, a directory, or an archive
 * @ret: the caller owns it and frees it with host_root_free() when no snapshot uses it any more
 * @e: what is wrong and what to do, e.g. the permission that a container needs
 *
 * Return: 0; -EPERM when namespaces are forbidden; -ENOENT; -EINVAL for a captured host that is
 * damaged or invalid (@e names the entry); -EFBIG beyond the limits of host_root.h; -ENOMEM; other
 * system errors.
 */
int host_root_open(const char *path, struct host_root **ret, struct error *e);

#endif
