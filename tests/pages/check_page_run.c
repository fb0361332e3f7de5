// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Pages that are taken out of use and brought back: the proof by their flags, what is refused
 * before anything is written, and what the kernel may answer.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "pages/page_client.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/suites.h"
#include "tests/pages/pages_util.h"

#define LRU   PAGE_FLAG(KPF_LRU)
#define FIRST (PAGES_BASE / PAGE_SIZE_DEFAULT)

static struct page_request q;
static struct page_result result;

static void run(void)
{
	result = pages_run(&q, false);
}

static void expect(enum page_outcome outcome, int error, const char *text)
{
	ck_assert_msg(
		result.outcome == outcome && result.error == -error && strstr(result.reason, text),
		"%s (%d): %s", page_outcome_name(result.outcome), result.error, result.reason);
}

static void expect_nothing_written(void)
{
	ck_assert_uint_eq(ph.kernel.n_writes, 0);
}

static void expect_written(size_t i, const char *text)
{
	ck_assert_uint_gt(ph.kernel.n_writes, i);
	ck_assert_str_eq(ph.kernel.written[i], text);
}

/* ---- what is done ---- */

START_TEST(page_is_out_when_its_flag_says_so)
{
	static const uint64_t kinds[] = {LRU, LRU | PAGE_FLAG(KPF_ANON), PAGE_FLAG(KPF_BUDDY),
					 LRU | PAGE_FLAG(KPF_THP) | PAGE_FLAG(KPF_ANON)};

	q = pages_request(PAGE_SOFT, 0x40);
	put_flags(FIRST, kinds[_i]);
	run();
	expect(PAGE_DONE, 0, "");
	ck_assert_uint_eq(ph.kernel.n_writes, 1);
	expect_written(0, "soft_offline_page 0x1000000000");
	ck_assert_uint_eq(result.pfn, FIRST);
	ck_assert_uint_eq(result.before, kinds[_i]);
	ck_assert_uint_eq(result.after, kinds[_i] | PAGE_FLAG_HWPOISON);
	ck_assert_uint_eq(result.tries, 1);
}
END_TEST

START_TEST(hard_is_another_file)
{
	q = pages_request(PAGE_HARD, 0);
	run();
	expect(PAGE_DONE, 0, "");
	expect_written(0, "hard_offline_page 0x1000000000");
}
END_TEST

START_TEST(page_that_is_out_is_left_alone)
{
	q = pages_request(PAGE_SOFT, 0);
	put_flags(FIRST, PAGE_FLAG_HWPOISON);
	put_text(ph.scratch.dirfd, "proc/sys/vm/enable_soft_offline", "0\n");
	run();
	expect(PAGE_ALREADY, 0, "");
	expect_nothing_written();
}
END_TEST

START_TEST(page_comes_back)
{
	q = pages_request(PAGE_ONLINE, 0);
	put_flags(FIRST, PAGE_FLAG_HWPOISON | LRU);
	run();
	expect(PAGE_DONE, 0, "");
	expect_written(0, "unpoison-pfn 0x1000000");
	run();
	expect(PAGE_ALREADY, 0, "");
}
END_TEST

START_TEST(alias_page_goes_with_it)
{
	const uint64_t alias = FIRST, page = FIRST + 2 * MIB_256 / PAGE_SIZE_DEFAULT;

	pages_make_cached();
	q = pages_request(PAGE_SOFT, 0);
	put_flags(page, LRU);
	run();
	expect(PAGE_DONE, 0, "");
	ck_assert_uint_eq(ph.kernel.n_writes, 2);
	ck_assert(result.has_alias);
	ck_assert_uint_eq(result.pfn, page);
	ck_assert_uint_eq(result.alias_pfn, alias);
	ck_assert(get_flags(page) & get_flags(alias) & PAGE_FLAG_HWPOISON);
	ck_assert(result.after & result.alias_after & PAGE_FLAG_HWPOISON);
	ck_assert(!((result.before | result.alias_before) & PAGE_FLAG_HWPOISON));
}
END_TEST

