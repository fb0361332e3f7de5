/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_DECODERS_H
#define CXLR_SYSFS_HOST_DECODERS_H

/* Decoders below a port. Private to sysfs/. */

#include "sysfs/host_build.h"

/*
 * build_decoders() - the decoders right below a port
 * @fd: the port's directory
 */
int build_decoders(struct build *b, int fd, struct port *port);

#endif
