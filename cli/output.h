/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_OUTPUT_H
#define CXLR_CLI_OUTPUT_H

/*
 * Text output on standard output.
 *
 * Device names, firmware versions and captures are untrusted: all text is printed by out() and
 * out_styled(), which replace every byte that is not printable ASCII by '?', so that it can
 * neither send escape sequences to the terminal nor fake a line. Colours are used only on a
 * terminal and when NO_COLOR is unset. Single-threaded.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/json_writer.h"
#include "common/opt.h"
#include "common/quantity.h"

enum style { STYLE_PLAIN, STYLE_NAME, STYLE_GOOD, STYLE_BAD, STYLE_FAINT };

/* Enables colours where they are wanted, and lines as long as the terminal; before, neither. */
void out_setup(void);

/* Prints part of a line: @fmt contains no newline, out_end() ends the line. */
void out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void out_styled(enum style style, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_end(void);

/* Return: columns of a line at the time of out_setup(), by COLUMNS or the terminal; 0: by neither.
 */
enum { OUT_WIDTH_MAX = 2048 };
unsigned int out_terminal_width(void);

/* Starts a line with @depth levels of indentation. */
void out_indent(unsigned int depth);

/* Return: columns of lines of words: those of the terminal, OUT_COLUMNS_MIN to OUT_COLUMNS. */
unsigned int out_columns(void);

/*
 * out_wrapped() - print words of a text, with line breaks so that no line is too long
 * @column: characters on this line so far
 * @depth: levels of indentation of the following lines
 */
enum { OUT_COLUMNS = 100, OUT_COLUMNS_MIN = 40 };
void out_wrapped(const char *text, size_t column, unsigned int depth);

/*
 * out_json() - write the contents of a JSON writer; a complete document is followed by a newline
 *
 * Return: 0 or -ENOMEM; main() reports errors of standard output.
 */
int out_json(struct json_writer *w);

/* Writes @s to @f and replaces every byte that is not printable ASCII by '?'. */
void write_plain(FILE *f, const char *s);

/* The ending of a regular noun: "1 file", "2 files". */
static inline const char *plural_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
