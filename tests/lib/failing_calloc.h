/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FAILING_CALLOC_H
#define CXLR_TESTS_LIB_FAILING_CALLOC_H

/*
 * Memory that runs out while a test wants it: each calloc() of the program fails then, those of
 * shared libraries do not. A program that uses it is linked with --wrap=calloc.
 */

#include <stddef.h>

enum calloc_failing { CALLOC_WORKS, CALLOC_FAILS_HERE, CALLOC_FAILS_ELSEWHERE };

/* @which: calls of this thread fail, or those of all other threads */
void calloc_set(enum calloc_failing which);

/* Return: how many calls have failed. */
size_t calloc_failures(void);

#endif
