/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_OPERANDS_H
#define CXLR_CLI_OPERANDS_H

/*
 * The operands of the command line: addresses, ranges of addresses, and times. Memory devices are
 * in sysfs/memdev_operand.h.
 * These functions print nothing and keep no state.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "common/time_text.h"

/* An address, or START-END with both ends included. */
struct address_range {
	uint64_t first, last;
	bool is_range; /* written as START-END, also when both are the same */
};

/*
 * operand_address() - read ADDRESS or START-END
 * @e: names the operand and how to write it
 *
 * Return: 0 or -EINVAL.
 */
int operand_address(const char *s, struct address_range *ret, struct error *e);

/*
 * operand_size() - read a number of bytes: decimal or 0x, and K, M, G or T for KiB to TiB
 * @e: what follows the name of the option in a sentence
 *
 * Return: 0 or -EINVAL, also for 0 and for what is not below 2^64.
 */
int operand_size(const char *s, uint64_t *ret, struct error *e);

/*
 * operand_time() - read a time of day in any form of time_text_read()
 * @e: what follows the name of the option in a sentence
 *
 * Return: 0 or -EINVAL.
 */
int operand_time(const char *s, struct time_written *ret, struct error *e);

/* The longest line of operands on standard input, without its newline. */
enum { OPERAND_LINE_MAX = 255 };

/*
 * operand_line() - read one line
 * @line: filled in, without the newline; empty on error
 *
 * A line that is too long or contains a NUL byte is read to its end, so that the next call returns
 * the next line.
 *
 * Return: 1; 0 at the end of the input; -E2BIG too long; -EINVAL a NUL byte; -EIO reading failed,
 * with errno set.
 */
int operand_line(FILE *f, char line[OPERAND_LINE_MAX + 1]);

/* The same for lines of up to @max bytes; @line has one more. */
int operand_long_line(FILE *f, char *line, size_t max);

#endif
