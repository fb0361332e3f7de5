/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MAPPING_DOCUMENT_H
#define CXLR_TESTS_LIB_MAPPING_DOCUMENT_H

/* The rows of the tables in docs/mapping.md, which is below $srcdir. */

#include <stdbool.h>
#include <stddef.h>

enum { MAPPING_ROWS_MAX = 64, MAPPING_COLUMNS_MAX = 8 };

struct mapping_row {
	unsigned int number; /* of the row in DSP0288's table */
	bool absent;	     /* the row has a reason instead of a source */
	char resource[64], property[128];
	char source[256]; /* or the reason */
};

/*
 * mapping_document_read() - the rows of one of DSP0288's tables, in the order of the document
 * @table: 1 or 2
 *
 * Fails the test when the document cannot be read, or a row is malformed.
 * Return: how many there are.
 */
size_t mapping_document_read(unsigned int table, struct mapping_row ret[static MAPPING_ROWS_MAX]);

#endif
