// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Kept free for " and N more". */
enum { TAIL_MAX = 32 };

void names_add(struct names *n, const char *fmt, ...)
{
	char name[128];
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	len = strlen(name);
	if (n->left_out || n->shown == NAMES_SHOWN_MAX ||
	    n->used + len + 2 + TAIL_MAX > sizeof(n->text)) {
		n->left_out++;
		return;
	}
	n->used += (size_t)snprintf(n->text + n->used, sizeof(n->text) - n->used, "%s%s",
				    n->shown ? ", " : "", name);
	n->shown++;
}

const char *names_end(struct names *n)
{
	if (n->left_out)
		(void)snprintf(n->text + n->used, sizeof(n->text) - n->used, " and %zu more",
			       n->left_out);
	return n->text;
}
