// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the items of the section FINDINGS of docs/cxl-spa-explain.1, from the table of findings.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/finding_text.h"

enum { COLUMNS = 100 };

/*
 * Replaces references to arguments by "..." and takes the longer form of a plural.
 * @last: whether it is the end of a range "0..N", which more dots would hide
 */
static const char *print_reference(FILE *f, const char *p, bool last)
{
	const char *bar, *end;

	p++; /* the digit */
	if (*p != '{') {
		(void)fputs(last ? "N" : "...", f);
		return p;
	}
	bar = strchr(p, '|');
	end = strchr(p, '}');
	(void)fprintf(f, "%.*s", (int)(end - bar - 1), bar + 1);
	return end + 1;
}

static void print_format(FILE *f, const char *p)
{
	const char *const start = p;

	while (*p) {
		if (*p == '%')
			p = print_reference(f, p + 1, p > start && p[-1] == '.');
		else if (*p == '[' || *p == ']')
			p++;
		else
			(void)fputc(*p++, f);
	}
}

/* Input of the manual page starts a new line where one would be too long. */
static void print_wrapped(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > COLUMNS) {
			(void)putchar('\n');
			column = 0;
		}
		/* A quote or dot at the start of a line would be a request. */
		column += (size_t)printf("%s%.*s",
					 column				 ? " "
					 : *text == '.' || *text == '\'' ? "\\&"
									 : "",
					 (int)len, text);
		text += len + (text[len] == ' ');
	}
	(void)putchar('\n');
}

int main(void)
{
	static const char *const levels[] = {
		[FINDING_FACT] = "info: ",
		[FINDING_PROBLEM] = "problem: ",
		[FINDING_ADVICE] = "",
	};

	for (int i = 0; i < FINDING_CODE_COUNT; i++) {
		enum finding_level level = finding_level((enum finding_code)i);
		char text[2 * FINDING_TEXT_MAX] = "";
		FILE *f;

		if (level == FINDING_ADVICE)
			continue; /* part of the finding before it */
		f = fmemopen(text, sizeof(text), "w");
		if (!f)
			return 1;
		(void)fputs(levels[level], f);
		print_format(f, finding_row((enum finding_code)i)->text);
		(void)fclose(f);
		printf(".It Li %s\n", finding_row((enum finding_code)i)->name);
		print_wrapped(text);
	}
	return 0;
}
