/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_MISC_H
#define CXLR_SYSFS_HOST_MISC_H

/* Kernel release, host name, DMI UUID, size of a page, memory. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_misc(struct build *b);

#endif
