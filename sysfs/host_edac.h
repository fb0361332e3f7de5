/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_EDAC_H
#define CXLR_SYSFS_HOST_EDAC_H

/* EDAC devices of memory devices and regions, see edac.h. Private to sysfs/. */

#include "sysfs/host_build.h"

/*
 * build_edac() - the EDAC device of a memory device or region
 * @fd: the directory of the parent, in which the EDAC device is
 * @parent: the name of the parent, "mem0"
 * @ret: NULL when the kernel has none
 */
int build_edac(struct build *b, int fd, const char *parent, const struct edac_device **ret);

/* build_kernel_options() - why EDAC instances are missing; after build_misc() */
int build_kernel_options(struct build *b);

#endif
