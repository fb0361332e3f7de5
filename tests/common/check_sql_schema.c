// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files by the versions of their tables: steps, and files that are refused. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/sql.h"
#include "common/sql_schema.h"
#include "tests/lib/suites.h"

static char path[] = "/tmp/check-sql-schema.XXXXXX";
static sqlite3 *db;
static struct error error;

static int first_release(sqlite3 *file, int64_t from)
{
	static const char *const steps[] = {"CREATE TABLE a (x INTEGER) STRICT"};

	return sql_exec(file, steps[from]);
}

static int second_release(sqlite3 *file, int64_t from)
{
	if (from == 0)
		return first_release(file, from);
	return sql_exec(file, "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1");
}

/* The first version, as it was before it was released. */
static int before_release(sqlite3 *file, int64_t from)
{
	(void)from;
	return sql_exec(file, "CREATE TABLE a (x INTEGER, z TEXT) STRICT");
}

static const struct sql_schema one = {7, 6, 1, first_release}, two = {7, 6, 2, second_release},
			       draft = {7, 6, 1, before_release};

static void setup(void)
{
	int fd;

	strcpy(strrchr(path, '.'), ".XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
}

static void teardown(void)
{
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	(void)unlink(path);
}

static int look(const struct sql_schema *s)
{
	int64_t version;
	int r = sql_schema_look(s, db, path, &version, &error);

	return r < 0 ? r : (int)version;
}

static void use(const struct sql_schema *s)
{
	int version = look(s);

	ck_assert_int_ge(version, 0);
	ck_assert_int_eq(sql_schema_migrate(s, db, path, version, NULL, NULL, &error), 0);
	ck_assert_int_eq(sql_schema_verify(s, db, path, &error), 0);
	ck_assert_int_eq(look(s), s->version);
}

static int64_t number(const char *sql)
{
	int64_t n;

	ck_assert_int_eq(sql_get_number(db, sql, -1, &n), SQLITE_OK);
	return n;
}

START_TEST(a_file_of_the_first_version_takes_the_second_step)
{
	use(&one);
	ck_assert_int_eq(sql_exec(db, "INSERT INTO a VALUES (41)"), SQLITE_OK);
	ck_assert_int_eq(look(&two), 1);
	ck_assert_int_eq(sql_schema_verify(&two, db, path, &error), -EBADMSG);
	use(&two);
	ck_assert_int_eq(number("SELECT y FROM a"), 42);
	ck_assert_int_eq(look(&one), -EPROTONOSUPPORT);
	ck_assert_ptr_nonnull(strstr(error.text, "newer cxl-redfish"));
}
END_TEST

START_TEST(a_new_file_takes_all_steps)
{
	ck_assert_int_eq(look(&two), 0);
	use(&two);
	ck_assert_int_eq(number("SELECT count(y) FROM a"), 0);
}
END_TEST

/* A version that was changed before its release, and any later program. */
START_TEST(a_file_with_other_tables_of_the_same_version_is_refused)
{
	use(&draft);
	ck_assert_int_eq(look(&one), -EPROTONOSUPPORT);
	ck_assert_ptr_nonnull(strstr(error.text, "with other tables"));
	ck_assert_int_eq(look(&two), -EPROTONOSUPPORT);
	ck_assert_int_eq(number("SELECT count(z) FROM a"), 0);
	ck_assert_int_eq(look(&draft), 1);
}
END_TEST

START_TEST(a_file_of_the_former_application_is_refused)
{
	use(&one);
	ck_assert_int_eq(sql_exec(db, "PRAGMA application_id = 6; DROP TABLE meta"), SQLITE_OK);
	ck_assert_int_eq(look(&one), -EPROTONOSUPPORT);
	ck_assert_ptr_nonnull(strstr(error.text, "before its first release"));
	ck_assert_int_eq(sql_exec(db, "PRAGMA application_id = 5"), SQLITE_OK);
	ck_assert_int_eq(look(&one), -EBADMSG);
}
END_TEST

START_TEST(a_step_that_fails_leaves_the_file_as_it_was)
{
	use(&one);
	ck_assert_int_eq(sql_exec(db, "ALTER TABLE a ADD COLUMN y INTEGER"), SQLITE_OK);
	ck_assert_int_lt(sql_schema_migrate(&two, db, path, 1, NULL, NULL, &error), 0);
	ck_assert_int_eq(number("PRAGMA user_version"), 1);
	ck_assert_int_eq(look(&one), 1);
}
END_TEST

SUITE(check_sql_schema)
{
	Suite *s = suite_create("sql-schema");
	TCase *t = tcase_create("schema");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_file_of_the_first_version_takes_the_second_step);
	tcase_add_test(t, a_new_file_takes_all_steps);
	tcase_add_test(t, a_file_with_other_tables_of_the_same_version_is_refused);
	tcase_add_test(t, a_file_of_the_former_application_is_refused);
	tcase_add_test(t, a_step_that_fails_leaves_the_file_as_it_was);
	suite_add_tcase(s, t);
	return s;
}