START_TEST(page_whose_alias_stays_is_a_failure)
{
	const uint64_t page = FIRST + 2 * MIB_256 / PAGE_SIZE_DEFAULT;

	pages_make_cached();
	q = pages_request(PAGE_SOFT, 0);
	put_flags(page, LRU);
	ph.kernel.errors[1] = EINVAL;
	run();
	expect(PAGE_FAILED, EBUSY,
	       "pfn:0x1020000 is out of use, and its alias pfn:0x1000000 is not");
	ck_assert(get_flags(page) & PAGE_FLAG_HWPOISON);
	ck_assert(!(get_flags(FIRST) & PAGE_FLAG_HWPOISON));
	/* Nothing is written to the first one again. */
	ph.kernel.errors[2] = EINVAL;
	run();
	expect(PAGE_REFUSED, EBUSY, "pfn:0x1000000");
	ck_assert_uint_eq(ph.kernel.n_writes, 3);
}
END_TEST

START_TEST(nothing_is_written_when_the_alias_is_refused)
{
	pages_make_cached();
	q = pages_request(PAGE_SOFT, 0);
	put_flags(FIRST + 2 * MIB_256 / PAGE_SIZE_DEFAULT, LRU);
	put_flags(FIRST, PAGE_FLAG(KPF_SLAB));
	run();
	expect(PAGE_REFUSED, EPERM, "pfn:0x1000000 is of the kind slab");
	expect_nothing_written();
}
END_TEST

/* ---- several ---- */

enum { SEVERAL = 5 };
static struct page_request several[SEVERAL];
static struct page_result of_several[SEVERAL];

static void prepare_several(void)
{
	for (unsigned int i = 0; i < SEVERAL; i++) {
		put_flags(FIRST + i, LRU);
		several[i] = pages_request(PAGE_SOFT, i * UINT64_C(0x800));
	}
}

START_TEST(each_of_several_pages_is_written_with_privileges_of_its_own)
{
	char text[64];

	prepare_several();
	pages_run_all(several, SEVERAL, false, of_several);
	ck_assert_uint_eq(ph.kernel.n_writes, SEVERAL);
	for (unsigned int i = 0; i < SEVERAL; i++) {
		ck_assert_uint_eq(of_several[i].outcome, PAGE_DONE);
		(void)snprintf(text, sizeof(text), "soft_offline_page 0x100000%x000", i);
		expect_written(i, text);
	}
	/* The flags are opened, and the file. */
	ck_assert_uint_eq(ph.n_privileged, 2 + SEVERAL);
}
END_TEST

START_TEST(page_that_is_refused_stops_no_other_one)
{
	prepare_several();
	put_flags(FIRST + 1, PAGE_FLAG(KPF_SLAB));
	several[2].spa += 0x1000;
	for (size_t i = 1; i <= PAGE_TRIES_MAX; i++)
		ph.kernel.errors[i] = EBUSY; /* of the page after these two */
	pages_run_all(several, SEVERAL, false, of_several);
	ck_assert_uint_eq(of_several[0].outcome, PAGE_DONE);
	ck_assert_int_eq(of_several[1].error, -EPERM);
	ck_assert_int_eq(of_several[2].error, -ESTALE);
	ck_assert_int_eq(of_several[3].error, -EBUSY);
	ck_assert_uint_eq(of_several[3].tries, PAGE_TRIES_MAX);
	ck_assert_uint_eq(of_several[4].outcome, PAGE_DONE);
	ck_assert_uint_eq(ph.kernel.n_writes, 2 + PAGE_TRIES_MAX);
}
END_TEST

