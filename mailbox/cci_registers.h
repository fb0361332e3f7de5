/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_CCI_REGISTERS_H
#define CXLR_MAILBOX_CCI_REGISTERS_H

/*
 * A CCI that drives the mailbox in a block of CXL device registers. Commands are polled for, with
 * intervals that grow; no interrupt is used, and nothing is reset. The values of registers are
 * untrusted.
 *
 * A mailbox has one command at a time, so processes share it by a file lock. When a command is not
 * completed within CCI_DEADLINE_MS it is abandoned; until the mailbox has completed it, further
 * ones fail with -EBUSY.
 *
 * Sources: CXL 3.2 8.2.9.1 (capabilities array), 8.2.9.4 (mailbox registers), 8.2.10.1.2
 * (Background Operation Status).
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "mailbox/cci.h"

/*
 * A block of registers. Offsets are multiples of the width, and below `size`. A register of 64 bits
 * is read as two of 32 bits, the lower one first.
 */
struct register_access {
	/* Return: all bits one when the function is gone. */
	uint32_t (*read32)(void *ctx, size_t offset);
	void (*write32)(void *ctx, size_t offset, uint32_t value);
	/* For the command register, which some switches (QEMU's) only accept as a whole; NULL: two
	 * of 32 bits. */
	void (*write64)(void *ctx, size_t offset, uint64_t value);
	/* Milliseconds since any time; NULL: those of the monotonic clock. */
	uint64_t (*now_ms)(void *ctx);
	/* NULL: the calling thread sleeps. */
	void (*sleep_us)(void *ctx, unsigned int us);
	void (*free)(void *ctx); /* NULL: nothing to do */
	void *ctx;
	size_t size;
};

/*
 * cci_registers_new() - find the primary mailbox of a block of CXL device registers
 * @name: of the CCI
 * @access: owned by the CCI on success
 * @lock_fd: a file that is locked during each command; owned by the CCI on success; -1: none
 *
 * Return: 0; -ENODEV: the function is gone; -ENXIO: there is no mailbox; -EBADMSG: what the
 * registers say is not possible; -ENOMEM.
 */
int cci_registers_new(const char *name, const struct register_access *access, int lock_fd,
		      struct cci **ret, struct error *e);

#endif
