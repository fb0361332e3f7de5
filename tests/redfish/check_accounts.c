// SPDX-License-Identifier: LGPL-2.1-or-later
/* Accounts, logins, lockout and sessions, with a clock that the test moves. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <check.h>
#include <gnutls/gnutls.h>
#include <sqlite3.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/auth/accounts.h"
#include "redfish/auth/authenticate.h"
#include "redfish/auth/known_logins.h"
#include "redfish/auth/lockout.h"
#include "redfish/auth/login.h"
#include "redfish/auth/sessions.h"
#include "redfish/state/audit.h"
#include "redfish/state/state.h"
#include "tests/lib/suites.h"

static char directory[64], state_path[100];
static struct state *state;
static struct accounts *accounts;
static struct sessions *sessions;
static struct error error;
static uint64_t now_ms; /* 0: the real clock, as for the other suites of this program */

uint64_t __real_clock_boottime_ms(void);
uint64_t __wrap_clock_boottime_ms(void);

uint64_t __wrap_clock_boottime_ms(void)
{
	return now_ms ? now_ms : __real_clock_boottime_ms();
}

/* ---- fixtures ---------------------------------------------------------------------------------
 */

static void setup(void)
{
	log_setup("check_accounts", LOG_LEVEL_ERR);
	(void)strcpy(directory, "check_accounts.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(state_path, sizeof(state_path), "%s/state.db", directory);
	now_ms = 1000000;
}

static void shut(void)
{
	sessions = sessions_free(sessions);
	accounts = accounts_free(accounts);
	state = state_free(state);
}

static void teardown(void)
{
	char command[100];

	shut();
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static void use_sessions(void)
{
	ck_assert_int_eq(sessions_new(accounts, &sessions, &error), 0);
}

/* Starts the service's part, or starts it again. */
static void begin(const char *password)
{
	shut();
	ck_assert_int_eq(state_new(state_path, &state, &error), 0);
	ck_assert_int_eq(accounts_new(state, password, &accounts, &error), 0);
	use_sessions();
}

static void begin_without_state(const char *password)
{
	shut();
	ck_assert_int_eq(accounts_new(NULL, password, &accounts, &error), 0);
	use_sessions();
}

static const struct http_client *from(const char *text)
{
	static struct sockaddr_storage address;
	static struct http_client client;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&address;
	struct sockaddr_in *in = (struct sockaddr_in *)&address;

	memset(&address, 0, sizeof(address));
	client = (struct http_client){.address = (struct sockaddr *)&address};
	if (str_equal(text, "root")) {
		client = (struct http_client){.transport = HTTP_OVER_UNIX, .has_credentials = true};
	} else if (strchr(text, ':')) {
		in6->sin6_family = AF_INET6;
		ck_assert_int_eq(inet_pton(AF_INET6, text, &in6->sin6_addr), 1);
	} else {
		in->sin_family = AF_INET;
		ck_assert_int_eq(inet_pton(AF_INET, text, &in->sin_addr), 1);
	}
	return &client;
}

static struct principal who;

/* Return: as login_begin() or login_verify(); `who` is set on success. */
static int try_from(const char *address, const char *user, const char *password)
{
	unsigned int retry_s;
	struct login *l;
	int r;

	memset(&who, 0, sizeof(who));
	r = login_begin(accounts, from(address), user, password, &l, &retry_s);
	if (r < 0)
		return r;
	r = login_verify(l, &who);
	(void)login_free(l);
	return r;
}

static int try_login(const char *user, const char *password)
{
	return try_from("127.0.0.1", user, password);
}

static uint64_t create(const char *name, const char *password, enum role role)
{
	struct account_change c = {.name = name, .password = password, .role = role};
	uint64_t number;
	int r = accounts_create(accounts, &c, &number, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	return number;
}

static int change(uint64_t number, struct account_change c)
{
	return accounts_change(accounts, number, &c, &error);
}

/* ---- accounts ---------------------------------------------------------------------------------
 */

START_TEST(the_first_account_is_made_once_and_kept)
{
	struct account a;

	begin("first password");
	ck_assert(accounts_find(accounts, "admin", &a));
	ck_assert_uint_eq(a.number, 1);
	ck_assert_int_eq(a.role, ROLE_ADMINISTRATOR);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert_str_eq(who.name, "admin");
	ck_assert_str_eq(who.from, "127.0.0.1");
	ck_assert_uint_eq(who.privileges, PRIVILEGES_ALL);
	/* Another password of the options is not used any more. */
	begin("another one");
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert_int_eq(try_login("admin", "another one"), -EACCES);
	begin(NULL);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

START_TEST(there_is_no_default_password)
{
	begin(NULL);
	ck_assert(!accounts_exist(accounts));
	ck_assert_int_eq(try_login("admin", ""), -EACCES);
	ck_assert_int_eq(try_login("", ""), -EACCES);
	begin_without_state(NULL);
	ck_assert(!accounts_exist(accounts));
	ck_assert_int_eq(try_login("admin", ""), -EACCES);
}
END_TEST

START_TEST(a_password_is_kept_only_as_a_yescrypt_hash)
{
	char *text;
	size_t len;
	FILE *f;

	begin("recognizable");
	f = fopen(state_path, "r");
	ck_assert_ptr_nonnull(f);
	text = malloc(1 << 20);
	ck_assert_ptr_nonnull(text);
	shut();
	len = fread(text, 1, 1 << 20, f);
	ck_assert_ptr_null(memmem(text, len, "recognizable", 12));
	ck_assert_ptr_nonnull(memmem(text, len, "$y$", 3));
	free(text);
	(void)fclose(f);
}
END_TEST

START_TEST(accounts_are_created_changed_and_removed)
{
	struct account list[ACCOUNTS_MAX];
	uint64_t eve;

	begin("first password");
	eve = create("eve", "password of eve", ROLE_READ_ONLY);
	ck_assert_uint_eq(eve, 2);
	ck_assert_int_eq(try_login("eve", "password of eve"), 0);
	ck_assert_uint_eq(who.privileges, PRIVILEGE_LOGIN | PRIVILEGE_CONFIGURE_SELF);
	ck_assert_int_eq(
		change(eve, (struct account_change){.name = "adam", .role = ROLE_OPERATOR}), 0);
	ck_assert_int_eq(try_login("eve", "password of eve"), -EACCES);
	ck_assert_int_eq(try_login("adam", "password of eve"), 0);
	ck_assert_int_eq(change(eve, (struct account_change){.password = "new password"}), 0);
	ck_assert_int_eq(try_login("adam", "password of eve"), -EACCES);
	begin(NULL);
	ck_assert_int_eq(try_login("adam", "new password"), 0);
	ck_assert_int_eq(change(eve, (struct account_change){.enabled = OPT_BOOL(false)}), 0);
	ck_assert_int_eq(try_login("adam", "new password"), -EACCES);
	ck_assert_int_eq(accounts_remove(accounts, eve, &error), 0);
	ck_assert_int_eq(accounts_remove(accounts, eve, &error), -ENOENT);
	ck_assert_int_eq(change(eve, (struct account_change){.name = "x"}), -ENOENT);
	ck_assert_uint_eq(accounts_list(accounts, list), 1);
	/* Numbers are never used twice, also not after a restart. */
	begin(NULL);
	ck_assert_uint_eq(create("eve", "password of eve", ROLE_READ_ONLY), 3);
}
END_TEST

START_TEST(an_account_is_refused_for_what_is_wrong)
{
	struct account_change c = {
		.name = "eve", .password = "password of eve", .role = ROLE_READ_ONLY};
	static const char *const names[] = {
		"",
		"-a",
		".a",
		"a b",
		"a:b",
		"a/b",
		"\xc3\xa4",
		"a\n",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
	char longest[PASSWORD_LENGTH_MAX + 2];
	uint64_t number;

	begin("first password");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		c.name = names[i];
		ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -EINVAL);
	}
	c.name = "admin";
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -EEXIST);
	c.name = "eve";
	c.password = "7 bytes";
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -EKEYREJECTED);
	c.password = "with\ncontrol";
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -EKEYREJECTED);
	memset(longest, 'x', sizeof(longest));
	longest[PASSWORD_LENGTH_MAX + 1] = '\0';
	c.password = longest;
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -EKEYREJECTED);
	longest[PASSWORD_LENGTH_MAX] = '\0';
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), 0);
	ck_assert_int_eq(try_login("eve", longest), 0);
	ck_assert_int_eq(change(number, (struct account_change){.name = "admin"}), -EEXIST);
	ck_assert_int_eq(change(number, (struct account_change){.password = "short"}),
			 -EKEYREJECTED);
}
END_TEST