/* A page of a block that is offline by then is out of reach. */
START_TEST(requests_of_several_actions_are_done_in_their_order)
{
	prepare_several();
	several[1].action = PAGE_HARD;
	several[2] = several[0];
	several[2].action = PAGE_ONLINE;
	several[3].action = PAGE_FENCE;
	ph.allow_fence = true;
	put_flags(FIRST + MIB_256 / PAGE_SIZE_DEFAULT - 1, PAGE_FLAG(KPF_BUDDY));
	pages_run_all(several, SEVERAL, false, of_several);
	expect_written(0, "soft_offline_page 0x1000000000");
	expect_written(1, "hard_offline_page 0x1000001000");
	expect_written(2, "unpoison-pfn 0x1000000");
	ck_assert_uint_eq(of_several[2].outcome, PAGE_DONE);
	/* The second page is marked. */
	ck_assert_int_eq(of_several[3].error, -EPERM);
	ck_assert_uint_eq(of_several[4].outcome, PAGE_DONE);
	several[0].action = PAGE_ONLINE;
	several[1].action = PAGE_ONLINE;
	several[2] = several[4];
	several[2].action = PAGE_ONLINE;
	pages_run_all(several, SEVERAL, false, of_several);
	ck_assert_uint_eq(of_several[0].outcome, PAGE_ALREADY);
	ck_assert_uint_eq(of_several[1].outcome, PAGE_DONE);
	ck_assert_uint_eq(of_several[3].outcome, PAGE_DONE);
	ck_assert_int_eq(of_several[4].error, -ENXIO);
}
END_TEST

/* The requests are of both devices by turns, and of one that does not exist. */
START_TEST(addresses_of_a_batch_are_one_call_of_firmware_for_each_device)
{
	struct firmware *firmware;
	size_t before;

	fake_setup();
	model_normalize(ph.region);
	ck_assert_int_eq(firmware_new(fake.path, &ph.m.firmware), 0);
	firmware = ph.m.firmware;
	prepare_several();
	for (unsigned int i = 0; i < SEVERAL; i++) {
		several[i].dpa = i * UINT64_C(0x800);
		several[i].spa = PAGES_BASE + i * UINT64_C(0x1000) + i % 2 * UINT64_C(0x100);
		several[i].serial = 0xabc0 + i % 2;
		(void)snprintf(several[i].device, sizeof(several[i].device),
			       "cxl-000000000000abc%u", i % 2);
	}
	(void)snprintf(several[4].device, sizeof(several[4].device), "cxl-00000000000fffff");
	before = fake.ioctls;
	pages_run_all(several, SEVERAL, false, of_several);
	for (unsigned int i = 0; i < 4; i++)
		ck_assert_msg(of_several[i].outcome == PAGE_DONE, "%u: %s", i,
			      of_several[i].reason);
	ck_assert_int_eq(of_several[4].error, -ENODEV);
	ck_assert_uint_eq(fake.ioctls - before, 2);
	ck_assert_uint_eq(fake.largest_batch, 2);
	ph.m.firmware = NULL;
	ph.m.t = translator_unref(ph.m.t);
	(void)firmware_free(firmware);
	fake_teardown();
}
END_TEST

/* ---- what is refused ---- */

START_TEST(page_of_the_kernel_is_refused_with_its_kind)
{
	static const struct {
		uint64_t flags;
		const char *kind;
		int error; /* 0: EPERM */
	} cases[] = {
		{LRU | PAGE_FLAG(KPF_SLAB), "slab"},
		{PAGE_FLAG(KPF_PGTABLE), "page-table"},
		{LRU | PAGE_FLAG_RESERVED, "reserved"},
		{PAGE_FLAG(KPF_BUDDY) | PAGE_FLAG(KPF_OFFLINE), "offline"},
		{PAGE_FLAG(KPF_NOPAGE), "unknown"},
		{LRU | PAGE_FLAG(KPF_ZERO_PAGE), "reserved"},
		/* A free page on the list of a processor has no flags either. */
		{0, "unknown", EBUSY},
		{PAGE_FLAG(KPF_MMAP), "unknown", EBUSY},
		{PAGE_FLAG(KPF_ANON), "anonymous"},
	};
	static const enum page_action actions[] = {PAGE_SOFT, PAGE_HARD};
	char text[64];

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		q = pages_request(actions[i], 0);
		put_flags(FIRST, cases[_i].flags);
		run();
		(void)snprintf(text, sizeof(text), "of the kind %s:", cases[_i].kind);
		expect(PAGE_REFUSED, cases[_i].error ? cases[_i].error : EPERM, text);
		expect_nothing_written();
	}
}
END_TEST

