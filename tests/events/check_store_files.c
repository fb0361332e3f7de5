// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files that are damaged, of another program or version, or not regular files. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "events/store_tables.h"
#include "events/store_rebuild.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

/* The new file is empty, works, and its numbers are above all earlier ones. */
static void expect_new_file(void)
{
	struct stored_event event;
	struct store_info info;

	ck_assert_uint_eq(list_all().n, 0);
	event = put(1, NULL);
	ck_assert_int_eq(event.outcome, STORE_FINAL);
	ck_assert_uint_gt(event.seq, UINT64_C(1000000000000000));
	/* A reader with a cursor in the old file is notified that entries may be missing. */
	ck_assert_int_eq(store_read_info(reader, &info, &error), 0);
	ck_assert_uint_eq(info.wrapped, event.seq - 1);
	ck_assert_uint_eq(list_all().n, 1);
}

/* The new file has the first 20 entries, under their numbers, and new ones are far above. */
static void expect_copy(void)
{
	struct listed l = list_all();

	ck_assert_uint_eq(l.n, 20);
	for (uint64_t i = 0; i < 20; i++) {
		struct stored_event ev = get_event(i + 1), made;

		made_event(i, &made);
		ck_assert_uint_eq(l.seq[i], i + 1);
		ck_assert_int_eq(ev.record.type, made.record.type);
		ck_assert_str_eq(ev.device, made.device);
		ck_assert_mem_eq(ev.record.payload, made.record.payload, MADE_PAYLOAD);
	}
	ck_assert_uint_gt(put(100, NULL).seq, UINT64_C(1000000000000000));
	ck_assert_int_eq(put(3, NULL).outcome, STORE_DUPLICATE);
	ck_assert_uint_eq(list_all().n, 21);
	ck_assert_uint_eq(count(&(struct event_filter){.device = "cxl-1"}), 3);
}

/* ---- files of other programs and versions ---- */

static const struct {
	const char *sql, *reason;
} other_versions[] = {
	{"PRAGMA user_version = 1000; CREATE TABLE news (x)",
	 "(its version is 1000, this program supports"},
	{"UPDATE meta SET schema = '0123456789abcdef'; CREATE TABLE news (x)",
	 "with other tables (schema 0123456789abcdef, this program's is "},
	{"PRAGMA application_id = 0x43584c45", "before its first release"},
};

START_TEST(a_file_with_other_tables_stays_unchanged_and_another_one_is_used)
{
	_cleanup_free_ char *before = NULL, *after = NULL;
	size_t n, m;

	make_store();
	run_sql(path, other_versions[_i].sql);
	before = contents(path, &n);
	reopen();
	expect_notice(other_versions[_i].reason);
	expect_notice("move that file away or delete it");
	expect_notice("events.db.schema-");
	ck_assert_str_ne(store_path(store), path);
	expect_new_file();
	reopen();
	ck_assert_uint_eq(list_all().n, 1);
	shut();
	after = contents(path, &m);
	ck_assert_uint_eq(n, m);
	ck_assert_mem_eq(before, after, n);
	ck_assert_uint_eq(count_files("events.db.damaged-"), 0);
	ck_assert_int_eq(store_reader_open(path, &reader, &error), -EPROTONOSUPPORT);
	ck_assert_ptr_nonnull(strstr(error.text, "read the file with that version"));
}
END_TEST

static const struct {
	const char *sql, *reason;
} foreign[] = {
	{"PRAGMA application_id = 0", "another program"},
	{"PRAGMA application_id = 77; PRAGMA user_version = 9", "another program"},
	{"PRAGMA user_version = 0", "version 0, which does not exist"},
	{"PRAGMA user_version = -1", "version -1, which does not exist"},
	{"CREATE TABLE more (x)", "does not have the tables of its version"},
	{"CREATE VIEW losses2 AS SELECT 1", "does not have the tables of its version"},
	{"CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
	 "does not have the tables of its version"},
	{"DROP INDEX entries_by_spa", "does not have the tables of its version"},
	{"DROP TABLE totals", "does not have the tables of its version"},
	{"DROP TABLE meta", "does not say which tables it has"},
	{"DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL"
	 " SELECT x + 1 FROM c) SELECT x AS schema FROM c WHERE x < 0",
	 "does not say which tables it has"},
	{"ALTER TABLE messages ADD COLUMN y INTEGER", "does not have the tables of its version"},
	{"DROP TABLE messages; CREATE VIEW messages AS WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL"
	 " SELECT x + 1 FROM c) SELECT x AS seq, x AS body FROM c",
	 "does not have the tables of its version"},
};

