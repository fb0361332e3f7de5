// SPDX-License-Identifier: LGPL-2.1-or-later
/* Incidents by identity: an index finds those that it has, and no others. */
#include <stdio.h>

#include <check.h>

#include "common/array.h"
#include "events/incident_index.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"

enum { MANY = 5000 };

static struct incident made(unsigned int n)
{
	struct incident i = {.kind = n % 2,
			     .anchor = {.type = ANCHOR_BLOCK, .value = (uint64_t)(n / 4) << 21}};

	(void)snprintf(i.device, sizeof(i.device), "cxl-%u", n / 2 % 2);
	return i;
}

static void add(struct incident_index *x, struct incident *i)
{
	ck_assert_int_eq(incident_index_add(x, i), 0);
}

START_TEST(an_empty_index_has_nothing)
{
	struct incident_index x = {0};
	const struct incident i = made(0);

	ck_assert_ptr_null(incident_index_find(&x, &i));
	incident_index_remove(&x, &i);
	ck_assert_uint_eq(x.n, 0);
	incident_index_done(&x);
}
END_TEST

START_TEST(each_part_of_the_identity_counts)
{
	struct incident_index x = {0};
	struct incident i = {.device = "cxl-1",
			     .kind = INCIDENT_POISON,
			     .anchor = {.type = ANCHOR_LINE, .known = 1, .value = 64}};
	struct incident others[] = {i, i, i, i, i}, same = i;

	others[0].device[4] = '2';
	others[1].kind = INCIDENT_LINK;
	others[2].anchor.type = ANCHOR_BLOCK;
	others[3].anchor.known = 2;
	others[4].anchor.value = 128;
	same.id = 17;
	same.count = 4;
	add(&x, &i);
	ck_assert_ptr_eq(incident_index_find(&x, &same), &i);
	for (size_t k = 0; k < ARRAY_SIZE(others); k++)
		ck_assert_ptr_null(incident_index_find(&x, &others[k]));
	incident_index_done(&x);
}
END_TEST

START_TEST(the_first_of_an_identity_stays)
{
	struct incident_index x = {0};
	struct incident first = made(1), second = made(1);

	add(&x, &first);
	add(&x, &second);
	ck_assert_uint_eq(x.n, 1);
	ck_assert_ptr_eq(incident_index_find(&x, &second), &first);
	incident_index_remove(&x, &second);
	ck_assert_ptr_null(incident_index_find(&x, &first));
	incident_index_done(&x);
}
END_TEST

/* Adds and removes at random, so that searches pass removed slots and the end of the table. */
START_TEST(what_was_added_is_found_until_it_is_removed)
{
	static struct incident all[MANY];
	static bool has[MANY];
	struct incident_index x = {0};
	size_t n = 0;

	for (unsigned int k = 0; k < MANY; k++)
		all[k] = made(k);
	for (uint64_t step = 0; step < 4 * MANY; step++) {
		const size_t k = made_random(step) % MANY;

		if (has[k])
			incident_index_remove(&x, &all[k]);
		else
			add(&x, &all[k]);
		has[k] = !has[k];
		n = has[k] ? n + 1 : n - 1;
		ck_assert_uint_eq(x.n, n);
		for (size_t i = 0; step % 1000 == 0 && i < MANY; i++)
			ck_assert_ptr_eq(incident_index_find(&x, &all[i]), has[i] ? &all[i] : NULL);
	}
	incident_index_done(&x);
}
END_TEST

SUITE(check_incident_index)
{
	Suite *s = suite_create("incident_index");
	TCase *t = tcase_create("incident_index");

	tcase_add_test(t, an_empty_index_has_nothing);
	tcase_add_test(t, each_part_of_the_identity_counts);
	tcase_add_test(t, the_first_of_an_identity_stays);
	tcase_add_test(t, what_was_added_is_found_until_it_is_removed);
	suite_add_tcase(s, t);
	return s;
}
