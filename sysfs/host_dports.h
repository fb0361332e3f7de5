/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_DPORTS_H
#define CXLR_SYSFS_HOST_DPORTS_H

/* Dports of a port. Private to sysfs/. */

#include "sysfs/host_build.h"

/* build_dports() - the dports of a port; @fd: the port's directory */
int build_dports(struct build *b, int fd, struct port *port);

/* The dport of @port with that id, or NULL. */
const struct dport *build_find_dport(const struct port *port, uint64_t id);

/*
 * build_dport_id() - a dport's id as the kernel prints it
 *
 * Ids are 32 bits wide, and large ones (_UID of a host bridge) are printed as negative numbers.
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int build_dport_id(const char *text, uint64_t *ret);

#endif
