// SPDX-License-Identifier: LGPL-2.1-or-later
/* The use of a page: its kind, its cgroup, and what an uncorrectable access there does. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "pages/bad_pages.h"
#include "pages/page_facts.h"
#include "pages/page_flags.h"
#include "pages/page_master.h"
#include "tests/lib/suites.h"
#include "tests/pages/pages_util.h"

#define FIRST (PAGES_BASE / PAGE_SIZE_DEFAULT)

static struct page_facts facts;
static char text[PAGE_CONSEQUENCE_MAX];

static void describe(void)
{
	if (!ph.m.t)
		model_ready(&ph.m);
	page_describe(&ph.m.host, model_translate_dpa(&ph.m, ph.mem[0], 0x40, 0x40), &facts);
}

static const char *consequence(bool show_cgroup)
{
	return page_consequence_text(&facts, show_cgroup, text);
}

/* The cgroup with this path below /sys/fs/cgroup, which is made, has the page. */
static void put_cgroup(const char *path)
{
	char full[512];
	_cleanup_close_ int fd = -1;
	struct stat st;
	uint64_t inode;

	(void)snprintf(full, sizeof(full), "sys/fs/cgroup%s/cgroup.procs", path);
	put_text(ph.scratch.dirfd, full, "");
	(void)snprintf(full, sizeof(full), "sys/fs/cgroup%s", path);
	ck_assert_int_eq(fstatat(ph.scratch.dirfd, full, &st, 0), 0);
	inode = st.st_ino;
	fd = openat(ph.scratch.dirfd, "proc/kpagecgroup", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_eq(pwrite(fd, &inode, 8, (off_t)FIRST * 8), 8);
}

START_TEST(kind_is_by_flags_and_says_what_an_access_does)
{
	static const struct {
		uint64_t flags;
		const char *kind, *consequence;
	} cases[] = {
		{PAGE_FLAG(KPF_BUDDY), "free", "nothing: the page is free"},
		{PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_ANON), "anonymous",
		 "ends the tasks that use it"},
		{PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_MMAP), "file", "ends the tasks that use it"},
		{PAGE_FLAG(KPF_HUGE), "huge", "ends the tasks that use it"},
		{PAGE_FLAG(KPF_SLAB), "slab", "may end the machine"},
		{PAGE_FLAG(KPF_PGTABLE), "page-table", "may end the machine"},
		{PAGE_FLAG_RESERVED, "reserved", "may end the machine"},
		{PAGE_FLAG(KPF_OFFLINE), "offline", "nothing: the page is offline"},
		{PAGE_FLAG_HWPOISON | PAGE_FLAG(KPF_LRU), "poisoned",
		 "nothing: the page is out of use already"},
		{0, "unknown", "may end the machine"},
		{PAGE_FLAG(KPF_MMAP), "unknown", "may end the machine"},
	};

	put_flags(FIRST, cases[_i].flags);
	describe();
	ck_assert_str_eq(frame_kind_name(facts.kind), cases[_i].kind);
	ck_assert_str_eq(consequence(true), cases[_i].consequence);
	ck_assert(facts.flags.present && facts.flags.value == cases[_i].flags);
	ck_assert(facts.moment_ms.present && facts.moment_ms.value > 0);
	ck_assert_str_eq(facts.note, "");
}
END_TEST

START_TEST(addresses_block_and_zone_are_those_of_the_page)
{
	put_count(FIRST, 3);
	describe();
	ck_assert_str_eq(facts.memdev, ph.mem[0]->name);
	ck_assert_uint_eq(facts.serial.value, 0xabc0);
	ck_assert_uint_eq(facts.dpa.value, 0x40);
	ck_assert_uint_eq(facts.spa.value, PAGES_BASE + 0x40);
	ck_assert_uint_eq(facts.pfn.value, FIRST);
	ck_assert(!facts.alias_pfn.present);
	ck_assert_uint_eq(facts.block.value, PAGES_BLOCK);
	ck_assert(facts.block_online.value);
	ck_assert_str_eq(facts.zone, "Movable");
	ck_assert_int_eq(facts.numa_node.value, 2);
	ck_assert_uint_eq(facts.map_count.value, 3);
}
END_TEST

