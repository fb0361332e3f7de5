// SPDX-License-Identifier: LGPL-2.1-or-later
/* Users of memory: blocks, page flags, processes and mounts of made-up hosts, also hostile ones. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>
#include <linux/kernel-page-flags.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "opener/opener.h"
#include "sysfs/block_pages.h"
#include "sysfs/dax_blocks.h"
#include "sysfs/dax_holders.h"
#include "sysfs/memory_use.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/passing_monotonic.h"
#include "tests/lib/suites.h"

/* Blocks of 2 MiB, with 512 pages, of which 8 can have the block's struct pages. */
enum { BLOCK = 2 << 20, PAGES = 512, MEMMAP = 8, FIRST = 8 /* number */ };

#define FLAG(name) (UINT64_C(1) << (name))

enum { RESERVED = 32, OWNER_PRIVATE = 37 };

static struct scratch scratch;
static uint64_t flags[4][PAGES]; /* of memory8 to memory11 */

static void put(const char *path, const char *text)
{
	put_text(scratch.dirfd, path, text);
}

static void put_block(unsigned int number, const char *state, const char *zones)
{
	char path[96];

	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/state", number);
	put(path, state);
	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/valid_zones", number);
	put(path, zones);
}

static void write_flags(void)
{
	_cleanup_close_ int fd = -1;

	put_directory(scratch.dirfd, "proc");
	fd = openat(scratch.dirfd, "proc/kpageflags", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, flags, sizeof(flags), (off_t)FIRST * PAGES * 8), sizeof(flags));
}

static void setup(void)
{
	stop_monotonic(); /* processes may be looked at for half a second */
	scratch_setup(&scratch);
	put(MEMORY_DIRECTORY "/block_size_bytes", "200000\n");
	put_block(8, "online\n", "Normal\n");
	put_block(9, "online\n", "Movable\n");
	put_block(10, "offline\n", "Normal Movable\n");
	put_block(11, "online\n", "Normal\n");
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		for (size_t k = 0; k < PAGES; k++)
			flags[i][k] = FLAG(KPF_BUDDY);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

/* ---- pages of a block ---- */

static struct block_pages read_pages(void)
{
	struct block_pages pages = {0};

	write_flags();
	ck_assert_int_eq(block_pages_read(scratch.dirfd, FIRST, &pages), 0);
	return pages;
}

START_TEST(pages_that_are_free_or_of_programs_are_no_obstacle)
{
	static const uint64_t cases[] = {
		FLAG(KPF_BUDDY),
		FLAG(KPF_OFFLINE),
		FLAG(KPF_HWPOISON),
		FLAG(KPF_HWPOISON) | FLAG(KPF_SLAB),
		FLAG(KPF_NOPAGE),
		FLAG(KPF_LRU) | FLAG(KPF_UPTODATE) | FLAG(KPF_MMAP),
		FLAG(KPF_ANON) | FLAG(KPF_SWAPBACKED),
		FLAG(KPF_SWAPBACKED),
		FLAG(KPF_THP) | FLAG(KPF_COMPOUND_HEAD) | FLAG(KPF_ANON),
		FLAG(KPF_HUGE) | FLAG(KPF_COMPOUND_HEAD),
		FLAG(KPF_LRU) | FLAG(KPF_UNEVICTABLE),
	};
	struct block_pages pages;

	flags[0][100] = cases[_i];
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages), 0);
	ck_assert_uint_eq(pages.n[PAGES_UNCLEAR], 0);
	ck_assert_uint_eq(pages.n[PAGES_FREE] + pages.n[PAGES_MOVABLE], PAGES);
}
END_TEST

START_TEST(page_of_the_kernel_is_counted_by_its_kind)
{
	static const struct {
		uint64_t flags;
		enum page_kind kind;
	} cases[] = {
		{FLAG(KPF_SLAB), PAGES_SLAB},
		{FLAG(KPF_SLAB) | FLAG(KPF_COMPOUND_HEAD), PAGES_SLAB},
		{FLAG(KPF_PGTABLE), PAGES_TABLES},
		{FLAG(KPF_PGTABLE) | FLAG(KPF_MMAP), PAGES_TABLES},
		{FLAG(RESERVED), PAGES_RESERVED},
		{FLAG(KPF_COMPOUND_HEAD), PAGES_OTHER},
		{FLAG(KPF_ZERO_PAGE), PAGES_OTHER},
		{FLAG(KPF_ZERO_PAGE) | FLAG(KPF_THP), PAGES_OTHER},
		{FLAG(KPF_SLAB) | FLAG(KPF_LRU), PAGES_SLAB},
	};
	struct block_pages pages;

	flags[0][100] = flags[0][300] = cases[_i].flags;
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages), 2);
	ck_assert_uint_eq(pages.n[cases[_i].kind], 2);
	/* The rest of the block is counted, too. */
	ck_assert_uint_eq(pages.n[PAGES_FREE], PAGES - 2);
}
END_TEST