START_TEST(huge_page_needs_the_request_and_the_configuration)
{
	const uint64_t huge = PAGE_FLAG(KPF_HUGE) | PAGE_FLAG(KPF_COMPOUND_HEAD);

	q = pages_request(PAGE_SOFT, 0);
	put_flags(FIRST, huge);
	result = pages_run(&q, true);
	expect(PAGE_REFUSED, EPERM, "offline-huge-pages");
	q.allow_huge = 1;
	result = pages_run(&q, false);
	expect(PAGE_REFUSED, EPERM, "offline-huge-pages");
	expect_nothing_written();
	result = pages_run(&q, true);
	expect(PAGE_DONE, 0, "");
	put_flags(FIRST, huge | PAGE_FLAG(KPF_SLAB));
	result = pages_run(&q, true);
	ck_assert_int_eq(result.outcome, PAGE_REFUSED);
}
END_TEST

START_TEST(page_whose_data_is_lost_is_not_read)
{
	q = pages_request(PAGE_SOFT, 0);
	q.only_free = 1;
	put_flags(FIRST, PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_ANON));
	run();
	expect(PAGE_REFUSED, EBUSY, "is in use (anonymous), and data in it is lost");
	expect_nothing_written();
	put_flags(FIRST, PAGE_FLAG(KPF_BUDDY));
	run();
	expect(PAGE_DONE, 0, "");
}
END_TEST

START_TEST(block_that_is_offline_is_refused)
{
	q = pages_request(PAGE_SOFT, 0);
	put_block_state(PAGES_BLOCK, "offline\n", "Movable\n");
	run();
	expect(PAGE_REFUSED, ENXIO, "memory256");
	expect_nothing_written();
}
END_TEST

static void bind_dax(const char *name)
{
	char device[96], link[128], driver[96];

	(void)snprintf(device, sizeof(device), "sys/bus/dax/devices/%s", ph.dax->name);
	(void)snprintf(link, sizeof(link), "%s/driver", device);
	(void)snprintf(driver, sizeof(driver), "../../../bus/dax/drivers/%s", name);
	put_directory(ph.scratch.dirfd, device);
	(void)unlinkat(ph.scratch.dirfd, link, 0);
	ck_assert_int_eq(symlinkat(driver, ph.scratch.dirfd, link), 0);
}

START_TEST(device_dax_is_refused)
{
	ph.dax->mode = DAX_MODE_DEVDAX;
	q = pages_request(PAGE_HARD, 0);
	run();
	expect(PAGE_REFUSED, ENXIO, "device-dax");
	bind_dax("device_dax");
	run();
	expect(PAGE_REFUSED, ENXIO, "device-dax");
	expect_nothing_written();
	/* The host was read before. */
	q = pages_request(PAGE_SOFT, 0);
	bind_dax("kmem");
	run();
	expect(PAGE_DONE, 0, "");
}
END_TEST

START_TEST(address_that_moved_is_refused)
{
	q = pages_request(PAGE_SOFT, 0);
	q.spa += 0x1000;
	run();
	expect(PAGE_REFUSED, ESTALE, "is at SPA 0x1000000000 now, not at 0x1000001000");
	q = pages_request(PAGE_SOFT, 0);
	q.spa++;
	run();
	expect(PAGE_REFUSED, ESTALE, "the mapping has changed");
	expect_nothing_written();
}
END_TEST

START_TEST(device_that_is_another_one_is_refused)
{
	q = pages_request(PAGE_SOFT, 0);
	q.serial = 0xabc1;
	run();
	expect(PAGE_REFUSED, ESTALE, "its serial number is not 0xabc1");
	(void)snprintf(q.device, sizeof(q.device), "cxl-00000000000fffff");
	run();
	expect(PAGE_REFUSED, ENODEV, "there is no memory device");
	expect_nothing_written();
}
END_TEST

START_TEST(address_that_is_not_exact_is_refused)
{
	q = pages_request(PAGE_SOFT, 0);
	q.dpa = 1ULL << 50;
	run();
	expect(PAGE_REFUSED, ERANGE, "has no exact system address");
	expect_nothing_written();
}
END_TEST

