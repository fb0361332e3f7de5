// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Passphrases: which keys a device is sent, and what stays after each way in which that can end.
 * Keys and device are those of fake_keys.h, the files are real.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "change/key_store.h"
#include "common/array.h"
#include "tests/change/devices_util.h"
#include "tests/change/fake_keys.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

static struct scratch keys_scratch;
static char directory[sizeof(keys_scratch.path) + sizeof("/keys")];

static void show(const char *security, const char *frozen)
{
	set(NMEM_OF_MEM3 "/security", security);
	set(NMEM_OF_MEM3 "/frozen", frozen);
}

static void setup(void)
{
	devices_setup();
	scratch_setup(&keys_scratch);
	(void)snprintf(directory, sizeof(directory), "%s/keys", keys_scratch.path);
	fake_keys_setup(show);
	devices_enter();
	devices_context.key_directory = directory;
	devices_on_write = fake_keys_write;
}

static void teardown(void)
{
	ck_assert_uint_eq(fake_keys_left(), 0);
	scratch_teardown(&keys_scratch);
	devices_teardown();
}

static void set_secret(struct change_secret *s, const char *text)
{
	s->len = (uint32_t)strlen(text);
	memcpy(s->bytes, text, s->len);
}

static int change(enum change_kind kind, bool master, const char *old, const char *new)
{
	struct change c = change_of(kind, "mem3");

	c.security.master = master;
	set_secret(&c.security.old, old);
	set_secret(&c.security.new, new);
	return devices_change(change_security, &c);
}

static int set_user(const char *old, const char *new)
{
	return change(CHANGE_SET_PASSPHRASE, false, old, new);
}

static int disable(const char *old)
{
	return change(CHANGE_DISABLE_PASSPHRASE, false, old, "");
}

static int unlock(const char *old)
{
	return change(CHANGE_UNLOCK, false, old, "");
}

static void lock(void)
{
	fake_device->locked = true;
	show("locked\n", "0\n");
}

/* Return: how many files of keys there are. */
static size_t n_files(void)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	if (dir)
		(void)closedir(dir);
	return n;
}

START_TEST(a_passphrase_is_set_changed_and_disabled)
{
	must_be_done(set_user("", "one"));
	ck_assert_uint_eq(fake_device->user, 101);
	must_be_done(set_user("one", "two"));
	ck_assert_uint_eq(fake_device->user, 102);
	ck_assert_uint_eq(n_files(), 1);
	must_be_done(disable("two"));
	ck_assert_uint_eq(fake_device->user, 0);
	ck_assert_uint_eq(n_files(), 0);
	ck_assert_uint_eq(fake_device->attempts, 0);
}
END_TEST

START_TEST(a_wrong_passphrase_is_not_shown_to_the_device)
{
	must_be_done(set_user("", "one"));
	fake_device->commands = 0;
	must_be_refused(set_user("two", "three"), EKEYREJECTED, "the device was not asked");
	must_be_refused(disable("two"), EKEYREJECTED, "the device was not asked");
	must_be_refused(change(CHANGE_SECURE_ERASE, false, "two", ""), EKEYREJECTED, "not asked");
	lock();
	must_be_refused(unlock("two"), EKEYREJECTED, "the device was not asked");
	ck_assert_uint_eq(fake_device->commands, 0);
	ck_assert_uint_eq(n_files(), 1);
}
END_TEST

START_TEST(any_bytes_are_a_passphrase)
{
	struct change c = change_of(CHANGE_SET_PASSPHRASE, "mem3");

	c.security.new.len = CHANGE_SECRET_MAX;
	memset(c.security.new.bytes, 0xff, CHANGE_SECRET_MAX);
	c.security.new.bytes[1] = 0;
	must_be_done(devices_change(change_security, &c));
	c.kind = CHANGE_DISABLE_PASSPHRASE;
	c.security.old = c.security.new;
	c.security.old.bytes[100] = 1;
	must_be_refused(devices_change(change_security, &c), EKEYREJECTED, "is wrong");
	c.security.old = c.security.new;
	must_be_done(devices_change(change_security, &c));
}
END_TEST

START_TEST(a_locked_device_is_unlocked_by_binding_its_driver)
{
	fake_decimal = _i == 1;
	must_be_done(set_user("", "one"));
	lock();
	must_be_refused(set_user("one", "two"), EPERM, "unlock it first");
	must_be_refused(disable("one"), EPERM, "unlock it first");
	must_be_done(unlock("one"));
	ck_assert(!fake_device->locked);
	ck_assert_int_eq(fake_device->binds, 1);
	ck_assert_uint_eq(fake_device->attempts, 0);
}
END_TEST

