// SPDX-License-Identifier: LGPL-2.1-or-later
/* The state database: its file, its transactions, and subscriptions. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/sql_file.h"
#include "redfish/state/state.h"
#include "redfish/eventing/state_subscriptions.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

/* Longer than the service waits before it tries again. */
enum { MINUTE_MS = 60 * 1000 };

static char state_path[400];
static struct state *state;

static void setup(void)
{
	log_setup("check_state", LOG_LEVEL_ERR);
	store_setup();
	(void)snprintf(state_path, sizeof(state_path), "%s/" STATE_FILE, directory);
}

static void teardown(void)
{
	state = state_free(state);
	store_teardown();
}

static void open_state(void)
{
	state = state_free(state);
	ck_assert_int_eq(state_new(state_path, &state, &error), 0);
}

static int append_row(void *userdata, uint64_t id, const char *body, size_t len, uint64_t cursor)
{
	char *text = userdata;

	ck_assert_uint_eq(strlen(body), len);
	(void)sprintf(text + strlen(text), "%d:%s:%d ", (int)id, body, (int)cursor);
	return 0;
}

/* All subscriptions as "ID:BODY:CURSOR " each. */
static const char *rows(void)
{
	static char text[1000];
	int r;

	text[0] = '\0';
	r = state_read_subscriptions(state, append_row, text, &error);
	ck_assert_msg(r == 0, "%s", error.text);
	return text;
}

static void put_two(void)
{
	open_state();
	ck_assert_int_eq(state_put_subscription(state, 1, "a", 1, 3, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, 2, "b", 1, 4, &error), 0);
}

/* ---- rows and transactions ---- */

START_TEST(subscriptions_and_their_cursors_are_kept)
{
	const struct state_cursor cursors[] = {{7, 12}, {8, 13}, {99, 14}};

	open_state();
	ck_assert_int_eq(state_put_subscription(state, 7, "{\"a\":1}", 7, 3, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, 8, "b", 1, 4, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, 9, "c", 1, 5, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, 8, "bb", 2, 6, &error), 0);
	ck_assert_int_eq(state_set_cursors(state, STATE_LAZY, cursors, 3, &error), 0);
	ck_assert_int_eq(state_remove_subscription(state, 9, &error), 0);
	ck_assert_int_eq(state_remove_subscription(state, 9, &error), -ENOENT);
	open_state();
	ck_assert_str_eq(rows(), "7:{\"a\":1}:12 8:bb:13 ");
}
END_TEST

START_TEST(subscriptions_have_limits)
{
	static char text[STATE_SUBSCRIPTION_MAX + 1];

	open_state();
	memset(text, 'x', sizeof(text));
	ck_assert_int_eq(state_put_subscription(state, 1, text, sizeof(text), 0, &error), -E2BIG);
	for (uint64_t i = 0; i < STATE_SUBSCRIPTIONS_MAX; i++)
		ck_assert_int_eq(state_put_subscription(state, i, "x", 1, 0, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, 5, "y", 1, 0, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, STATE_SUBSCRIPTIONS_MAX, "x", 1, 0, &error),
			 -E2BIG);
	/* A change that is refused leaves nothing: the one above the limit was not stored. */
	ck_assert_int_eq(state_remove_subscription(state, STATE_SUBSCRIPTIONS_MAX, &error),
			 -ENOENT);
}
END_TEST

START_TEST(the_highest_cursor_is_known)
{
	uint64_t cursor = 7;

	open_state();
	ck_assert_int_eq(state_read_highest_cursor(state, &cursor, &error), 0);
	ck_assert_uint_eq(cursor, 0);
	put_two();
	ck_assert_int_eq(state_read_highest_cursor(state, &cursor, &error), 0);
	ck_assert_uint_eq(cursor, 4);
}
END_TEST