START_TEST(cgroup_is_named_by_its_path)
{
	put_flags(FIRST, PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_ANON));
	put_text(ph.scratch.dirfd, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	put_directory(ph.scratch.dirfd, "sys/fs/cgroup/system.slice/a.service");
	put_cgroup("/kubepods.slice/pod1/x");
	describe();
	ck_assert_int_eq(facts.cgroup_state, PAGE_CGROUP_KNOWN);
	ck_assert_str_eq(facts.cgroup, "/kubepods.slice/pod1/x");
	ck_assert_str_eq(consequence(true), "ends the tasks of /kubepods.slice/pod1/x that use it");
	ck_assert_str_eq(consequence(false), "ends the tasks that use it");
}
END_TEST

START_TEST(cgroup_of_the_older_hierarchy_is_found)
{
	put_flags(FIRST, PAGE_FLAG(KPF_LRU));
	put_cgroup("/memory/a");
	describe();
	ck_assert_str_eq(facts.cgroup, "/a");
}
END_TEST

START_TEST(cgroup_that_is_gone_has_no_name)
{
	put_flags(FIRST, PAGE_FLAG(KPF_LRU));
	put_text(ph.scratch.dirfd, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	put_cgroup("/a");
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, "sys/fs/cgroup/a/cgroup.procs", 0), 0);
	ck_assert_int_eq(renameat(ph.scratch.dirfd, "sys/fs/cgroup/a", ph.scratch.dirfd, "away"),
			 0);
	describe();
	ck_assert_int_eq(facts.cgroup_state, PAGE_CGROUP_GONE);
	ck_assert_str_eq(facts.cgroup, "");
	ck_assert(strstr(consequence(true), "a cgroup that no longer exists"));
}
END_TEST

START_TEST(cgroup_deeper_than_the_limit_is_not_found)
{
	char path[PAGE_CGROUP_DEPTH_MAX * 2 + 8] = "";

	for (unsigned int i = 0; i < PAGE_CGROUP_DEPTH_MAX + 1; i++)
		(void)strcat(path, "/d");
	put_text(ph.scratch.dirfd, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	put_cgroup(path);
	describe();
	ck_assert_int_eq(facts.cgroup_state, PAGE_CGROUP_NOT_FOUND);
	ck_assert_str_eq(facts.cgroup, "");
}
END_TEST

START_TEST(control_characters_in_the_name_of_a_cgroup_are_not_shown)
{
	put_text(ph.scratch.dirfd, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	put_cgroup("/a\033[2J");
	describe();
	ck_assert_str_eq(facts.cgroup, "/a?[2J");
}
END_TEST

START_TEST(block_that_is_offline_has_no_user)
{
	put_block_state(PAGES_BLOCK, "offline\n", "Movable\n");
	describe();
	ck_assert_int_eq(facts.kind, FRAME_OFFLINE);
	ck_assert(!facts.block_online.value && !facts.zone && !facts.flags.present);
}
END_TEST

static void remove_block(void)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "sys/devices/system/memory/memory%u/state", PAGES_BLOCK);
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, path, 0), 0);
}

START_TEST(device_dax_has_no_block)
{
	remove_block();
	ph.dax->mode = DAX_MODE_DEVDAX;
	describe();
	ck_assert_int_eq(facts.kind, FRAME_DEVICE_DAX);
	ck_assert_str_eq(consequence(true), "ends the tasks that have the dax device mapped there");
}
END_TEST

START_TEST(what_cannot_be_read_is_not_known)
{
	remove_block();
	describe();
	ck_assert_str_eq(consequence(true), "not known");
	ck_assert(strstr(facts.note, "no memory block"));
	put_block_state(PAGES_BLOCK, "online\n", "Normal\n");
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, "proc/kpageflags", 0), 0);
	describe();
	ck_assert_str_eq(consequence(true), "not known");
	ck_assert(strstr(facts.note, "/proc/kpageflags"));
	ck_assert(facts.block.present && !facts.moment_ms.present);
}
END_TEST

START_TEST(address_that_is_not_exact_has_no_page)
{
	model_ready(&ph.m);
	page_describe(&ph.m.host, model_translate_dpa(&ph.m, ph.mem[0], 1ULL << 50, 1ULL << 50),
		      &facts);
	ck_assert(!facts.spa.present && !facts.pfn.present && !facts.block.present);
	ck_assert_str_ne(facts.note, "");
}
END_TEST

