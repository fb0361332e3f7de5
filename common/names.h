/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_NAMES_H
#define CXLR_COMMON_NAMES_H

/*
 * A list inside a sentence: "mem0, mem1, mem2 and 5 more". On the stack, owns nothing.
 */

#include <stddef.h>

enum { NAMES_SHOWN_MAX = 8, NAMES_TEXT_MAX = 400 };

struct names {
	char text[NAMES_TEXT_MAX];
	size_t used;
	size_t shown, left_out;
};

/* Adds one name; after NAMES_SHOWN_MAX, or when the text is full, it is only counted. */
void names_add(struct names *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Return: the list as text; "" when nothing was added. No names may be added afterwards. */
const char *names_end(struct names *n);

#endif
