/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_NODES_H
#define CXLR_SYSFS_HOST_NODES_H

/* NUMA nodes. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_nodes(struct build *b);

/*
 * build_next_range() - parse the next "3" or "0-7" of a list as the kernel prints it
 *
 * Return: false at the end of the list, and at an invalid range.
 */
bool build_next_range(char **list, uint64_t *ret_first, uint64_t *ret_last);

#endif
