/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_PACKAGES_H
#define CXLR_SYSFS_HOST_PACKAGES_H

/* CPU sockets. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_packages(struct build *b);

#endif
