/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_FILES_H
#define CXLR_HELPER_FILES_H

/*
 * Opens what the table of opener/paths.h lists, and nothing else. Plain data that is set up once;
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "opener/protocol.h"
#include "sysfs/block_pages.h"
#include "sysfs/dax_blocks.h"
#include "sysfs/dax_holders.h"
#include "sysfs/kernel_log.h"

struct files {
	int root;	     /* "/"; of tests another directory */
	bool any_filesystem; /* of tests, whose files are in no sysfs, procfs and tracefs */
};

/* Return: 0 or the error of opening "/". */
int files_init(struct files *f, struct error *e);

/*
 * files_open() - open for reading, a device for its ioctls
 * @path: as in a request; looked up again
 *
 * No component may be a symbolic link, and the file must be in the file system and of the type that
 * the table says.
 *
 * Return: a descriptor; -EACCES when it is not in the table; -ELOOP for a link, -ENOTDIR for one in
 * place of a directory; -EINVAL for another type or file system; the error of openat().
 */
int files_open(const struct files *f, const char *path);

/*
 * files_list() - the names in a directory, without those that begin with a dot
 * @names: OPENER_LIST_MAX bytes
 */
int files_list(const struct files *f, const char *path, char *names, size_t *ret_len);

/* files_stat() - inode, and ns since 1970 of the last change */
int files_stat(const struct files *f, const char *path, uint64_t *ret_inode, uint64_t *ret_ns);

/* files_open_memdev() - /dev/cxl/mem@device, for its ioctls */
int files_open_memdev(const struct files *f, uint32_t device);

/*
 * files_kernel_log() - the lines of the kernel's log that are about CXL
 *
 * /dev/kmsg is opened with CAP_SYSLOG, which is effective for that call alone; nothing is written.
 */
int files_kernel_log(const struct files *f, struct kernel_log *ret);

/*
 * files_dax_holders() - as dax_holders_read(), with CAP_SYS_PTRACE while it lasts: without it,
 * Linux shows no files and mappings of other users' processes
 */
int files_dax_holders(const struct files *f, struct dax_holder *items, size_t *ret_n,
		      bool *ret_complete);

#endif
