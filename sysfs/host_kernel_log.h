/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_KERNEL_LOG_H
#define CXLR_SYSFS_HOST_KERNEL_LOG_H

/* The lines of the kernel's log. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_kernel_log(struct build *b);

#endif
