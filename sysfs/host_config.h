/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_CONFIG_H
#define CXLR_SYSFS_HOST_CONFIG_H

/* Configuration space of a PCI function. Private to sysfs/. */

#include "sysfs/host_build.h"

/* build_config() - its configuration space; @dir_fd: the function's directory */
void build_config(struct opener *opener, int dir_fd, struct pci_config *ret);

#endif
