/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_LINKS_H
#define CXLR_SYSFS_HOST_LINKS_H

/* Sorts ports, decoders and regions, and connects them. Private to sysfs/. */

#include "sysfs/host_build.h"

int build_links(struct build *b);

#endif
