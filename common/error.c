// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int error_set(struct error *e, int code, const char *fmt, ...)
{
	va_list ap;

	code = abs(code);
	if (e) {
		e->code = code;
		va_start(ap, fmt);
		(void)vsnprintf(e->text, sizeof(e->text), fmt, ap);
		va_end(ap);
	}
	return -code;
}

void error_prefix(struct error *e, const char *fmt, ...)
{
	char old[ERROR_TEXT_MAX];
	va_list ap;
	int n;

	if (!e)
		return;
	memcpy(old, e->text, sizeof(old));
	va_start(ap, fmt);
	n = vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(e->text))
		(void)snprintf(e->text + n, sizeof(e->text) - (size_t)n, ": %s", old);
}
