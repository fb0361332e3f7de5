/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_NAMES_H
#define CXLR_EVENTS_TRACE_NAMES_H

/* Names of events and of their fields, as programs print them. Pure functions; any thread. */

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool trace_is_name_char(char c)
{
	return islower((unsigned char)c) || isdigit((unsigned char)c) || c == '_';
}

/* Return: the length of the name that a text begins with; 0: it begins with none. */
static inline size_t trace_name_length(const char *text)
{
	size_t n = 0;

	while (trace_is_name_char(text[n]))
		n++;
	return n;
}

#endif