/* The connection is not closed, and the cursors are stored in no other way. */
START_TEST(cursors_survive_a_kill_of_the_process)
{
	const struct state_cursor cursor = {1, 77};
	int status;
	pid_t pid;

	put_two();
	state = state_free(state);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		open_state();
		if (state_set_cursors(state, STATE_LAZY, &cursor, 1, NULL) < 0)
			_exit(1);
		(void)kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	open_state();
	ck_assert_str_eq(rows(), "1:a:77 2:b:4 ");
}
END_TEST

START_TEST(on_a_full_disk_nothing_changes)
{
	static char text[STATE_SUBSCRIPTION_MAX];

	put_two();
	memset(text, 'x', sizeof(text));
	limit_files(32 * 1024);
	ck_assert_int_eq(state_status(state, &error), 0);
	ck_assert_int_eq(state_put_subscription(state, 3, text, sizeof(text), 0, &error), -ENOSPC);
	ck_assert_str_eq(rows(), "1:a:3 2:b:4 ");
	ck_assert_int_eq(state_status(state, &error), -ENOSPC);
	ck_assert_ptr_nonnull(strstr(error.text, state_path));
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(state_put_subscription(state, 3, text, sizeof(text), 0, &error), 0);
	ck_assert_int_eq(state_status(state, &error), 0);
}
END_TEST

/* ---- the file ---- */

START_TEST(a_new_file_is_for_its_owner_alone)
{
	const char *const names[] = {"", "-wal", "-shm", ".lock"};
	mode_t before = umask(0);
	char name[420];
	struct stat st;

	put_two();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", state_path, names[i]);
		ck_assert_int_eq(stat(name, &st), 0);
		ck_assert_uint_eq(st.st_mode & 0777, 0600);
	}
	(void)umask(before);
}
END_TEST

static void make_text(void)
{
	static const char text[] = "This is not a database, but it may still be needed.\n";

	ck_assert_int_eq(unlink(state_path), 0);
	for (int i = 0; i < 100; i++)
		scribble(state_path, -1, text, sizeof(text) - 1);
}

static void cut_file(void)
{
	ck_assert_int_eq(truncate(state_path, 6000), 0);
}

/* The root pages of the first tables. */
static void damage_pages(void)
{
	char junk[4096];

	memset(junk, 0xa5, sizeof(junk));
	scribble(state_path, 8192, junk, sizeof(junk));
	scribble(state_path, 12288, junk, sizeof(junk));
}

static void make_other_program(void)
{
	run_sql(state_path, "PRAGMA application_id = 77");
}

static void make_newer(void)
{
	run_sql(state_path, "PRAGMA user_version = 1000; CREATE TABLE news (x)");
}

static void make_other_tables(void)
{
	run_sql(state_path, "UPDATE meta SET schema = '0123456789abcdef'; CREATE TABLE news (x)");
}

static void make_former(void)
{
	run_sql(state_path, "PRAGMA application_id = 0x43584c53");
}

static void remove_hash(void)
{
	run_sql(state_path, "DELETE FROM meta");
}

static void add_trigger(void)
{
	run_sql(state_path, "CREATE TRIGGER t AFTER INSERT ON subscriptions BEGIN"
			    " DELETE FROM subscriptions; END");
}

static void replace_by_view(void)
{
	run_sql(state_path, "DROP TABLE subscriptions; CREATE VIEW subscriptions AS WITH RECURSIVE"
			    " c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id, x"
			    " AS body, x AS cursor FROM c");
}

static const struct {
	void (*spoil)(void);
	int result;
	const char *reason;
} refused[] = {
	{make_text, -EBADMSG, "not a database"},
	{cut_file, -EBADMSG, "malformed"},
	{damage_pages, -EBADMSG, "damaged"},
	{make_other_program, -EBADMSG, "another program"},
	{make_newer, -EPROTONOSUPPORT, "newer cxl-redfish"},
	{make_other_tables, -EPROTONOSUPPORT, "another version of cxl-redfish"},
	{make_former, -EPROTONOSUPPORT, "before its first release"},
	{remove_hash, -EBADMSG, "does not say which tables it has"},
	{add_trigger, -EBADMSG, "tables of its version"},
	{replace_by_view, -EBADMSG, "tables of its version"},
};

