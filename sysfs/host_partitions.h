/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_PARTITIONS_H
#define CXLR_SYSFS_HOST_PARTITIONS_H

/* Where partitions of dynamic capacity begin. Private to sysfs/. */

#include "sysfs/host_build.h"

/* After build_buses(): endpoint decoders are witnesses. */
int build_partitions(struct build *b);

#endif