START_TEST(pages_without_a_flag_are_not_clear)
{
	struct block_pages pages;

	flags[0][100] = 0;
	flags[0][200] = FLAG(KPF_REFERENCED) | FLAG(KPF_UPTODATE);
	flags[0][300] = FLAG(KPF_MMAP); /* a driver's, mapped by a program */
	flags[0][511] = FLAG(OWNER_PRIVATE);
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages), 0);
	ck_assert_uint_eq(pages.n[PAGES_UNCLEAR], 4);
}
END_TEST

START_TEST(pages_of_a_compound_page_are_as_their_head)
{
	struct block_pages pages;

	flags[0][16] = FLAG(KPF_LRU) | FLAG(KPF_COMPOUND_HEAD);
	flags[0][17] = flags[0][18] = FLAG(KPF_COMPOUND_TAIL);
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages), 0);
	ck_assert_uint_eq(pages.n[PAGES_UNCLEAR], 0);
	/* Without its head, which is in another block. */
	flags[0][0] = FLAG(KPF_COMPOUND_TAIL);
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages), 0);
	ck_assert_uint_eq(pages.n[PAGES_UNCLEAR], 1);
	/* A huge page that is larger than the block. */
	flags[0][0] = FLAG(KPF_COMPOUND_TAIL) | FLAG(KPF_HUGE);
	ck_assert_uint_eq(read_pages().n[PAGES_UNCLEAR], 0);
}
END_TEST

START_TEST(struct_pages_at_the_beginning_are_no_obstacle)
{
	static const uint64_t of_kernels[] = {FLAG(RESERVED), FLAG(OWNER_PRIVATE)};
	struct block_pages pages;

	for (size_t i = 0; i < MEMMAP; i++)
		flags[0][i] = of_kernels[_i];
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages), 0);
	ck_assert_uint_eq(pages.n[PAGES_UNCLEAR], 0);
	/* Only as many as there can be, */
	flags[0][MEMMAP] = of_kernels[_i];
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages) + pages.n[PAGES_UNCLEAR], 1);
	/* and only at the beginning. */
	flags[0][MEMMAP] = flags[0][2] = FLAG(KPF_BUDDY);
	pages = read_pages();
	ck_assert_uint_eq(block_pages_unmovable(&pages) + pages.n[PAGES_UNCLEAR], MEMMAP - 3);
}
END_TEST

START_TEST(block_that_is_not_online_or_has_no_flags_is_an_error)
{
	struct block_pages pages;

	ck_assert_int_eq(block_pages_read(scratch.dirfd, FIRST, &pages), -ENOENT);
	write_flags();
	ck_assert_int_eq(block_pages_read(scratch.dirfd, 10, &pages), -ENXIO);
	ck_assert_int_eq(block_pages_read(scratch.dirfd, 12, &pages), -ENOENT);
	ck_assert_int_eq(block_pages_read(scratch.dirfd, UINT64_MAX, &pages), -ENOENT);
	put_block(12, "online\n", "Normal\n");
	ck_assert_int_eq(block_pages_read(scratch.dirfd, 12, &pages), -ENODATA);
	put(MEMORY_DIRECTORY "/memory18446744073709551615/state", "online\n");
	ck_assert_int_eq(block_pages_read(scratch.dirfd, UINT64_MAX, &pages), -ERANGE);
}
END_TEST

START_TEST(hostile_block_size_is_an_error)
{
	static const char *const cases[] = {
		"",
		"\n",
		"0\n",
		"garbage\n",
		"-1\n",
		"3\n",
		"0x0x\n",
		"10000000000000000\n",
		"800000000000000000000000000000000000000000000000000000000000000000000000000000\n",
		"1000000000000\n", /* too many pages */
		"400\n",	   /* less than one */
	};
	struct block_pages pages;

	write_flags();
	put(MEMORY_DIRECTORY "/block_size_bytes", cases[_i]);
	ck_assert_int_lt(block_pages_read(scratch.dirfd, FIRST, &pages), 0);
}
END_TEST

/* ---- blocks of a device ---- */

static struct dax_device device(uint64_t start, uint64_t size)
{
	return (struct dax_device){.name = "dax0.0",
				   .mode = DAX_MODE_SYSTEM_RAM,
				   .resource = OPT_U64(start),
				   .size = OPT_U64(size)};
}

