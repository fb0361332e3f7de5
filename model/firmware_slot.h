/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FIRMWARE_SLOT_H
#define CXLR_MODEL_FIRMWARE_SLOT_H

/*
 * The firmware slot of a memory device that an update goes to. Pure functions; any thread.
 */

#include "common/opt.h"
#include "mailbox/mailbox.h"

/*
 * firmware_next_slot() - the slot that the kernel writes to, which clients cannot choose: the one
 * after the active slot, of the last one the first (cxl_fw_write() of the kernel's CXL core)
 *
 * Return: from 1; absent when the slots are not known, and for a device with one slot, whose
 * running firmware would be overwritten.
 */
struct opt_u64 firmware_next_slot(const struct mailbox *m);

#endif
