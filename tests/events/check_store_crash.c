// SPDX-License-Identifier: LGPL-2.1-or-later
/* A process that ends at any point, full disks, and directories that cannot be written to. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "events/store_tables.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

enum { UID_UNPRIVILEGED = 65534 };

static void copy(const char *from, const char *to, size_t max)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	text = contents(from, &len);
	(void)unlink(to);
	scribble(to, 0, text, len < max ? len : max);
}

static char copied[320], copied_wal[320];

/* The files after a crash: as they are while the store is open. */
static void take_crash_image(size_t wal_len)
{
	char wal[320], lock[320];

	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	/* The content of the lock file is not on the disk before the log is. */
	(void)snprintf(lock, sizeof(lock), "%s/copy.db.lock", directory);
	(void)unlink(lock);
	(void)snprintf(copied, sizeof(copied), "%s/copy.db", directory);
	(void)snprintf(copied_wal, sizeof(copied_wal), "%s/copy.db-wal", directory);
	copy(path, copied, SIZE_MAX);
	copy(wal, copied_wal, wal_len);
}

static size_t open_crash_image(void)
{
	struct store_options o = options;
	struct store_reader *original = reader;
	struct listed l;
	struct store *s;

	o.path = copied;
	ck_assert_msg(store_open(&o, &s, &error) == 0, "%s", error.text);
	ck_assert_str_eq(notices, "");
	ck_assert_int_eq(store_reader_open(copied, &reader, &error), 0);
	l = list_all();
	(void)store_reader_close(reader);
	reader = original;
	(void)store_close(s);
	for (size_t i = 0; i < l.n; i++)
		ck_assert_uint_eq(l.seq[i], i + 1);
	return l.n;
}

START_TEST(a_truncated_wal_loses_only_its_end)
{
	size_t size, last = 0, whole;
	struct stat st;
	char wal[320];

	reopen();
	for (uint64_t i = 0; i < 30; i++)
		(void)put(i, NULL);
	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	ck_assert_int_eq(stat(wal, &st), 0);
	whole = (size_t)st.st_size;
	for (size = 0; size < whole; size += whole / 40 + 1) {
		size_t n;

		take_crash_image(size);
		n = open_crash_image();
		ck_assert_uint_ge(n, last);
		last = n;
	}
	take_crash_image(whole);
	ck_assert_uint_eq(open_crash_image(), 30);
}
END_TEST

START_TEST(a_damaged_wal_loses_only_what_follows)
{
	size_t whole;
	struct stat st;
	char wal[320];

	reopen();
	for (uint64_t i = 0; i < 30; i++)
		(void)put(i, NULL);
	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	ck_assert_int_eq(stat(wal, &st), 0);
	whole = (size_t)st.st_size;
	for (uint64_t i = 0; i < 30; i++) {
		take_crash_image(whole);
		scribble(copied_wal, (long)(made_random(i) % whole), "\xde\xad", 2);
		(void)open_crash_image();
	}
}
END_TEST

START_TEST(an_unclean_end_is_detected)
{
	struct store_options o = options;
	struct store *s;

	reopen();
	ck_assert(!store_was_unclean(store));
	put_many(0, 5);
	take_crash_image(SIZE_MAX);
	reopen();
	ck_assert(!store_was_unclean(store));
	o.path = copied;
	ck_assert_int_eq(store_open(&o, &s, &error), 0);
	ck_assert(store_was_unclean(s));
	(void)store_close(s);
	ck_assert_int_eq(store_open(&o, &s, &error), 0);
	ck_assert(!store_was_unclean(s));
	(void)store_close(s);
}
END_TEST

/* ---- access to the file and its directory ---- */

START_TEST(a_store_is_written_by_one_process)
{
	struct store *second;

	reopen();
	ck_assert_int_eq(store_open(&options, &second, &error), -EBUSY);
	ck_assert_ptr_nonnull(strstr(error.text, "in use by another process"));
}
END_TEST

static unsigned int mode_of(const char *suffix)
{
	char name[400];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s%s", path, suffix);
	ck_assert_msg(stat(name, &st) == 0, "%s", name);
	return st.st_mode & 07777;
}

START_TEST(only_the_owner_can_read_the_file)
{
	(void)umask(0);
	reopen();
	put_many(0, 5);
	ck_assert_uint_eq(mode_of(""), 0600);
	ck_assert_uint_eq(mode_of("-wal"), 0600);
	ck_assert_uint_eq(mode_of("-shm"), 0600);
	ck_assert_uint_eq(mode_of(".lock"), 0600);
}
END_TEST