START_TEST(a_file_of_another_program_is_renamed_unchanged)
{
	make_store();
	run_sql(path, foreign[_i].sql);
	reopen();
	expect_notice(foreign[_i].reason);
	expect_notice(aside());
	expect_new_file();
	reopen();
	ck_assert_uint_eq(list_all().n, 1);
	ck_assert_uint_eq(count_files("events.db.damaged-"), 1);
}
END_TEST

START_TEST(analyze_and_vacuum_by_an_operator_do_no_harm)
{
	make_store();
	run_sql(path, "ANALYZE; VACUUM");
	reopen();
	ck_assert_str_eq(notices, "");
	ck_assert_uint_eq(list_all().n, 20);
}
END_TEST

START_TEST(an_empty_file_is_used)
{
	scribble(path, 0, "", 0);
	reopen();
	ck_assert_str_eq(notices, "");
	ck_assert_uint_eq(put(1, NULL).seq, 1);
}
END_TEST

START_TEST(a_text_file_is_renamed)
{
	static const char text[] =
		"This is not a database, but it may still be needed by a user.\n";
	_cleanup_free_ char *kept = NULL;
	size_t n;

	for (int i = 0; i < 100; i++)
		scribble(path, -1, text, sizeof(text) - 1);
	reopen();
	kept = contents(aside(), &n);
	ck_assert_uint_eq(n, 100 * (sizeof(text) - 1));
	ck_assert_mem_eq(kept, text, sizeof(text) - 1);
	expect_new_file();
}
END_TEST

static void make_directory(void)
{
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void make_fifo(void)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void make_link(void)
{
	ck_assert_int_eq(symlink("/dev/zero", path), 0);
}

static void (*const not_regular[])(void) = {make_directory, make_fifo, make_link};

START_TEST(a_name_that_is_no_file_is_renamed)
{
	not_regular[_i]();
	reopen();
	expect_notice("not a regular file");
	expect_new_file();
}
END_TEST

START_TEST(a_file_with_an_impossible_number_is_copied)
{
	make_store();
	run_sql(path, "UPDATE numbers SET next = 9223372036854775807");
	reopen();
	expect_notice("malformed");
	expect_copy();
}
END_TEST

START_TEST(a_file_marked_as_read_only_is_copied)
{
	make_store();
	scribble(path, 18, "\3", 1); /* the write version of its format */
	reopen();
	expect_notice("marked as read-only");
	expect_copy();
}
END_TEST

START_TEST(files_renamed_in_one_second_have_different_names)
{
	for (int i = 0; i < 3; i++) {
		shut();
		scribble(path, 0, "xxxxxxxxxxxxxxxx", 16);
		reopen();
	}
	ck_assert_uint_eq(count_files("events.db.damaged-"), 3);
}
END_TEST

static size_t count_of_size(size_t size)
{
	char pattern[400];
	size_t n = 0;
	glob_t found;

	(void)snprintf(pattern, sizeof(pattern), "%s.damaged-*", path);
	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct stat st;

		ck_assert_int_eq(stat(found.gl_pathv[i], &st), 0);
		n += (size_t)st.st_size == size;
	}
	globfree(&found);
	return n;
}

