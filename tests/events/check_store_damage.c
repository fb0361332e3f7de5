// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Damage of any kind at any place: each entry is served, or an entry or a condition says that it
 * cannot be read; and what can be read is served. CHECK_STORE_DAMAGE=1000 makes so many stores.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "events/store_tables.h"
#include "events/store_rebuild.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

enum { ENTRIES = 700, STORES = 96, PAGE = 4096, PAGE_ENTRIES = 50, DETAILS_PER_PAGE = 8 };

static char wal[320];

/* A file that was closed, or with the last entries in a write-ahead log; closed. */
static void make_file(bool clean)
{
	char command[2400];

	options.max_records = 10000;
	reopen();
	put_many(0, ENTRIES - 100);
	reopen();
	for (uint64_t i = ENTRIES - 100; i < ENTRIES; i += 10)
		put_many(i, 10);
	(void)snprintf(command, sizeof(command), "cp %s %s/copy; cp %s %s/copy-wal", path,
		       directory, wal, directory);
	if (!clean)
		ck_assert_int_eq(system(command), 0);
	shut();
	(void)snprintf(command, sizeof(command), "mv %s/copy %s; mv %s/copy-wal %s; rm -f %s-shm",
		       directory, path, directory, wal, path);
	if (!clean)
		ck_assert_int_eq(system(command), 0);
}

static void flip_bits(const char *name, size_t len, uint64_t random)
{
	_cleanup_free_ char *bytes = contents(name, &len);

	for (uint64_t i = 0; i <= random % 3; i++) {
		size_t at = (size_t)(made_random(random + i) % len);
		char byte = (char)(bytes[at] ^ (char)(1 << made_random(random + i + 7) % 8));

		scribble(name, (long)at, &byte, 1);
	}
}

static void fill_page(const char *name, size_t len, uint64_t random)
{
	char junk[PAGE];
	long page = (long)(random % (len / PAGE));

	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = random & 1 ? 0 : (char)made_random(random + i);
	scribble(name, page * PAGE, junk, sizeof(junk));
}

static void cut(const char *name, size_t len, uint64_t random)
{
	uint64_t at = random % len;

	ck_assert_int_eq(truncate(name, (off_t)(random & 64 ? at & ~(uint64_t)(PAGE - 1) : at)), 0);
}

static void write_junk(const char *name, size_t len, uint64_t random)
{
	char junk[200];

	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)made_random(random * 3 + i);
	scribble(name, (long)(random % (len - sizeof(junk))), junk, random / 7 % sizeof(junk) + 1);
}

static void (*const kinds[])(const char *name, size_t len, uint64_t random) = {flip_bits, fill_page,
									       cut, write_junk};

static void damage(uint64_t i, bool clean)
{
	const char *name = !clean && i % 3 == 0 ? wal : path;
	_cleanup_free_ char *bytes = NULL;
	size_t len;

	bytes = contents(name, &len);
	kinds[i % ARRAY_SIZE(kinds)](name, len, made_random(i + 1000));
}

/* Entries that were seen: served, or covered by one that cannot be read. */
static struct {
	bool served[ENTRIES + 1], covered[ENTRIES + 1];
	uint64_t last, lost, n;
} seen;

static int see(void *userdata, const struct stored_event *ev)
{
	uint64_t lost = ev->record.lost.value;

	(void)userdata;
	ck_assert_uint_gt(ev->seq, seen.last);
	seen.last = ev->seq;
	seen.n++;
	if (ev->record.type != EVENT_UNREADABLE) {
		if (ev->seq <= ENTRIES)
			seen.served[ev->seq] = true;
		return 0;
	}
	seen.lost += lost;
	for (uint64_t k = ev->seq; k > 0 && ev->seq - k < lost; k--)
		if (k <= ENTRIES)
			seen.covered[k] = true;
	return 0;
}

/* Reads all pages, as a client does. Return: 0 or the first error. */
static int read_all(void)
{
	const struct event_filter all = {0};
	struct event_page page = {.max = PAGE_ENTRIES};
	uint64_t before;
	int r;

	memset(&seen, 0, sizeof(seen));
	do {
		before = seen.n;
		page.from = seen.last;
		r = store_read_page(reader, &all, &page, see, NULL, &error);
	} while (r == 0 && seen.n - before == PAGE_ENTRIES);
	return r;
}

static uint64_t n_missing(bool uncovered)
{
	uint64_t n = 0;

	for (uint64_t k = 1; k <= ENTRIES; k++)
		n += !seen.served[k] && !(uncovered && seen.covered[k]);
	return n;
}