START_TEST(blocks_have_the_state_and_zone_of_the_kernel)
{
	static const enum block_state expected[] = {BLOCK_KERNEL, BLOCK_MOVABLE, BLOCK_OFFLINE,
						    BLOCK_KERNEL};
	const struct dax_device d = device(8 * BLOCK, 4 * BLOCK);
	struct dax_blocks blocks;

	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), 0);
	ck_assert_uint_eq(blocks.n, 4);
	ck_assert_uint_eq(blocks.size, BLOCK);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(blocks.items[i].number, 8 + i);
		ck_assert_int_eq(blocks.items[i].state, expected[i]);
	}
	ck_assert_uint_eq(dax_blocks_count(&blocks, BLOCK_KERNEL), 2);
	dax_blocks_done(&blocks);
}
END_TEST

START_TEST(state_that_is_not_known_is_not_offline)
{
	static const char *const cases[][2] = {
		{"going-offline\n", "Normal\n"},  {"", "Normal\n"},	     {"online\n", "none\n"},
		{"online\n", "Normal Movable\n"}, {"online\n", "Dev\x01\n"}, {"offline!\n", ""},
	};
	enum block_state state;

	put_block(8, cases[_i][0], cases[_i][1]);
	ck_assert_int_eq(memory_block_state(scratch.dirfd, 8, &state), 0);
	ck_assert_int_eq(state, BLOCK_UNKNOWN);
}
END_TEST

START_TEST(only_blocks_that_are_completely_in_a_range_are_the_devices)
{
	const struct dax_range ranges[] = {{7 * BLOCK + 1, 9 * BLOCK - 1},
					   {10 * BLOCK, 11 * BLOCK},
					   {UINT64_MAX - BLOCK, UINT64_MAX}};
	struct dax_device d = device(7 * BLOCK + 1, 2 * BLOCK);
	struct dax_blocks blocks;

	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), 0);
	ck_assert_uint_eq(blocks.n, 1);
	dax_blocks_done(&blocks);
	d.ranges = ranges;
	d.n_ranges = ARRAY_SIZE(ranges);
	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), 0);
	ck_assert_uint_eq(blocks.n, 2);
	ck_assert_uint_eq(blocks.items[1].number, 10);
	dax_blocks_done(&blocks);
}
END_TEST

START_TEST(device_without_addresses_or_with_too_many_blocks_is_an_error)
{
	struct dax_device d = device(8 * BLOCK, UINT64_MAX);
	struct dax_blocks blocks;

	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), -ENODATA);
	d = device(0, UINT64_MAX);
	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), -E2BIG);
	d.resource.present = false;
	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), -ENODATA);
	d = device(8 * BLOCK, 0);
	ck_assert_int_eq(dax_blocks_read(scratch.dirfd, &d, &blocks), 0);
	ck_assert_uint_eq(blocks.n, 0);
	dax_blocks_done(&blocks);
}
END_TEST

/* ---- processes ---- */

static struct dax_holder holders[DAX_HOLDERS_MAX];
static size_t n_holders;
static bool complete;

static void read_holders(void)
{
	ck_assert_int_eq(dax_holders_read(scratch.dirfd, holders, &n_holders, &complete), 0);
}

static void put_process(unsigned int pid, const char *comm, const char *maps)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/%u/fd", pid);
	put_directory(scratch.dirfd, path);
	(void)snprintf(path, sizeof(path), "proc/%u/comm", pid);
	put(path, comm);
	(void)snprintf(path, sizeof(path), "proc/%u/maps", pid);
	put(path, maps);
}

static void put_open(unsigned int pid, unsigned int fd, const char *target)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/%u/fd/%u", pid, fd);
	put_symlink(scratch.dirfd, path, target);
}

/* A line of maps that says that @path of the scratch directory is mapped. */
static const char *mapping(const char *path)
{
	static char line[256];
	struct stat st;

	ck_assert_int_eq(fstatat(scratch.dirfd, path, &st, 0), 0);
	(void)snprintf(line, sizeof(line),
		       "7f0c00000000-7f0c20000000 rw-s 00000000 %02x:%02x %" PRIu64
		       "                    /%s\n",
		       major(st.st_dev), minor(st.st_dev), (uint64_t)st.st_ino, path);
	return line;
}

static void setup_processes(void)
{
	setup();
	put("dev/dax0.0", "");
	put("dev/dax1.0", "");
	put("dev/dax1.0x", "");
	put("dev/null", "");
	put_process(1, "init\n", "");
	put_open(1, 0, "../../../dev/null");
}

