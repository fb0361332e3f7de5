/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_FIRMWARE_MAP_H
#define CXLR_SYSFS_HOST_FIRMWARE_MAP_H

#include "sysfs/host_build.h"

/* host->firmware_map, of sysfs and of a captured kernel log. Return: 0 or -ENOMEM. */
int build_firmware_map(struct build *b);

#endif
