// SPDX-License-Identifier: LGPL-2.1-or-later
/* Actions of Memory and of the system that describe a page. The kernel's files are the test's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

#define OEM(name)    "/Actions/Oem/CXLHostMemory." name
#define DESCRIBE_DPA MEM0 OEM("DescribePage")
#define DESCRIBE_SPA SYSTEM "/Actions/Oem/CXLHostComputerSystem.DescribePage"
#define MEM2	     SYSTEM "/Memory/cxl-000000000000abc2"
#define DPA(text)    "{\"DevicePhysicalAddress\":\"" text "\"}"
#define SPA(text)    "{\"SystemPhysicalAddress\":\"" text "\"}"

/* The first page of region0, which is mem0's first 256 bytes and others. */
enum { PFN = MODEL_WINDOW_BASE / 4096, BLOCK = 256 };

static struct fixture f;
static struct accounts_fixture accounts;
static struct scratch scratch;
static char reader[TOKEN_CHARS], operator[TOKEN_CHARS], administrator[TOKEN_CHARS];

/* ---- the kernel's files -----------------------------------------------------------------------
 */

static void put_element(const char *path, uint64_t value)
{
	_cleanup_close_ int fd = openat(scratch.dirfd, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(pwrite(fd, &value, sizeof(value), (off_t)PFN * 8), 8);
}

static void put_cgroup(const char *path)
{
	struct stat st;

	put_text(scratch.dirfd, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	put_directory(scratch.dirfd, path);
	ck_assert_int_eq(fstatat(scratch.dirfd, path, &st, 0), 0);
	put_element("proc/kpagecgroup", st.st_ino);
}

static void put_files(void)
{
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "10000000\n");
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/memory256/state", "online\n");
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/memory256/valid_zones", "Movable\n");
	put_directory(scratch.dirfd, "proc");
	put_element("proc/kpageflags", PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_ANON));
	put_cgroup("sys/fs/cgroup/system.slice/a.service");
}

static void setup(void)
{
	scratch_setup(&scratch);
	put_files();
	start_accounts(&accounts, "check_page_actions");
	fixture_init(&f, accounts.accounts);
	f.model.root_directory.dirfd = scratch.dirfd;
	fixture_ready(&f);
	(void)log_in(&f, "reader", "ReadOnly", reader);
	(void)log_in(&f, "ops", "Operator", operator);
	(void)log_in(&f, "admin2", "Administrator", administrator);
}

static void teardown(void)
{
	f.model.root_directory.dirfd = -1;
	fixture_done(&f);
	stop_accounts(&accounts);
	scratch_teardown(&scratch);
}

static unsigned int act(const char *uri, const char *body, const char *token)
{
	return ask_change(&f, METHOD_POST, uri, NULL, body, token);
}

/* ---- DescribePage ---- */

START_TEST(the_use_of_a_page_is_described_by_device_address)
{
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), operator), 200);
	ck_assert(f.in_job);
	ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), "0x40");
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000040");
	ck_assert_str_eq(at(&f, "Memory/@odata.id"), MEM0);
	ck_assert_str_eq(at(&f, "Page/PageFrameNumber"), "0x1000000");
	ck_assert_str_eq(at(&f, "Page/MemoryBlock"), "memory256");
	ck_assert_str_eq(at(&f, "Page/MemoryBlockState"), "online");
	ck_assert_str_eq(at(&f, "Page/Zone"), "Movable");
	ck_assert_str_eq(at(&f, "Page/Kind"), "anonymous");
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"), "ends the tasks that use it");
	ck_assert_ptr_nonnull(at(&f, "Page/ReadTime"));
	ck_assert_ptr_null(value_at(&f, "Page/Reason"));
	ck_assert_ptr_nonnull(value_at(&f, "TopologyGeneration"));
}
END_TEST

