/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_REGIONS_H
#define CXLR_SYSFS_HOST_REGIONS_H

/* Regions of a root decoder. Private to sysfs/. */

#include "sysfs/host_build.h"

/*
 * build_regions() - the regions of a root decoder
 * @fd: the decoder's directory
 */
int build_regions(struct build *b, int fd, struct decoder *root);

#endif
