/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OPENER_KEPT_FILES_H
#define CXLR_OPENER_KEPT_FILES_H

/*
 * Descriptors of attributes that the helper opened, kept for the next walk: each walk reads the
 * same ones, and to ask the helper takes ten times as long as to read. Each reading is the present
 * value, as sysfs makes it at each pread() from 0; of a device that was removed it fails.
 *
 * An attribute is that of a directory's inode, which sysfs never reuses. There are KEPT_FILES_MAX
 * at most, and a quarter of what the process may open; a host with more has all of them opened
 * again and again, in a cycle, as without.
 *
 * Not thread-safe: the owner has a lock.
 */

#include <stdint.h>
#include <sys/types.h>

enum { KEPT_FILES_MAX = 1024, KEPT_NAME_MAX = 16 };

struct kept_file {
	dev_t dev;
	ino_t inode; /* of the directory */
	char name[KEPT_NAME_MAX];
	int fd;
};

struct kept_files {
	struct kept_file *items; /* NULL before the first one */
	unsigned int n, max;
};

/*
 * kept_files_get() - another descriptor of a kept file
 * @dirfd: its directory
 *
 * It shares its position with others: only pread() may be used.
 *
 * Return: a descriptor that the caller closes; -ENOENT when none is kept.
 */
int kept_files_get(const struct kept_files *k, int dirfd, const char *name);

/* kept_files_add() - keep another descriptor of @fd, if that is possible */
void kept_files_add(struct kept_files *k, int dirfd, const char *name, int fd);

/* kept_files_done() - close all; more can be added again */
void kept_files_done(struct kept_files *k);

#endif