START_TEST(process_with_an_open_device_holds_it)
{
	put_process(77, "qemu-system-x86\n", "");
	put_open(77, 3, "../../../dev/dax0.0");
	put_open(77, 4, "../../../dev/dax0.0");
	put_open(77, 5, "../../../dev/null");
	read_holders();
	ck_assert(complete);
	ck_assert_uint_eq(n_holders, 1);
	ck_assert_uint_eq(holders[0].pid, 77);
	ck_assert_str_eq(holders[0].name, "qemu-system-x86");
	ck_assert_str_eq(holders[0].dax, "dax0.0");
}
END_TEST

START_TEST(process_with_a_mapping_and_no_open_file_holds_it)
{
	put_process(78, "db\n", mapping("dev/dax1.0"));
	read_holders();
	ck_assert(complete);
	ck_assert_uint_eq(n_holders, 1);
	ck_assert_uint_eq(holders[0].pid, 78);
	ck_assert_str_eq(holders[0].dax, "dax1.0");
}
END_TEST

START_TEST(process_with_two_devices_holds_both)
{
	put_process(79, "db\n", mapping("dev/dax1.0"));
	put_open(79, 3, "../../../dev/dax0.0");
	read_holders();
	ck_assert_uint_eq(n_holders, 2);
	ck_assert_uint_eq(holders[0].pid, 79);
	ck_assert_uint_eq(holders[1].pid, 79);
}
END_TEST

START_TEST(names_of_processes_are_plain_and_bounded)
{
	static const char *const cases[][2] = {
		{"\x1b[2J\x07\n", "?[2J?"},
		{"two\nlines\n", "two"},
		{"", ""},
		{"caf\xc3\xa9\n", "caf??"},
		{"a name that is much longer than any that the kernel has\n",
		 "a name that is much longer than"},
	};

	put_process(77, cases[_i][0], mapping("dev/dax0.0"));
	read_holders();
	ck_assert_uint_eq(n_holders, 1);
	ck_assert_str_eq(holders[0].name, cases[_i][1]);
}
END_TEST

START_TEST(hostile_mappings_hold_nothing)
{
	static const char *const cases[] = {
		"garbage\n",
		"7f00-7f01 rw-s 0 00:06\n",
		"7f00-7f01 rw-s 0 00:06 \n",
		"7f00-7f01 rw-s 0 zz:06 1 /dev/dax0.0\n",
		"7f00-7f01 rw-s 0 ffffffffff:06 1 /dev/dax0.0\n",
		"7f00-7f01 rw-s 0 00:00 0 /dev/dax0.0\n",
		"7f00-7f01 rw-s 0 00:06 99999999999999999999999999 /dev/dax0.0\n",
		"\n\n\n",
	};

	put_process(77, "x\n", cases[_i]);
	read_holders();
	ck_assert_uint_eq(n_holders, 0);
	ck_assert(complete);
}
END_TEST

/* The path of a mapped file may be anything. */
START_TEST(path_that_looks_like_a_mapping_is_none)
{
	const char *line = mapping("dev/dax0.0");
	char maps[1024];

	(void)snprintf(maps, sizeof(maps), "7f00-7f01 r--p 0 fd:00 5 /%0*d%s", 253 - 28, 0, line);
	put_process(77, "x\n", maps);
	read_holders();
	ck_assert_uint_eq(n_holders, 0);
}
END_TEST

START_TEST(entries_that_are_no_processes_are_not_looked_at)
{
	put("proc/77x/comm", "x\n");
	put("proc/99999999999999999999/comm", "x\n");
	put("proc/0/comm", "x\n");
	put("proc/self", "x\n");
	read_holders();
	ck_assert_uint_eq(n_holders, 0);
	ck_assert(complete);
}
END_TEST

START_TEST(process_that_cannot_be_looked_at_is_doubt_and_one_that_has_ended_is_not)
{
	put_directory(scratch.dirfd, "proc/76"); /* has neither */
	read_holders();
	ck_assert(complete);
	put("proc/77/fd", "not a directory");
	put("proc/77/maps", "");
	read_holders();
	ck_assert(!complete);
	ck_assert_uint_eq(n_holders, 0);
}
END_TEST

START_TEST(more_holders_than_are_kept_are_doubt)
{
	for (unsigned int i = 0; i < DAX_HOLDERS_MAX + 1; i++) {
		put_process(1000 + i, "x\n", "");
		put_open(1000 + i, 3, "../../../dev/dax0.0");
	}
	read_holders();
	ck_assert_uint_eq(n_holders, DAX_HOLDERS_MAX);
	ck_assert(!complete);
}
END_TEST

