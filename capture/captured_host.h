/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_CAPTURED_HOST_H
#define CXLR_CAPTURE_CAPTURED_HOST_H

/*
 * Opening the host to read, and entering it when it is a captured one.
 *
 * With a path (a directory, or a .tar.zst made by `cxl-spa capture`) the calling process moves
 * into a mount namespace of its own whose /sys is the captured one, read-only, and whose /dev
 * holds stand-ins, so that the real libcxl, libdaxctl and libudev run on it. This happens once per
 * process, before any thread exists, and cannot be reverted. All other captured files (proc/,
 * prm/, mbox/, events/) are read relative to `dirfd`.
 */

#include "sysfs/host_root.h"

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

#endif
