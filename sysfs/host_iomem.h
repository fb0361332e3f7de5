/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_IOMEM_H
#define CXLR_SYSFS_HOST_IOMEM_H

/* /proc/iomem. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_iomem(struct build *b);

#endif