START_TEST(malformed_request_is_refused)
{
	const struct page_request good = pages_request(PAGE_SOFT, 0);

	q = good;
	q.action = PAGE_ACTIONS;
	run();
	expect(PAGE_REFUSED, EINVAL, "no action");
	q = good;
	q.allow_huge = 2;
	run();
	expect(PAGE_REFUSED, EINVAL, "allow_huge");
	q = good;
	q.only_free = 2;
	run();
	expect(PAGE_REFUSED, EINVAL, "only_free");
	q = good;
	q.action = PAGE_HARD;
	q.only_free = 1;
	run();
	expect(PAGE_REFUSED, EINVAL, "only_free");
	q = good;
	q.unused = 1;
	run();
	expect(PAGE_REFUSED, EINVAL, "only_free");
	q = good;
	memset(q.device, 'a', sizeof(q.device));
	run();
	expect(PAGE_REFUSED, EINVAL, "identifier");
	q = good;
	q.device[sizeof(q.device) - 1] = 'x';
	run();
	expect(PAGE_REFUSED, EINVAL, "behind the identifier");
	expect_nothing_written();
}
END_TEST

START_TEST(settings_of_the_kernel_are_kept)
{
	put_text(ph.scratch.dirfd, "proc/sys/vm/enable_soft_offline", "0\n");
	put_text(ph.scratch.dirfd, "proc/sys/vm/panic_on_unrecoverable_memory_failure", "1\n");
	q = pages_request(PAGE_SOFT, 0);
	run();
	expect(PAGE_REFUSED, EOPNOTSUPP, "vm.enable_soft_offline is 0");
	q = pages_request(PAGE_HARD, 0);
	run();
	expect(PAGE_REFUSED, EPERM, "vm.panic_on_unrecoverable_memory_failure is 1");
	expect_nothing_written();
	put_text(ph.scratch.dirfd, "proc/sys/vm/panic_on_unrecoverable_memory_failure", "0\n");
	run();
	expect(PAGE_DONE, 0, "");
}
END_TEST

START_TEST(no_flags_no_write)
{
	q = pages_request(PAGE_SOFT, 0);
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, "proc/kpageflags", 0), 0);
	run();
	expect(PAGE_REFUSED, ENOENT, "/proc/kpageflags");
	put_flags(FIRST - 1, LRU); /* the file ends before the page */
	run();
	expect(PAGE_REFUSED, ERANGE, "/proc/kpageflags");
	expect_nothing_written();
}
END_TEST

/* ---- what the kernel answers ---- */

START_TEST(refused_page_is_tried_again_three_times)
{
	q = pages_request(PAGE_SOFT, 0);
	for (size_t i = 0; i < WRITES_MAX; i++)
		ph.kernel.errors[i] = EBUSY;
	run();
	expect(PAGE_REFUSED, EBUSY, "repeat it later");
	ck_assert_uint_eq(ph.kernel.n_writes, PAGE_TRIES_MAX);
	ck_assert_uint_eq(result.tries, PAGE_TRIES_MAX);
	ck_assert(!(result.after & PAGE_FLAG_HWPOISON));
}
END_TEST

START_TEST(second_try_may_do_it)
{
	q = pages_request(PAGE_SOFT, 0);
	ph.kernel.errors[0] = EIO;
	run();
	expect(PAGE_DONE, 0, "");
	ck_assert_uint_eq(result.tries, 2);
}
END_TEST

START_TEST(other_errors_are_not_tried_again)
{
	q = pages_request(PAGE_SOFT, 0);
	ph.kernel.errors[0] = EINVAL;
	run();
	expect(PAGE_REFUSED, EBUSY, "Invalid argument");
	ck_assert_uint_eq(ph.kernel.n_writes, 1);
}
END_TEST

START_TEST(success_without_effect_is_a_failure)
{
	q = pages_request(PAGE_SOFT, 0);
	ph.kernel.idle = true;
	run();
	expect(PAGE_FAILED, EIO, "still in use: bit 19 of its kpageflags is 0");
	put_flags(FIRST, PAGE_FLAG_HWPOISON);
	q.action = PAGE_ONLINE;
	run();
	expect(PAGE_FAILED, EIO, "still out of use: bit 19 of its kpageflags is 1");
}
END_TEST

START_TEST(page_without_flags_afterwards_is_not_verified)
{
	q = pages_request(PAGE_SOFT, 0);
	ph.kernel.offline_after = true;
	run();
	expect(PAGE_UNVERIFIABLE, EIO, "no flags any more");
}
END_TEST