START_TEST(the_number_of_accounts_is_limited)
{
	char name[16];
	struct account_change c = {.name = name, .password = "password", .role = ROLE_READ_ONLY};
	uint64_t number;

	begin("first password");
	for (unsigned int i = 1; i < ACCOUNTS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "user%u", i);
		ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), 0);
	}
	(void)strcpy(name, "one.more");
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -E2BIG);
}
END_TEST

START_TEST(the_last_administrator_stays)
{
	uint64_t eve;

	begin("first password");
	eve = create("eve", "password of eve", ROLE_OPERATOR);
	ck_assert_int_eq(accounts_remove(accounts, 1, &error), -EPERM);
	ck_assert_int_eq(change(1, (struct account_change){.enabled = OPT_BOOL(false)}), -EPERM);
	ck_assert_int_eq(change(1, (struct account_change){.locked = OPT_BOOL(true)}), -EPERM);
	ck_assert_int_eq(change(1, (struct account_change){.role = ROLE_OPERATOR}), -EPERM);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert_int_eq(change(eve, (struct account_change){.role = ROLE_ADMINISTRATOR}), 0);
	ck_assert_int_eq(accounts_remove(accounts, 1, &error), 0);
	ck_assert_int_eq(accounts_remove(accounts, eve, &error), -EPERM);
}
END_TEST

START_TEST(without_a_state_database_accounts_are_what_the_options_say)
{
	struct account_change c = {
		.name = "eve", .password = "password of eve", .role = ROLE_READ_ONLY};
	struct account_policy p = account_policy_default;
	uint64_t number;

	begin_without_state("first");
	ck_assert(!accounts_are_writable(accounts));
	ck_assert_int_eq(try_login("admin", "first"), 0);
	ck_assert_int_eq(try_login("admin", "First"), -EACCES);
	ck_assert_int_eq(accounts_create(accounts, &c, &number, &error), -EROFS);
	ck_assert_int_eq(change(1, c), -EROFS);
	ck_assert_int_eq(accounts_remove(accounts, 1, &error), -EROFS);
	ck_assert_int_eq(accounts_set_policy(accounts, &p, &error), -EROFS);
	ck_assert_ptr_nonnull(strstr(error.text, "--state"));
	/* The password file was written anew. */
	ck_assert_int_eq(accounts_reload(accounts, "second", &error), 0);
	ck_assert_int_eq(try_login("admin", "second"), 0);
	ck_assert_int_eq(try_login("admin", "first"), -EACCES);
	/* It vanished. */
	ck_assert_int_eq(accounts_reload(accounts, NULL, &error), 0);
	ck_assert_int_eq(try_from("192.0.2.2", "admin", "second"), 0);
}
END_TEST

START_TEST(the_policy_is_kept_and_has_ranges)
{
	struct account_policy p = account_policy_default, read;

	begin("first password");
	p.min_password_length = 20;
	p.session_timeout_s = 60;
	ck_assert_int_eq(accounts_set_policy(accounts, &p, &error), 0);
	begin(NULL);
	accounts_policy(accounts, &read);
	ck_assert_uint_eq(read.min_password_length, 20);
	ck_assert_uint_eq(read.session_timeout_s, 60);
	ck_assert_int_eq(accounts_password_fault(accounts, "first password"), PASSWORD_TOO_SHORT);
	p.session_timeout_s = SESSION_TIMEOUT_MIN_S - 1;
	ck_assert_int_eq(accounts_set_policy(accounts, &p, &error), -EINVAL);
	p = account_policy_default;
	p.lockout_reset_s = p.lockout_duration_s + 1;
	ck_assert_int_eq(accounts_set_policy(accounts, &p, &error), -EINVAL);
}
END_TEST

START_TEST(a_new_password_ends_the_demand_for_one)
{
	struct account a;

	begin("first password");
	ck_assert_int_eq(
		change(1, (struct account_change){.password_change_required = OPT_BOOL(true)}), 0);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert(who.password_change_required);
	ck_assert_int_eq(change(1, (struct account_change){.password = "second password"}), 0);
	ck_assert(accounts_get(accounts, 1, &a));
	ck_assert(!a.password_change_required);
}
END_TEST

