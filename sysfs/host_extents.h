/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_EXTENTS_H
#define CXLR_SYSFS_HOST_EXTENTS_H

/* Extents of dynamic capacity: the ranges of a region at which memory is. Private to sysfs/. */

#include "sysfs/host_build.h"

/* @fd: the dax region's directory, negative when it has vanished */
int build_extents(struct build *b, int fd, struct dax_region *dax);

#endif
