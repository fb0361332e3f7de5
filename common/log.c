// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/strutil.h"

enum { LINE_MAX_BYTES = 1024 };

static const char *program_name = "cxl-redfish";
static _Atomic enum log_level max_level = LOG_LEVEL_INFO;
static bool to_journal;

void log_setup(const char *program, enum log_level max)
{
	program_name = program;
	log_set_level(max);
	to_journal = getenv("JOURNAL_STREAM") != NULL;
}

void log_set_level(enum log_level max)
{
	atomic_store_explicit(&max_level, max, memory_order_relaxed);
}

void log_output(const char *fmt, ...)
{
	va_list ap;

	if (to_journal)
		(void)printf("<%d>", LOG_LEVEL_INFO);
	va_start(ap, fmt);
	(void)vprintf(fmt, ap);
	va_end(ap);
	(void)putchar('\n');
	(void)fflush(stdout);
}

void log_msg(enum log_level level, const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	int saved = errno;
	va_list ap;
	int n, m;

	if (level > atomic_load_explicit(&max_level, memory_order_relaxed))
		return;
	if (to_journal)
		n = snprintf(line, sizeof(line), "<%d>", (int)level);
	else
		n = snprintf(line, sizeof(line), "%s: ", program_name);
	va_start(ap, fmt);
	m = vsnprintf(line + n, sizeof(line) - (size_t)n - 1, fmt, ap);
	va_end(ap);
	if (m >= 0) {
		str_make_plain(line + n);
		n += m < (int)sizeof(line) - n - 1 ? m : (int)sizeof(line) - n - 2;
		line[n++] = '\n';
		/* An error on standard error cannot be reported. */
		(void)!write(STDERR_FILENO, line, (size_t)n);
	}
	errno = saved;
}
