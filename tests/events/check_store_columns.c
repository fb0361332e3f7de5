// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of columns, and the statements generated from it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "events/store_columns.h"
#include "events/store_tables.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"

static const struct store_column *find_column(const char *name)
{
	for (size_t i = 0; i < store_n_columns; i++)
		if (strcmp(store_columns[i].name, name) == 0)
			return &store_columns[i];
	return NULL;
}

START_TEST(names_are_unique_and_versions_grow)
{
	for (size_t i = 0; i < store_n_columns; i++) {
		ck_assert_ptr_eq(find_column(store_columns[i].name), &store_columns[i]);
		ck_assert_int_ge(store_columns[i].since, i ? store_columns[i - 1].since : 1);
		ck_assert_int_le(store_columns[i].since, STORE_VERSION);
	}
}
END_TEST

START_TEST(statements_name_the_columns_of_a_use)
{
	char sql[STORE_SQL_MAX];

	ck_assert_int_eq(store_columns_expand("({group}) VALUES ({group?})", sql, sizeof(sql)), 0);
	ck_assert_str_eq(sql, "(device, type, severity, log) VALUES (?, ?, ?, ?)");
	ck_assert_int_eq(store_columns_expand("{answer=}", sql, sizeof(sql)), 0);
	ck_assert_ptr_eq(strstr(sql, "source = ?, exact = ?, spa = ?, "), sql);
	ck_assert_int_eq(store_columns_expand("no column", sql, sizeof(sql)), 0);
	ck_assert_str_eq(sql, "no column");
}
END_TEST

START_TEST(a_statement_with_an_unknown_name_or_without_room_is_an_error)
{
	char sql[20];

	ck_assert_int_eq(store_columns_expand("{colums}", sql, sizeof(sql)), -EINVAL);
	ck_assert_int_eq(store_columns_expand("{columns", sql, sizeof(sql)), -EINVAL);
	ck_assert_int_eq(store_columns_expand("{columns}", sql, sizeof(sql)), -E2BIG);
	ck_assert_int_eq(store_columns_expand("12345678901234567890", sql, sizeof(sql)), -E2BIG);
}
END_TEST

START_TEST(entries_are_selected_by_the_name_of_a_column)
{
	struct event_filter f = {0};

	ck_assert_uint_eq(event_filter_values("severity"), EVENT_SEVERITIES);
	ck_assert_uint_eq(event_filter_values("wall"), 0);
	ck_assert_uint_eq(event_filter_values("none"), 0);
	ck_assert_int_eq(event_filter_select(&f, "log", 1 << 3), 0);
	ck_assert_uint_eq(f.logs, 1 << 3);
	ck_assert_int_eq(event_filter_select_range(&f, "spa", 1, 2), 0);
	ck_assert(f.has_spa && f.spa_first == 1 && f.spa_last == 2);
	ck_assert_int_eq(event_filter_select_range(&f, "wall", 3, 4), 0);
	ck_assert(f.created_first.value == 3 && f.created_last.value == 4);
	ck_assert_int_eq(event_filter_select(&f, "wall", 1), -EINVAL);
	ck_assert_int_eq(event_filter_select_range(&f, "log", 1, 2), -EINVAL);
	ck_assert_int_eq(event_filter_select(&f, "cpu", 1), -EINVAL);
	ck_assert_int_eq(event_filter_select_range(&f, "none", 1, 2), -EINVAL);
}
END_TEST

START_TEST(a_group_matches_by_device_type_severity_and_log)
{
	struct stored_event ev;

	made_event(2, &ev); /* cxl-2, DRAM, log 2 */
	ck_assert(store_columns_match(&(struct event_filter){0}, &ev));
	ck_assert(store_columns_match(&(struct event_filter){.device = "cxl-2"}, &ev));
	ck_assert(!store_columns_match(&(struct event_filter){.device = "cxl-3"}, &ev));
	ck_assert(store_columns_match(&(struct event_filter){.types = 1 << EVENT_DRAM}, &ev));
	ck_assert(!store_columns_match(&(struct event_filter){.types = 1 << EVENT_POISON}, &ev));
	ck_assert(store_columns_match(&(struct event_filter){.logs = 1 << 2}, &ev));
	ck_assert(!store_columns_match(&(struct event_filter){.logs = 1 << EVENT_NO_LOG}, &ev));
	ck_assert(!store_columns_match(
		&(struct event_filter){.types = 1 << EVENT_DRAM, .severities = 1 << EVENT_OK},
		&ev));
}
END_TEST

SUITE(check_store_columns)
{
	Suite *s = suite_create("store-columns");
	TCase *t = tcase_create("columns");

	tcase_add_test(t, names_are_unique_and_versions_grow);
	tcase_add_test(t, statements_name_the_columns_of_a_use);
	tcase_add_test(t, a_statement_with_an_unknown_name_or_without_room_is_an_error);
	tcase_add_test(t, entries_are_selected_by_the_name_of_a_column);
	tcase_add_test(t, a_group_matches_by_device_type_severity_and_log);
	suite_add_tcase(s, t);
	return s;
}
