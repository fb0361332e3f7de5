/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_DAX_HOLDERS_H
#define CXLR_SYSFS_DAX_HOLDERS_H

/*
 * The processes that have a device /dev/daxX.Y open, or mapped: by /proc/PID/fd and /proc/PID/maps,
 * for those of other users with CAP_SYS_PTRACE. An open file is recognised by its device number,
 * in whatever container the process is; a mapping without an open file only by the node in /dev.
 *
 * Files are looked at without waiting for a server (AT_STATX_DONT_SYNC), and nothing is opened but
 * files of /proc.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DAX_HOLDER_NAME = 32,		/* as MEMORY_HOLDER_NAME; and of a device */
	DAX_HOLDERS_MAX = 1024,		/* of all devices */
	DAX_NODES_MAX = 256,		/* in /dev */
	DAX_HOLDERS_MS = 10000,		/* to look at all processes: a million open files */
	DAX_MAPS_MAX = 8 * 1024 * 1024, /* bytes of a process's /proc/PID/maps */
};

struct dax_holder {
	char dax[DAX_HOLDER_NAME];  /* "dax0.0" */
	char name[DAX_HOLDER_NAME]; /* of the process, printable ASCII; "" when it has ended */
	uint32_t pid;
	uint32_t reserved; /* 0 */
};

/*
 * dax_holders_read() - look at all processes
 * @root: "/" of the host
 * @items: DAX_HOLDERS_MAX
 * @ret_complete: whether all could be looked at within the limits above
 *
 * Any thread. Each process is there once for each device. Return: 0 or the error of /dev or /proc.
 */
int dax_holders_read(int root, struct dax_holder *items, size_t *ret_n, bool *ret_complete);

#endif