START_TEST(way_back_is_said_when_it_is_closed)
{
	q = pages_request(PAGE_ONLINE, 0);
	put_flags(FIRST, PAGE_FLAG_HWPOISON);
	ph.kernel.errors[0] = EOPNOTSUPP;
	run();
	expect(PAGE_REFUSED, EOPNOTSUPP, "after the first failure of memory of this boot");
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, "sys/kernel/debug/hwpoison/unpoison-pfn", 0),
			 0);
	run();
	expect(PAGE_REFUSED, EOPNOTSUPP, "run modprobe hwpoison-inject");
	ck_assert(get_flags(FIRST) & PAGE_FLAG_HWPOISON);
}
END_TEST

START_TEST(kernel_without_the_file_cannot)
{
	q = pages_request(PAGE_SOFT, 0);
	ck_assert_int_eq(
		unlinkat(ph.scratch.dirfd, "sys/devices/system/memory/soft_offline_page", 0), 0);
	run();
	expect(PAGE_REFUSED, EOPNOTSUPP, "CONFIG_MEMORY_FAILURE");
}
END_TEST

/* ---- the client ---- */

static void answer_done(void *userdata, const struct page_request *requests, size_t n,
			struct page_result *ret)
{
	(void)requests;
	*(size_t *)userdata += n;
	for (size_t i = 1; i < n; i++)
		(void)page_result_set(&ret[i], EBUSY, PAGE_REFUSED, "it is pinned");
}

static unsigned int answer_allowed(void *userdata)
{
	(void)userdata;
	return 0;
}

/* ---- blocks that go offline instead ---- */

enum { LAST_OF_BLOCK = FIRST + MIB_256 / PAGE_SIZE_DEFAULT - 1 };

static void fence(void)
{
	ph.allow_fence = true;
	for (uint64_t pfn = FIRST; pfn <= LAST_OF_BLOCK; pfn++)
		put_flags(pfn, PAGE_FLAG(KPF_BUDDY));
	q = pages_request(PAGE_FENCE, 0);
}

static void expect_block(enum block_state expected)
{
	enum block_state state;

	ck_assert_int_eq(memory_block_state(ph.scratch.dirfd, PAGES_BLOCK, &state), 0);
	ck_assert_int_eq(state, expected);
}

START_TEST(block_goes_offline_while_no_page_is_marked)
{
	fence();
	run();
	expect(PAGE_DONE, 0, "");
	expect_block(BLOCK_OFFLINE);
	ck_assert(!(get_flags(FIRST) & PAGE_FLAG_HWPOISON));
	expect_nothing_written();
	run();
	expect(PAGE_ALREADY, 0, "");
}
END_TEST

START_TEST(block_with_a_marked_page_stays)
{
	fence();
	put_flags(LAST_OF_BLOCK, PAGE_FLAG(KPF_BUDDY) | PAGE_FLAG_HWPOISON);
	run();
	expect(PAGE_REFUSED, EPERM, "has 1 pages that are out of use already");
	expect_block(BLOCK_MOVABLE);
}
END_TEST

START_TEST(block_in_use_stays_where_data_is_lost)
{
	fence();
	put_flags(LAST_OF_BLOCK - 1, LRU | PAGE_FLAG(KPF_ANON));
	q.only_free = 1;
	run();
	expect(PAGE_REFUSED, EBUSY, "1 pages of memory");
	expect_block(BLOCK_MOVABLE);
	q.only_free = 0;
	run();
	expect(PAGE_DONE, 0, "");
}
END_TEST

/* A driver's page has none. */
START_TEST(block_with_a_page_without_flags_stays_where_data_is_lost)
{
	fence();
	put_flags(LAST_OF_BLOCK - 1, 0);
	put_flags(LAST_OF_BLOCK, PAGE_FLAG_RESERVED);
	q.only_free = 1;
	run();
	expect(PAGE_REFUSED, EBUSY, "1 pages of memory");
	expect_block(BLOCK_MOVABLE);
	put_flags(LAST_OF_BLOCK - 1, PAGE_FLAG(KPF_BUDDY));
	run();
	expect(PAGE_DONE, 0, "");
}
END_TEST

/* ---- the limit of a block ---- */

