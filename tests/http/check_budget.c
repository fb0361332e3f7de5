// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The limits of what principals and clients hold.
#include <errno.h>

#include "http/budget.h"
#include "tests/lib/suites.h"

enum { MIB = 1024 * 1024 };

static struct budget_share shares[64];

static void give_back(void)
{
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		budget_share_done(&shares[i]);
}

/* Return: how many of the connections from @first on can hold @n of that kind. */
static unsigned int fill(size_t first, struct budget_owner owner, enum budget_kind kind, uint64_t n)
{
	unsigned int held = 0;

	for (size_t i = first; i < first + 20; i++) {
		ck_assert_int_eq(budget_share_own(&shares[i], &owner), 0);
		held += budget_share_set(&shares[i], kind, n) == 0;
	}
	return held;
}

START_TEST(one_principal_cannot_hold_what_others_need)
{
	ck_assert_uint_eq(fill(0, (struct budget_owner){1, 0, false}, BUDGET_BODIES, MIB), 8);
	ck_assert_uint_eq(fill(20, (struct budget_owner){2, 0, false}, BUDGET_BODIES, MIB), 8);
}
END_TEST

START_TEST(one_client_cannot_by_several_principals)
{
	ck_assert_uint_eq(fill(0, (struct budget_owner){1, 9, false}, BUDGET_BODIES, MIB), 8);
	ck_assert_uint_eq(fill(20, (struct budget_owner){2, 9, false}, BUDGET_BODIES, MIB), 8);
	ck_assert_uint_eq(fill(40, (struct budget_owner){3, 9, false}, BUDGET_BODIES, MIB), 0);
	budget_share_done(&shares[0]);
	ck_assert_uint_eq(fill(40, (struct budget_owner){3, 9, false}, BUDGET_BODIES, MIB), 1);
}
END_TEST

START_TEST(what_is_reserved_is_left_to_administrators)
{
	for (size_t i = 0; i < 3; i++)
		(void)fill(20 * i, (struct budget_owner){i + 1, 0, false}, BUDGET_REPLIES,
			   16 * MIB);
	ck_assert_int_eq(budget_share_set(&shares[63], BUDGET_REPLIES, MIB), -EDQUOT);
	ck_assert_int_eq(budget_share_own(&shares[63], &(struct budget_owner){7, 0, true}), 0);
	ck_assert_int_eq(budget_share_set(&shares[63], BUDGET_REPLIES, 16 * MIB), 0);
}
END_TEST

/* They have no principal yet. */
START_TEST(a_login_has_space_when_bodies_have_none)
{
	for (size_t i = 0; i < 3; i++)
		(void)fill(20 * i, (struct budget_owner){0, i + 1, false}, BUDGET_BODIES, MIB);
	ck_assert_int_eq(budget_share_set(&shares[63], BUDGET_BODIES, MIB), -EDQUOT);
	ck_assert_int_eq(budget_share_set(&shares[63], BUDGET_BODIES, BUDGET_LOGIN_BODY_MAX), 0);
}
END_TEST

START_TEST(a_connection_is_counted_for_who_uses_it)
{
	static struct budget_share many[300];
	const struct budget_owner one = {1, 0, false}, other = {2, 0, false};
	unsigned int n = 0;

	for (size_t i = 0; i < 300; i++)
		n += budget_share_own(&many[i], &one) == 0;
	ck_assert_uint_eq(n, budget_rows[BUDGET_CONNECTIONS].principal);
	ck_assert_int_eq(budget_share_own(&many[299], &one), -EDQUOT);
	ck_assert_int_eq(budget_share_own(&many[0], &other), 0);
	ck_assert_int_eq(budget_share_own(&many[299], &one), 0);
	for (size_t i = 0; i < 300; i++)
		budget_share_done(&many[i]);
}
END_TEST

SUITE(check_budget)
{
	Suite *s = suite_create("budget");
	TCase *t = tcase_create("budget");

	tcase_add_checked_fixture(t, NULL, give_back);
	tcase_add_test(t, one_principal_cannot_hold_what_others_need);
	tcase_add_test(t, one_client_cannot_by_several_principals);
	tcase_add_test(t, what_is_reserved_is_left_to_administrators);
	tcase_add_test(t, a_login_has_space_when_bodies_have_none);
	tcase_add_test(t, a_connection_is_counted_for_who_uses_it);
	suite_add_tcase(s, t);
	return s;
}
