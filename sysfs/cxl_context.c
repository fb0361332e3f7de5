// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/cxl_context.h"

#include <stdarg.h>

#include <cxl/libcxl.h>

static void context_drop_log(struct cxl_ctx *ctx, int priority, const char *file, int line,
			     const char *fn, const char *format, va_list args)
{
	(void)ctx;
	(void)priority;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	(void)args;
}

int cxl_context_new(struct cxl_ctx **ret)
{
	const int r = cxl_new(ret);

	if (r == 0)
		cxl_set_log_fn(*ret, context_drop_log);
	return r;
}
