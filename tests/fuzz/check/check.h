/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_FUZZ_CHECK_CHECK_H
#define CXLR_TESTS_FUZZ_CHECK_CHECK_H

/*
 * What the fixtures of tests/lib use of Check, for fuzz targets: Check itself works only below its
 * runner.
 */

#include <stdlib.h>
#include <string.h>

#define ck_assert(condition)                                                                       \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

#define ck_assert_msg(condition, ...)  ck_assert(condition)
#define ck_assert_int_eq(a, b)	       ck_assert((a) == (b))
#define ck_assert_uint_eq(a, b)	       ck_assert((a) == (b))
#define ck_assert_uint_ge(a, b)	       ck_assert((a) >= (b))
#define ck_assert_uint_le(a, b)	       ck_assert((a) <= (b))
#define ck_assert_uint_lt(a, b)	       ck_assert((a) < (b))
#define ck_assert_ptr_eq(a, b)	       ck_assert((a) == (b))
#define ck_assert_ptr_nonnull(pointer) ck_assert((pointer) != NULL)
#define ck_assert_str_eq(a, b)	       ck_assert(strcmp(a, b) == 0)

#endif
