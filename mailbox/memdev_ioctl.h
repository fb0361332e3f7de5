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

/* Return: the kernel's id of a command that is in the table of command.h; 0 for others. */
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

enum { MEMDEV_CHANGE_MAX = 16 }; /* bytes of input */

/* A command that changes a device: it is not in the table of command.h, all of which only read. */
struct memdev_change {
	uint16_t opcode;
	uint32_t id;	 /* the kernel's */
	uint32_t length; /* of its input, bytes */
	const char *title;
};

/* Return: one of the commands that memdev_send_change() sends; NULL for others. */
const struct memdev_change *memdev_change_of(uint16_t opcode);

/*
 * memdev_send_change() - send Set Partition Info (4101h) or Set Alert Configuration (4202h)
 * @input: as many bytes as memdev_change_of() says
 * @ret_code: return code of the command; set when 0 is returned
 *
 * Return: 0; -EOPNOTSUPP when the kernel or the device does not know the command; -EMSGSIZE when
 * this kernel accepts no input of that length; the error of the ioctl.
 */
int memdev_send_change(int fd, uint16_t opcode, const uint8_t *input, unsigned int *ret_code);

/*
 * A command that Linux has no id for, and sends only as a raw one: where it was built with
 * CONFIG_CXL_MEM_RAW_COMMANDS and is not locked down. The first raw command since its start makes
 * it warn, which taints it (W), and ends the machine where panic_on_warn is set
 * (drivers/cxl/core/mbox.c, cxl_mem_raw_command_allowed(), cxl_to_mem_cmd_raw()).
 */
struct memdev_raw {
	uint16_t opcode;
	uint32_t length; /* of its input, bytes */
	/* The kernel refuses it as a raw one, too, unless root wrote raw_allow_all in debugfs. */
	bool guarded;
	const char *title;
};

/* Return: one of the commands that memdev_send_raw() sends; NULL for others. */
const struct memdev_raw *memdev_raw_of(uint16_t opcode);

/* Bytes of a mailbox: the least, and the most, that a device can have (CXL 3.2 8.2.9.4.3). */
enum { MEMDEV_PAYLOAD_MIN = 256, MEMDEV_PAYLOAD_MAX = 1 << 20 };

/* The buffers of a raw command. */
struct memdev_payloads {
	const uint8_t *input; /* as many bytes as memdev_raw_of() says */
	uint8_t *output;      /* NULL: none is expected */
	/* Its size, at most that of the mailbox; then how many bytes the kernel wrote. A longer
	 * output is cut. */
	uint32_t output_len;
};

/*
 * memdev_send_raw() - send one of the commands of memdev_raw_of(), and no other
 * @ret_code: return code of the command; set when 0 is returned
 *
 * Linux since 6.5 waits for the end of a background operation, of one that was sent as a raw
 * command for no time at all: then it returns -ETIMEDOUT, and the device goes on. Before, the code
 * is MAILBOX_BACKGROUND_STARTED.
 *
 * Return: 0; -EOPNOTSUPP for other opcodes; -ENOTTY when the kernel does not know raw commands;
 * -EPERM when it allows none, or not this one; the error of the ioctl.
 */
int memdev_send_raw(int fd, uint16_t opcode, struct memdev_payloads *p, unsigned int *ret_code);

#endif