START_TEST(of_many_renamed_files_the_largest_and_the_last_are_kept)
{
	char spoiled[64 * 1024] = "this was the log";

	scribble(path, 0, spoiled, sizeof(spoiled));
	for (int i = 0; i < 3 * STORE_ASIDE_MAX; i++) {
		reopen();
		shut();
		scribble(path, 0, spoiled, 16);
		ck_assert_int_eq(truncate(path, i % 2 ? 400 : 5000), 0);
	}
	reopen();
	ck_assert_uint_eq(count_files("events.db.damaged-"), STORE_ASIDE_MAX);
	ck_assert_uint_eq(count_of_size(sizeof(spoiled)), 1);
	ck_assert_uint_eq(count_of_size(400), 1);
}
END_TEST

START_TEST(reading_without_a_store_is_an_error)
{
	char name[STORE_PATH_MAX + 1];

	ck_assert_int_eq(store_reader_open(path, &reader, &error), -ENOENT);
	scribble(path, 0, "", 0);
	ck_assert_int_eq(store_reader_open(path, &reader, &error), -ENOENT);
	scribble(path, 0, "this is not a database, whatever its name is.", 45);
	ck_assert_int_eq(store_reader_open(path, &reader, &error), -EBADMSG);
	ck_assert_int_eq(store_reader_open(directory, &reader, &error), -EBADMSG);
	memset(name, 'x', STORE_PATH_MAX);
	name[STORE_PATH_MAX] = '\0';
	options.path = name;
	ck_assert_int_eq(store_reader_open(name, &reader, &error), -ENAMETOOLONG);
	ck_assert_int_eq(store_open(&options, &store, &error), -ENAMETOOLONG);
}
END_TEST

START_TEST(numbers_continue_after_a_damaged_file_when_the_clock_was_set_back)
{
	make_store();
	run_sql(path, "UPDATE numbers SET next = 5000000000000000"); /* in the year 2128 */
	reopen();
	ck_assert_uint_eq(put(100, NULL).seq, UINT64_C(5000000000000000));
	store = store_set_aside(store, "a test");
	reopen();
	ck_assert_uint_eq(put(101, NULL).seq, UINT64_C(5000000000000001));
	shut();
	run_sql(path, "UPDATE numbers SET next = 9000000000000000000");
	reopen();
	ck_assert_uint_gt(put(102, NULL).seq, UINT64_C(5000000000000001));
	ck_assert_uint_eq(list_all().n, 23);
}
END_TEST

START_TEST(on_a_full_disk_a_damaged_file_stays_as_it_is)
{
	reopen();
	put_many(0, 90);
	shut();
	run_sql(path, "UPDATE numbers SET next = 9000000000000000000");
	limit_files(60 * 1024);
	ck_assert_int_eq(store_open(&options, &store, &error), -ENOSPC);
	ck_assert_int_eq(store_open(&options, &store, &error), -ENOSPC);
	ck_assert_uint_eq(count_files("events.db.damaged-"), 0);
	ck_assert_uint_eq(count_files("events.db" STORE_REBUILT), 0);
	limit_files(RLIM_INFINITY);
	reopen();
	ck_assert_uint_eq(list_all().n, 90);
	ck_assert_uint_eq(count_files("events.db.damaged-"), 1);
}
END_TEST

START_TEST(numbers_are_not_used_again_when_the_file_was_deleted)
{
	options.numbers_given = 17;
	reopen();
	expect_new_file();
	ck_assert_int_eq(unlink(path), 0);
	options.numbers_given = 5000000000000000; /* in the year 2128 */
	reopen();
	ck_assert_uint_eq(put(100, NULL).seq, UINT64_C(5000000000000001));
	/* An existing file continues with its own numbers. */
	options.numbers_given = 6000000000000000;
	reopen();
	ck_assert_uint_eq(put(101, NULL).seq, UINT64_C(5000000000000002));
}
END_TEST

/* ---- damage ---- */

START_TEST(with_a_damaged_header_nothing_is_copied)
{
	make_store();
	scribble(path, 0, "SQLite format 4", 15);
	reopen();
	expect_notice(aside());
	expect_new_file();
}
END_TEST