/* As the writer's thread: opened, checked, and replaced when the check fails. */
static void open_and_check(void)
{
	bool stop = false;
	int r;

	reopen();
	r = store_check(reader, &stop, &error);
	ck_assert(r == 0 || r == -EBADMSG);
	if (r == 0)
		return;
	store = store_set_aside(store, error.text);
	reopen();
	ck_assert_int_eq(store_check(reader, &stop, &error), 0);
}

/* Return: a leaf in the middle of the table or index. */
static long leaf_of(const char *table)
{
	char query[160];
	int64_t page;
	sqlite3 *db;

	(void)snprintf(query, sizeof(query),
		       "SELECT pageno FROM dbstat WHERE name = '%s' AND pagetype = 'leaf'"
		       " LIMIT 1 OFFSET 2",
		       table);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sql_get_number(db, query, 0, &page), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	ck_assert_int_gt(page, 0);
	return (long)page;
}

static void spoil_leaf_of(const char *table)
{
	char junk[PAGE];

	memset(junk, 0xa5, sizeof(junk));
	scribble(path, (leaf_of(table) - 1) * PAGE, junk, sizeof(junk));
}

START_TEST(damage_is_never_silent)
{
	bool clean = _i % 2;

	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(clean);
	damage((uint64_t)_i, clean);

	/* Without the service: an error, or what is missing can be seen. */
	if (store_reader_open(path, &reader, &error) == 0 && read_all() == 0 && clean &&
	    n_missing(true) > 0) {
		bool stop = false;

		ck_assert_int_eq(store_check(reader, &stop, &error), -EBADMSG);
	}
	reader = store_reader_close(reader);

	open_and_check();
	ck_assert_int_eq(read_all(), 0);
	if (n_missing(false) > 0) {
		/* The condition of the Manager, while that file exists. */
		ck_assert_uint_eq(count_files("events.db.damaged-"), 1);
		ck_assert_str_ne(notices, "");
	}
	if (n_missing(true) > 0 && seen.n > 0)
		ck_assert_msg(seen.lost >= n_missing(false), "%" PRIu64 " of %" PRIu64 " are named",
			      seen.lost, n_missing(false));
	ck_assert_int_eq(put(5000, NULL).outcome, STORE_FINAL);
}
END_TEST

/* Return: whether a table's entries are behind the page, or it says which tables there are. */
static bool is_inner_page(const char *bytes, size_t page)
{
	char query[160];
	int64_t n;
	sqlite3 *db;

	(void)snprintf(query, sizeof(query),
		       "SELECT count(*) FROM dbstat WHERE pageno = %zu"
		       " AND name IN ('sqlite_schema', 'meta')",
		       page + 1);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sql_get_number(db, query, 0, &n), SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	return n > 0 || bytes[page * PAGE] == 5;
}

START_TEST(what_can_be_read_is_served)
{
	_cleanup_free_ char *bytes = NULL;
	char junk[PAGE];
	size_t len, page;

	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(true);
	bytes = contents(path, &len);
	page = (size_t)(made_random((uint64_t)_i) % (len / PAGE));
	if (is_inner_page(bytes, page))
		return;
	memset(junk, 0xa5, sizeof(junk));
	scribble(path, (long)page * PAGE, junk, sizeof(junk));
	open_and_check();
	ck_assert_int_eq(read_all(), 0);
	ck_assert_uint_le(n_missing(false), DETAILS_PER_PAGE);
	ck_assert_uint_eq(n_missing(true), 0);
}
END_TEST

START_TEST(next_page_begins_behind_what_cannot_be_read)
{
	uint64_t served = 0;

	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(true);
	/* Two entries without details, and a damaged page of the table of entries. */
	run_sql(path, "UPDATE entries SET detail = 99999 WHERE seq IN (50, 51)");
	reopen();
	ck_assert_int_eq(read_all(), 0);
	ck_assert_uint_eq(seen.n, ENTRIES);
	ck_assert(!seen.served[50] && seen.covered[50] && seen.covered[51] && seen.served[52]);
	ck_assert(store_reader_found_damage(reader));
	ck_assert(!store_reader_found_damage(reader));
	for (uint64_t k = 1; k <= ENTRIES; k++)
		served += seen.served[k];
	ck_assert_uint_eq(served, ENTRIES - 2);
}
END_TEST

START_TEST(numbers_of_a_damaged_page_are_one_entry)
{
	const struct event_page last = {.max = ENTRIES, .backwards = true};
	struct listed l;

	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(true);
	spoil_leaf_of("entries");
	reopen();
	ck_assert_int_eq(read_all(), 0);
	ck_assert_uint_gt(n_missing(false), 10);
	ck_assert_uint_eq(n_missing(true), 0);
	ck_assert_uint_eq(seen.n, ENTRIES - n_missing(false) + 1);
	l = list(&(struct event_filter){0}, &last);
	ck_assert_uint_eq(l.n, seen.n);
	/* The copy has all of them, from their details. */
	open_and_check();
	ck_assert_int_eq(read_all(), 0);
	ck_assert_uint_eq(n_missing(false), 0);
}
END_TEST

