/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_BENCH_BARE_INSERT_H
#define CXLR_TESTS_BENCH_BARE_INSERT_H

/*
 * The reference of what storing costs: the rows of a store, inserted by SQLite alone into tables
 * with the same columns and indexes, in transactions of as many entries that are on the disk before
 * the next is begun. Reading the rows is not measured.
 */

#include <stddef.h>
#include <stdint.h>

struct bare_insert {
	uint64_t n; /* entries */
	double wall_s, cpu_s;
};

/* bare_insert() - with the store @from, into a new file @to; ends the program on failure */
struct bare_insert bare_insert(const char *from, const char *to, size_t batch, uint64_t most);

/* Return: the median time of reading 100 rows from a random number on, with all their columns. */
double bare_page_ms(const char *path);

#endif