/* Return: the offset of the first page of a table or index. */
static long root_of(const char *name)
{
	char sql[128];
	int64_t page;
	sqlite3 *db;

	(void)snprintf(sql, sizeof(sql), "SELECT rootpage FROM sqlite_schema WHERE name = '%s'",
		       name);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sql_get_number(db, sql, 0, &page), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	ck_assert_int_gt(page, 1);
	return (long)(page - 1) * 4096;
}

static const char *const roots[] = {"numbers",		"details",
				    "groups",		"entries",
				    "losses",		"messages",
				    "entries_by_time",	"entries_by_spa",
				    "entries_by_group", "sqlite_autoindex_details_1",
				    "details_pending"};

/* By the first that reads the damaged page: opening, storing, reading, or the check. */
START_TEST(damage_of_any_table_is_detected)
{
	char junk[4096];
	struct stored_event event;
	bool stop = false;
	int r;

	make_store();
	memset(junk, 0xa5, sizeof(junk));
	scribble(path, root_of(roots[_i]), junk, sizeof(junk));
	reopen();
	if (count_files("events.db.damaged-") == 0) {
		ck_assert_int_eq(store_check(reader, &stop, &error), -EBADMSG);
		made_event(100, &event);
		r = store_append(store, &event, 1, &error);
		ck_assert(r == 0 || r == -EBADMSG);
		store = store_set_aside(store, "the check failed");
		expect_notice("the check failed");
		reopen();
		ck_assert_uint_eq(list_all().n, r == 0 ? 21 : 20);
	} else if (strcmp(roots[_i], "details") == 0) {
		/* All of them are behind this page. */
		ck_assert_uint_eq(list_all().n, 20);
		ck_assert_uint_eq(count(&(struct event_filter){.types = 1 << EVENT_UNREADABLE}),
				  20);
	} else {
		expect_copy();
	}
}
END_TEST

START_TEST(tables_that_disagree_are_found_by_the_check)
{
	bool stop = false;

	make_store();
	reopen();
	ck_assert_int_eq(store_check(reader, &stop, &error), 0);
	shut();
	run_sql(path, "UPDATE groups SET n = n + 1 WHERE id = 1");
	reopen();
	ck_assert_int_eq(store_check(reader, &stop, &error), -EBADMSG);
	shut();
	run_sql(path, "UPDATE groups SET n = n - 1 WHERE id = 1; UPDATE entries SET detail = 999"
		      " WHERE seq = 3");
	reopen();
	ck_assert_int_eq(store_check(reader, &stop, &error), -EBADMSG);
	/* One entry cannot be read, the others remain. */
	ck_assert_uint_eq(list_all().n, 20);
	ck_assert_int_eq(get_event(3).record.type, EVENT_UNREADABLE);
	ck_assert_int_eq(get_event(4).record.type, EVENT_DRAM);
	stop = true;
	ck_assert_int_eq(store_check(reader, &stop, &error), -ECANCELED);
}
END_TEST

START_TEST(wrong_counts_neither_hang_nor_empty_the_log)
{
	bool more;

	make_store();
	run_sql(path, "UPDATE groups SET n = 1000000000000 WHERE id = 1");
	reopen();
	ck_assert_int_eq(store_expire(store, 0, &more, &error), 0);
	ck_assert_int_eq(put(50, NULL).outcome, STORE_FINAL);
	ck_assert_uint_eq(list_all().n, 21);
	shut();
	run_sql(path, "UPDATE groups SET n = -1000000000000, unresolved = -5");
	reopen();
	ck_assert_int_eq(put(51, NULL).outcome, STORE_FINAL);
	ck_assert_uint_eq(list_all().n, 22);
}
END_TEST

START_TEST(readers_follow_to_the_new_file)
{
	make_store();
	reopen();
	ck_assert_uint_eq(list_all().n, 20);
	store = store_set_aside(store, "a test");
	ck_assert_int_eq(store_open(&options, &store, &error), 0);
	expect_copy();
	/* The old file is complete. */
	store = store_close(store);
	options.path = aside();
	reopen();
	ck_assert_uint_eq(list_all().n, 20);
}
END_TEST

