/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_DAX_H
#define CXLR_SYSFS_HOST_DAX_H

/* Dax regions and devices, with their memory blocks. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_dax(struct build *b);

#endif