/* ---- all of it ---- */

static struct host_root root;
static struct dax_device dax0, dax1;
static const struct dax_device *const devices0[] = {&dax0}, *const devices1[] = {&dax1};
static struct dax_region dax_region0, dax_region1;
static struct region region0, region1, region2;
static const struct dax_region *const dax_regions[] = {&dax_region0, &dax_region1};
static const struct region *const regions[] = {&region0, &region1, &region2};
static struct iomem_range iomem[] = {{0x100000, 0xfffff, 0, "reserved"}};
static struct host host;
static const struct memory_use *use;

static void setup_host(void)
{
	setup_processes();
	root = (struct host_root){.dirfd = scratch.dirfd};
	dax0 = device(8 * BLOCK, 4 * BLOCK);
	dax0.region = &dax_region0;
	dax1 = (struct dax_device){
		.name = "dax1.0", .mode = DAX_MODE_DEVDAX, .region = &dax_region1};
	dax_region0 = (struct dax_region){
		.id = 0, .region = &region0, .devices = devices0, .n_devices = 1};
	dax_region1 = (struct dax_region){
		.id = 1, .region = &region1, .devices = devices1, .n_devices = 1};
	region0 = (struct region){
		.name = "region0", .mode = DECODER_MODE_RAM, .dax = &dax_region0, .enabled = true};
	region1 = (struct region){
		.name = "region1", .mode = DECODER_MODE_RAM, .dax = &dax_region1, .enabled = true};
	region2 = (struct region){.name = "region2",
				  .mode = DECODER_MODE_RAM,
				  .resource = OPT_U64(0x40000000),
				  .size = OPT_U64(0x1000000),
				  .enabled = true};
	host = (struct host){.root = &root,
			     .regions = regions,
			     .n_regions = ARRAY_SIZE(regions),
			     .dax_regions = dax_regions,
			     .n_dax_regions = ARRAY_SIZE(dax_regions),
			     .iomem = iomem,
			     .n_iomem = 1};
	iomem[0] = (struct iomem_range){0x100000, 0x3fffffff, 0, "System RAM"};
}

static void read_use(void)
{
	struct error e = {0};

	use = memory_use_unref(use);
	ck_assert_int_eq(memory_use_read(&host, &use, &e), 0);
}

static void teardown_host(void)
{
	use = memory_use_unref(use);
	teardown();
}

START_TEST(bytes_are_those_of_the_blocks)
{
	const struct dax_use *u;

	flags[3][5] = FLAG(KPF_SLAB);
	write_flags();
	read_use();
	u = memory_use_of(use, "dax0.0");
	ck_assert_ptr_nonnull(u);
	ck_assert(opt_u64_is(u->online, 3 * BLOCK));
	ck_assert(opt_u64_is(u->movable, BLOCK));
	ck_assert(opt_u64_is(u->pinned, BLOCK));
	ck_assert(opt_u64_is(u->unclear, 0));
	ck_assert_ptr_null(memory_use_of(use, "dax7.0"));
	ck_assert_ptr_null(memory_use_of(NULL, "dax0.0"));
}
END_TEST

START_TEST(dax_device_without_region_is_looked_at_after_those_of_regions)
{
	dax_region0.region = NULL;
	region0.dax = NULL;
	read_use();
	ck_assert(opt_u64_is(memory_use_of(use, "dax0.0")->online, 3 * BLOCK));
	ck_assert_str_eq(use->items[use->n - 1].dax, "dax0.0");
}
END_TEST

/* dax0.0 has blocks in zones of the kernel, and processes can open dax1.0. */
START_TEST(quick_reading_is_the_same_or_none)
{
	const struct memory_use *quick = NULL;

	ck_assert_int_eq(memory_use_read_quick(&host, &quick, NULL), -EAGAIN);
	ck_assert_ptr_null(quick);
	host.n_dax_regions = 0;
	read_use();
	ck_assert_int_eq(memory_use_read_quick(&host, &quick, NULL), 0);
	ck_assert(memory_use_equal(use, quick));
	quick = memory_use_unref(quick);
}
END_TEST

