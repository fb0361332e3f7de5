// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files of wrapped keys: their order, what is not valid in them, who may read them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "change/key_store.h"
#include "common/array.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define USER_FILE "keys/cxl-redfish-000000000000000a-user."
#define BLOB	  "enc32 user:cxl-redfish-000000000000000a-user 32 "

static const struct key_owner user = {.serial = 0xa}, master = {.serial = 0xa, .master = true};
static struct scratch scratch;
static char directory[sizeof(scratch.path) + sizeof("/keys")];
static int store = -1;
static struct key_list list;
static struct error e;

static void setup(void)
{
	scratch_setup(&scratch);
	(void)snprintf(directory, sizeof(directory), "%s/keys", scratch.path);
	store = key_store_open(directory, &e);
	ck_assert_msg(store >= 0, "%s", e.text);
}

static void teardown(void)
{
	(void)close(store);
	scratch_teardown(&scratch);
}

static void add(const struct key_owner *o, uint32_t number, const char *blob)
{
	struct wrapped_key k = {.number = number, .setting = "$y$j9T$abc"};

	(void)snprintf(k.blob, sizeof(k.blob), "%s", blob);
	ck_assert_msg(key_store_add(store, o, &k, &e) == 0, "%s", e.text);
}

static void read_list(const struct key_owner *o)
{
	ck_assert_msg(key_store_list(store, o, &list, &e) == 0, "%s", e.text);
}

START_TEST(keys_are_listed_from_the_newest_on)
{
	add(&user, 1, BLOB "01");
	add(&user, 10, BLOB "10");
	add(&user, 2, BLOB "02");
	read_list(&user);
	ck_assert_uint_eq(list.n, 3);
	ck_assert_uint_eq(list.last, 10);
	ck_assert_uint_eq(list.items[0].number, 10);
	ck_assert_str_eq(list.items[0].blob, BLOB "10");
	ck_assert_str_eq(list.items[0].setting, "$y$j9T$abc");
	ck_assert_uint_eq(list.items[1].number, 2);
	ck_assert_uint_eq(list.items[2].number, 1);
}
END_TEST

START_TEST(keys_of_other_devices_and_kinds_are_others)
{
	const struct key_owner other = {.serial = 0xb};

	add(&user, 1, BLOB "01");
	read_list(&master);
	ck_assert_uint_eq(list.n + list.last, 0);
	read_list(&other);
	ck_assert_uint_eq(list.n + list.last, 0);
	ck_assert_int_eq(key_store_keep(store, &other, 0), 0);
	ck_assert_int_eq(key_store_keep(store, &master, 0), 0);
	read_list(&user);
	ck_assert_uint_eq(list.n, 1);
}
END_TEST

START_TEST(all_keys_but_one_are_removed)
{
	for (uint32_t i = 1; i <= 3; i++)
		add(&user, i, BLOB "01");
	ck_assert_int_eq(key_store_keep(store, &user, 2), 0);
	read_list(&user);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_uint_eq(list.items[0].number, 2);
	ck_assert_int_eq(key_store_remove(store, &user, 2), 0);
	ck_assert_int_eq(key_store_remove(store, &user, 2), 0);
	read_list(&user);
	ck_assert_uint_eq(list.n, 0);
}
END_TEST

