/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_DEVICE_READER_H
#define CXLR_MAILBOX_DEVICE_READER_H

/*
 * Reads everything a memory device reports by its mailbox, within a time limit for each device,
 * whatever the transport.
 */

#include "mailbox/client.h"
#include "mailbox/mailbox.h"
#include "sysfs/read_notes.h"

/*
 * All output payloads and errors of a device. Two records that are equal mean the same, which does
 * not hold for two structs with padding.
 */
struct mailbox_record {
	/* The output of each command, and one more error for a device that was not read. */
	uint8_t bytes[MAILBOX_COMMANDS_MAX * (MAILBOX_OUTPUT_MAX + 8) + 8];
	size_t len;
};

/*
 * mailbox_read() - send all commands and decode their output; one thread at a time
 * @previous: all that was received at the last reading of the device; NULL without
 * @notes: gets one sentence for each that failed or whose output is invalid
 * @ret: the decoded values, always filled
 * @record: all that was received, always filled
 *
 * A command to which the device returns Busy or Retry Required is sent again, a few times within
 * one reading. If it stays busy, the command's output in @previous is used, and `kept` is set.
 *
 * A device that exceeds the time limit is left to a thread of its own and is not sent anything
 * until that thread has ended. Until then its values are those of @previous, with `kept` set.
 */
void mailbox_read(struct mailbox_client *c, const char *memdev, struct read_notes *notes,
		  const struct mailbox_record *previous, struct mailbox *ret,
		  struct mailbox_record *record);

#endif
