/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_MEMDEVS_H
#define CXLR_SYSFS_HOST_MEMDEVS_H

/* CXL memory devices; sorts b->memdevs. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_memdevs(struct build *b);

#endif
