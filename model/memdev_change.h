/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_MEMDEV_CHANGE_H
#define CXLR_MODEL_MEMDEV_CHANGE_H

/*
 * Whether a memory device can be changed: its partitions, alerts, poison, passphrases and all of
 * its memory. Redfish calls these before a job, by what the device reported last; change/ calls
 * them again before the command, by what the device reports then.
 *
 * Each returns 0, or a negative errno with a sentence that follows the name of the device and a
 * colon: -EINVAL the value cannot be had; -EOPNOTSUPP the device cannot; -EPERM, -EBUSY its state;
 * -EKEYREJECTED a passphrase is missing; -EIO what the device reported is not complete or
 * contradicts itself.
 *
 * Functions read their arguments only and keep nothing; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "mailbox/mailbox.h"
#include "mailbox/raw_layouts.h"
#include "sysfs/host.h"

enum {
	POISON_LINE = 64,		/* bytes: the unit of poison, CXL 3.2 8.2.10.9.4.1 */
	POISON_MAX = 4096 * POISON_LINE /* bytes that one change is of */
};

/* Whether the partitions can be changed at all; and to @volatile_bytes, the rest persistent. */
int memdev_check_partitions(const struct mailbox *said, struct error *e);
int memdev_check_volatile_size(const struct mailbox *said, uint64_t volatile_bytes,
			       struct error *e);

/* The thresholds that the field of an alert can hold, and its unit: "percent". */
struct alert_range {
	const char *name; /* "over-temperature" */
	const char *unit;
	int min, max;
};
const struct alert_range *alert_range(enum mailbox_alert_kind kind);

/* Whether a warning threshold can be changed at all; and to @threshold. */
int memdev_check_alert(const struct mailbox *said, enum mailbox_alert_kind kind, struct error *e);
int memdev_check_threshold(const struct mailbox *said, enum mailbox_alert_kind kind,
			   int64_t threshold, struct error *e);

/* Whether @length bytes from @dpa on are lines of poison, no more than one change is of; and
 * whether they are memory of the device, too. */
int poison_check_lines(uint64_t dpa, uint64_t length, struct error *e);
int memdev_check_poison(const struct memdev *m, uint64_t dpa, uint64_t length, struct error *e);

/* Whether the media of a range can be scanned: any whole number of units, within the device. */
int memdev_check_scan(const struct memdev *m, const struct media_range *range, struct error *e);

enum passphrase_change {
	PASSPHRASE_SET,
	PASSPHRASE_DISABLE,
	PASSPHRASE_UNLOCK,
	PASSPHRASE_ERASE, /* what it protects is erased */
};

/*
 * memdev_check_passphrase() - whether a change with a passphrase can be made
 * @state: of the security, as the kernel prints it: "unlocked", "frozen"
 * @master: it is about the master passphrase
 * @old_given: PASSPHRASE_SET: the request contains the present one
 */
int memdev_check_passphrase(enum passphrase_change change, const char *state, bool master,
			    bool old_given, struct error *e);

/* Whether all memory of a device can be erased without a passphrase; @state: likewise. */
int memdev_check_erase(const char *state, struct error *e);

#endif
