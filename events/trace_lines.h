/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_LINES_H
#define CXLR_EVENTS_TRACE_LINES_H

/*
 * The lines of a text that may be reports of errors, out of millions that are not, as they come out
 * of terminals, mails and log files: without escape sequences and carriage returns, and with lines
 * that were wrapped put together again.
 *
 * A line is wrapped if the next one does not begin a record, and has fields of CXL events or goes
 * on where a terminal ended. Words are joined without a blank unless both sides are complete
 * fields. Whether the parts are of one record, and none is missing, is not known here: the line has
 * the places where they were joined (struct trace_line).
 *
 * A JSON object whose members have lines of their own is one line, with newlines.
 *
 * Owns its buffer, not the file that it reads. Lines are untrusted. One thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "events/trace_text.h"

/* The longest JSON value of several lines; a longer one is given in parts, which are none. */
enum { TRACE_DOCUMENT_MAX = 1 << 20 };

struct trace_lines;

/* Return: whether a line has a word that reports of errors have. */
bool trace_may_be_report(const char *text, size_t len);

/* Return: NULL when out of memory. */
struct trace_lines *trace_lines_new(int fd);

/* trace_lines_new_text() - the same, of a text in memory, which is copied: up to 1 MiB. */
struct trace_lines *trace_lines_new_text(const char *text, size_t len);

/* trace_lines_split() - give the lines of JSON values one by one, too */
void trace_lines_split(struct trace_lines *t);

/* Accepts NULL. Return: NULL. */
struct trace_lines *trace_lines_free(struct trace_lines *t);

/*
 * trace_lines_next() - the next line that may be a report
 * @ret: until the next call
 *
 * Return: 1; 0 at the end; -E2BIG for a line that is longer than TRACE_TEXT_LINE_MAX, -EINVAL for
 * one with a NUL byte, which both have a number and no text; -EINTR when a signal was caught; or
 * the error of reading.
 */
int trace_lines_next(struct trace_lines *t, struct trace_line *ret);

/* Return: how many bytes have been read. */
uint64_t trace_lines_bytes(const struct trace_lines *t);

#endif
