/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_TREE_CHECK_H
#define CXLR_CAPTURE_TREE_CHECK_H

/*
 * Private to capture/: validation of a captured host.
 *
 * A captured host is untrusted. Whether it is a directory or was just unpacked, nothing of it is
 * used before tree_check() has walked all of it. No state, any thread.
 */

#include <stdbool.h>

#include "common/error.h"
#include "sysfs/host_root.h"

/*
 * tree_check() - walk a captured host without following any link
 * @dirfd: its top directory
 *
 * Only regular files, directories and symlinks are allowed, within the limits of host_root.h. A
 * symlink must stay inside and must not be part of a loop.
 *
 * Return: 0; -EINVAL or -EFBIG with the entry's name in @e; the error of a directory that cannot be
 * read.
 */
int tree_check(int dirfd, struct error *e);

/*
 * tree_link_stays_inside() - whether a symlink cannot lead out of a captured host
 * @path: of the link, relative to the top directory of the captured host
 * @target: its target
 *
 * sys/ is bound to /sys, so a link must not leave its directory at the top: "sys/x ->
 * ../proc/1/root" would refer to the live machine. ".." is allowed at the front only: then the real
 * directory of the link limits how far it can go up, and no other link on the way can change that.
 */
bool tree_link_stays_inside(const char *path, const char *target);

/* Replaces what is not printable ASCII by '?', in place, for messages. Return: @text. */
char *tree_printable(char *text);

/* The messages at the limits of host_root.h. */
#define CAPTURE_TOO_LARGE                                                                          \
	"the files of the captured host up to this one have more than 256 MiB, the limit"
#define CAPTURE_TOO_MANY "the captured host has more than 400000 files and directories, the limit"
#define CAPTURE_NO_SPACE                                                                           \
	"the captured host requires more than 1 GiB of memory up to this file, the limit"
_Static_assert(CAPTURE_BYTES_MAX == 256ULL << 20 && CAPTURE_FILES_MAX == 400000 &&
		       CAPTURE_MEMORY_MAX == 1ULL << 30,
	       "the limits differ from the messages above");

#endif