START_TEST(the_use_of_a_page_is_described_by_system_address)
{
	put_element("proc/kpageflags", PAGE_FLAG(KPF_SLAB));
	ck_assert_uint_eq(act(DESCRIBE_SPA, SPA("0x1000000140"), operator), 200);
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000140");
	ck_assert_ptr_nonnull(strstr(at(&f, "Memory/@odata.id"), "abc1"));
	ck_assert_str_eq(at(&f, "Page/Kind"), "slab");
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"), "may end the machine");
}
END_TEST

START_TEST(an_address_that_is_not_exact_has_no_page)
{
	ck_assert_uint_eq(act(MEM2 OEM("DescribePage"), DPA("0"), operator), 200);
	ck_assert_str_eq(at(&f, "Exact"), "false");
	ck_assert_str_eq(at(&f, "Page/Kind"), "unknown");
	ck_assert_ptr_nonnull(at(&f, "Page/Reason"));
	ck_assert_ptr_null(value_at(&f, "Page/PageFrameNumber"));
	ck_assert_uint_eq(act(DESCRIBE_SPA, SPA("0x1000"), operator), 200);
	ck_assert_str_eq(at(&f, "Page/Kind"), "unknown");
	ck_assert_ptr_null(value_at(&f, "Page/UncorrectableAccess"));
}
END_TEST

START_TEST(flags_that_cannot_be_read_have_a_reason)
{
	ck_assert_int_eq(unlinkat(scratch.dirfd, "proc/kpageflags", 0), 0);
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), operator), 200);
	ck_assert_str_eq(at(&f, "Page/Kind"), "unknown");
	ck_assert_ptr_nonnull(strstr(at(&f, "Page/Reason"), "the use of the page is not known"));
}
END_TEST

START_TEST(a_cgroup_is_named_to_administrators_where_the_key_allows_it)
{
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), administrator), 200);
	ck_assert_ptr_null(value_at(&f, "Page/MemoryCgroup"));
	atomic_store(&f.service->show_page_users, true);
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), operator), 200);
	ck_assert_ptr_null(value_at(&f, "Page/MemoryCgroup"));
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"), "ends the tasks that use it");
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), administrator), 200);
	ck_assert_str_eq(at(&f, "Page/MemoryCgroup"), "/system.slice/a.service");
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"),
			 "ends the tasks of /system.slice/a.service that use it");
}
END_TEST

START_TEST(readers_may_not_ask_for_the_use_of_a_page)
{
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), reader), 403);
	ck_assert_uint_eq(act(DESCRIBE_SPA, SPA("0x1000000040"), reader), 403);
}
END_TEST

static const struct {
	const char *uri, *body, *key;
} wrong[] = {
	{DESCRIBE_DPA, "{}", "ActionParameterMissing"},
	{DESCRIBE_DPA, DPA("64"), "ActionParameterValueFormatError"},
	{DESCRIBE_DPA, SPA("0x40"), "ActionParameterUnknown"},
	{DESCRIBE_SPA, "{\"SystemPhysicalAddress\":64}", "ActionParameterValueTypeError"},
};

START_TEST(wrong_parameters_are_refused)
{
	ck_assert_uint_eq(act(wrong[_i].uri, wrong[_i].body, operator), 400);
	expect_extended(&f, 0, wrong[_i].key, "");
}
END_TEST

SUITE(check_page_actions)
{
	Suite *s = suite_create("page actions");
	TCase *t = tcase_create("describe");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, the_use_of_a_page_is_described_by_device_address);
	tcase_add_test(t, the_use_of_a_page_is_described_by_system_address);
	tcase_add_test(t, an_address_that_is_not_exact_has_no_page);
	tcase_add_test(t, flags_that_cannot_be_read_have_a_reason);
	tcase_add_test(t, a_cgroup_is_named_to_administrators_where_the_key_allows_it);
	tcase_add_test(t, readers_may_not_ask_for_the_use_of_a_page);
	tcase_add_loop_test(t, wrong_parameters_are_refused, 0, sizeof(wrong) / sizeof(wrong[0]));
	suite_add_tcase(s, t);
	return s;
}