START_TEST(a_file_that_cannot_be_used_is_refused_and_stays_as_it_is)
{
	_cleanup_free_ char *before = NULL, *after = NULL;
	size_t n, m;

	put_two();
	state = state_free(state);
	refused[_i].spoil();
	before = contents(state_path, &n);
	open_state();
	ck_assert_int_eq(state_read_subscriptions(state, append_row, NULL, &error),
			 refused[_i].result);
	ck_assert_ptr_nonnull(strstr(error.text, state_path));
	ck_assert_msg(strstr(error.text, refused[_i].reason) != NULL, "%s", error.text);
	ck_assert_int_eq(state_put_subscription(state, 3, "c", 1, 0, &error), refused[_i].result);
	ck_assert_int_eq(state_status(state, &error), refused[_i].result);
	ck_assert_ptr_nonnull(strstr(error.text, state_path));
	state = state_free(state);
	after = contents(state_path, &m);
	ck_assert_uint_eq(n, m);
	ck_assert_mem_eq(before, after, n);
	ck_assert_uint_eq(count_files("state.db."), 1); /* the lock; nothing was set aside */
}
END_TEST

static void make_directory(void)
{
	ck_assert_int_eq(mkdir(state_path, 0700), 0);
}

static void make_fifo(void)
{
	ck_assert_int_eq(mkfifo(state_path, 0600), 0);
}

static void make_link(void)
{
	char target[420];

	(void)snprintf(target, sizeof(target), "%s/elsewhere.db", directory);
	ck_assert_int_eq(symlink(target, state_path), 0);
}

static void (*const not_regular[])(void) = {make_directory, make_fifo, make_link};

START_TEST(a_name_that_is_no_regular_file_is_refused)
{
	not_regular[_i]();
	open_state();
	ck_assert_int_eq(state_put_subscription(state, 1, "a", 1, 0, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "not a regular file"));
	ck_assert_uint_eq(count_files("elsewhere"), 0);
}
END_TEST

START_TEST(a_file_that_was_replaced_is_used_without_a_restart)
{
	char good[420];

	put_two();
	state = state_free(state);
	(void)snprintf(good, sizeof(good), "%s/copy", directory);
	ck_assert_int_eq(rename(state_path, good), 0);
	scribble(state_path, 0, "this is not a database, whatever its name is.", 45);
	open_state();
	ck_assert_int_eq(state_read_subscriptions(state, append_row, NULL, &error), -EBADMSG);
	ck_assert_int_eq(state_status(state, &error), -EBADMSG);
	ck_assert_int_eq(rename(good, state_path), 0);
	pass_monotonic_ms(MINUTE_MS);
	ck_assert_str_eq(rows(), "1:a:3 2:b:4 ");
	ck_assert_int_eq(state_status(state, &error), 0);
}
END_TEST

START_TEST(damage_is_detected_when_the_file_is_opened_again)
{
	put_two();
	damage_pages();
	run_sql(state_path, "PRAGMA wal_checkpoint(TRUNCATE)");
	damage_pages();
	state = state_free(state);
	open_state();
	ck_assert_int_eq(state_put_subscription(state, 3, "c", 1, 0, &error), -EBADMSG);
}
END_TEST

static int add_one(uint64_t id)
{
	return state_put_subscription(state, id, "{}", 2, 0, &error);
}

START_TEST(emptied_file_is_not_taken_as_new)
{
	open_state();
	ck_assert_int_eq(add_one(1), 0);
	state = state_free(state);
	if (_i == 0) {
		ck_assert_int_eq(truncate(state_path, 0), 0);
	} else { /* its tables were in a write-ahead log that was removed */
		ck_assert_int_eq(unlink(state_path), 0);
		run_sql(state_path, "PRAGMA journal_mode=WAL");
	}
	open_state();
	ck_assert_int_eq(add_one(2), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "is empty, although it had been written"));
	/* As the log says: moved away, to begin without subscriptions. */
	ck_assert_int_eq(unlink(state_path), 0);
	open_state();
	ck_assert_int_eq(add_one(3), 0);
}
END_TEST

