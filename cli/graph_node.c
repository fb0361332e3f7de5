// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdarg.h>

#include "cli/graph.h"
#include "cli/output.h"

/* By enum graph_state; each has enough contrast with black text. */
static const char *const fill_colours[] = {
	[GRAPH_PLAIN] = NULL,	     [GRAPH_GOOD] = "#c8e6c9",	     [GRAPH_UNUSED] = "#e0e0e0",
	[GRAPH_UNKNOWN] = "#fff9c4", [GRAPH_NORMALIZED] = "#bbdefb", [GRAPH_OFFLINE] = "#ffe0b2",
	[GRAPH_BAD] = "#ffcdd2",
};

/* In a quoted string of the DOT language, a quote and a backslash need a backslash. */
static void graph_quote(FILE *to, const char *s)
{
	for (; *s; s++) {
		char one[2] = {*s, '\0'};

		if (*s == '"' || *s == '\\')
			(void)putc_unlocked('\\', to);
		write_plain(to, one);
	}
}

void graph_begin_node(FILE *to, const char *name, const char *shape)
{
	(void)fputs("  \"", to);
	graph_quote(to, name);
	(void)fputs("\" [shape=", to);
	(void)fputs(shape, to);
	(void)fputs(", label=\"", to);
	graph_quote(to, name);
}

__attribute__((format(printf, 2, 0))) static void label_line(FILE *to, const char *fmt, va_list ap)
{
	char text[512];

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	(void)fputs("\\n", to);
	graph_quote(to, text);
}

void graph_label_line(FILE *to, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	label_line(to, fmt, ap);
	va_end(ap);
}

enum graph_state graph_label_state(FILE *to, enum graph_state before, enum graph_state state,
				   const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	label_line(to, fmt, ap);
	va_end(ap);
	return state > before ? state : before;
}

void graph_end_node(FILE *to, enum graph_state state)
{
	(void)putc_unlocked('"', to);
	if (fill_colours[state])
		(void)fprintf(to, ", style=filled, fillcolor=\"%s\"", fill_colours[state]);
	(void)fputs("];\n", to);
}

void graph_edge(FILE *to, const char *from, const char *target, const char *label,
		const char *style)
{
	(void)fputs("  \"", to);
	graph_quote(to, from);
	(void)fputs("\" -> \"", to);
	graph_quote(to, target);
	(void)fputs("\" [style=", to);
	(void)fputs(style, to);
	if (label) {
		(void)fputs(", label=\"", to);
		graph_quote(to, label);
		(void)putc_unlocked('"', to);
	}
	(void)fputs("];\n", to);
}
