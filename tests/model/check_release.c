// SPDX-License-Identifier: LGPL-2.1-or-later
/* Whether the memory of a region can be released: the verdict, its numbers and its reasons. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/release.h"
#include "tests/lib/suites.h"

#define MIB(n) (UINT64_C(n) << 20)

static struct dax_device dax0, dax1;
static const struct dax_device *const devices[] = {&dax0, &dax1};
static struct dax_region dax;
static struct region region;
static struct dax_use items[2];
static struct memory_use use;
static struct release release;

/* A region of two devices, each with 512 MiB online and movable. */
static void setup(void)
{
	dax0 = (struct dax_device){.name = "dax0.0", .mode = DAX_MODE_SYSTEM_RAM};
	dax1 = (struct dax_device){.name = "dax0.1", .mode = DAX_MODE_SYSTEM_RAM};
	dax = (struct dax_region){.region = &region, .devices = devices, .n_devices = 2};
	region = (struct region){.name = "region0", .mode = DECODER_MODE_RAM, .dax = &dax};
	for (size_t i = 0; i < 2; i++) {
		items[i] = (struct dax_use){.online = OPT_U64(MIB(512)),
					    .movable = OPT_U64(MIB(512)),
					    .pinned = OPT_U64(0),
					    .unclear = OPT_U64(0),
					    .holders_known = OPT_BOOL(true)};
		(void)snprintf(items[i].dax, sizeof(items[i].dax), "%s", devices[i]->name);
	}
	use = (struct memory_use){items, 2};
}

static void expect(enum release_verdict verdict, size_t n_reasons)
{
	region_release(&region, &use, &release);
	ck_assert_str_eq(release_verdict_name(release.verdict), release_verdict_name(verdict));
	ck_assert_uint_eq(release.n_reasons, n_reasons);
}

static bool says(const char *text)
{
	for (size_t i = 0; i < release.n_reasons; i++)
		if (strstr(release.reasons[i], text))
			return true;
	return false;
}

static void nothing_is_online(void)
{
	for (size_t i = 0; i < 2; i++)
		items[i].online = items[i].movable = OPT_U64(0);
}

static void hold(struct dax_use *u, uint32_t pid, const char *name)
{
	u->holders[u->n_holders].pid = pid;
	(void)snprintf(u->holders[u->n_holders++].name, MEMORY_HOLDER_NAME, "%s", name);
}

START_TEST(movable_memory_is_releasable)
{
	expect(RELEASE_YES, 1);
	ck_assert(says("all 1024 MiB online are in ZONE_MOVABLE"));
	ck_assert(opt_u64_is(release.online, MIB(1024)));
	ck_assert(opt_u64_is(release.movable, MIB(1024)));
	ck_assert(opt_u64_is(release.pinned, 0));
}
END_TEST

START_TEST(memory_that_is_not_online_is_releasable)
{
	nothing_is_online();
	expect(RELEASE_YES, 1);
	ck_assert(says("none of its memory is online"));
}
END_TEST

START_TEST(zone_of_the_kernel_without_its_pages_is_releasable_for_now)
{
	items[1].movable = OPT_U64(0);
	expect(RELEASE_YES, 1);
	ck_assert(says("512 MiB are not in ZONE_MOVABLE"));
	ck_assert(opt_u64_is(release.movable, MIB(1024)));
}
END_TEST

static struct memory_block *add_block(struct dax_use *u, uint64_t number)
{
	struct memory_block *b = &u->blocks[u->n_blocks++];

	*b = (struct memory_block){.number = number, .zone = "Normal"};
	return b;
}

START_TEST(block_with_pages_of_the_kernel_is_named_with_zone_and_pages)
{
	struct memory_block *b = add_block(&items[1], 36);

	items[1].movable = OPT_U64(0);
	items[1].pinned = OPT_U64(MIB(128));
	b->pages.n[PAGES_SLAB] = 180;
	b->pages.n[PAGES_TABLES] = 32;
	expect(RELEASE_NO, 1);
	ck_assert_str_eq(release.reasons[0],
			 "memory36, zone Normal, 212 unmovable pages "
			 "(180 slab, 32 page tables): free only after a restart");
	ck_assert(opt_u64_is(release.pinned, MIB(128)));
	ck_assert(opt_u64_is(release.movable, MIB(896)));
	ck_assert_uint_eq(release.n_blocks, 1);
	*b = (struct memory_block){.number = 7, .zone = "DMA32", .pages = {{[PAGES_OTHER] = 1}}};
	expect(RELEASE_NO, 1);
	ck_assert(says("memory7, zone DMA32, 1 unmovable page (1 other): "));
}
END_TEST

