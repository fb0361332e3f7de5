/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_FUZZ_TABLE_H
#define CXLR_TESTS_FUZZ_TABLE_H

/* Common code of the fuzz targets. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_MUST(condition)                                                                       \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/*
 * A copy with a valid ACPI header: signature, length and checksum. With an odd last byte the input
 * is unchanged, so that invalid headers are tried as well.
 *
 * Return: a buffer of @size bytes, so that the address sanitizer knows its end; NULL for none.
 */
static inline uint8_t *fuzz_table(const uint8_t *data, size_t size, const char *signature)
{
	uint8_t *table = size ? malloc(size) : NULL;
	uint8_t sum = 0;

	if (!table)
		return NULL;
	memcpy(table, data, size);
	if (size < 36 || data[size - 1] == 1)
		return table;
	memcpy(table, signature, 4);
	for (size_t i = 0; i < 4; i++)
		table[4 + i] = (uint8_t)(size >> 8 * i);
	table[9] = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + table[i]);
	table[9] = (uint8_t)-sum;
	return table;
}

#endif
