/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_PCI_H
#define CXLR_SYSFS_HOST_PCI_H

/* PCI functions, and CXL memory devices without a memdev. Private to sysfs/. */

#include "sysfs/host_build.h"

/*
 * build_pci() - a PCI function
 * @fd: its directory, or negative
 * @name: its name in sysfs
 * @ret: NULL when the name is not that of a PCI function, or there is no directory
 */
int build_pci(struct build *b, int fd, const char *name, const struct pci_function **ret);

/*
 * build_device_path() - where a device is, for struct memdev
 * @target: of a link on a bus to the device, "../../../devices/pci0000:0c/0000:0c:00.0"
 *
 * Return: the part below /sys/devices; NULL when the link leads elsewhere, or when out of memory.
 */
const char *build_device_path(struct build *b, const char *target);

/*
 * build_unclaimed() - CXL memory devices on the PCI bus without a memdev, and the functions that
 *                     decoders without an endpoint decoder lead to
 *
 * When memdevs can be looked up by their PCI addresses.
 */
int build_unclaimed(struct build *b);

#endif
