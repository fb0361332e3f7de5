// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/store_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>
#include <sqlite3.h>

#include "common/fileio.h"
#include "common/strutil.h"

enum { FILE_MAX = 64 * 1024 * 1024 };

char directory[256], path[300];
struct store_options options;
struct store *store;
struct store_reader *reader;
struct error error;
char notices[4096];

static void note(void *userdata, const char *text)
{
	size_t at = strlen(notices);

	(void)userdata;
	(void)snprintf(notices + at, sizeof(notices) - at, "%s\n", text);
}

void store_setup(void)
{
	const char *base = getenv("TMPDIR");

	/* Thousands of commits need no disk; one that others use makes minutes of them. */
	if (!base)
		base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	(void)snprintf(directory, sizeof(directory), "%s/check-store.XXXXXX", base);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/events.db", directory);
	options = (struct store_options){.path = path, .max_records = 100, .notice = note};
}

void store_teardown(void)
{
	char command[600];

	shut();
	(void)snprintf(command, sizeof(command), "chmod -R u+rwx %s; rm -rf %s", directory,
		       directory);
	ck_assert_int_eq(system(command), 0);
}

void shut(void)
{
	reader = store_reader_close(reader);
	store = store_close(store);
}

void reopen(void)
{
	int r;

	shut();
	r = store_open(&options, &store, &error);
	ck_assert_msg(r == 0, "%s", error.text);
	r = store_reader_open(store_path(store), &reader, &error);
	ck_assert_msg(r == 0, "%s", error.text);
}

struct stored_event put(uint64_t i, void (*change)(struct stored_event *event))
{
	struct stored_event event;
	int r;

	made_event(i, &event);
	if (change)
		change(&event);
	r = store_append(store, &event, 1, &error);
	ck_assert_msg(r == 0, "%s", error.text);
	return event;
}

void as_pending(struct stored_event *event)
{
	event->pending = true;
}

void put_many(uint64_t first, size_t n)
{
	struct stored_event *events = calloc(n, sizeof(*events));
	int r;

	ck_assert_ptr_nonnull(events);
	for (size_t i = 0; i < n; i++)
		made_event(first + i, &events[i]);
	r = store_append(store, events, n, &error);
	ck_assert_msg(r == 0, "%s", error.text);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(events[i].outcome, STORE_FINAL);
	free(events);
}

static int add(void *userdata, const struct stored_event *event)
{
	struct listed *l = userdata;

	ck_assert_uint_lt(l->n, LISTED_MAX);
	l->seq[l->n++] = event->seq;
	return 0;
}

struct listed list(const struct event_filter *filter, const struct event_page *page)
{
	struct listed l = {0};
	int r = store_read_page(reader, filter, page, add, &l, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	return l;
}

struct listed list_all(void)
{
	return list(&(struct event_filter){0}, &(struct event_page){.max = LISTED_MAX});
}

struct stored_event get_event(uint64_t seq)
{
	struct stored_event event;
	int r = store_read_one(reader, seq, &event, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	return event;
}

uint64_t count(const struct event_filter *filter)
{
	uint64_t n;
	int r = store_count(reader, filter, &n, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	return n;
}

static const char *find_file(const char *prefix, size_t *ret_n)
{
	static char name[600];
	const struct dirent *entry;
	DIR *dir = opendir(directory);

	ck_assert_ptr_nonnull(dir);
	*ret_n = 0;
	while ((entry = readdir(dir))) {
		if (!str_after_prefix(entry->d_name, prefix))
			continue;
		if (strstr(entry->d_name, "-wal") || strstr(entry->d_name, "-shm"))
			continue;
		++*ret_n;
		(void)snprintf(name, sizeof(name), "%s/%s", directory, entry->d_name);
	}
	(void)closedir(dir);
	return name;
}

const char *aside(void)
{
	size_t n;
	const char *name = find_file("events.db.damaged-", &n);

	ck_assert_uint_ge(n, 1);
	return name;
}

size_t count_files(const char *prefix)
{
	size_t n;

	(void)find_file(prefix, &n);
	return n;
}

void scribble(const char *name, long offset, const void *bytes, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | (offset < 0 ? O_APPEND : 0), 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(offset < 0 ? write(fd, bytes, len) : pwrite(fd, bytes, len, offset),
			 (ssize_t)len);
	(void)close(fd);
}

char *contents(const char *name, size_t *ret_len)
{
	char *text;

	ck_assert_int_eq(read_file_at(AT_FDCWD, name, FILE_MAX, &text, ret_len), 0);
	return text;
}

void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	(void)signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	/* Check writes each assertion to a file, which has the same limit and may be longer. */
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
}

void expect_notice(const char *part)
{
	ck_assert_msg(strstr(notices, part) != NULL, "'%s' is not in '%s'", part, notices);
}

void run_sql(const char *name, const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(name, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
		      sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

void make_store(void)
{
	reopen();
	put_many(0, 20);
	shut();
}
