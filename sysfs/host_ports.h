/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_PORTS_H
#define CXLR_SYSFS_HOST_PORTS_H

/* Buses, and below each its ports, dports, decoders and regions. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_buses(struct build *b);

#endif
