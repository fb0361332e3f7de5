/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_MEMDEV_IOCTL_H
#define CXLR_MAILBOX_MEMDEV_IOCTL_H

/*
 * The ioctls of /dev/cxl/memN, on a descriptor of the caller. They may block for as long as a
 * device likes. No state, any thread.
 *
 * Sources: drivers/cxl/core/mbox.c; include/uapi/linux/cxl_mem.h.
 */

#include <stdbool.h>
#include <stdint.h>

#include "mailbox/command.h"

/* Return: the kernel's id of a command that is in the table of commands.h; 0 for others. */
uint32_t memdev_command_id(uint16_t opcode);

/*
 * memdev_query() - the commands that the device supports
 * @ret: a bit for each id
 *
 * Linux before 6.3 does not say which the device supports: then all must be tried, and ENOTTY is
 * the answer to the others.
 *
 * Return: 0 or the error of the ioctl.
 */
int memdev_query(int fd, uint32_t *ret);

/*
 * memdev_send() - send a command by CXL_MEM_SEND_COMMAND, never as a raw one
 * @output: MAILBOX_OUTPUT_MAX bytes
 *
 * Return: length of the output payload as the device reports it; -EOPNOTSUPP when the kernel does
 * not know the command; the error of the ioctl.
 */
int memdev_send(int fd, const struct mailbox_command *command, uint8_t *output,
		unsigned int *ret_code);

#endif