/* Adds to the key behind which the third leaf ends: its rows are looked for in the next one, or the
 * other way. */
static uint64_t move_key(int by)
{
	_cleanup_free_ char *bytes = NULL;
	const uint8_t *inner, *cell;
	int64_t page;
	uint8_t low;
	sqlite3 *db;
	size_t len;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sql_get_number(db,
					"SELECT pageno FROM dbstat WHERE name = 'entries' AND"
					" pagetype = 'internal'",
					0, &page),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	bytes = contents(path, &len);
	ck_assert_int_gt(page, 0);
	ck_assert_uint_le((size_t)page * PAGE, len);
	/* A header of 12 bytes, the places of the cells; a cell: a page, and the key, here of two
	 * bytes. */
	inner = (const uint8_t *)bytes + (page - 1) * PAGE;
	cell = inner + (inner[12 + 4] << 8 | inner[12 + 5]);
	ck_assert_uint_eq(cell[4] & 0x80, 0x80);
	ck_assert_int_eq((cell[5] + by) & 0x80, 0);
	low = (uint8_t)(cell[5] + by);
	scribble(path, (long)((const char *)cell + 5 - bytes), &low, 1);
	return (uint64_t)(cell[4] & 0x7f) << 7 | cell[5];
}

START_TEST(rows_that_are_out_of_order_end_no_reading)
{
	static const int by[] = {5, -5};
	struct listed l;
	uint64_t key;

	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(true);
	key = move_key(by[_i]);
	reopen();
	for (unsigned int i = 0; i < 2; i++) {
		const struct event_page page = {.from = key + 2, .max = 10, .backwards = i == 1};

		l = list(&(struct event_filter){0}, &page);
		ck_assert_uint_gt(l.n, 0);
		for (size_t k = 0; k < l.n; k++)
			ck_assert(i == 1 ? l.seq[k] < key + 2 : l.seq[k] > key + 2);
	}
	ck_assert_int_eq(read_all(), 0);
	open_and_check();
	expect_notice("damaged");
	ck_assert_int_eq(read_all(), 0);
	ck_assert_uint_eq(n_missing(false), 0);
	ck_assert_int_eq(put(5000, NULL).outcome, STORE_FINAL);
}
END_TEST

static void empty_file(void)
{
	ck_assert_int_eq(truncate(path, 0), 0);
}

static void remove_file(void)
{
	ck_assert_int_eq(unlink(path), 0);
}

/* As if all that was stored had been in a write-ahead log that was removed. */
static void remove_tables(void)
{
	ck_assert_int_eq(unlink(path), 0);
	run_sql(path, "PRAGMA journal_mode=WAL");
}

static void (*const gone[])(void) = {empty_file, remove_tables, remove_file};

START_TEST(file_that_was_written_is_not_taken_as_new)
{
	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(true);
	gone[_i]();
	reopen();
	expect_notice(_i < 2 ? "is empty, although" : "does not exist any more");
	ck_assert_uint_gt(put(1, NULL).seq, UINT64_C(1000000000000000));
}
END_TEST

START_TEST(log_that_was_cut_off_is_noticed)
{
	(void)snprintf(wal, sizeof(wal), "%s-wal", path);
	make_file(false);
	ck_assert_int_eq(truncate(wal, 20 * (PAGE + 24) + 32), 0);
	reopen();
	expect_notice("lacks what was stored from number");
	ck_assert_int_eq(read_all(), 0);
	ck_assert_uint_gt(n_missing(false), 0);
	ck_assert_uint_eq(n_missing(true), 0);
}
END_TEST

SUITE(check_store_damage)
{
	const char *wanted = getenv("CHECK_STORE_DAMAGE");
	Suite *s = suite_create("store-damage");
	TCase *t = tcase_create("damage");
	int n = wanted ? atoi(wanted) : STORES;

	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, damage_is_never_silent, 0, n);
	tcase_add_loop_test(t, what_can_be_read_is_served, 0, n / 3);
	tcase_add_test(t, next_page_begins_behind_what_cannot_be_read);
	tcase_add_test(t, numbers_of_a_damaged_page_are_one_entry);
	tcase_add_loop_test(t, rows_that_are_out_of_order_end_no_reading, 0, 2);
	tcase_add_loop_test(t, file_that_was_written_is_not_taken_as_new, 0, ARRAY_SIZE(gone));
	tcase_add_test(t, log_that_was_cut_off_is_noticed);
	suite_add_tcase(s, t);
	return s;
}
