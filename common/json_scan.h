/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_JSON_SCAN_H
#define CXLR_COMMON_JSON_SCAN_H

/*
 * Reads JSON text of common/json_writer.h without building a tree: members of an object and items
 * of an array are spans of the text. Text of other origin is read safely, but may end early: blanks
 * between tokens are not accepted. Nothing is allocated; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

struct json_span {
	const char *at; /* not NUL-terminated */
	size_t len;
};

/* Where in an object or an array the next member or item begins. */
struct json_cursor {
	const char *at, *end;
};

/* Return: whether @value is an object (@open '{') or an array ('['); then @ret is at its first. */
bool json_enter(struct json_span value, char open, struct json_cursor *ret);

/* @ret_key: without its quotes, escapes as they are. Return: false after the last member. */
bool json_next_member(struct json_cursor *c, struct json_span *ret_key,
		      struct json_span *ret_value);

/* Return: false after the last item. */
bool json_next_item(struct json_cursor *c, struct json_span *ret_value);

/* Finds a member of an object by name. Return: false if it has none, or is no object. */
bool json_member(struct json_span object, const char *name, struct json_span *ret_value);

bool json_span_is(struct json_span s, const char *text);

/* Return: the byte behind the string that begins with the quote at @s; NULL if it does not end. */
const char *json_string_end(const char *s, const char *end);

/*
 * json_string_decode() - the text of a string, as UTF-8
 * @value: with its quotes
 * @size: of @ret, with the NUL; what does not fit is cut
 *
 * Return: false if @value is no string.
 */
bool json_string_decode(struct json_span value, char *ret, size_t size);

#endif
