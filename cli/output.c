// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

static bool coloured;
static unsigned int columns = OUT_COLUMNS, terminal_width;

/* By enum style. */
static const char *const style_codes[] = {"", "\033[1m", "\033[32m", "\033[31m", "\033[2m"};

void out_setup(void)
{
	const char *term = getenv("TERM");
	const char *text = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (text && parse_u64(text, &n) == 0 && n > 0 && n <= OUT_WIDTH_MAX)
		terminal_width = (unsigned int)n;
	else if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		terminal_width = size.ws_col;
	columns = !terminal_width || terminal_width > OUT_COLUMNS ? OUT_COLUMNS
		  : terminal_width < OUT_COLUMNS_MIN		  ? OUT_COLUMNS_MIN
								  : terminal_width;
	coloured = isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && term && !str_equal(term, "dumb");
}

void write_plain(FILE *f, const char *s)
{
	for (; *s; s++)
		(void)putc_unlocked(plain_byte(*s), f);
}

/* A text that is empty has no colour. */
__attribute__((format(printf, 2, 0))) static void out_va(enum style style, const char *fmt,
							 va_list ap)
{
	_cleanup_free_ char *complete = NULL;
	char text[512];
	bool styled;
	va_list copy;
	int n;

	va_copy(copy, ap);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	if (n >= (int)sizeof(text) && vasprintf(&complete, fmt, copy) < 0)
		complete = NULL; /* no memory: print the first part only */
	va_end(copy);
	styled = coloured && style != STYLE_PLAIN && n > 0;
	if (styled)
		(void)fputs(style_codes[style], stdout);
	write_plain(stdout, complete ? complete : text);
	if (styled)
		(void)fputs("\033[0m", stdout);
}

void out(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	out_va(STYLE_PLAIN, fmt, ap);
	va_end(ap);
}

void out_styled(enum style style, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	out_va(style, fmt, ap);
	va_end(ap);
}

void out_end(void)
{
	(void)putc_unlocked('\n', stdout);
}

unsigned int out_terminal_width(void)
{
	return terminal_width;
}

void out_indent(unsigned int depth)
{
	for (unsigned int i = 0; i < depth; i++)
		(void)fputs("  ", stdout);
}

unsigned int out_columns(void)
{
	return columns;
}

/* Return: the bytes of the next word that fit; a word longer than a line is divided. */
static size_t word_length(const char *text, size_t indent)
{
	size_t len = strcspn(text, " ");

	return len > columns - indent ? columns - indent : len;
}

void out_wrapped(const char *text, size_t column, unsigned int depth)
{
	const size_t indent = 2 * (size_t)depth;
	bool space = false;

	while (*text) {
		size_t len = word_length(text, indent);

		if (column > indent && column + space + len > columns) {
			out_end();
			out_indent(depth);
			column = indent;
			space = false;
		}
		out("%s%.*s", space ? " " : "", (int)len, text);
		column += len + space;
		text += len;
		space = *text == ' ';
		text += space;
	}
}

int out_json(struct json_writer *w)
{
	if (w->depth == 0)
		put_raw(w, "\n");
	return json_writer_flush(w, stdout) == -ENOMEM ? -ENOMEM : 0;
}
