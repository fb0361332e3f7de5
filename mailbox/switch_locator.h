/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_LOCATOR_H
#define CXLR_MAILBOX_SWITCH_LOCATOR_H

/*
 * Where the CXL device registers of a PCI function are, by its configuration space and by what the
 * kernel says of its BARs. Both are untrusted. No state, any thread.
 *
 * Sources: CXL 3.2 8.1.9 (Register Locator DVSEC); Linux: the attribute `resource` of a function.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum {
	SWITCH_BARS = 6,
	/* Mapped at most, from the registers' beginning on: a mailbox with 1 MiB has half of it. */
	SWITCH_BLOCK_MAX = 2 * 1024 * 1024,
	SWITCH_BLOCK_ALIGN = 0x10000, /* of offsets in a BAR */
};

struct switch_location {
	unsigned int bar;
	uint64_t offset; /* of the block in the BAR, a multiple of SWITCH_BLOCK_ALIGN */
	size_t size;	 /* from there to the end of the BAR, at most SWITCH_BLOCK_MAX */
};

/*
 * switch_locate() - find the block
 * @config_fd: the file `config`
 * @resource: the text of `resource`, a line for each BAR
 *
 * Return: 0; -EACCES: configuration space cannot be read far enough; -ENODEV: the function is gone;
 * -ENXIO: there is no such block, or no such BAR; -EBADMSG: what is there is not possible. @e is
 * one sentence.
 */
int switch_locate(int config_fd, const char *resource, struct switch_location *ret,
		  struct error *e);

#endif
