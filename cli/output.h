/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_OUTPUT_H
#define CXLR_CLI_OUTPUT_H

/*
 * Text for people, on standard output.
 *
 * Device names, firmware versions and captures are not ours: whatever is printed here goes
 * through out() or out_styled(), which show every byte that is not printable ASCII as '?', so
 * foreign text can neither drive the terminal nor forge a line. Colours only on a terminal and
 * when NO_COLOR is unset. Single-threaded.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/json_writer.h"
#include "common/opt.h"

enum style { STYLE_PLAIN, STYLE_NAME, STYLE_GOOD, STYLE_BAD, STYLE_FAINT };

/* Decides about colours; without it there are none. */
void out_setup(void);

/* A piece of a line: @fmt holds no newline, out_end() ends the line. */
void out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void out_styled(enum style style, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_end(void);

/* A line that starts with @depth steps of indentation; without a newline. */
void out_indent(unsigned int depth);

/*
 * out_json() - write what a writer holds so far; behind a finished document a newline
 *
 * Return: 0 or -ENOMEM; errors of standard output are seen when the program ends.
 */
int out_json(struct json_writer *w);

/* Writes @s to @f with every byte that is not printable ASCII as '?'. */
void write_plain(FILE *f, const char *s);

/* A number of bytes for people: "256 MiB", "1.5 GiB", "unknown size". */
enum { SIZE_TEXT_MAX = 32 };
const char *size_text(struct opt_u64 bytes, char text[SIZE_TEXT_MAX]);

/* "0x1000-0x1fff", as translate accepts it; "unknown address" or an address alone when not both are
 * known. */
enum { RANGE_TEXT_MAX = 48 };
const char *range_text(struct opt_u64 start, struct opt_u64 size, char text[RANGE_TEXT_MAX]);

#endif
