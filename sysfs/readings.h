/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_READINGS_H
#define CXLR_SYSFS_READINGS_H

/*
 * What changes while the topology stays: what memory devices say through their mailbox, and the
 * error counters of PCI functions. One immutable, reference counted set for the whole host, read by
 * a worker on a timer (readings_read()), never in a request; any thread may look things up in it
 * while it holds a reference.
 */

#include <stddef.h>

#include "common/opt.h"
#include "sysfs/host.h"
#include "sysfs/mailbox.h"

/*
 * Advanced Error Reporting of a PCI function, aer_dev_* and aer_rootport_total_err_*
 * (Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats).
 */
struct aer_counters {
	struct opt_u64 correctable, nonfatal, fatal; /* totals of the function itself */
	struct opt_u64 bad_tlp, bad_dllp, replay_timeout, replay_rollover, receiver_error;
	struct opt_u64 unsupported_request;
	/* Root ports: messages from all devices below. */
	struct opt_u64 root_correctable, root_nonfatal, root_fatal;
};

struct readings;

struct readings *readings_ref(const struct readings *r);

/* Accepts NULL. Return: NULL. */
struct readings *readings_unref(const struct readings *r);

/* Return: what the memdev said, or NULL when it was not asked or @r is NULL. */
const struct mailbox *readings_mailbox(const struct readings *r, const struct memdev *m);

/* Return: the counters of the function with that address, or NULL when it has none, or @r is NULL.
 */
const struct aer_counters *readings_aer(const struct readings *r, const char *bdf);

#endif
