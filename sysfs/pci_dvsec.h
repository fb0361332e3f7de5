/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_PCI_DVSEC_H
#define CXLR_SYSFS_PCI_DVSEC_H

/*
 * The designated vendor-specific extended capabilities (DVSEC) and the serial number in a
 * configuration space, which is untrusted: the chain of capabilities may be a ring, and lead
 * anywhere. No state, any thread.
 *
 * Source: PCI Express Base Specification 6.0, 7.6.3, 7.9.3 and 7.9.6.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/opt.h"

enum {
	PCI_CONFIG_BYTES = 4096,
	PCI_DVSEC_HEAD = 0x10, /* as much of one as is read at once */
	PCI_DVSEC_VENDOR_CXL = 0x1e98,
};

struct pci_dvsec {
	size_t offset; /* in configuration space */
	uint16_t vendor, id;
	unsigned int revision;
	size_t length;	     /* as it says; at least PCI_DVSEC_HEAD, and its end may be anywhere */
	const uint8_t *head; /* PCI_DVSEC_HEAD bytes */
};

/* Return: false ends the walk. */
typedef bool pci_dvsec_fn(void *userdata, const struct pci_dvsec *d);

/*
 * pci_dvsec_walk() - call @fn for each DVSEC
 * @fd: the file `config` of a function
 *
 * Those that are shorter than PCI_DVSEC_HEAD are left out.
 *
 * Return: 0, also when @fn ended it; -ENODATA: extended configuration space is missing or cannot be
 * read, which takes CAP_SYS_ADMIN when the file is opened; -ENODEV: all its bits are one;
 * -ELOOP: the chain does not end.
 */
int pci_dvsec_walk(int fd, pci_dvsec_fn *fn, void *userdata);

/* Return: the device serial number; absent when there is none, or it cannot be read, as above. */
struct opt_u64 pci_serial_number(int fd);

#endif
