/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_REPORT_JSON_H
#define CXLR_EVENTS_REPORT_JSON_H

/*
 * JSON objects, and arrays of them, within a text of other things: behind what a program prints
 * before its lines, several on a line, as elements of an array whose brackets are on other lines.
 * Pure functions; any thread.
 */

#include <jansson.h>

/*
 * report_json_next() - the next value of a text
 * @ret_end: the first byte behind it
 *
 * An array that does not end is left for what it has.
 *
 * Return: the value, which the caller unreferences; NULL: there is none, or it is not whole.
 */
json_t *report_json_next(const char *text, const char **ret_end);

/* The same of a text with newlines, which a terminal may have put into strings. */
json_t *report_json_document(const char *text, const char **ret_end);

/* The same of a line that is a string, with a comma or not: one of the lines of a program's output
 * in JSON. */
json_t *report_json_string(const char *text);

#endif