START_TEST(only_the_owner_may_read_a_key)
{
	struct stat st;

	add(&user, 1, BLOB "01");
	ck_assert_int_eq(fstatat(scratch.dirfd, USER_FILE "1", &st, 0), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(fstatat(scratch.dirfd, "keys", &st, 0), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
}
END_TEST

START_TEST(a_directory_that_others_may_read_is_refused)
{
	ck_assert_int_eq(fchmod(store, 0750), 0);
	ck_assert_int_eq(key_store_open(directory, &e), -EPERM);
	ck_assert_ptr_nonnull(strstr(e.text, "closed to all others"));
}
END_TEST

START_TEST(a_link_to_a_directory_is_refused)
{
	char link[sizeof(directory) + 8];

	put_symlink(scratch.dirfd, "link", "keys");
	(void)snprintf(link, sizeof(link), "%s/link", scratch.path);
	ck_assert_int_lt(key_store_open(link, &e), 0);
	ck_assert_int_lt(key_store_open("/nowhere/keys", &e), 0);
}
END_TEST

static const char *const invalid[] = {
	"",
	"\n",
	"cxl-redfish-key 1",
	"cxl-redfish-key 2\nsetting $y$j9T$abc\nblob " BLOB "01\n",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\n",
	"cxl-redfish-key 1\nsetting $1$abc\nblob " BLOB "01\n",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\nblob " BLOB "01",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\nblob " BLOB "\n",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\nblob " BLOB "0g\n",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\nblob " BLOB "01\nmore\n",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\nblob enc32 trusted:kmk 32 01\n",
	"cxl-redfish-key 1\nsetting $y$j9T$abc\nblob enc32 user:other 32 01\n",
	"cxl-redfish-key 1\nsetting $y$j9T$a\tbc\nblob " BLOB "01\n",
};

START_TEST(what_is_no_key_is_counted_and_not_used)
{
	put_text(scratch.dirfd, USER_FILE "3", invalid[_i]);
	add(&user, 2, BLOB "02");
	read_list(&user);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_uint_eq(list.n_not_valid, 1);
	ck_assert_uint_eq(list.last, 3);
}
END_TEST

START_TEST(a_key_that_is_too_long_is_not_used)
{
	char text[2000];

	memset(text, '0', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	put_text(scratch.dirfd, USER_FILE "1", text);
	memset(text + 600, '\0', 1);
	memcpy(text, "cxl-redfish-key 1\nsetting $y$j9T$abc\nblob " BLOB,
	       strlen("cxl-redfish-key 1\nsetting $y$j9T$abc\nblob " BLOB));
	text[599] = '\n';
	put_text(scratch.dirfd, USER_FILE "2", text);
	read_list(&user);
	ck_assert_uint_eq(list.n, 0);
	ck_assert_uint_eq(list.n_not_valid, 2);
}
END_TEST

static const char *const other_names[] = {
	USER_FILE,	USER_FILE "0",		USER_FILE "01", USER_FILE "1x",
	USER_FILE "-1", USER_FILE "4294967297", "keys/new",
};

START_TEST(files_with_other_names_are_left_alone)
{
	struct stat st;

	put_text(scratch.dirfd, other_names[_i], "x");
	read_list(&user);
	ck_assert_uint_eq(list.n + list.n_not_valid + list.last, 0);
	ck_assert_int_eq(key_store_keep(store, &user, 0), 0);
	ck_assert_int_eq(fstatat(scratch.dirfd, other_names[_i], &st, 0), 0);
}
END_TEST

START_TEST(what_a_killed_writer_left_is_replaced)
{
	put_text(scratch.dirfd, USER_FILE "new", "cxl-redfish-key 1\nsett");
	add(&user, 1, BLOB "01");
	read_list(&user);
	ck_assert_uint_eq(list.n, 1);
	put_text(scratch.dirfd, USER_FILE "new", "cxl");
	ck_assert_int_eq(key_store_keep(store, &user, 1), 0);
	ck_assert_int_lt(faccessat(scratch.dirfd, USER_FILE "new", F_OK, 0), 0);
}
END_TEST

START_TEST(a_key_that_would_not_be_found_again_is_not_kept)
{
	static const struct wrapped_key bad[] = {
		{1000000000, "$y$j9T$abc", BLOB "01"},
		{UINT32_MAX, "$y$j9T$abc", BLOB "01"},
		{2, "$6$abc", BLOB "01"},
		{2, "$y$j9T$abc", BLOB "0G"},
		{2, "$y$j9T$abc", "enc32 user:other 32 01"},
		{2, "$y$j9T$a\nbc", BLOB "01"},
	};

	put_text(scratch.dirfd, USER_FILE "999999999", "x");
	read_list(&user);
	ck_assert_uint_eq(list.last, 999999999);
	ck_assert_int_eq(key_store_add(store, &user, &bad[_i], &e), -EIO);
	ck_assert_ptr_nonnull(strstr(e.text, "would not be read"));
	read_list(&user);
	ck_assert_uint_eq(list.n, 0);
	ck_assert_int_lt(faccessat(scratch.dirfd, USER_FILE "1000000000", F_OK, 0), 0);
}
END_TEST

START_TEST(too_many_keys_are_refused)
{
	for (uint32_t i = 1; i <= KEY_FILES_MAX + 1; i++)
		add(&user, i, BLOB "01");
	ck_assert_int_eq(key_store_list(store, &user, &list, &e), -EFBIG);
}
END_TEST

SUITE(check_key_store)
{
	Suite *s = suite_create("key_store");
	TCase *t = tcase_create("key_store");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, keys_are_listed_from_the_newest_on);
	tcase_add_test(t, keys_of_other_devices_and_kinds_are_others);
	tcase_add_test(t, all_keys_but_one_are_removed);
	tcase_add_test(t, only_the_owner_may_read_a_key);
	tcase_add_test(t, a_directory_that_others_may_read_is_refused);
	tcase_add_test(t, a_link_to_a_directory_is_refused);
	tcase_add_loop_test(t, what_is_no_key_is_counted_and_not_used, 0, ARRAY_SIZE(invalid));
	tcase_add_test(t, a_key_that_is_too_long_is_not_used);
	tcase_add_loop_test(t, files_with_other_names_are_left_alone, 0, ARRAY_SIZE(other_names));
	tcase_add_test(t, what_a_killed_writer_left_is_replaced);
	tcase_add_loop_test(t, a_key_that_would_not_be_found_again_is_not_kept, 0, 6);
	tcase_add_test(t, too_many_keys_are_refused);
	suite_add_tcase(s, t);
	return s;
}
