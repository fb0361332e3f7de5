/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_DERIVED_H
#define CXLR_SYSFS_HOST_DERIVED_H

/* Mappings of committed decoders without a region of Linux. Private to sysfs/. */

#include "sysfs/host_build.h"

/* build_derived() - when decoders and regions are connected */
int build_derived(struct build *b);

#endif
