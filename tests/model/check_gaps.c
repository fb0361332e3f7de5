// SPDX-License-Identifier: LGPL-2.1-or-later
/* Unused pieces of address spaces. */
#include <stdlib.h>

#include <check.h>

#include "model/gaps.h"
#include "tests/lib/suites.h"

START_TEST(gaps_are_the_rest_of_overlapping_ranges)
{
	struct gap used[] = {{50, 59}, {0, 9}, {5, 19}, {90, 120}};
	struct gaps gaps = {0};

	ck_assert_int_eq(find_gaps((struct gap){0, 99}, used, ARRAY_SIZE(used), &gaps), 0);
	ck_assert_uint_eq(gaps.n, 2);
	ck_assert_uint_eq(gaps.items[0].first, 20);
	ck_assert_uint_eq(gaps.items[0].last, 49);
	ck_assert_uint_eq(gaps.items[1].first, 60);
	ck_assert_uint_eq(gaps.items[1].last, 89);
	gaps_done(&gaps);
}
END_TEST

START_TEST(gaps_reach_to_the_last_address)
{
	struct gap used[] = {{1, UINT64_MAX}};
	struct gaps gaps = {0};

	ck_assert_int_eq(find_gaps((struct gap){0, UINT64_MAX}, used, 1, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 1);
	ck_assert_uint_eq(gaps.items[0].last, 0);
	gaps_done(&gaps);
	ck_assert_int_eq(find_gaps((struct gap){5, UINT64_MAX}, NULL, 0, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 1);
	ck_assert_uint_eq(gaps.items[0].first, 5);
	gaps_done(&gaps);
}
END_TEST

START_TEST(gaps_are_found_in_used_ranges_of_any_order_and_size)
{
	struct gap used[] = {{90, 300}, {0, 5}};
	struct gaps gaps = {0};

	ck_assert_int_eq(find_gaps((struct gap){10, 99}, used, ARRAY_SIZE(used), &gaps), 0);
	ck_assert_uint_eq(gaps.n, 1);
	ck_assert_uint_eq(gaps.items[0].first, 10);
	ck_assert_uint_eq(gaps.items[0].last, 89);
	gaps_done(&gaps);
}
END_TEST

SUITE(check_gaps)
{
	Suite *suite = suite_create("gaps");
	TCase *t = tcase_create("gaps");

	tcase_add_test(t, gaps_are_the_rest_of_overlapping_ranges);
	tcase_add_test(t, gaps_reach_to_the_last_address);
	tcase_add_test(t, gaps_are_found_in_used_ranges_of_any_order_and_size);
	suite_add_tcase(suite, t);
	return suite;
}