START_TEST(an_unlocked_device_is_not_bound_again)
{
	must_be_done(set_user("", "one"));
	fake_device->commands = 0;
	must_be_done(unlock("one"));
	ck_assert_uint_eq(fake_device->commands, 0);
	must_be_refused(unlock("two"), EKEYREJECTED, "is wrong");
}
END_TEST

START_TEST(states_that_do_not_fit_are_refused)
{
	must_be_refused(disable("one"), EINVAL, "it has no passphrase");
	must_be_refused(unlock("one"), EINVAL, "it has no passphrase");
	must_be_refused(change(CHANGE_SECURE_ERASE, false, "one", ""), EINVAL, "no passphrase");
	must_be_refused(set_user("one", "two"), EINVAL, "contains an old one");
	must_be_refused(set_user("", ""), EINVAL, "at least one byte");
	must_be_done(set_user("", "one"));
	must_be_refused(set_user("", "two"), EKEYREJECTED, "does not contain it");
	must_be_refused(change(CHANGE_UNLOCK, true, "one", ""), EINVAL, "user passphrase only");
	must_be_refused(change(CHANGE_SET_PASSPHRASE, true, "", "two"), EPERM,
			"only while there is no user passphrase");
}
END_TEST

START_TEST(a_passphrase_of_another_host_is_refused)
{
	fake_device->user = 77;
	show("unlocked\n", "0\n");
	must_be_refused(disable("one"), EOPNOTSUPP, "was not set from this host");
	must_be_refused(set_user("one", "two"), EOPNOTSUPP, "was not set from this host");
	ck_assert_uint_eq(fake_device->commands, 0);
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

START_TEST(a_device_that_has_another_key_is_not_opened)
{
	must_be_done(set_user("", "one"));
	fake_device->user = 77;
	must_be_refused(disable("one"), EPERM, "not the one that was set from this host");
	ck_assert_uint_eq(n_files(), 1);
	lock();
	must_be_refused(unlock("one"), EPERM, "not the one that was set from this host");
	ck_assert_int_eq(fake_device->binds, 1);
}
END_TEST

START_TEST(a_device_that_refuses_keeps_its_key)
{
	must_be_done(set_user("", "one"));
	fake_device->deaf = true;
	must_be_refused(set_user("one", "two"), EPERM, "refused to set passphrase");
	fake_device->deaf = false;
	ck_assert_uint_eq(n_files(), 1);
	must_be_done(disable("one"));
}
END_TEST

/* It has the new passphrase, and that is not known. */
START_TEST(a_device_that_does_not_answer_is_opened_by_one_of_both)
{
	must_be_done(set_user("", "one"));
	fake_device->silent = true;
	ck_assert_int_eq(set_user("one", "two"), -ETIMEDOUT);
	ck_assert_int_eq(result.outcome, CHANGE_UNKNOWN);
	fake_device->silent = false;
	ck_assert_uint_eq(n_files(), 2);
	must_be_refused(disable("one"), EPERM, "refused to disable passphrase");
	must_be_done(disable("two"));
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

/* The same passphrase for both keys: each is tried. */
START_TEST(a_passphrase_of_two_keys_opens_the_device)
{
	must_be_done(set_user("", "one"));
	fake_device->silent = true;
	ck_assert_int_eq(set_user("one", "one"), -ETIMEDOUT);
	fake_device->silent = false;
	fake_device->user = 101; /* it was not done */
	must_be_done(set_user("one", "two"));
	ck_assert_uint_eq(n_files(), 1);
	must_be_done(disable("two"));
}
END_TEST

START_TEST(erasing_ends_the_passphrase)
{
	must_be_done(set_user("", "one"));
	must_be_done(change(CHANGE_SECURE_ERASE, false, "one", ""));
	ck_assert_uint_eq(fake_device->user, 0);
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

START_TEST(the_master_passphrase_is_another_one)
{
	must_be_done(change(CHANGE_SET_PASSPHRASE, true, "", "master"));
	must_be_done(change(CHANGE_SET_PASSPHRASE, true, "master", "master2"));
	must_be_done(set_user("", "one"));
	ck_assert_uint_eq(n_files(), 2);
	must_be_refused(disable("master2"), EKEYREJECTED, "is wrong");
	must_be_done(change(CHANGE_SECURE_ERASE, true, "master2", ""));
	ck_assert_uint_eq(fake_device->user, 0);
	ck_assert_uint_eq(n_files(), 1);
	must_be_done(change(CHANGE_DISABLE_PASSPHRASE, true, "master2", ""));
	ck_assert_uint_eq(fake_device->master, 0);
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

START_TEST(a_frozen_state_is_kept)
{
	must_be_done(set_user("", "one"));
	must_be_done(change(CHANGE_FREEZE_SECURITY, false, "", ""));
	must_be_done(change(CHANGE_FREEZE_SECURITY, false, "", ""));
	must_be_refused(disable("one"), EPERM, "frozen until the next reset");
	must_be_refused(set_user("one", "two"), EPERM, "frozen");
}
END_TEST

/* Linux shows such a device as disabled, frozen or not. */
START_TEST(a_device_that_was_frozen_without_a_passphrase_is_said_to_be)
{
	must_be_done(change(CHANGE_FREEZE_SECURITY, false, "", ""));
	must_be_refused(set_user("", "one"), EPERM, "it is probably frozen, which Linux does not");
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

START_TEST(a_device_without_nvdimm_has_no_passphrase)
{
	struct change c = change_of(CHANGE_SECURE_ERASE, "mem2");

	set_secret(&c.security.old, "one");
	must_be_refused(devices_change(change_security, &c), EOPNOTSUPP, "mem2 has no nvdimm");
}
END_TEST

static const struct {
	int user, encrypted, code;
	const char *text;
} kernels[] = {
	{0, ENODEV, EOPNOTSUPP, "no keys of type encrypted"},
	{ENOSYS, 0, EOPNOTSUPP, "no keys (CONFIG_KEYS)"},
	{EPERM, 0, EACCES, "may not use keys"},
	{EDQUOT, 0, EDQUOT, "does not make a key of type user"},
	{0, ENOMEM, ENOMEM, "does not make a key of type encrypted"},
};

START_TEST(a_kernel_without_keys_is_named)
{
	fake_error_of_user = kernels[_i].user;
	fake_error_of_encrypted = kernels[_i].encrypted;
	must_be_refused(set_user("", "one"), kernels[_i].code, kernels[_i].text);
	ck_assert_uint_eq(fake_device->commands, 0);
	ck_assert_uint_eq(n_files(), 0);
}
END_TEST

static const struct {
	const char *security;
	int code;
	const char *text;
} attributes[] = {
	{"overwrite\n", EBUSY, "it is being overwritten"},
	{"\n", EIO, "is not a known one"},
	{"unlocked\nlocked\n", EINVAL, "cannot be read"},
	{"\a\n", EINVAL, "cannot be read"},
	{"unlockedunlockedunlocked\n", EINVAL, "cannot be read"},
};

START_TEST(a_state_that_is_not_known_is_refused)
{
	set(NMEM_OF_MEM3 "/security", attributes[_i].security);
	must_be_refused(set_user("", "one"), attributes[_i].code, attributes[_i].text);
	ck_assert_uint_eq(fake_device->commands, 0);
}
END_TEST

START_TEST(a_device_without_passphrases_is_refused)
{
	drop(NMEM_OF_MEM3 "/security");
	must_be_refused(set_user("", "one"), EOPNOTSUPP, "has no such commands");
}
END_TEST

START_TEST(a_directory_that_cannot_be_written_changes_nothing)
{
	devices_context.key_directory = "/sys/keys";
	ck_assert_int_lt(set_user("", "one"), 0);
	ck_assert_int_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(result.text, "/sys/keys"));
	ck_assert_uint_eq(fake_device->commands, 0);
}
END_TEST

START_TEST(a_directory_that_cannot_be_had_is_a_failure_of_the_host)
{
	devices_context.key_directory = "/nowhere/keys";
	must_be_refused(set_user("", "first"), EIO, "/nowhere/keys, cannot be created");
	must_be_refused(disable("first"), EIO, "/nowhere/keys, cannot be created");
}
END_TEST

START_TEST(no_file_has_a_passphrase)
{
	char path[sizeof(directory) + 64], text[1024] = "";
	int fd;

	must_be_done(set_user("", "a passphrase"));
	(void)snprintf(path, sizeof(path), "%s/cxl-redfish-000000000000000a-user.1", directory);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	(void)close(fd);
	ck_assert_ptr_nonnull(
		strstr(text, "\nblob enc32 user:cxl-redfish-000000000000000a-user 32 "));
	ck_assert_ptr_null(strstr(text, "passphrase"));
	/* nor its form in hexadecimal digits, nor more of the derived key than the salt */
	ck_assert_ptr_null(strstr(text, "612070617373"));
	ck_assert_uint_lt(strcspn(strstr(text, "\nsetting ") + 1, "\n"), 8 + 32);
}
END_TEST

/* ---- kill -9 -----------------------------------------------------------------------------------
 */

/* Return: whether the child was killed at that step; false when it had fewer. */
static bool killed_at(unsigned int n, const char *old, const char *new)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		fake_keys_kill_at(n);
		_exit(set_user(old, new) == 0 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_ne(WEXITSTATUS(status), 1);
	return WEXITSTATUS(status) == FAKE_KILLED;
}

START_TEST(killed_at_any_step_of_a_change_one_passphrase_opens_it)
{
	unsigned int n = 1;

	must_be_done(set_user("", "one"));
	while (killed_at(n++, "one", "two")) {
		bool first;

		lock();
		first = unlock("one") == 0;
		if (!first)
			must_be_done(unlock("two"));
		must_be_done(first ? disable("one") : disable("two"));
		ck_assert_uint_eq(n_files(), 0);
		must_be_done(set_user("", "one"));
	}
	ck_assert_uint_ge(n, 7); /* flush, rename, flush, command, done, remove, flush */
	must_be_done(disable("two"));
}
END_TEST

START_TEST(killed_at_any_step_a_first_passphrase_opens_it_or_there_is_none)
{
	unsigned int n = 1;

	while (killed_at(n++, "", "one")) {
		if (fake_device->user != 0)
			must_be_done(disable("one"));
		must_be_done(set_user("", "two"));
		must_be_done(disable("two"));
	}
	ck_assert_uint_ge(n, 5);
	must_be_done(disable("one"));
}
END_TEST

static TCase *operations_case(void)
{
	TCase *t = tcase_create("operations");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_passphrase_is_set_changed_and_disabled);
	tcase_add_test(t, a_wrong_passphrase_is_not_shown_to_the_device);
	tcase_add_test(t, any_bytes_are_a_passphrase);
	tcase_add_loop_test(t, a_locked_device_is_unlocked_by_binding_its_driver, 0, 2);
	tcase_add_test(t, an_unlocked_device_is_not_bound_again);
	tcase_add_test(t, erasing_ends_the_passphrase);
	tcase_add_test(t, the_master_passphrase_is_another_one);
	tcase_add_test(t, a_frozen_state_is_kept);
	tcase_add_test(t, a_device_that_was_frozen_without_a_passphrase_is_said_to_be);
	tcase_add_test(t, no_file_has_a_passphrase);
	return t;
}

static TCase *refused_case(void)
{
	TCase *t = tcase_create("refused");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, states_that_do_not_fit_are_refused);
	tcase_add_test(t, a_passphrase_of_another_host_is_refused);
	tcase_add_test(t, a_device_that_has_another_key_is_not_opened);
	tcase_add_test(t, a_device_without_nvdimm_has_no_passphrase);
	tcase_add_loop_test(t, a_kernel_without_keys_is_named, 0, ARRAY_SIZE(kernels));
	tcase_add_loop_test(t, a_state_that_is_not_known_is_refused, 0, ARRAY_SIZE(attributes));
	tcase_add_test(t, a_device_without_passphrases_is_refused);
	tcase_add_test(t, a_directory_that_cannot_be_written_changes_nothing);
	tcase_add_test(t, a_directory_that_cannot_be_had_is_a_failure_of_the_host);
	return t;
}

static TCase *failures_case(void)
{
	TCase *t = tcase_create("failures");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_device_that_refuses_keeps_its_key);
	tcase_add_test(t, a_device_that_does_not_answer_is_opened_by_one_of_both);
	tcase_add_test(t, a_passphrase_of_two_keys_opens_the_device);
	tcase_add_test(t, killed_at_any_step_of_a_change_one_passphrase_opens_it);
	tcase_add_test(t, killed_at_any_step_a_first_passphrase_opens_it_or_there_is_none);
	return t;
}

SUITE(check_security)
{
	Suite *s = suite_create("security");

	if (!have_namespaces())
		return NULL;
	suite_add_tcase(s, operations_case());
	suite_add_tcase(s, refused_case());
	suite_add_tcase(s, failures_case());
	return s;
}
