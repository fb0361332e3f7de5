/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_DEVICE_MAILBOX_H
#define CXLR_CHANGE_DEVICE_MAILBOX_H

/*
 * The mailbox of one memory device for operations that change it: what a command changed is read
 * before and after it. The kernel ends a command that a device does not answer, after 2 s
 * (drivers/cxl/pci.c, CXL_MAILBOX_TIMEOUT_MS). Private to change/; one thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "change/context.h"
#include "mailbox/command.h"
#include "mailbox/mailbox.h"
#include "mailbox/memdev_ioctl.h"

struct device_mailbox {
	int fd; /* /dev/cxl/memN; negative: not open */
	char memdev[CHANGE_NAME_MAX];
	uint32_t supported; /* a bit for each id of the kernel */
};

/* device_mailbox_open() - @ret: closed by device_mailbox_close(), also on failure */
int device_mailbox_open(const struct host_root *root, const struct memdev *m,
			struct device_mailbox *ret, struct change_result *result);
void device_mailbox_close(struct device_mailbox *mb);

/*
 * device_mailbox_read() - send reading commands (mailbox/command.h) and decode their output
 * @opcodes: all of which the device must support
 * @outcome: of a failure: CHANGE_REFUSED before anything was changed
 *
 * Return: 0; -EOPNOTSUPP; -EIO when the device returns an error.
 */
int device_mailbox_read(const struct device_mailbox *mb, const uint16_t *opcodes, size_t n,
			struct mailbox *ret, enum change_outcome outcome,
			struct change_result *result);

/* device_mailbox_change() - send a command of memdev_change_of(); @input: as many bytes as that
 * says */
int device_mailbox_change(const struct device_mailbox *mb, uint16_t opcode, const uint8_t *input,
			  struct change_result *result);

/*
 * device_mailbox_send() - send a command that no reader sends, of those that the kernel has an id
 * for
 * @command: its `decode` is not used
 * @output: MAILBOX_OUTPUT_MAX bytes; @ret_len: as many as the device has sent
 *
 * Return: as device_mailbox_read(), with CHANGE_REFUSED.
 */
int device_mailbox_send(const struct device_mailbox *mb, const struct mailbox_command *command,
			uint8_t *output, size_t *ret_len, struct change_result *result);

/*
 * device_mailbox_send_raw() - send a command of memdev_raw_of(), where that ends nothing
 * @p: its output is set only when 0 is returned
 *
 * Refused where the kernel is locked down, where it would end the machine because of its warning,
 * and, if it is guarded, unless root wrote raw_allow_all, which is only read here.
 *
 * Return: 0 with the return code of the command; -EPERM, -EOPNOTSUPP with the reason in @result;
 * other errors of the ioctl, with nothing in it: see memdev_send_raw() about -ETIMEDOUT.
 */
int device_mailbox_send_raw(const struct device_mailbox *mb, const struct host_root *root,
			    uint16_t opcode, struct memdev_payloads *p, unsigned int *ret_code,
			    struct change_result *result);

/*
 * device_mailbox_fail_raw() - fill in what became of device_mailbox_send_raw()
 * @r: what it returned; of 0: @code
 *
 * Return: the error; 0 for success.
 */
int device_mailbox_fail_raw(const struct device_mailbox *mb, uint16_t opcode, int r,
			    unsigned int code, struct change_result *result);

/* device_mailbox_raw() - both in one: only MAILBOX_SUCCESS is none */
int device_mailbox_raw(const struct device_mailbox *mb, const struct host_root *root,
		       uint16_t opcode, struct memdev_payloads *p, struct change_result *result);

#endif
