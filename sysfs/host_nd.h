/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_ND_H
#define CXLR_SYSFS_HOST_ND_H

/* Persistent memory regions on the nvdimm bus, and their namespaces. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_nd(struct build *b);

#endif
