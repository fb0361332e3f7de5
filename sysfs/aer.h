/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_AER_H
#define CXLR_SYSFS_AER_H

/* The error counters of PCI functions. No state, any thread. */

#include "common/opt.h"
#include "sysfs/read_notes.h"

/*
 * Advanced Error Reporting of a PCI function, aer_dev_* and aer_rootport_total_err_*
 * (Documentation/ABI/testing/sysfs-bus-pci-devices-aer). All members are struct opt_u64.
 */
struct aer_counters {
	struct opt_u64 correctable, nonfatal, fatal; /* totals of the function itself */
	struct opt_u64 bad_tlp, bad_dllp, replay_timeout, replay_rollover, receiver_error;
	struct opt_u64 unsupported_request; /* nonfatal and fatal ones */
	/* Root ports: messages from all devices below. */
	struct opt_u64 root_correctable, root_nonfatal, root_fatal;
};

/*
 * aer_read() - read the counters of a function
 * @bdf: its address, as build_pci() checked it
 * @ret: all absent when it has no Advanced Error Reporting, or the kernel does not handle it
 */
void aer_read(const char *bdf, struct read_notes *notes, struct aer_counters *ret);

#endif