static void take_out(unsigned int page)
{
	put_flags(FIRST + page, get_flags(FIRST + page) | LRU);
	q = pages_request(PAGE_SOFT, page * UINT64_C(0x800));
	run();
}

/* A client that somebody else controls keeps no limit. */
START_TEST(no_more_pages_of_a_block_go_out_than_the_limit_allows)
{
	ph.marks = block_marks_new();
	ck_assert_ptr_nonnull(ph.marks);
	ph.block_limit = 2;
	put_flags(LAST_OF_BLOCK, PAGE_FLAG(KPF_BUDDY));
	for (unsigned int page = 0; page < 2; page++) {
		take_out(page);
		expect(PAGE_DONE, 0, "");
	}
	take_out(2);
	expect(PAGE_REFUSED, EDQUOT,
	       "has 2 pages that are out of use, and page-limit-block allows 2");
	ck_assert_uint_eq(ph.kernel.n_writes, 2);
	take_out(1);
	expect(PAGE_ALREADY, 0, "");
	/* One is in use again. */
	q.action = PAGE_ONLINE;
	run();
	expect(PAGE_DONE, 0, "");
	take_out(2);
	expect(PAGE_DONE, 0, "");
	take_out(3);
	expect(PAGE_REFUSED, EDQUOT, "page-limit-block allows 2");
	ph.marks = block_marks_free(ph.marks);
}
END_TEST

/* The client asks for both blocks of a node. */
START_TEST(no_more_than_half_of_a_node_goes_offline)
{
	ph.marks = block_marks_new();
	ck_assert_ptr_nonnull(ph.marks);
	fence();
	put_flags(FIRST + 2 * (MIB_256 / PAGE_SIZE_DEFAULT) - 1, PAGE_FLAG(KPF_BUDDY));
	run();
	expect(PAGE_DONE, 0, "");
	run();
	expect(PAGE_ALREADY, 0, "");
	q = pages_request(PAGE_FENCE, MIB_256 / 2);
	run();
	expect(PAGE_REFUSED, EDQUOT, "no more than half of the memory of a node");
	put_block_state(PAGES_BLOCK, "online\n", "Movable\n");
	run();
	expect(PAGE_DONE, 0, "");
	q = pages_request(PAGE_FENCE, 0);
	run();
	expect(PAGE_REFUSED, EDQUOT, "no more than half of the memory of a node");
	expect_block(BLOCK_MOVABLE);
	ph.marks = block_marks_free(ph.marks);
}
END_TEST

START_TEST(block_of_a_node_without_a_size_stays)
{
	ph.marks = block_marks_new();
	ck_assert_ptr_nonnull(ph.marks);
	fence();
	ph.dax->size = (struct opt_u64){0};
	run();
	expect(PAGE_REFUSED, EDQUOT, "the memory of its node is not known");
	expect_block(BLOCK_MOVABLE);
	ph.marks = block_marks_free(ph.marks);
}
END_TEST

START_TEST(block_stays_unless_the_configuration_says_fence)
{
	fence();
	ph.allow_fence = false;
	run();
	expect(PAGE_REFUSED, EACCES, "page-on-online = fence");
	expect_block(BLOCK_MOVABLE);
}
END_TEST

START_TEST(block_of_a_cache_stays)
{
	pages_make_cached();
	fence();
	run();
	expect(PAGE_REFUSED, EPERM, "extended linear cache");
}
END_TEST

START_TEST(block_that_the_kernel_keeps_is_refused)
{
	char path[96];

	/* As if the write had no effect. */
	fence();
	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/state", PAGES_BLOCK);
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, path, 0), 0);
	ck_assert_int_eq(symlinkat("/dev/null", ph.scratch.dirfd, path), 0);
	run();
	ck_assert_int_eq(result.error < 0, 1);
	ck_assert_uint_ne(result.outcome, PAGE_DONE);
}
END_TEST