START_TEST(pages_that_are_not_clear_are_doubt)
{
	add_block(&items[1], 40)->pages.n[PAGES_UNCLEAR] = 3;
	items[1].movable = OPT_U64(0);
	items[1].unclear = OPT_U64(MIB(256));
	expect(RELEASE_UNKNOWN, 1);
	ck_assert_str_eq(release.reasons[0],
			 "memory40, zone Normal, 3 pages that may be unmovable");
	ck_assert(!release.movable.present && !release.pinned.present);
	/* Pinned memory, which is certain, outweighs it, and both are said. */
	add_block(&items[1], 41)->pages.n[PAGES_RESERVED] = 9;
	items[1].pinned = OPT_U64(MIB(128));
	expect(RELEASE_NO, 2);
	ck_assert_str_eq(release.reasons[0],
			 "memory41, zone Normal, 9 unmovable pages (9 reserved): "
			 "free only after a restart");
	ck_assert_uint_eq(release.blocks[0].number, 41);
	ck_assert_uint_eq(release.blocks[1].number, 40);
}
END_TEST

START_TEST(pages_that_cannot_be_counted_are_doubt_about_a_block_that_is_named)
{
	static const struct {
		int error;
		const char *text;
	} cases[] = {
		{-EACCES, "only root may read /proc/kpageflags"},
		{-ENOENT, "/proc/kpageflags does not have them"},
		{-E2BIG, "there are too many"},
		{-ENXIO, "memory40, zone not known: its zone or state cannot be read"},
	};
	struct memory_block *b = add_block(&items[1], 40);

	b->error = cases[_i].error;
	b->zone = b->error == -ENXIO ? NULL : b->zone;
	items[1].movable = OPT_U64(0);
	items[1].unclear = OPT_U64(MIB(256));
	expect(RELEASE_UNKNOWN, 1);
	ck_assert(says("memory40, zone "));
	ck_assert(says(cases[_i].text));
	items[1].n_more_unclear = 1;
	expect(RELEASE_UNKNOWN, 1);
	ck_assert(says("; so it is with 1 more memory block"));
}
END_TEST

START_TEST(blocks_that_are_not_named_are_counted)
{
	for (size_t k = 0; k < 2; k++)
		for (unsigned int i = 0; i < MEMORY_BLOCKS_MAX; i++)
			add_block(&items[k], 10 * k + i)->pages.n[PAGES_SLAB] = UINT32_MAX;
	items[0].pinned = items[1].pinned = OPT_U64(MIB(256));
	items[1].n_more_pinned = 4;
	items[1].n_more_unclear = 5;
	items[1].unclear = OPT_U64(MIB(256));
	expect(RELEASE_NO, 5);
	ck_assert(says("17 more memory blocks have unmovable pages"));
	ck_assert(says("5 more memory blocks may have unmovable pages"));
	ck_assert_uint_eq(release.n_blocks, RELEASE_BLOCKS_MAX);
}
END_TEST

START_TEST(blocks_that_cannot_be_read_are_doubt_and_no_number)
{
	items[1].online = (struct opt_u64){0};
	expect(RELEASE_UNKNOWN, 1);
	ck_assert(!release.online.present);
	ck_assert(!release.movable.present);
	setup();
	use.n = 1; /* a device that is newer than the reading */
	expect(RELEASE_UNKNOWN, 1);
	region_release(&region, NULL, &release);
	ck_assert_int_eq(release.verdict, RELEASE_UNKNOWN);
	ck_assert(!release.pinned.present);
}
END_TEST

START_TEST(dax_device_is_as_its_region)
{
	items[0].pinned = OPT_U64(MIB(256));
	dax_release(&dax1, &use, &release);
	ck_assert_int_eq(release.verdict, RELEASE_YES);
	ck_assert(says("ZONE_MOVABLE"));
	hold(&items[1], 812, "qemu");
	dax_release(&dax1, &use, &release);
	ck_assert_int_eq(release.verdict, RELEASE_NO);
	ck_assert(says("process 812 (qemu) has dax0.1 open or mapped"));
	dax_release(&dax1, NULL, &release);
	ck_assert_int_eq(release.verdict, RELEASE_UNKNOWN);
	setup();
	nothing_is_online();
	dax_release(&dax1, &use, &release);
	ck_assert_int_eq(release.verdict, RELEASE_YES);
	ck_assert(says("no process has it open"));
}
END_TEST

START_TEST(process_is_named)
{
	nothing_is_online();
	hold(&items[1], 812, "qemu");
	expect(RELEASE_NO, 1);
	ck_assert(says("process 812 (qemu) has dax0.1 open or mapped"));
	ck_assert_uint_eq(release.n_holders, 1);
	ck_assert_uint_eq(release.holders[0].pid, 812);
}
END_TEST

START_TEST(several_processes_are_counted)
{
	nothing_is_online();
	for (unsigned int i = 0; i < MEMORY_HOLDERS_MAX; i++) {
		hold(&items[0], 100 + i, "a");
		hold(&items[1], 200 + i, "b");
	}
	items[0].n_more = 4;
	expect(RELEASE_NO, 2);
	ck_assert(says("20 processes have dax0.0 open or mapped, the first is 100 (a)"));
	ck_assert_uint_eq(release.n_holders, RELEASE_HOLDERS_MAX);
}
END_TEST