START_TEST(the_password_that_must_be_changed_is_not_a_new_one)
{
	const struct account_change once_more = {.password = "first password",
						 .password_change_required = OPT_BOOL(true)};
	struct account a;

	begin("first password");
	ck_assert_int_eq(
		change(1, (struct account_change){.password_change_required = OPT_BOOL(true)}), 0);
	ck_assert_int_eq(change(1, (struct account_change){.password = "first password"}),
			 -EALREADY);
	ck_assert(accounts_get(accounts, 1, &a));
	ck_assert(a.password_change_required);
	/* It may stay while it still must be changed, and when it need not be. */
	ck_assert_int_eq(change(1, once_more), 0);
	ck_assert_int_eq(
		change(1, (struct account_change){.password_change_required = OPT_BOOL(false)}), 0);
	ck_assert_int_eq(change(1, (struct account_change){.password = "first password"}), 0);
}
END_TEST

/* ---- a state database with faults -------------------------------------------------------------
 */

static void overwrite(const char *text)
{
	int fd = open(state_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

START_TEST(with_a_damaged_database_no_password_is_accepted)
{
	log_setup("check_accounts", LOG_LEVEL_ERR);
	begin("first password");
	shut();
	overwrite("this is no database, and nothing of it must be guessed from the password file");
	begin("first password");
	ck_assert(!accounts_are_known(accounts));
	ck_assert(accounts_exist(accounts));
	ck_assert_int_eq(try_login("admin", "first password"), -EBUSY);
	ck_assert_int_eq(try_from("root", "admin", "first password"), -EBUSY);
	ck_assert_int_eq(change(1, (struct account_change){.name = "x"}), -EBUSY);
	/* It was moved away. */
	ck_assert_int_eq(unlink(state_path), 0);
	usleep(1100 * 1000);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

static void run_sql(const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(state_path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	(void)sqlite3_close(db);
}

START_TEST(rows_that_are_not_possible_are_damage)
{
	static const char *const changes[] = {
		"UPDATE accounts SET body = json_set(body, '$.hash', '')",
		"UPDATE accounts SET body = json_set(body, '$.hash', 'secret')",
		"UPDATE accounts SET body = json_set(body, '$.role', 4)",
		"UPDATE accounts SET body = json_set(body, '$.role', 0)",
		"UPDATE accounts SET body = json_set(body, '$.enabled', 2)",
		"UPDATE accounts SET body = json_remove(body, '$.locked')",
		"UPDATE accounts SET body = ''",
		"UPDATE accounts SET name = 'a' || char(10)",
		"UPDATE accounts SET number = -1",
		"DELETE FROM account_service",
		"UPDATE account_service SET policy = '{}'",
		"UPDATE account_service SET policy = '{\"min_password\":4294967304,"
		"\"threshold\":5,\"duration\":300,\"reset\":300,\"timeout\":1800}'",
	};

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		(void)unlink(state_path);
		begin("first password");
		ck_assert_int_eq(try_login("admin", "first password"), 0);
		shut();
		run_sql(changes[i]);
		begin("first password");
		ck_assert_msg(try_login("admin", "first password") == -EBUSY, "%s", changes[i]);
		shut();
	}
}
END_TEST

START_TEST(a_full_disk_changes_nothing_and_the_accounts_stay)
{
	struct rlimit limit, none = {0};
	struct account a;

	begin("first password");
	(void)signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	none.rlim_max = limit.rlim_max;
	if (setrlimit(RLIMIT_FSIZE, &none) < 0) /* Check writes to a file, too */
		abort();
	ck_assert_int_lt(change(1, (struct account_change){.password = "second password"}), 0);
	ck_assert_int_lt(change(1, (struct account_change){.name = "other"}), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert(accounts_get(accounts, 1, &a));
	ck_assert_str_eq(a.name, "admin");
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert_int_eq(try_login("admin", "second password"), -EACCES);
}
END_TEST

START_TEST(a_database_that_is_replaced_later_leaves_the_accounts)
{
	begin("first password");
	ck_assert_int_eq(unlink(state_path), 0);
	overwrite("damage");
	ck_assert_int_lt(change(1, (struct account_change){.password = "second password"}), 0);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

/* ---- lockout ----------------------------------------------------------------------------------
 */

/* Failures until the address is locked out, with the pauses that they take. */
static void lock_out(const char *address, const char *user)
{
	for (unsigned int i = 0; i < account_policy_default.lockout_threshold; i++) {
		ck_assert_int_eq(try_from(address, user, "wrong"), -EACCES);
		now_ms += LOCKOUT_DELAY_MAX_MS;
	}
}

START_TEST(failures_lock_out_one_address_for_one_account)
{
	struct account a;

	begin("first password");
	(void)create("eve", "password of eve", ROLE_READ_ONLY);
	ck_assert(accounts_find(accounts, "admin", &a));
	ck_assert(!a.locked_out);
	lock_out("127.0.0.1", "admin");
	ck_assert_int_eq(try_from("127.0.0.1", "admin", "first password"), -EACCES);
	ck_assert_int_eq(try_from("127.0.0.1", "eve", "password of eve"), 0);
	ck_assert_int_eq(try_from("192.0.2.2", "admin", "first password"), 0);
	ck_assert_int_eq(try_from("::ffff:127.0.0.1", "admin", "first password"), -EACCES);
	ck_assert_int_eq(try_from("root", "admin", "first password"), 0);
	ck_assert(accounts_find(accounts, "admin", &a));
	ck_assert(a.locked_out);
	now_ms += (uint64_t)account_policy_default.lockout_duration_s * 1000;
	ck_assert_int_eq(try_from("127.0.0.1", "admin", "first password"), 0);
	ck_assert(accounts_find(accounts, "admin", &a));
	ck_assert(!a.locked_out);
}
END_TEST

START_TEST(an_agent_that_succeeded_goes_on_beside_the_guesses_of_others)
{
	struct account a;
	char guess[32];

	begin("first password");
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	lock_out("127.0.0.1", "admin");
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_int_eq(try_login("admin", "first password"), 0);
	/* Its success ends no lockout, and no other address profits from it. */
	ck_assert(accounts_find(accounts, "admin", &a));
	ck_assert(a.locked_out);
	lock_out("192.0.2.2", "admin");
	ck_assert_int_eq(try_from("192.0.2.2", "admin", "first password"), -EACCES);
	/* An old password that is sent again and again is one guess. */
	for (unsigned int i = 0; i < 2 * KNOWN_GUESSES_MAX; i++)
		ck_assert_int_eq(try_login("admin", "old"), -EACCES);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	/* Many different ones end it, for the right one, too. */
	for (unsigned int i = 0; i < KNOWN_GUESSES_MAX; i++) {
		(void)snprintf(guess, sizeof(guess), "guess %u", i);
		ck_assert_int_eq(try_login("admin", guess), -EACCES);
	}
	ck_assert_int_eq(try_login("admin", "first password"), -EACCES);
	now_ms += (uint64_t)account_policy_default.lockout_duration_s * 1000;
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

START_TEST(another_password_ends_what_was_known)
{
	begin("first password");
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert_int_eq(change(1, (struct account_change){.password = "second password"}), 0);
	lock_out("127.0.0.1", "admin");
	ck_assert_int_eq(try_login("admin", "first password"), -EACCES);
	ck_assert_int_eq(try_login("admin", "second password"), -EACCES);
}
END_TEST

START_TEST(an_address_of_ipv6_is_its_network)
{
	begin("first password");
	lock_out("2001:db8::1", "admin");
	ck_assert_int_eq(try_from("2001:db8::2:3", "admin", "first password"), -EACCES);
	ck_assert_int_eq(try_from("2001:db8:0:1::1", "admin", "first password"), 0);
}
END_TEST

START_TEST(an_administrator_ends_a_lockout)
{
	begin("first password");
	lock_out("127.0.0.1", "admin");
	ck_assert_int_eq(change(1, (struct account_change){.locked = OPT_BOOL(false)}), 0);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

START_TEST(a_duration_of_zero_locks_until_that)
{
	struct account_policy p = account_policy_default;

	begin("first password");
	p.lockout_duration_s = 0;
	ck_assert_int_eq(accounts_set_policy(accounts, &p, &error), 0);
	lock_out("127.0.0.1", "admin");
	now_ms += 1000ULL * 86400 * 365;
	ck_assert_int_eq(try_login("admin", "first password"), -EACCES);
	ck_assert_int_eq(change(1, (struct account_change){.locked = OPT_BOOL(false)}), 0);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

START_TEST(root_is_never_locked_out)
{
	begin("first password");
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(try_from("root", "admin", "wrong"), -EACCES);
	ck_assert_int_eq(try_from("root", "admin", "first password"), 0);
}
END_TEST

START_TEST(each_failure_doubles_the_pause)
{
	unsigned int retry_s = 0;
	struct login *l;

	begin("first password");
	ck_assert_int_eq(try_login("admin", "wrong"), -EACCES);
	/* One mistake costs nothing. */
	ck_assert_int_eq(try_login("admin", "wrong"), -EACCES);
	ck_assert_int_eq(
		login_begin(accounts, from("127.0.0.1"), "admin", "first password", &l, &retry_s),
		-EACCES);
	ck_assert_uint_eq(retry_s, 1);
	now_ms += 1000;
	ck_assert_int_eq(try_login("admin", "wrong"), -EACCES);
	now_ms += 1000;
	ck_assert_int_eq(
		login_begin(accounts, from("127.0.0.1"), "admin", "first password", &l, &retry_s),
		-EACCES);
	ck_assert_uint_eq(retry_s, 1);
	now_ms += 1000;
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	/* Success ends the count. */
	ck_assert_int_eq(try_login("admin", "wrong"), -EACCES);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

START_TEST(old_failures_are_forgotten)
{
	begin("first password");
	for (int i = 0; i < 20; i++) {
		ck_assert_int_eq(try_login("admin", "wrong"), -EACCES);
		now_ms += (uint64_t)account_policy_default.lockout_reset_s * 1000 + 1;
	}
	ck_assert_int_eq(try_login("admin", "first password"), 0);
}
END_TEST

static const struct lockout_rule rule = {.threshold = 3, .duration_ms = 1000, .reset_ms = 1000};

START_TEST(an_address_cannot_remove_its_lockouts_by_other_names)
{
	struct login_origin o = {AF_INET, 1}, other = {AF_INET, 2};
	struct lockouts l = {0};

	for (int i = 0; i < 3; i++)
		ck_assert_int_ge(lockouts_fail(&l, &rule, &o, 1, 0), 0);
	for (uint64_t i = 2; i < 10 * LOCKOUTS_MAX; i++)
		ck_assert_int_ge(lockouts_fail(&l, &rule, &o, LOCKOUT_INVENTED | i, 1), 0);
	ck_assert_uint_eq(lockouts_wait(&l, &o, 1, 2), 998);
	ck_assert_uint_le(l.n, LOCKOUTS_PER_ADDRESS + 1);
	/* Nor does it lock other accounts by them. */
	ck_assert_uint_eq(lockouts_wait(&l, &o, 2, 2), 0);
	ck_assert_int_eq(lockouts_fail(&l, &rule, &o, 2, 3), 0);
	ck_assert_uint_eq(lockouts_wait(&l, &o, 2, 4), 0);
	ck_assert_uint_eq(lockouts_wait(&l, &other, 1, 2), 0);
	lockouts_done(&l);
}
END_TEST

START_TEST(a_full_table_keeps_lockouts_rather_than_single_failures)
{
	struct login_origin o = {AF_INET, 1};
	struct lockouts l = {0};

	for (int i = 0; i < 3; i++)
		ck_assert_int_ge(lockouts_fail(&l, &rule, &o, 1, 0), 0);
	for (uint64_t i = 2; i < 10 * LOCKOUTS_MAX; i++) {
		struct login_origin each = {AF_INET, i};

		ck_assert_int_eq(lockouts_fail(&l, &rule, &each, 1, 1), 0);
	}
	ck_assert_uint_eq(l.n, LOCKOUTS_MAX);
	ck_assert_uint_eq(lockouts_wait(&l, &o, 1, 2), 998);
	lockouts_done(&l);
}
END_TEST

/* Each process of this machine can use any of them. */
START_TEST(all_loopback_addresses_are_one)
{
	static const char *const others[] = {"127.0.0.2", "127.255.255.254", "::1",
					     "::ffff:127.8.0.1"};

	begin("first password");
	lock_out("127.0.0.1", "admin");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ck_assert_int_eq(try_from(others[i], "admin", "first password"), -EACCES);
	ck_assert_int_eq(try_from("128.0.0.1", "admin", "first password"), 0);
	ck_assert_int_eq(try_from("::2:0:0:0:1", "admin", "first password"), 0);
	ck_assert_int_eq(try_from("root", "admin", "first password"), 0);
}
END_TEST

START_TEST(logins_of_one_address_that_are_under_way_are_limited)
{
	struct login *held[BUDGET_LOGINS_PER_CLIENT], *other;

	begin("first password");
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		ck_assert_int_eq(
			login_begin(accounts, from("127.0.0.1"), "admin", "x", &held[i], NULL), 0);
	ck_assert_int_eq(login_begin(accounts, from("127.0.0.1"), "admin", "x", &other, NULL),
			 -EBUSY);
	ck_assert_int_eq(login_begin(accounts, from("192.0.2.2"), "admin", "x", &other, NULL), 0);
	(void)login_free(other);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		(void)login_free(held[i]);
}
END_TEST

static void hold_logins_of_strangers(struct login *held[static BUDGET_LOGINS_OF_STRANGERS])
{
	char address[24];

	for (size_t i = 0; i < BUDGET_LOGINS_OF_STRANGERS; i++) {
		(void)snprintf(address, sizeof(address), "198.51.100.%zu", i);
		ck_assert_int_eq(login_begin(accounts, from(address), "admin", "x", &held[i], NULL),
				 0);
	}
}

START_TEST(guesses_from_many_addresses_leave_room_for_known_ones)
{
	struct login *held[BUDGET_LOGINS_OF_STRANGERS], *other;

	begin("first password");
	ck_assert_int_eq(try_from("192.0.2.1", "admin", "first password"), 0);
	hold_logins_of_strangers(held);
	ck_assert_int_eq(login_begin(accounts, from("203.0.113.1"), "admin", "x", &other, NULL),
			 -EBUSY);
	ck_assert_int_eq(try_from("192.0.2.1", "admin", "first password"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		(void)login_free(held[i]);
	ck_assert_int_eq(try_from("203.0.113.1", "admin", "first password"), 0);
}
END_TEST

START_TEST(the_oldest_known_address_is_forgotten_first)
{
	struct login *held[BUDGET_LOGINS_OF_STRANGERS];
	char address[24];

	begin("first password");
	for (size_t i = 0; i <= ORIGINS_KNOWN_MAX; i++) {
		(void)snprintf(address, sizeof(address), "192.0.2.%zu", i + 1);
		ck_assert_int_eq(try_from(address, "admin", "first password"), 0);
	}
	hold_logins_of_strangers(held);
	ck_assert_int_eq(try_from("192.0.2.1", "admin", "first password"), -EBUSY);
	ck_assert_int_eq(try_from("192.0.2.2", "admin", "first password"), 0);
	ck_assert_int_eq(try_from(address, "admin", "first password"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		(void)login_free(held[i]);
}
END_TEST

static double cpu_seconds(void)
{
	struct timespec t;

	ck_assert_int_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t), 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The time of processing, which other programs do not change. */
static double time_of_login(const char *address, const char *user, const char *password)
{
	double begun = cpu_seconds();

	ck_assert_int_eq(try_from(address, user, password), -EACCES);
	return cpu_seconds() - begun;
}

START_TEST(a_name_of_no_account_takes_as_long)
{
	double known, unknown, other;

	begin("first password");
	known = time_of_login("127.0.0.1", "admin", "wrong");
	unknown = time_of_login("192.0.2.2", "unknown", "wrong");
	other = time_of_login("192.0.2.3", "", "");
	ck_assert_msg(unknown > known / 4, "%f s instead of %f s", unknown, known);
	ck_assert_msg(other > known / 4, "%f s instead of %f s", other, known);
}
END_TEST

/* ---- recognized credentials -------------------------------------------------------------------
 */

/* Return: as basic_authenticate(): -EINPROGRESS when the password must be hashed. */
static int recognize(const char *address, const char *user, const char *password)
{
	char text[200], header[300];
	gnutls_datum_t plain = {(unsigned char *)text, 0}, base64;
	struct http_request req = {.client = *from(address)};
	unsigned int retry_s;
	struct basic *basic;
	int r;

	plain.size = (unsigned int)snprintf(text, sizeof(text), "%s:%s", user, password);
	ck_assert_int_eq(gnutls_base64_encode2(&plain, &base64), 0);
	(void)snprintf(header, sizeof(header), "Basic %s", (const char *)base64.data);
	gnutls_free(base64.data);
	req.headers[HEADER_AUTHORIZATION] = header;
	ck_assert_int_eq(basic_new(accounts, NULL, &basic, &error), 0);
	r = basic_authenticate(basic, &req, &who, &retry_s);
	(void)basic_free(basic);
	return r;
}

START_TEST(a_credential_is_recognized_for_a_short_time)
{
	begin("first password");
	ck_assert_int_eq(recognize("127.0.0.1", "admin", "first password"), -EINPROGRESS);
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "admin", "first password"), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "admin", "first passwor"), -EINPROGRESS);
	now_ms += CREDENTIAL_KEPT_MS;
	ck_assert_int_eq(recognize("127.0.0.1", "admin", "first password"), -EINPROGRESS);
}
END_TEST

START_TEST(a_change_of_the_account_ends_that_at_once)
{
	uint64_t eve;

	begin("first password");
	eve = create("eve", "password of eve", ROLE_READ_ONLY);
	ck_assert_int_eq(try_login("eve", "password of eve"), 0);
	ck_assert_int_eq(change(eve, (struct account_change){.enabled = OPT_BOOL(false)}), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "eve", "password of eve"), -EINPROGRESS);
	ck_assert_int_eq(change(eve, (struct account_change){.enabled = OPT_BOOL(true)}), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "eve", "password of eve"), -EINPROGRESS);
	ck_assert_int_eq(try_login("eve", "password of eve"), 0);
	ck_assert_int_eq(change(eve, (struct account_change){.password = "new password"}), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "eve", "password of eve"), -EINPROGRESS);
	ck_assert_int_eq(try_login("eve", "new password"), 0);
	ck_assert_int_eq(change(eve, (struct account_change){.name = "adam"}), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "eve", "new password"), -EINPROGRESS);
}
END_TEST

/* Otherwise it could be guessed without a limit while its owner uses it. */
START_TEST(a_recognized_credential_is_no_way_around_the_lockout)
{
	begin("first password");
	ck_assert_int_eq(try_from("192.0.2.2", "admin", "first password"), 0);
	lock_out("127.0.0.1", "admin");
	ck_assert_int_eq(try_from("192.0.2.2", "admin", "first password"), 0);
	ck_assert_int_eq(recognize("192.0.2.2", "admin", "first password"), 0);
	ck_assert_int_eq(recognize("127.0.0.1", "admin", "first password"), -EACCES);
}
END_TEST

/* ---- sessions ---------------------------------------------------------------------------------
 */

static struct session session;

/* Logs in as @user with a session. Return: its token. */
static const char *open_session(const char *user, const char *password)
{
	static char token[SESSION_TOKEN_SIZE];

	ck_assert_int_eq(try_login(user, password), 0);
	ck_assert_int_eq(sessions_create(sessions, &who, &session, token), 0);
	return token;
}

static bool holds(const char *token)
{
	memset(&who, 0, sizeof(who));
	return sessions_authenticate(sessions, token, &who);
}

START_TEST(a_session_is_found_by_its_token_alone)
{
	char first[SESSION_TOKEN_SIZE];
	struct session list[SESSIONS_MAX];

	begin("first password");
	(void)strcpy(first, open_session("admin", "first password"));
	ck_assert_uint_eq(strlen(first), 32);
	ck_assert_uint_eq(session.number, 1);
	ck_assert_str_eq(session.user, "admin");
	ck_assert_str_eq(session.from, "127.0.0.1");
	ck_assert_str_ne(open_session("admin", "first password"), first);
	ck_assert(holds(first));
	ck_assert_int_eq(who.means, AUTHENTICATION_SESSION);
	ck_assert_uint_eq(who.session, 1);
	ck_assert_uint_eq(who.account, 1);
	ck_assert_uint_eq(sessions_list(sessions, list), 2);
	first[31] ^= 1;
	ck_assert(!holds(first));
	ck_assert(!holds(""));
	ck_assert(!holds("1"));
	ck_assert_int_eq(sessions_remove(sessions, 1), 0);
	ck_assert_int_eq(sessions_remove(sessions, 1), -ENOENT);
	first[31] ^= 1;
	ck_assert(!holds(first));
	ck_assert_uint_eq(sessions_list(sessions, list), 1);
	ck_assert_uint_eq(list[0].number, 2);
}
END_TEST

static void *hold_often(void *token)
{
	struct principal p = {0};
	uintptr_t n = 0;

	for (int i = 0; i < 2000; i++)
		n += sessions_authenticate(sessions, token, &p);
	return (void *)n;
}

START_TEST(many_threads_are_recognized_at_the_same_time)
{
	char tokens[8][SESSION_TOKEN_SIZE];
	pthread_t threads[8];
	void *n;

	begin("first password");
	for (size_t i = 0; i < 8; i++) {
		(void)strcpy(tokens[i], open_session("admin", "first password"));
		ck_assert_int_eq(pthread_create(&threads[i], NULL, hold_often, tokens[i]), 0);
	}
	for (size_t i = 0; i < 8; i++) {
		ck_assert_int_eq(pthread_join(threads[i], &n), 0);
		ck_assert_uint_eq((uintptr_t)n, 2000);
	}
}
END_TEST

START_TEST(a_session_ends_when_it_was_not_used)
{
	const uint64_t timeout_ms = (uint64_t)account_policy_default.session_timeout_s * 1000;
	struct session read;
	const char *token;

	begin("first password");
	token = open_session("admin", "first password");
	for (int i = 0; i < 5; i++) {
		now_ms += timeout_ms - 1;
		/* Looking at it is no use of it. */
		ck_assert(sessions_get(sessions, 1, &read));
		ck_assert_uint_eq(read.idle_s, account_policy_default.session_timeout_s - 1);
		ck_assert(holds(token));
	}
	now_ms += timeout_ms;
	ck_assert(!holds(token));
	ck_assert(!sessions_get(sessions, 1, &read));
}
END_TEST

START_TEST(a_session_ends_after_the_absolute_timeout_although_it_is_used)
{
	struct account_policy policy;
	struct session read;
	const char *token;
	struct error e;

	begin("first password");
	accounts_policy(accounts, &policy);
	policy.session_limit_s = 100;
	policy.session_is_limited = 1;
	ck_assert_int_eq(accounts_set_policy(accounts, &policy, &e), 0);
	token = open_session("admin", "first password");
	now_ms += 60 * 1000;
	ck_assert(holds(token));
	ck_assert(sessions_get(sessions, 1, &read));
	ck_assert_uint_eq(read.age_s, 60);
	now_ms += 40 * 1000 - 1;
	ck_assert(holds(token));
	now_ms += 1;
	ck_assert(!holds(token));
	/* Not in force. */
	policy.session_is_limited = 0;
	ck_assert_int_eq(accounts_set_policy(accounts, &policy, &e), 0);
	token = open_session("admin", "first password");
	now_ms += 1000 * 1000;
	ck_assert(holds(token));
	now_ms += 1000 * 1000;
	ck_assert(holds(token));
	policy.session_is_limited = 2;
	ck_assert_int_eq(accounts_set_policy(accounts, &policy, &e), -EINVAL);
}
END_TEST

START_TEST(a_session_ends_with_its_account)
{
	static const struct account_change changes[] = {
		{.password = "another password"},
		{.password = "password of eve"}, /* the same one, set again */
		{.enabled = {.present = true}},
		{.locked = {.value = true, .present = true}},
	};
	const char *token;
	uint64_t eve;

	begin("first password");
	eve = create("eve", "password of eve", ROLE_READ_ONLY);
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		struct account_change back = {.password = "password of eve",
					      .enabled = OPT_BOOL(true),
					      .locked = OPT_BOOL(false)};

		token = open_session("eve", "password of eve");
		ck_assert(holds(token));
		ck_assert_int_eq(change(eve, changes[i]), 0);
		ck_assert(!holds(token));
		ck_assert_int_eq(change(eve, back), 0);
		ck_assert(!holds(token));
	}
	token = open_session("eve", "password of eve");
	ck_assert_int_eq(accounts_remove(accounts, eve, &error), 0);
	ck_assert(!holds(token));
}
END_TEST

/* ---- the audit log ----------------------------------------------------------------------------
 */

struct records {
	size_t n, locked_out, ended;
	struct audit_record last;
};

static int take_record(void *userdata, const struct audit_record *rec)
{
	struct records *r = userdata;

	r->n++;
	r->locked_out += rec->kind == AUDIT_LOCKED_OUT;
	r->ended += rec->kind == AUDIT_SESSION_ENDED;
	r->last = *rec;
	return 0;
}

static struct records read_records(struct audit *audit)
{
	const struct audit_page page = {.max = 1000};
	struct records ret = {0};

	ck_assert_int_eq(audit_read(audit, &page, take_record, &ret, NULL), 0);
	return ret;
}

START_TEST(the_end_of_a_session_is_recorded_once)
{
	struct audit *audit = audit_new();
	struct records found;
	uint64_t eve;

	begin("first password");
	eve = create("eve", "password of eve", ROLE_READ_ONLY);
	accounts_set_audit(accounts, audit);
	(void)open_session("eve", "password of eve");
	sessions_expire(sessions);
	ck_assert_uint_eq(read_records(audit).n, 0);
	now_ms += (uint64_t)account_policy_default.session_timeout_s * 1000;
	sessions_expire(sessions);
	sessions_expire(sessions);
	found = read_records(audit);
	ck_assert_uint_eq(found.ended, 1);
	ck_assert_str_eq(found.last.user, "eve");
	ck_assert_str_eq(found.last.from, "127.0.0.1");
	ck_assert_str_eq(found.last.uri, "/redfish/v1/SessionService/Sessions/1");
	ck_assert_ptr_nonnull(strstr(found.last.detail, "not used"));
	(void)open_session("eve", "password of eve");
	ck_assert_int_eq(change(eve, (struct account_change){.password = "new password"}), 0);
	ck_assert(!sessions_get(sessions, 2, &session));
	found = read_records(audit);
	ck_assert_uint_eq(found.ended, 2);
	ck_assert_ptr_nonnull(strstr(found.last.detail, "account"));
	/* Removing it is a request, which is recorded as one. */
	(void)open_session("eve", "new password");
	ck_assert_int_eq(sessions_remove(sessions, 3), 0);
	ck_assert_uint_eq(read_records(audit).n, 2);
	accounts_set_audit(accounts, NULL);
	(void)audit_free(audit);
}
END_TEST

START_TEST(a_lockout_of_an_account_is_recorded_once)
{
	struct audit *audit = audit_new();
	struct records found;

	begin("first password");
	accounts_set_audit(accounts, audit);
	lock_out("127.0.0.1", "admin");
	ck_assert_int_eq(try_from("127.0.0.1", "admin", "x"), -EACCES);
	found = read_records(audit);
	ck_assert_uint_eq(found.locked_out, 1);
	ck_assert_str_eq(found.last.user, "admin");
	ck_assert_str_eq(found.last.from, "127.0.0.1");
	/* It may be a password. */
	lock_out("127.0.0.1", "no-account");
	ck_assert_uint_eq(read_records(audit).locked_out, 1);
	accounts_set_audit(accounts, NULL);
	(void)audit_free(audit);
}
END_TEST

START_TEST(a_new_role_holds_for_sessions)
{
	const char *token;
	uint64_t eve;

	begin("first password");
	eve = create("eve", "password of eve", ROLE_ADMINISTRATOR);
	token = open_session("eve", "password of eve");
	ck_assert_int_eq(change(eve, (struct account_change){.role = ROLE_READ_ONLY}), 0);
	ck_assert(holds(token));
	ck_assert_int_eq(who.role, ROLE_READ_ONLY);
	ck_assert_uint_eq(who.privileges, PRIVILEGE_LOGIN | PRIVILEGE_CONFIGURE_SELF);
}
END_TEST

START_TEST(a_login_that_is_older_than_the_password_begins_no_session)
{
	char token[SESSION_TOKEN_SIZE];
	struct principal before;

	begin("first password");
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	before = who;
	ck_assert_int_eq(change(1, (struct account_change){.password = "second password"}), 0);
	ck_assert_int_eq(sessions_create(sessions, &before, &session, token), -EACCES);
}
END_TEST

static struct revocation told[8];
static size_t n_told;

static void on_revocation(void *userdata, const struct revocation *r)
{
	ck_assert_ptr_eq(userdata, &n_told);
	ck_assert_uint_lt(n_told, ARRAY_SIZE(told));
	told[n_told++] = *r;
}

/* A stream is in use, while its session is not: only the absolute timeout ends it. */
START_TEST(the_absolute_timeout_of_a_session_is_told_as_its_end)
{
	struct account_policy policy;
	const char *token;
	struct error e;

	begin("first password");
	n_told = 0;
	accounts_on_revocation(accounts, on_revocation, &n_told);
	(void)open_session("admin", "first password");
	now_ms += (uint64_t)account_policy_default.session_timeout_s * 1000;
	sessions_expire(sessions);
	ck_assert(!sessions_get(sessions, 1, &session));
	ck_assert_uint_eq(n_told, 0);
	accounts_policy(accounts, &policy);
	policy.session_limit_s = policy.session_timeout_s;
	policy.session_is_limited = 1;
	ck_assert_int_eq(accounts_set_policy(accounts, &policy, &e), 0);
	for (unsigned int i = 0; i < 2; i++) {
		token = open_session("admin", "first password");
		now_ms += (uint64_t)policy.session_limit_s * 1000;
		/* By the timer, or by a request. */
		if (i == 0)
			sessions_expire(sessions);
		ck_assert(!holds(token));
		ck_assert_uint_eq(n_told, i + 1);
		ck_assert_int_eq(told[i].cause, REVOKED_SESSION);
		ck_assert_uint_eq(told[i].session, i + 2);
		ck_assert_uint_eq(told[i].account, 1);
		ck_assert_str_eq(told[i].user, "admin");
	}
}
END_TEST

START_TEST(each_revocation_is_told)
{
	char token[SESSION_TOKEN_SIZE];
	const struct principal other = {.account = 77}, peer = {.session = 1};
	struct principal owner;
	uint64_t number;

	begin("first password");
	n_told = 0;
	accounts_on_revocation(accounts, on_revocation, &n_told);
	number = create("user", "password", ROLE_OPERATOR);
	ck_assert_int_eq(try_login("user", "password"), 0);
	owner = who;
	ck_assert_int_eq(sessions_create(sessions, &who, &session, token), 0);
	owner.session = session.number;
	ck_assert_int_eq(sessions_remove(sessions, session.number), 0);
	ck_assert_int_eq(change(number, (struct account_change){.role = ROLE_READ_ONLY}), 0);
	ck_assert_int_eq(change(number, (struct account_change){.role = ROLE_READ_ONLY}), 0);
	ck_assert_int_eq(change(number, (struct account_change){.password = "another one"}), 0);
	ck_assert_int_eq(change(number, (struct account_change){.name = "renamed"}), 0);
	ck_assert_int_eq(change(number, (struct account_change){.enabled = OPT_BOOL(false)}), 0);
	ck_assert_int_eq(accounts_remove(accounts, number, &error), 0);
	ck_assert_uint_eq(n_told, 5);
	ck_assert_int_eq(told[0].cause, REVOKED_SESSION);
	ck_assert_int_eq(told[1].cause, REVOKED_ROLE);
	ck_assert_int_eq(told[2].cause, REVOKED_PASSWORD);
	ck_assert_int_eq(told[3].cause, REVOKED_ACCOUNT);
	ck_assert_int_eq(told[4].cause, REVOKED_ACCOUNT);
	for (size_t i = 0; i < n_told; i++) {
		ck_assert(revocation_concerns(&told[i], &owner));
		ck_assert(!revocation_concerns(&told[i], &other));
		ck_assert(!revocation_concerns(&told[i], &peer));
	}
	owner.session++;
	ck_assert(!revocation_concerns(&told[0], &owner));
	ck_assert(revocation_concerns(&told[1], &owner));
}
END_TEST

START_TEST(ten_thousand_sessions_are_too_many)
{
	char token[SESSION_TOKEN_SIZE], name[16];
	struct principal admin, other;
	unsigned int n = 0;

	begin("first password");
	ck_assert_int_eq(try_login("admin", "first password"), 0);
	admin = who;
	for (unsigned int i = 0; i < 10000; i++)
		n += sessions_create(sessions, &admin, &session, token) == 0;
	ck_assert_uint_eq(n, BUDGET_SESSIONS_PER_PRINCIPAL);
	ck_assert_int_eq(sessions_create(sessions, &admin, &session, token), -E2BIG);
	/* Others still log in, up to what is left to administrators. */
	for (unsigned int i = 0; i < 4; i++) {
		(void)snprintf(name, sizeof(name), "user%u", i);
		(void)create(name, "password", ROLE_READ_ONLY);
		ck_assert_int_eq(try_login(name, "password"), 0);
		other = who;
		for (unsigned int k = 0; k < 10000; k++)
			n += sessions_create(sessions, &other, &session, token) == 0;
	}
	ck_assert_uint_eq(n, SESSIONS_MAX - BUDGET_SESSIONS_RESERVE);
	(void)create("chief", "password", ROLE_ADMINISTRATOR);
	ck_assert_int_eq(try_login("chief", "password"), 0);
	ck_assert_int_eq(sessions_create(sessions, &who, &session, token), 0);
	/* Sessions that were not used make room. */
	now_ms += (uint64_t)account_policy_default.session_timeout_s * 1000;
	ck_assert_int_eq(sessions_create(sessions, &admin, &session, token), 0);
}
END_TEST

SUITE(check_accounts)
{
	Suite *s = suite_create("accounts");
	TCase *t = tcase_create("accounts");

	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_first_account_is_made_once_and_kept);
	tcase_add_test(t, there_is_no_default_password);
	tcase_add_test(t, a_password_is_kept_only_as_a_yescrypt_hash);
	tcase_add_test(t, accounts_are_created_changed_and_removed);
	tcase_add_test(t, an_account_is_refused_for_what_is_wrong);
	tcase_add_test(t, the_number_of_accounts_is_limited);
	tcase_add_test(t, the_last_administrator_stays);
	tcase_add_test(t, without_a_state_database_accounts_are_what_the_options_say);
	tcase_add_test(t, the_policy_is_kept_and_has_ranges);
	tcase_add_test(t, a_new_password_ends_the_demand_for_one);
	tcase_add_test(t, the_password_that_must_be_changed_is_not_a_new_one);
	tcase_add_test(t, with_a_damaged_database_no_password_is_accepted);
	tcase_add_test(t, rows_that_are_not_possible_are_damage);
	tcase_add_test(t, a_full_disk_changes_nothing_and_the_accounts_stay);
	tcase_add_test(t, a_database_that_is_replaced_later_leaves_the_accounts);
	tcase_add_test(t, failures_lock_out_one_address_for_one_account);
	tcase_add_test(t, an_address_of_ipv6_is_its_network);
	tcase_add_test(t, an_agent_that_succeeded_goes_on_beside_the_guesses_of_others);
	tcase_add_test(t, another_password_ends_what_was_known);
	tcase_add_test(t, an_administrator_ends_a_lockout);
	tcase_add_test(t, a_duration_of_zero_locks_until_that);
	tcase_add_test(t, root_is_never_locked_out);
	tcase_add_test(t, each_failure_doubles_the_pause);
	tcase_add_test(t, old_failures_are_forgotten);
	tcase_add_test(t, an_address_cannot_remove_its_lockouts_by_other_names);
	tcase_add_test(t, a_full_table_keeps_lockouts_rather_than_single_failures);
	tcase_add_test(t, all_loopback_addresses_are_one);
	tcase_add_test(t, logins_of_one_address_that_are_under_way_are_limited);
	tcase_add_test(t, guesses_from_many_addresses_leave_room_for_known_ones);
	tcase_add_test(t, the_oldest_known_address_is_forgotten_first);
	tcase_add_test(t, a_name_of_no_account_takes_as_long);
	tcase_add_test(t, a_credential_is_recognized_for_a_short_time);
	tcase_add_test(t, a_change_of_the_account_ends_that_at_once);
	tcase_add_test(t, a_recognized_credential_is_no_way_around_the_lockout);
	tcase_add_test(t, a_session_is_found_by_its_token_alone);
	tcase_add_test(t, many_threads_are_recognized_at_the_same_time);
	tcase_add_test(t, a_session_ends_when_it_was_not_used);
	tcase_add_test(t, a_session_ends_after_the_absolute_timeout_although_it_is_used);
	tcase_add_test(t, a_session_ends_with_its_account);
	tcase_add_test(t, the_end_of_a_session_is_recorded_once);
	tcase_add_test(t, a_lockout_of_an_account_is_recorded_once);
	tcase_add_test(t, a_new_role_holds_for_sessions);
	tcase_add_test(t, a_login_that_is_older_than_the_password_begins_no_session);
	tcase_add_test(t, each_revocation_is_told);
	tcase_add_test(t, the_absolute_timeout_of_a_session_is_told_as_its_end);
	tcase_add_test(t, ten_thousand_sessions_are_too_many);
	suite_add_tcase(s, t);
	return s;
}