static void fill_by_file_limit(void)
{
	limit_files(2 * 1024 * 1024);
}

static void fill_by_page_count(void)
{
	ck_assert_int_eq(sql_exec(store->db, "PRAGMA max_page_count = 200"), SQLITE_OK);
}

static const struct {
	void (*fill)(void);
	const char *undo;
} disks[] = {{fill_by_file_limit, "SELECT 1"},
	     {fill_by_page_count, "PRAGMA max_page_count = 100000"}};

START_TEST(on_a_full_disk_nothing_is_stored_and_nothing_is_lost)
{
	struct stored_event event;
	uint64_t i, kept;
	bool more;
	int r = 0;

	options.max_records = 100000;
	reopen();
	disks[_i].fill();
	for (i = 0; i < 5000 && r == 0; i++) {
		made_event(i, &event);
		r = store_append(store, &event, 1, &error);
	}
	ck_assert_int_eq(r, -ENOSPC);
	ck_assert_ptr_nonnull(strstr(error.text, "no space left"));
	kept = i - 1;
	ck_assert_uint_gt(kept, 20);
	ck_assert_uint_eq(list_all().n, kept);
	ck_assert_uint_eq(count(&(struct event_filter){0}), kept);
	ck_assert_int_eq(store_append(store, &event, 1, &error), -ENOSPC);
	/* This may fail, too, but must not damage anything. */
	r = store_clear(store, NULL, 5, &more, &error);
	ck_assert(r == 0 || r == -ENOSPC);
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(sql_exec(store->db, disks[_i].undo), SQLITE_OK);
	/* Numbers continue as if nothing had been tried. */
	ck_assert_uint_eq(put(i - 1, NULL).seq, kept + 1);
	ck_assert_int_eq(put(i - 1, NULL).outcome, STORE_DUPLICATE);
	ck_assert_int_eq(put(kept - 1, NULL).outcome, STORE_DUPLICATE);
	reopen();
	ck_assert_uint_eq(list_all().n, kept + 1 - (r == 0 ? 5 : 0));
	ck_assert_str_eq(notices, "");
}
END_TEST

START_TEST(a_directory_that_cannot_be_written_to_is_an_error)
{
	if (geteuid() == 0) {
		ck_assert_int_eq(chown(directory, UID_UNPRIVILEGED, UID_UNPRIVILEGED), 0);
		ck_assert_int_eq(seteuid(UID_UNPRIVILEGED), 0);
	}
	ck_assert_int_eq(chmod(directory, 0500), 0);
	ck_assert_int_eq(store_open(&options, &store, &error), -EACCES);
	ck_assert_int_eq(chmod(directory, 0700), 0);
	make_store();
	/* SQLite creates -wal and -shm with the mode of the file, so they must exist before. */
	reopen();
	shut();
	ck_assert_int_eq(chmod(path, 0400), 0);
	ck_assert_int_eq(store_open(&options, &store, &error), -EROFS);
	ck_assert_int_eq(chmod(path, 0600), 0);
	ck_assert_int_eq(chmod(directory, 0500), 0);
	/* The lock exists already, but no log can be created. */
	ck_assert_int_lt(store_open(&options, &store, &error), 0);
	ck_assert_int_eq(chmod(directory, 0700), 0);
	reopen();
	ck_assert_uint_eq(list_all().n, 20);
	ck_assert_str_eq(notices, "");
	shut();
	ck_assert_int_eq(seteuid(getuid()), 0);
}
END_TEST

SUITE(check_store_crash)
{
	Suite *s = suite_create("store-crash");
	TCase *t = tcase_create("crash");

	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, a_truncated_wal_loses_only_its_end);
	tcase_add_test(t, a_damaged_wal_loses_only_what_follows);
	tcase_add_test(t, an_unclean_end_is_detected);
	tcase_add_test(t, a_store_is_written_by_one_process);
	tcase_add_test(t, only_the_owner_can_read_the_file);
	tcase_add_loop_test(t, on_a_full_disk_nothing_is_stored_and_nothing_is_lost, 0,
			    ARRAY_SIZE(disks));
	tcase_add_test(t, a_directory_that_cannot_be_written_to_is_an_error);
	suite_add_tcase(s, t);
	return s;
}