START_TEST(other_programs_that_take_pages_out_are_found)
{
	const struct host_root *root = &ph.m.root_directory;
	const char *rasdaemon = "sys/fs/cgroup/system.slice/rasdaemon.service/cgroup.procs";

	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_NONE);
	put_text(ph.scratch.dirfd, rasdaemon, "");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_NONE);
	put_text(ph.scratch.dirfd, rasdaemon, "123\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_RASDAEMON);
	put_text(ph.scratch.dirfd, "etc/default/rasdaemon", "A=1\nPAGE_CE_ACTION=\"off\"\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_NONE);
	put_text(ph.scratch.dirfd, "etc/default/rasdaemon", "PAGE_CE_ACTION=soft\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_RASDAEMON);
	put_text(ph.scratch.dirfd, rasdaemon, "");
	put_text(ph.scratch.dirfd, "sys/fs/cgroup/system.slice/mcelog.service/cgroup.procs", "7\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_MCELOG);
	ck_assert_str_ne(page_master_text(PAGE_MASTER_MCELOG), "");
	put_text(ph.scratch.dirfd, "etc/mcelog/mcelog.conf",
		 "# memory-ce-action = x\n\tmemory-ce-action = off\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_NONE);
	/* In a container, whose settings are its own. */
	put_text(ph.scratch.dirfd, "etc/default/rasdaemon", "PAGE_CE_ACTION=off\n");
	put_text(ph.scratch.dirfd, "proc/900/comm", "rasdaemond\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_NONE);
	put_text(ph.scratch.dirfd, "proc/901/comm", "rasdaemon\n");
	ck_assert_int_eq(page_master_find(root), PAGE_MASTER_RASDAEMON);
}
END_TEST

START_TEST(pages_out_of_use_are_counted_by_block)
{
	const uint64_t per_block = MIB_256 / PAGE_SIZE_DEFAULT;
	struct bad_pages bad;

	put_flags(FIRST + 2 * per_block - 1, PAGE_FLAG_HWPOISON); /* two blocks, complete */
	ck_assert_int_eq(bad_pages_count(&ph.m.host, ph.region, &bad), 0);
	ck_assert_uint_eq(bad.pages, 1);
	put_flags(FIRST, PAGE_FLAG_HWPOISON | PAGE_FLAG(KPF_LRU));
	put_flags(FIRST + 7000, PAGE_FLAG_HWPOISON);
	ck_assert_int_eq(bad_pages_count(&ph.m.host, ph.region, &bad), 0);
	ck_assert_uint_eq(bad.pages, 3);
	ck_assert_uint_eq(bad.blocks, 2);
	put_block_state(PAGES_BLOCK, "offline\n", "Movable\n");
	ck_assert_int_eq(bad_pages_count(&ph.m.host, ph.region, &bad), 0);
	ck_assert_uint_eq(bad.pages, 1);
	ph.dax->mode = DAX_MODE_DEVDAX;
	ck_assert_int_eq(bad_pages_count(&ph.m.host, ph.region, &bad), 0);
	ck_assert_uint_eq(bad.pages, 0);
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, "proc/kpageflags", 0), 0);
	ck_assert_int_eq(bad_pages_count(&ph.m.host, ph.region, &bad), -ENOENT);
}
END_TEST

SUITE(check_page_facts)
{
	Suite *suite = suite_create("pages/page_facts");
	TCase *tc = tcase_create("page_facts");

	tcase_add_checked_fixture(tc, pages_setup, pages_teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, kind_is_by_flags_and_says_what_an_access_does, 0, 11);
	tcase_add_test(tc, addresses_block_and_zone_are_those_of_the_page);
	tcase_add_test(tc, cgroup_is_named_by_its_path);
	tcase_add_test(tc, cgroup_of_the_older_hierarchy_is_found);
	tcase_add_test(tc, cgroup_that_is_gone_has_no_name);
	tcase_add_test(tc, cgroup_deeper_than_the_limit_is_not_found);
	tcase_add_test(tc, control_characters_in_the_name_of_a_cgroup_are_not_shown);
	tcase_add_test(tc, block_that_is_offline_has_no_user);
	tcase_add_test(tc, device_dax_has_no_block);
	tcase_add_test(tc, what_cannot_be_read_is_not_known);
	tcase_add_test(tc, address_that_is_not_exact_has_no_page);
	tcase_add_test(tc, other_programs_that_take_pages_out_are_found);
	tcase_add_test(tc, pages_out_of_use_are_counted_by_block);
	suite_add_tcase(suite, tc);
	return suite;
}
