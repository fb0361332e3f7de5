/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_SLOTS_H
#define CXLR_SYSFS_HOST_SLOTS_H

/* Slots of the memdevs and of the switches. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_slots(struct build *b);

#endif