START_TEST(blocks_that_prevent_release_are_named_with_zone_and_pages)
{
	const struct dax_use *u;

	flags[3][5] = flags[3][6] = FLAG(KPF_SLAB);
	flags[3][7] = FLAG(KPF_PGTABLE);
	flags[0][9] = 0;
	put_block(11, "online\n", "DMA32\n");
	write_flags();
	read_use();
	u = memory_use_of(use, "dax0.0");
	ck_assert_uint_eq(u->n_blocks, 2);
	/* The certain one comes first. */
	ck_assert_uint_eq(u->blocks[0].number, 11);
	ck_assert_str_eq(u->blocks[0].zone, "DMA32");
	ck_assert_int_eq(u->blocks[0].error, 0);
	ck_assert_uint_eq(u->blocks[0].pages.n[PAGES_SLAB], 2);
	ck_assert_uint_eq(u->blocks[0].pages.n[PAGES_TABLES], 1);
	ck_assert_uint_eq(u->blocks[1].number, 8);
	ck_assert_str_eq(u->blocks[1].zone, "Normal");
	ck_assert_uint_eq(u->blocks[1].pages.n[PAGES_UNCLEAR], 1);
	ck_assert_uint_eq(u->n_more_pinned + u->n_more_unclear, 0);
}
END_TEST

/* A zone that is not the kernel's is none. */
START_TEST(block_in_a_zone_that_is_not_known_is_named)
{
	const struct dax_use *u;

	put_block(11, "online\n", "N\x1b[2Jormal\n");
	write_flags();
	read_use();
	u = memory_use_of(use, "dax0.0");
	ck_assert_uint_eq(u->n_blocks, 1);
	ck_assert_uint_eq(u->blocks[0].number, 11);
	ck_assert_ptr_null(u->blocks[0].zone);
	ck_assert_int_eq(u->blocks[0].error, -ENXIO);
}
END_TEST

START_TEST(blocks_beyond_those_that_are_named_are_counted)
{
	enum { MORE = 3, N = MEMORY_BLOCKS_MAX + MORE, AT = 100 };
	static uint64_t some[N][PAGES];
	_cleanup_close_ int fd = -1;
	const struct dax_use *u;

	memset(some, 0, sizeof(some));
	for (unsigned int i = 0; i < N; i++)
		put_block(AT + i, "online\n", "Normal\n");
	/* The last two have pages of the kernel, all others such that are not clear. */
	some[N - 2][0] = some[N - 1][0] = FLAG(KPF_SLAB);
	write_flags();
	fd = openat(scratch.dirfd, "proc/kpageflags", O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, some, sizeof(some), (off_t)AT * PAGES * 8), sizeof(some));
	dax0 = device(AT * BLOCK, N * BLOCK);
	read_use();
	u = memory_use_of(use, "dax0.0");
	ck_assert_uint_eq(u->n_blocks, MEMORY_BLOCKS_MAX);
	ck_assert_uint_eq(u->blocks[0].number, AT + N - 2);
	ck_assert_uint_eq(u->blocks[1].number, AT + N - 1);
	ck_assert_uint_eq(u->blocks[2].number, AT);
	ck_assert_uint_eq(u->n_more_pinned, 0);
	ck_assert_uint_eq(u->n_more_unclear, MORE);
}
END_TEST

START_TEST(flags_that_cannot_be_read_leave_doubt)
{
	const struct dax_use *u;

	read_use();
	u = memory_use_of(use, "dax0.0");
	ck_assert(opt_u64_is(u->pinned, 0));
	ck_assert(opt_u64_is(u->unclear, 2 * BLOCK));
	ck_assert(opt_bool_is_true(memory_use_of(use, "dax1.0")->holders_known));
	ck_assert_uint_eq(u->n_blocks, 2);
	ck_assert_uint_eq(u->blocks[0].number, 8);
	ck_assert_str_eq(u->blocks[0].zone, "Normal");
	ck_assert_int_eq(u->blocks[0].error, -ENOENT);
	/* A captured host has only those of its own, in pages of its own. */
	write_flags();
	root.captured = true;
	host.page_size = 65536;
	read_use();
	u = memory_use_of(use, "dax0.0");
	ck_assert(opt_u64_is(u->unclear, 2 * BLOCK));
	ck_assert(!memory_use_of(use, "dax1.0")->holders_known.present);
	host.page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	read_use();
	ck_assert(opt_u64_is(memory_use_of(use, "dax0.0")->unclear, 0));
}
END_TEST

