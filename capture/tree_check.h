/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_TREE_CHECK_H
#define CXLR_CAPTURE_TREE_CHECK_H

/*
 * Private to sysfs/: what may stand in a captured host.
 *
 * A capture is somebody else's file. Whether it comes as a directory or was just unpacked, nothing
 * of it is used before tree_check() has walked all of it. No state, any thread.
 */

#include <stdbool.h>

#include "common/error.h"
#include "sysfs/host_root.h"

/*
 * tree_check() - walk a captured host without following any link
 * @dirfd: its top directory
 *
 * Only regular files, directories and symlinks may occur, within the limits of host_root.h. A
 * symlink must stay inside and must not lead in a circle.
 *
 * Return: 0; -EINVAL or -EFBIG with the entry's name in @e; the error of a directory that cannot be
 * read.
 */
int tree_check(int dirfd, struct error *e);

/*
 * tree_link_stays_inside() - whether a symlink is harmless
 * @path: where the link stands, relative to the capture's top directory
 * @target: what it says
 *
 * sys/ is bound to /sys, so a link must not leave the directory at the top it lies in: there,
 * "sys/x -> ../proc/1/root" would lead into the live machine. With ".." only at the front, the
 * directory a link really lies in settles how far it can climb, and no other link on the way can
 * change that.
 */
bool tree_link_stays_inside(const char *path, const char *target);

/* Replaces what is not printable ASCII by '?', in place, for messages. Return: @text. */
char *tree_printable(char *text);

/* What is said at the limits of host_root.h. */
#define CAPTURE_TOO_LARGE "the captured host holds more than 256 MiB up to this file, the limit"
#define CAPTURE_TOO_MANY  "the captured host holds more than 400000 files and directories, the limit"
#define CAPTURE_NO_ROOM                                                                            \
	"the captured host takes more than 1 GiB of memory up to this file, the limit"
_Static_assert(CAPTURE_BYTES_MAX == 256ULL << 20 && CAPTURE_FILES_MAX == 400000 &&
		       CAPTURE_MEMORY_MAX == 1ULL << 30,
	       "the limits are not what the words above say");

#endif
