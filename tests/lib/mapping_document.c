// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/mapping_document.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/strutil.h"

/* Divides "| a | b |" into its columns. Return: how many there are. */
static size_t split_columns(char *line, char *ret[static MAPPING_COLUMNS_MAX])
{
	size_t n = 0;
	char *rest = line + strlen("| "), *end;

	while ((end = strstr(rest, " |"))) {
		ck_assert_uint_lt(n, MAPPING_COLUMNS_MAX);
		*end = '\0';
		ret[n++] = rest;
		rest = end + strlen(" |");
		rest += *rest == ' ';
	}
	return n;
}

static void read_row(char *line, unsigned int table, bool absent, struct mapping_row *ret)
{
	char *column[MAPPING_COLUMNS_MAX];
	const size_t n = split_columns(line, column);
	const char *source;

	ck_assert_msg(n == (table == 1 ? 7 : 8), "the row %s has %zu columns", column[0], n);
	source = column[absent ? 6 : 5];
	*ret = (struct mapping_row){.number = (unsigned int)atoi(column[0]), .absent = absent};
	(void)snprintf(ret->resource, sizeof(ret->resource), "%s", column[3]);
	(void)snprintf(ret->property, sizeof(ret->property), "%s", column[4]);
	(void)snprintf(ret->source, sizeof(ret->source), "%s", source);
	ck_assert_msg(ret->source[0], "row %u has no source or reason", ret->number);
}

size_t mapping_document_read(unsigned int table, struct mapping_row ret[static MAPPING_ROWS_MAX])
{
	const char *srcdir = getenv("srcdir");
	unsigned int in_table = 1;
	bool absent = false;
	char path[4096], line[4096];
	size_t n = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/docs/mapping.md", srcdir ? srcdir : ".");
	f = fopen(path, "re");
	ck_assert_msg(f != NULL, "%s cannot be read", path);
	while (fgets(line, sizeof(line), f)) {
		if (str_after_prefix(line, "## ")) {
			absent = str_after_prefix(line, "## Absent") != NULL;
			in_table = str_after_prefix(line, "## Commands of fabric managers") ? 2 : 1;
		} else if (in_table == table && str_after_prefix(line, "| ") &&
			   isdigit((unsigned char)line[2])) {
			ck_assert_uint_lt(n, MAPPING_ROWS_MAX);
			read_row(line, table, absent, &ret[n++]);
		}
	}
	(void)fclose(f);
	return n;
}