START_TEST(client_says_the_first_error_and_takes_no_more_than_it_may)
{
	static const struct page_client_ops ops = {answer_done, answer_allowed, NULL, NULL};
	static struct page_request requests[PAGE_RUN_MAX + 1];
	static struct page_result results[PAGE_RUN_MAX + 1];
	size_t n = 0;
	struct page_client *c = page_client_new(&ops, &n);

	ck_assert_ptr_nonnull(c);
	ck_assert_int_eq(page_client_run(c, requests, 1, results), 0);
	ck_assert_int_eq(page_client_run(c, requests, 2, results), -EBUSY);
	ck_assert_int_eq(page_client_run(c, requests, PAGE_RUN_MAX + 1, results), -E2BIG);
	ck_assert_uint_eq(n, 3);
	ck_assert_ptr_null(page_client_free(c));
}
END_TEST

START_TEST(captured_host_is_not_changed)
{
	const struct page_context x = {.root = &ph.m.root_directory};

	q = pages_request(PAGE_SOFT, 0);
	ph.m.root_directory.captured = true;
	page_run(&x, &q, 1, &result);
	expect(PAGE_REFUSED, EROFS, "captured host");
	ph.m.root_directory.captured = false;
}
END_TEST

SUITE(check_page_run)
{
	Suite *suite = suite_create("pages/page_run");
	TCase *tc = tcase_create("page_run");

	tcase_add_checked_fixture(tc, pages_setup, pages_teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, page_is_out_when_its_flag_says_so, 0, 4);
	tcase_add_test(tc, hard_is_another_file);
	tcase_add_test(tc, page_that_is_out_is_left_alone);
	tcase_add_test(tc, page_comes_back);
	tcase_add_test(tc, alias_page_goes_with_it);
	tcase_add_test(tc, page_whose_alias_stays_is_a_failure);
	tcase_add_test(tc, nothing_is_written_when_the_alias_is_refused);
	tcase_add_test(tc, each_of_several_pages_is_written_with_privileges_of_its_own);
	tcase_add_test(tc, page_that_is_refused_stops_no_other_one);
	tcase_add_test(tc, requests_of_several_actions_are_done_in_their_order);
	tcase_add_test(tc, addresses_of_a_batch_are_one_call_of_firmware_for_each_device);
	tcase_add_loop_test(tc, page_of_the_kernel_is_refused_with_its_kind, 0, 9);
	tcase_add_test(tc, huge_page_needs_the_request_and_the_configuration);
	tcase_add_test(tc, page_whose_data_is_lost_is_not_read);
	tcase_add_test(tc, block_that_is_offline_is_refused);
	tcase_add_test(tc, device_dax_is_refused);
	tcase_add_test(tc, address_that_moved_is_refused);
	tcase_add_test(tc, device_that_is_another_one_is_refused);
	tcase_add_test(tc, address_that_is_not_exact_is_refused);
	tcase_add_test(tc, malformed_request_is_refused);
	tcase_add_test(tc, settings_of_the_kernel_are_kept);
	tcase_add_test(tc, no_flags_no_write);
	tcase_add_test(tc, refused_page_is_tried_again_three_times);
	tcase_add_test(tc, second_try_may_do_it);
	tcase_add_test(tc, other_errors_are_not_tried_again);
	tcase_add_test(tc, success_without_effect_is_a_failure);
	tcase_add_test(tc, page_without_flags_afterwards_is_not_verified);
	tcase_add_test(tc, way_back_is_said_when_it_is_closed);
	tcase_add_test(tc, kernel_without_the_file_cannot);
	tcase_add_test(tc, client_says_the_first_error_and_takes_no_more_than_it_may);
	tcase_add_test(tc, captured_host_is_not_changed);
	tcase_add_test(tc, block_goes_offline_while_no_page_is_marked);
	tcase_add_test(tc, block_with_a_marked_page_stays);
	tcase_add_test(tc, block_in_use_stays_where_data_is_lost);
	tcase_add_test(tc, block_with_a_page_without_flags_stays_where_data_is_lost);
	tcase_add_test(tc, no_more_pages_of_a_block_go_out_than_the_limit_allows);
	tcase_add_test(tc, no_more_than_half_of_a_node_goes_offline);
	tcase_add_test(tc, block_of_a_node_without_a_size_stays);
	tcase_add_test(tc, block_stays_unless_the_configuration_says_fence);
	tcase_add_test(tc, block_of_a_cache_stays);
	tcase_add_test(tc, block_that_the_kernel_keeps_is_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
