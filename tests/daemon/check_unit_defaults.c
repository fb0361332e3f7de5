// SPDX-License-Identifier: LGPL-2.1-or-later
/* The defaults that systemd's variables provide where nothing is configured. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <check.h>

#include "daemon/unit_defaults.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;

static void setup(void)
{
	scratch_setup(&scratch);
	(void)unsetenv("RUNTIME_DIRECTORY");
	(void)unsetenv("CREDENTIALS_DIRECTORY");
	(void)unsetenv("SYSTEMD_EXEC_PID");
	(void)unsetenv("NOTIFY_SOCKET");
	(void)unsetenv(UNIT_RESTART_VARIABLE);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

START_TEST(outside_of_a_unit_there_are_no_defaults)
{
	struct option_list listeners = {0};

	ck_assert_ptr_null(unit_password_file());
	unit_add_listeners(&listeners);
	ck_assert_uint_eq(listeners.n, 0);
}
END_TEST

START_TEST(a_service_is_the_process_that_systemd_started)
{
	char pid[16];

	ck_assert(!unit_is_service());
	(void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
	ck_assert_int_eq(setenv("SYSTEMD_EXEC_PID", pid, 1), 0);
	ck_assert(unit_is_service());
	(void)snprintf(pid, sizeof(pid), "%d", (int)getppid());
	ck_assert_int_eq(setenv("SYSTEMD_EXEC_PID", pid, 1), 0);
	ck_assert(!unit_is_service());
}
END_TEST

START_TEST(a_service_is_started_again_where_its_unit_says_so)
{
	char pid[16];

	(void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
	ck_assert_int_eq(setenv(UNIT_RESTART_VARIABLE, "133", 1), 0);
	ck_assert(!unit_restarts());
	ck_assert_int_eq(setenv("SYSTEMD_EXEC_PID", pid, 1), 0);
	ck_assert(!unit_restarts());
	ck_assert_int_eq(setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1), 0);
	ck_assert(unit_restarts());
	ck_assert_int_eq(setenv(UNIT_RESTART_VARIABLE, "1", 1), 0);
	ck_assert(!unit_restarts());
	ck_assert_int_eq(unsetenv(UNIT_RESTART_VARIABLE), 0);
	ck_assert(!unit_restarts());
}
END_TEST

START_TEST(a_unit_listens_in_its_runtime_directory_and_on_loopback)
{
	struct option_list listeners = {0};

	ck_assert_int_eq(setenv("RUNTIME_DIRECTORY", "/run/cxl-redfish", 1), 0);
	unit_add_listeners(&listeners);
	ck_assert_uint_eq(listeners.n, 2);
	ck_assert_str_eq(listeners.items[0], "unix:/run/cxl-redfish/redfish.sock");
	ck_assert_str_eq(listeners.items[1], "http://127.0.0.1:8000");
}
END_TEST

START_TEST(several_or_relative_runtime_directories_are_no_default)
{
	struct option_list listeners = {0};

	ck_assert_int_eq(setenv("RUNTIME_DIRECTORY", "/run/a:/run/b", 1), 0);
	unit_add_listeners(&listeners);
	ck_assert_int_eq(setenv("RUNTIME_DIRECTORY", "run", 1), 0);
	unit_add_listeners(&listeners);
	ck_assert_uint_eq(listeners.n, 0);
}
END_TEST

START_TEST(a_credential_is_the_password_file_unless_it_is_empty)
{
	char wanted[sizeof(scratch.path) + sizeof("/password")];

	(void)snprintf(wanted, sizeof(wanted), "%s/password", scratch.path);
	ck_assert_int_eq(setenv("CREDENTIALS_DIRECTORY", scratch.path, 1), 0);
	ck_assert_ptr_null(unit_password_file());
	put_text(scratch.dirfd, "password", "\n");
	ck_assert_ptr_null(unit_password_file());
	put_text(scratch.dirfd, "password", "");
	ck_assert_ptr_null(unit_password_file());
	put_text(scratch.dirfd, "password", "secret\n");
	ck_assert_str_eq(unit_password_file(), wanted);
}
END_TEST

SUITE(check_unit_defaults)
{
	Suite *s = suite_create("unit defaults");
	TCase *tc = tcase_create("unit defaults");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, outside_of_a_unit_there_are_no_defaults);
	tcase_add_test(tc, a_service_is_the_process_that_systemd_started);
	tcase_add_test(tc, a_service_is_started_again_where_its_unit_says_so);
	tcase_add_test(tc, a_unit_listens_in_its_runtime_directory_and_on_loopback);
	tcase_add_test(tc, several_or_relative_runtime_directories_are_no_default);
	tcase_add_test(tc, a_credential_is_the_password_file_unless_it_is_empty);
	suite_add_tcase(s, tc);
	return s;
}