/* ---- random damage ---- */

static int touch(void *userdata, const struct stored_event *event)
{
	uint64_t *sum = userdata;

	*sum += strlen(event->record.event) + strlen(event->answer.reason) +
		event->record.payload_len;
	return 0;
}

static void use_all_functions(void)
{
	const struct event_filter filters[] = {{0},
					       {.device = "cxl-1"},
					       {.has_spa = true, .spa_last = UINT64_MAX},
					       {.created_first = OPT_U64(1)}};
	struct stored_event event;
	bool more, stop = false;
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		struct event_page page = {.max = 100, .backwards = i % 2};

		(void)store_read_page(reader, &filters[i], &page, touch, &n, &error);
		(void)store_count(reader, &filters[i], &n, &error);
	}
	(void)store_check(reader, &stop, &error);
	made_event(500, &event);
	if (store_append(store, &event, 1, &error) == 0)
		(void)store_clear(store, NULL, UINT64_MAX, &more, &error);
	(void)store_expire(store, UINT64_MAX, &more, &error);
}

START_TEST(any_damage_is_survived)
{
	_cleanup_free_ char *good = NULL;
	size_t len;

	make_store();
	good = contents(path, &len);
	for (uint64_t i = 0; i < 60; i++) {
		uint64_t r = made_random(i), n = r % 20 + 1;

		shut();
		ck_assert_int_eq(unlink(path), 0);
		scribble(path, 0, good, r / 32 % 10 ? len : (r / 1024) % len);
		for (uint64_t k = 0; k < n; k++) {
			uint64_t q = made_random(i * 100 + k + 7);
			size_t size = q % 5 + 1, at = (q / 8) % (k % 2 ? len : 4096);

			scribble(path, (long)at, &q, size);
		}
		reopen();
		use_all_functions();
	}
}
END_TEST

SUITE(check_store_files)
{
	Suite *s = suite_create("store-files");
	TCase *t = tcase_create("files");

	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_set_timeout(t, 300);
	tcase_add_loop_test(t, a_file_with_other_tables_stays_unchanged_and_another_one_is_used, 0,
			    ARRAY_SIZE(other_versions));
	tcase_add_loop_test(t, a_file_of_another_program_is_renamed_unchanged, 0,
			    ARRAY_SIZE(foreign));
	tcase_add_test(t, analyze_and_vacuum_by_an_operator_do_no_harm);
	tcase_add_test(t, an_empty_file_is_used);
	tcase_add_test(t, a_text_file_is_renamed);
	tcase_add_loop_test(t, a_name_that_is_no_file_is_renamed, 0, ARRAY_SIZE(not_regular));
	tcase_add_test(t, a_file_with_an_impossible_number_is_copied);
	tcase_add_test(t, a_file_marked_as_read_only_is_copied);
	tcase_add_test(t, files_renamed_in_one_second_have_different_names);
	tcase_add_test(t, numbers_continue_after_a_damaged_file_when_the_clock_was_set_back);
	tcase_add_test(t, on_a_full_disk_a_damaged_file_stays_as_it_is);
	tcase_add_test(t, numbers_are_not_used_again_when_the_file_was_deleted);
	tcase_add_test(t, with_a_damaged_header_nothing_is_copied);
	tcase_add_loop_test(t, damage_of_any_table_is_detected, 0, ARRAY_SIZE(roots));
	tcase_add_test(t, tables_that_disagree_are_found_by_the_check);
	tcase_add_test(t, wrong_counts_neither_hang_nor_empty_the_log);
	tcase_add_test(t, readers_follow_to_the_new_file);
	tcase_add_test(t, of_many_renamed_files_the_largest_and_the_last_are_kept);
	tcase_add_test(t, reading_without_a_store_is_an_error);
	tcase_add_test(t, any_damage_is_survived);
	suite_add_tcase(s, t);
	return s;
}
