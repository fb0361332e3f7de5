/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_CDAT_H
#define CXLR_SYSFS_HOST_CDAT_H

/* CDAT of an endpoint. Private to sysfs/. */

#include "sysfs/host_build.h"

/* build_cdat() - the CDAT of an endpoint; @fd: the endpoint's directory */
int build_cdat(struct build *b, int fd, struct port *endpoint);

#endif
