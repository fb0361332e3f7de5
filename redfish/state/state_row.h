/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_ROW_H
#define CXLR_REDFISH_STATE_ROW_H

/*
 * Rows of the state database whose members are not searched: one text, a JSON object, by a table
 * of fields from which it is written and read. A new member is one row of that table; rows that
 * were stored before do not have it. Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"

struct state_field {
	const char *name;
	size_t offset, size; /* of the member */
	bool is_text;	     /* else a bool, an enumeration, an unsigned int or a uint64_t */
	uint64_t max;	     /* of a number */
};

#define STATE_MEMBER(type, member) offsetof(type, member), sizeof(((type *)NULL)->member)
#define STATE_NUMBER(name, type, member, max)                                                      \
	{                                                                                          \
		name, STATE_MEMBER(type, member), false, max                                       \
	}
#define STATE_TEXT(name, type, member)                                                             \
	{                                                                                          \
		name, STATE_MEMBER(type, member), true, 0                                          \
	}

/* Return: the text, which the caller frees; NULL when out of memory. */
char *state_row_print(const struct state_field *fields, size_t n, const void *object);

/*
 * state_row_parse() - the members of a text that this program may have written
 *
 * Return: whether all of them were there and possible; those that were not are 0 or "".
 */
bool state_row_parse(const struct state_field *fields, size_t n, const char *text, void *object);

/* state_row_parse_grown() - the same where texts of before have only the first @n_of_all members */
bool state_row_parse_grown(const struct state_field *fields, size_t n, size_t n_of_all,
			   const char *text, void *object);

#endif
