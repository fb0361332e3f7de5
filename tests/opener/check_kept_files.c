// SPDX-License-Identifier: LGPL-2.1-or-later
/* Descriptors that are kept for the next walk. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "opener/kept_files.h"
#include "tests/lib/suites.h"

static struct kept_files kept;
static char top[] = "check_kept_files.XXXXXX";
static int one = -1, two = -1; /* directories with a file "start" each */

static int make_directory(int at, const char *name, const char *text)
{
	int fd, dir;

	ck_assert_int_eq(mkdirat(at, name, 0700), 0);
	dir = openat(at, name, O_RDONLY | O_DIRECTORY);
	fd = openat(dir, "start", O_WRONLY | O_CREAT, 0600);
	ck_assert_int_eq(write(fd, text, 1), 1);
	ck_assert_int_eq(close(fd), 0);
	return dir;
}

static void setup(void)
{
	int at;

	ck_assert_ptr_nonnull(mkdtemp(top));
	at = open(top, O_RDONLY | O_DIRECTORY);
	one = make_directory(at, "one", "1");
	two = make_directory(at, "two", "2");
	(void)close(at);
}

static void remove_directory(int *dir, const char *name)
{
	int at = open(top, O_RDONLY | O_DIRECTORY);

	(void)unlinkat(*dir, "start", 0);
	(void)close(*dir);
	ck_assert_int_eq(unlinkat(at, name, AT_REMOVEDIR), 0);
	(void)close(at);
}

static void teardown(void)
{
	kept_files_done(&kept);
	remove_directory(&one, "one");
	remove_directory(&two, "two");
	ck_assert_int_eq(rmdir(top), 0);
}

static void keep(int dir, const char *name)
{
	int fd = openat(dir, "start", O_RDONLY);

	ck_assert_int_ge(fd, 0);
	kept_files_add(&kept, dir, name, fd);
	(void)close(fd);
}

/* Return: what the kept file has, 0 when none is kept. */
static char kept_text(int dir, const char *name)
{
	int fd = kept_files_get(&kept, dir, name);
	char c = 0;

	if (fd < 0) {
		ck_assert_int_eq(fd, -ENOENT);
		return 0;
	}
	ck_assert_int_eq(pread(fd, &c, 1, 0), 1);
	(void)close(fd);
	return c;
}

START_TEST(file_is_kept_by_its_directory_and_name)
{
	ck_assert_int_eq(kept_text(one, "start"), 0);
	keep(one, "start");
	ck_assert_int_eq(kept_text(one, "start"), '1');
	ck_assert_int_eq(kept_text(one, "start"), '1');
	ck_assert_int_eq(kept_text(one, "size"), 0);
	ck_assert_int_eq(kept_text(two, "start"), 0);
	keep(two, "start");
	ck_assert_int_eq(kept_text(two, "start"), '2');
	ck_assert_int_eq(kept_text(-1, "start"), 0);
}
END_TEST

START_TEST(name_that_is_too_long_is_not_kept)
{
	keep(one, "0123456789abcdef");
	ck_assert_uint_eq(kept.n, 0);
	keep(one, "0123456789abcde");
	ck_assert_uint_eq(kept.n, 1);
}
END_TEST

START_TEST(full_table_begins_again_and_leaves_three_quarters_of_the_descriptors)
{
	struct rlimit files;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
	files.rlim_cur = 64;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
	for (int i = 0; i < 16; i++)
		keep(one, "start");
	ck_assert_uint_eq(kept.n, 16);
	keep(two, "start");
	ck_assert_uint_eq(kept.n, 1);
	ck_assert_int_eq(kept_text(one, "start"), 0);
	ck_assert_int_eq(kept_text(two, "start"), '2');
}
END_TEST

START_TEST(nothing_is_open_after_the_end)
{
	int before = dup(one), after;

	(void)close(before);
	keep(one, "start");
	keep(two, "start");
	kept_files_done(&kept);
	after = dup(one);
	(void)close(after);
	ck_assert_int_eq(after, before);
	ck_assert_int_eq(kept_text(one, "start"), 0);
}
END_TEST

SUITE(check_kept_files)
{
	Suite *suite = suite_create("kept files");
	TCase *t = tcase_create("kept files");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, file_is_kept_by_its_directory_and_name);
	tcase_add_test(t, name_that_is_too_long_is_not_kept);
	tcase_add_test(t, full_table_begins_again_and_leaves_three_quarters_of_the_descriptors);
	tcase_add_test(t, nothing_is_open_after_the_end);
	suite_add_tcase(suite, t);
	return suite;
}