START_TEST(change_of_a_file_that_was_removed_is_not_acknowledged)
{
	char moved[420];

	open_state();
	ck_assert_int_eq(add_one(1), 0);
	(void)snprintf(moved, sizeof(moved), "%s.moved", state_path);
	ck_assert_int_eq(rename(state_path, moved), 0);
	ck_assert_int_eq(add_one(2), -ESTALE);
	ck_assert_ptr_nonnull(strstr(error.text, "was removed or replaced"));
	pass_monotonic_ms(MINUTE_MS);
	/* Not created again: the subscriptions would be lost in silence. */
	ck_assert_int_eq(add_one(2), -ESTALE);
	ck_assert_int_ne(access(state_path, F_OK), 0);
	ck_assert_int_eq(rename(moved, state_path), 0);
	pass_monotonic_ms(MINUTE_MS);
	ck_assert_int_eq(add_one(3), 0);
}
END_TEST

START_TEST(two_processes_do_not_share_a_file)
{
	struct state *other;

	put_two();
	ck_assert_int_eq(state_new(state_path, &other, &error), 0);
	ck_assert_int_eq(state_put_subscription(other, 3, "c", 1, 0, &error), -EBUSY);
	ck_assert_str_eq(rows(), "1:a:3 2:b:4 ");
	(void)state_free(other);
}
END_TEST

static int look_job(struct state_transaction *t, void *userdata, struct error *e)
{
	(void)t;
	(void)e;
	ck_assert(state_is_busy(userdata));
	return 0;
}

START_TEST(a_state_is_busy_while_a_transaction_runs)
{
	open_state();
	ck_assert(!state_is_busy(state));
	ck_assert_int_eq(state_read(state, look_job, state, NULL), 0);
	ck_assert_int_eq(state_change(state, STATE_DURABLE, look_job, state, NULL), 0);
	ck_assert(!state_is_busy(state));
}
END_TEST

START_TEST(a_name_that_is_too_long_is_an_error)
{
	char name[SQL_PATH_MAX + 1];

	memset(name, 'x', SQL_PATH_MAX);
	name[SQL_PATH_MAX] = '\0';
	ck_assert_int_eq(state_new(name, &state, &error), -ENAMETOOLONG);
}
END_TEST

SUITE(check_state)
{
	Suite *s = suite_create("state");
	TCase *t = tcase_create("state");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, subscriptions_and_their_cursors_are_kept);
	tcase_add_test(t, a_state_is_busy_while_a_transaction_runs);
	tcase_add_test(t, subscriptions_have_limits);
	tcase_add_test(t, the_highest_cursor_is_known);
	tcase_add_test(t, cursors_survive_a_kill_of_the_process);
	tcase_add_test(t, on_a_full_disk_nothing_changes);
	tcase_add_test(t, a_new_file_is_for_its_owner_alone);
	tcase_add_loop_test(t, a_file_that_cannot_be_used_is_refused_and_stays_as_it_is, 0,
			    ARRAY_SIZE(refused));
	tcase_add_loop_test(t, a_name_that_is_no_regular_file_is_refused, 0,
			    ARRAY_SIZE(not_regular));
	tcase_add_test(t, a_file_that_was_replaced_is_used_without_a_restart);
	tcase_add_test(t, damage_is_detected_when_the_file_is_opened_again);
	tcase_add_loop_test(t, emptied_file_is_not_taken_as_new, 0, 2);
	tcase_add_test(t, change_of_a_file_that_was_removed_is_not_acknowledged);
	tcase_add_test(t, two_processes_do_not_share_a_file);
	tcase_add_test(t, a_name_that_is_too_long_is_an_error);
	suite_add_tcase(s, t);
	return s;
}