/* This process could look at the processes, but another one is to be asked. */
START_TEST(holders_are_not_known_while_who_is_asked_of_them_is_away)
{
	const struct sockaddr_un nowhere = {.sun_family = AF_UNIX,
					    .sun_path = "/nonexistent/socket"};

	put_process(100, "reader\n", "");
	put_open(100, 3, "../../../dev/dax1.0");
	ck_assert_int_eq(opener_new((const struct sockaddr *)&nowhere, sizeof(nowhere), OPENER_OWN,
				    &root.admin),
			 0);
	opener_set_up(root.admin, true);
	read_use();
	ck_assert(!memory_use_of(use, "dax1.0")->holders_known.present);
	ck_assert_uint_eq(memory_use_of(use, "dax1.0")->n_holders, 0);
	root.admin = opener_free(root.admin);
	read_use();
	ck_assert(opt_bool_is_true(memory_use_of(use, "dax1.0")->holders_known));
	ck_assert_uint_eq(memory_use_of(use, "dax1.0")->n_holders, 1);
}
END_TEST

START_TEST(holders_beyond_the_limit_are_counted)
{
	const struct dax_use *u;

	for (unsigned int i = 0; i < MEMORY_HOLDERS_MAX + 3; i++) {
		put_process(100 + i, "reader\n", "");
		put_open(100 + i, 3, "../../../dev/dax1.0");
	}
	read_use();
	u = memory_use_of(use, "dax1.0");
	ck_assert_uint_eq(u->n_holders, MEMORY_HOLDERS_MAX);
	ck_assert_uint_eq(u->n_more, 3);
	ck_assert_str_eq(u->holders[0].name, "reader");
	ck_assert(opt_u64_is(u->online, 0));
	/* kmem lets no process open its device. */
	ck_assert_uint_eq(memory_use_of(use, "dax0.0")->n_holders, 0);
	ck_assert(opt_bool_is_true(memory_use_of(use, "dax0.0")->holders_known));
}
END_TEST

START_TEST(memory_without_dax_device_may_be_the_kernels_since_its_start)
{
	read_use();
	ck_assert(memory_use_of(use, "region2")->boot_memory.present);
	ck_assert(!memory_use_of(use, "region2")->boot_memory.value);
	ck_assert(opt_u64_is(memory_use_of(use, "region2")->online, 0));
	iomem[0].last = 0x40000000;
	read_use();
	ck_assert(opt_bool_is_true(memory_use_of(use, "region2")->boot_memory));
	/* The addresses are hidden from this user. */
	host.n_iomem = 0;
	read_use();
	ck_assert(!memory_use_of(use, "region2")->boot_memory.present);
	ck_assert(!memory_use_of(use, "region2")->online.present);
}
END_TEST

START_TEST(equal_readings_are_equal)
{
	const struct memory_use *before;

	write_flags();
	read_use();
	before = memory_use_ref(use);
	read_use();
	ck_assert_ptr_ne(before, use);
	ck_assert(memory_use_equal(before, use));
	put_block(9, "offline\n", "Movable\n");
	read_use();
	ck_assert(!memory_use_equal(before, use));
	ck_assert(!memory_use_equal(before, NULL));
	(void)memory_use_unref(before);
}
END_TEST

/* ---- persistent regions ---- */

#define ND     "sys/bus/nd/devices/region5"
#define BLOCKS ND "/namespace5.0/block"

static void make_persistent(void)
{
	region2.mode = DECODER_MODE_PMEM;
	region2.nd_region = "region5";
	put_directory(scratch.dirfd, ND);
	put("proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
				   "36 22 259:0 / /mnt rw - ext4 /dev/pmem5 rw\n"
				   "37 22 259:1 / /data\\040two rw - xfs /dev/pmem5p1 rw\n"
				   "garbage\n38 22 259:0\n");
}

START_TEST(active_namespaces_and_their_mounts_hold_a_persistent_region)
{
	const struct dax_use *u;

	make_persistent();
	put(ND "/namespace5.1/size", "0\n");
	read_use();
	u = memory_use_of(use, "region2");
	ck_assert(opt_bool_is_true(u->holders_known));
	ck_assert_uint_eq(u->n_holders, 0);
	put_symlink(scratch.dirfd, ND "/namespace5.0/driver", "../../../drivers/nd_pmem");
	put(BLOCKS "/pmem5/dev", "259:0\n");
	put(BLOCKS "/pmem5/pmem5p1/dev", "259:1\n");
	read_use();
	u = memory_use_of(use, "region2");
	ck_assert_uint_eq(u->n_holders, 3);
	ck_assert_str_eq(u->holders[0].name, "namespace5.0");
	ck_assert_uint_eq(u->holders[0].pid, 0);
	ck_assert_str_eq(u->holders[1].name, "mount /mnt");
	ck_assert_str_eq(u->holders[2].name, "mount /data\\040two");
}
END_TEST

