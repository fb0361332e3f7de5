/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_AER_H
#define CXLR_SYSFS_AER_H

/* Private to sysfs/: the error counters of PCI functions. */

#include "sysfs/findings.h"
#include "sysfs/readings.h"

/*
 * aer_read() - read the counters of a function
 * @bdf: its address, as build_pci() checked it
 * @ret: all absent when it has no Advanced Error Reporting, or the kernel does not handle it
 */
void aer_read(const char *bdf, struct findings *findings, struct aer_counters *ret);

#endif