START_TEST(processes_that_cannot_be_seen_are_doubt)
{
	nothing_is_online();
	items[0].holders_known = (struct opt_bool){0};
	expect(RELEASE_UNKNOWN, 1);
	ck_assert(says("it cannot be seen who uses dax0.0"));
	items[0].holders_known = OPT_BOOL(false);
	hold(&items[0], 5, "x");
	expect(RELEASE_NO, 2);
	ck_assert(says("it cannot be seen who else uses dax0.0"));
}
END_TEST

START_TEST(doubt_is_not_hidden_by_what_follows)
{
	items[0].holders_known = OPT_BOOL(false);
	expect(RELEASE_UNKNOWN, 1);
}
END_TEST

static void without_dax(enum decoder_mode mode)
{
	region.mode = mode;
	region.dax = NULL;
	(void)snprintf(items[0].dax, sizeof(items[0].dax), "region0");
	nothing_is_online();
}

START_TEST(memory_of_the_start_is_not_releasable)
{
	without_dax(DECODER_MODE_RAM);
	items[0].boot_memory = OPT_BOOL(true);
	items[0].online = items[0].movable = (struct opt_u64){0};
	expect(RELEASE_NO, 1);
	ck_assert(says("from the firmware"));
	ck_assert(!release.online.present);
	items[0].boot_memory = (struct opt_bool){0};
	expect(RELEASE_UNKNOWN, 1);
	setup();
	without_dax(DECODER_MODE_RAM);
	items[0].boot_memory = OPT_BOOL(false);
	expect(RELEASE_YES, 1);
}
END_TEST

START_TEST(persistent_region_is_held_by_namespaces_and_mounts)
{
	without_dax(DECODER_MODE_PMEM);
	expect(RELEASE_YES, 1);
	ck_assert(says("it has no namespace"));
	hold(&items[0], 0, "namespace0.0");
	expect(RELEASE_NO, 1);
	ck_assert(says("1 namespace or mount is in use: namespace0.0"));
	hold(&items[0], 0, "mount /mnt");
	expect(RELEASE_NO, 1);
	ck_assert(says("2 namespaces and mounts are in use: namespace0.0, ..."));
}
END_TEST

START_TEST(namespaces_that_no_driver_has_are_kept_too)
{
	without_dax(DECODER_MODE_PMEM);
	region.namespaces = OPT_U64(1);
	expect(RELEASE_NO, 1);
	ck_assert(says("it has 1 namespace, active or not"));
	hold(&items[0], 0, "namespace0.0");
	region.namespaces = OPT_U64(2);
	expect(RELEASE_NO, 2);
	ck_assert(says("it has 2 namespaces, active or not"));
	setup();
	without_dax(DECODER_MODE_PMEM);
	region.namespaces = OPT_U64(0);
	expect(RELEASE_YES, 1);
}
END_TEST

START_TEST(reasons_are_bounded)
{
	static struct dax_device many[8];
	static const struct dax_device *pointers[8];
	static struct dax_use uses[8];

	for (size_t i = 0; i < 8; i++) {
		many[i] = (struct dax_device){.name = i == 0 ? "dax0.0" : "dax0.1"};
		pointers[i] = &many[i];
		uses[i] = items[0];
		hold(&uses[i], 4000000000U, "a name that is as long as it is");
		(void)snprintf(uses[i].dax, sizeof(uses[i].dax), "%s", many[i].name);
	}
	dax.devices = pointers;
	dax.n_devices = 8;
	use = (struct memory_use){uses, 8};
	expect(RELEASE_NO, RELEASE_REASONS_MAX);
	for (size_t i = 0; i < release.n_reasons; i++)
		ck_assert_uint_lt(strlen(release.reasons[i]), RELEASE_REASON_TEXT);
}
END_TEST

SUITE(check_release)
{
	Suite *s = suite_create("release");
	TCase *t = tcase_create("release");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, movable_memory_is_releasable);
	tcase_add_test(t, memory_that_is_not_online_is_releasable);
	tcase_add_test(t, zone_of_the_kernel_without_its_pages_is_releasable_for_now);
	tcase_add_test(t, block_with_pages_of_the_kernel_is_named_with_zone_and_pages);
	tcase_add_test(t, pages_that_are_not_clear_are_doubt);
	tcase_add_loop_test(t, pages_that_cannot_be_counted_are_doubt_about_a_block_that_is_named,
			    0, 4);
	tcase_add_test(t, blocks_that_are_not_named_are_counted);
	tcase_add_test(t, blocks_that_cannot_be_read_are_doubt_and_no_number);
	tcase_add_test(t, dax_device_is_as_its_region);
	tcase_add_test(t, process_is_named);
	tcase_add_test(t, several_processes_are_counted);
	tcase_add_test(t, processes_that_cannot_be_seen_are_doubt);
	tcase_add_test(t, doubt_is_not_hidden_by_what_follows);
	tcase_add_test(t, memory_of_the_start_is_not_releasable);
	tcase_add_test(t, persistent_region_is_held_by_namespaces_and_mounts);
	tcase_add_test(t, namespaces_that_no_driver_has_are_kept_too);
	tcase_add_test(t, reasons_are_bounded);
	suite_add_tcase(s, t);
	return s;
}