START_TEST(persistent_region_that_cannot_be_looked_at_is_doubt)
{
	make_persistent();
	ck_assert_int_eq(unlinkat(scratch.dirfd, "proc/self/mountinfo", 0), 0);
	read_use();
	ck_assert(!opt_bool_is_true(memory_use_of(use, "region2")->holders_known));
	make_persistent();
	region2.nd_region = "region6";
	read_use();
	ck_assert(!opt_bool_is_true(memory_use_of(use, "region2")->holders_known));
	/* Enabled, and its region of the nvdimm bus was not found. */
	region2.nd_region = NULL;
	read_use();
	ck_assert(!opt_bool_is_true(memory_use_of(use, "region2")->holders_known));
}
END_TEST

START_TEST(hostile_numbers_of_block_devices_match_no_mount)
{
	static const char *const cases[] = {"", "259\n", "259:0:x\n", "\x01\n", "259:7\n"};

	make_persistent();
	put_symlink(scratch.dirfd, ND "/namespace5.0/driver", "x");
	put(BLOCKS "/pmem5/dev", cases[_i]);
	read_use();
	ck_assert_uint_eq(memory_use_of(use, "region2")->n_holders, 1);
}
END_TEST

static TCase *add_case(Suite *s, const char *name, SFun before, SFun after)
{
	TCase *t = tcase_create(name);

	tcase_add_checked_fixture(t, before, after);
	suite_add_tcase(s, t);
	return t;
}

SUITE(check_memory_use)
{
	Suite *s = suite_create("memory use");
	TCase *t = add_case(s, "blocks", setup, teardown);

	tcase_add_loop_test(t, pages_that_are_free_or_of_programs_are_no_obstacle, 0, 11);
	tcase_add_loop_test(t, page_of_the_kernel_is_counted_by_its_kind, 0, 9);
	tcase_add_test(t, pages_without_a_flag_are_not_clear);
	tcase_add_test(t, pages_of_a_compound_page_are_as_their_head);
	tcase_add_loop_test(t, struct_pages_at_the_beginning_are_no_obstacle, 0, 2);
	tcase_add_test(t, block_that_is_not_online_or_has_no_flags_is_an_error);
	tcase_add_loop_test(t, hostile_block_size_is_an_error, 0, 11);
	tcase_add_test(t, blocks_have_the_state_and_zone_of_the_kernel);
	tcase_add_loop_test(t, state_that_is_not_known_is_not_offline, 0, 6);
	tcase_add_test(t, only_blocks_that_are_completely_in_a_range_are_the_devices);
	tcase_add_test(t, device_without_addresses_or_with_too_many_blocks_is_an_error);
	t = add_case(s, "processes", setup_processes, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, process_with_an_open_device_holds_it);
	tcase_add_test(t, process_with_a_mapping_and_no_open_file_holds_it);
	tcase_add_test(t, process_with_two_devices_holds_both);
	tcase_add_loop_test(t, names_of_processes_are_plain_and_bounded, 0, 5);
	tcase_add_loop_test(t, hostile_mappings_hold_nothing, 0, 8);
	tcase_add_test(t, path_that_looks_like_a_mapping_is_none);
	tcase_add_test(t, entries_that_are_no_processes_are_not_looked_at);
	tcase_add_test(t, process_that_cannot_be_looked_at_is_doubt_and_one_that_has_ended_is_not);
	tcase_add_test(t, more_holders_than_are_kept_are_doubt);
	t = add_case(s, "all", setup_host, teardown_host);
	tcase_add_test(t, bytes_are_those_of_the_blocks);
	tcase_add_test(t, dax_device_without_region_is_looked_at_after_those_of_regions);
	tcase_add_test(t, quick_reading_is_the_same_or_none);
	tcase_add_test(t, blocks_that_prevent_release_are_named_with_zone_and_pages);
	tcase_add_test(t, block_in_a_zone_that_is_not_known_is_named);
	tcase_add_test(t, blocks_beyond_those_that_are_named_are_counted);
	tcase_add_test(t, flags_that_cannot_be_read_leave_doubt);
	tcase_add_test(t, holders_are_not_known_while_who_is_asked_of_them_is_away);
	tcase_add_test(t, holders_beyond_the_limit_are_counted);
	tcase_add_test(t, memory_without_dax_device_may_be_the_kernels_since_its_start);
	tcase_add_test(t, equal_readings_are_equal);
	tcase_add_test(t, active_namespaces_and_their_mounts_hold_a_persistent_region);
	tcase_add_test(t, persistent_region_that_cannot_be_looked_at_is_doubt);
	tcase_add_loop_test(t, hostile_numbers_of_block_devices_match_no_mount, 0, 5);
	return s;
}
