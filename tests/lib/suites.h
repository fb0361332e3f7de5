/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_SUITES_H
#define CXLR_TESTS_LIB_SUITES_H

/*
 * The suites of a test program. A file tests/DIRECTORY/check_NAME.c has one, which its last
 *function makes:
 *
 *	SUITE(check_NAME)
 *	{
 *		Suite *s = suite_create("NAME");
 *		...
 *		return s;
 *	}
 *
 * main() is in suites.c. A suite that cannot run on this machine says "SKIP: " and why on stderr or
 * stdout, and returns NULL.
 */

#include <check.h>

struct suite {
	const char *name;
	Suite *(*make)(void);
	struct suite *next;
};

/* Called before main(). */
void suites_add(struct suite *s);

/* A suite that is run without some of its tests says why; when the others pass, it is skipped. */
void suite_lacks(const char *why);

#define SUITE(symbol)                                                                              \
	static Suite *symbol##_suite(void);                                                        \
	static struct suite symbol##_entry = {.name = #symbol, .make = symbol##_suite};            \
	static void __attribute__((constructor)) add_##symbol##_suite(void)                        \
	{                                                                                          \
		suites_add(&symbol##_entry);                                                       \
	}                                                                                          \
	static Suite *symbol##_suite(void)

#endif
