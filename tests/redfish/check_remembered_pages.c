// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remembered pages: the decision, the limits over kills, reboots and clocks, and lists. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "redfish/pages/state_pages.h"
#include "tests/lib/suites.h"

#define DEVICE	"cxl-000000000000abc0"
#define SECOND	UINT64_C(1000000000)
#define MINUTES (60 * SECOND)

static char directory[64], path[96];
static struct state *state;
static struct error error;
static struct page_moment now;

static void open_state(void)
{
	state = state_free(state);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
}

static void setup(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/check_remembered.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	now = (struct page_moment){.boottime_ns = 10 * MINUTES, .boot_id = {1}, .time_ns = SECOND};
	open_state();
}

static void teardown(void)
{
	char command[96];

	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* The @n-th page of a node of 40 GiB, each in a block of its own. */
static struct page_wish wish(unsigned int n)
{
	return (struct page_wish){
		.device = DEVICE,
		.serial = 0xabc0,
		.dpa = n * UINT64_C(0x8000000),
		.length = REMEMBERED_LINE,
		.cause = PAGE_BY_POLICY,
		.incident = 7,
		.spa = 0x100000000 + n * UINT64_C(0x8000000),
		.block = 32 + n,
		.node = 2,
		.node_pages = 10 * 1024 * 1024,
	};
}

static enum page_verdict reserve_within(const struct page_wish *w, const struct page_limits *l,
					uint64_t *ret_id)
{
	struct page_reservation v = {0};
	int r = state_reserve_pages(state, w, 1, l, &now, &v, &error);

	ck_assert_msg(r == 0, "%d %s", r, error.text);
	ck_assert_int_eq(v.error, 0);
	if (v.verdict == PAGE_MAY_GO)
		*ret_id = v.id;
	return v.verdict;
}

static void expect_forgotten(const struct page_wish *w)
{
	struct page_reservation v = {0};

	ck_assert_int_eq(state_reserve_pages(state, w, 1, &page_limits_default, &now, &v, &error),
			 0);
	ck_assert_int_eq(v.error, -ENOENT);
	ck_assert_uint_eq(v.id, 0);
}

static enum page_verdict reserve(const struct page_wish *w, uint64_t *ret_id)
{
	return reserve_within(w, &page_limits_default, ret_id);
}

static struct remembered_page stored(uint64_t id)
{
	struct remembered_page p;

	ck_assert_int_eq(state_read_page(state, id, &p, &error), 0);
	return p;
}

static size_t count(void)
{
	struct remembered_pages list = {0};
	size_t n;

	ck_assert_int_eq(state_read_pages(state, &list, &error), 0);
	n = list.n;
	remembered_pages_done(&list);
	return n;
}

/* ---- the decision ---- */

static const struct {
	struct page_case c;
	struct page_counts counts;
	enum page_verdict verdict;
} decisions[] = {
	{{.by_policy = true}, {.node_pages = 1000}, PAGE_MAY_GO},
	{{.by_policy = true}, {.node_pages = 999}, PAGE_OVER_NODE},
	{{.by_policy = true}, {.node_pages = 2000, .node = 1}, PAGE_MAY_GO},
	{{.by_policy = true}, {.node_pages = 2000, .node = 2}, PAGE_OVER_NODE},
	{{.by_policy = true}, {.node_pages = UINT64_MAX, .node = 1 << 30}, PAGE_MAY_GO},
	{{.by_policy = true}, {0}, PAGE_NODE_NOT_KNOWN},
	{{.by_policy = true}, {.node_pages = 1000, .hour = 16}, PAGE_OVER_HOUR},
	{{.by_policy = false}, {.node_pages = 1000, .hour = 16}, PAGE_MAY_GO},
	{{.by_policy = false}, {.node_pages = 1000, .total = 1024}, PAGE_OVER_TOTAL},
	{{.by_policy = false}, {.node_pages = 1000, .block = 4}, PAGE_OVER_BLOCK},
	{{.by_policy = true, .tries = 3}, {.node_pages = 1000}, PAGE_TRIED_ENOUGH},
	{{.by_policy = false, .tries = 3}, {.node_pages = 1000}, PAGE_MAY_GO},
	{{.by_policy = true, .is_out = true}, {.node_pages = 1000}, PAGE_IS_OUT},
	/* Put out again: the limit of the block alone. */
	{{.by_policy = true, .again = true, .is_out = true, .tries = 99},
	 {.hour = 99, .total = 9999, .node = 9999},
	 PAGE_MAY_GO},
	{{.by_policy = true, .again = true}, {.block = 4}, PAGE_OVER_BLOCK},
	/* A list of another machine is new here, and the hour is the policy's. */
	{{.by_policy = true, .again = true, .imported = true},
	 {.hour = 99, .total = 1024, .node_pages = 1000},
	 PAGE_OVER_TOTAL},
	{{.again = true, .imported = true}, {.node = 1, .node_pages = 1000}, PAGE_OVER_NODE},
	{{.by_policy = true, .again = true, .imported = true, .tries = 99},
	 {.hour = 99, .node_pages = 1000},
	 PAGE_MAY_GO},
};

START_TEST(a_decision_has_one_reason)
{
	enum page_verdict v =
		page_decide(&decisions[_i].c, &decisions[_i].counts, &page_limits_default);

	ck_assert_int_eq(v, decisions[_i].verdict);
	ck_assert(v == PAGE_MAY_GO || strlen(page_verdict_text(v)) > 20);
}
END_TEST

START_TEST(age_never_runs_backwards)
{
	const struct page_moment before = {.boottime_ns = 100, .boot_id = {1}};
	const struct page_moment same = {.boottime_ns = 40, .boot_id = {1}};
	const struct page_moment next = {.boottime_ns = 30, .boot_id = {2}};
	struct page_age age = page_age_at(&(struct page_age){0}, &before);

	ck_assert_uint_eq(age.age_ns, 100);
	ck_assert_uint_eq(page_age_at(&age, &same).age_ns, 100);
	ck_assert_uint_eq(page_age_at(&age, &next).age_ns, 130);
	age.age_ns = INT64_MAX - 1;
	ck_assert_uint_eq(page_age_at(&age, &next).age_ns, INT64_MAX);
}
END_TEST

/* ---- age ---- */

static size_t forget_old(uint64_t age_ns)
{
	size_t n = 99;

	ck_assert_int_eq(state_forget_old_pages(state, age_ns, "old", &now, &n, &error), 0);
	return n;
}

START_TEST(an_old_entry_is_forgotten_by_the_time_that_the_host_ran)
{
	struct page_wish w = wish(1), young = wish(2);
	uint64_t id;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "", &now, &error), 0);
	/* A clock that was set is none. */
	now.time_ns += 1000 * PAGE_HOUR_NS;
	ck_assert_uint_eq(forget_old(PAGE_HOUR_NS), 0);
	now.boottime_ns += PAGE_HOUR_NS / 2;
	ck_assert_int_eq(reserve(&young, &id), PAGE_MAY_GO);
	now.boottime_ns += PAGE_HOUR_NS / 2;
	/* Its page is out in this boot: the entry says until when. */
	ck_assert_uint_eq(forget_old(PAGE_HOUR_NS), 1);
	ck_assert_int_eq(stored(1).state, REMEMBERED_RETURNED);
	ck_assert_str_eq(stored(1).text, "old");
	ck_assert_int_eq(stored(2).state, REMEMBERED_RESERVED);
	ck_assert_uint_eq(forget_old(PAGE_HOUR_NS), 0);
	/* In another boot nothing of it is out. */
	now.boot_id[0]++;
	now.boottime_ns = PAGE_HOUR_NS;
	ck_assert_uint_eq(forget_old(PAGE_HOUR_NS), 1);
	ck_assert_uint_eq(count(), 1);
}
END_TEST

static void import_two(void);

START_TEST(an_imported_entry_is_as_old_as_its_import)
{
	import_two();
	ck_assert_uint_eq(forget_old(1), 0);
	now.boottime_ns += PAGE_HOUR_NS;
	ck_assert_uint_eq(forget_old(2 * PAGE_HOUR_NS), 0);
	ck_assert_uint_eq(forget_old(PAGE_HOUR_NS), 2);
	ck_assert_uint_eq(count(), 0);
}
END_TEST

/* ---- limits with aliases, and of lists ---- */

static const struct page_limits two_of_each = {
	.hour = 9, .total = 9, .block = 2, .share_ppm = 1000000};

START_TEST(an_alias_counts_for_its_block)
{
	struct page_wish w = wish(1), other = wish(2), third = wish(3);
	uint64_t id;

	w.alias = other.spa + 0x10000;
	w.alias_block = other.block;
	third.block = third.alias_block = other.block;
	third.alias = third.spa + 0x1000;
	ck_assert_int_eq(reserve_within(&w, &two_of_each, &id), PAGE_MAY_GO);
	ck_assert_uint_eq(stored(id).alias, w.alias);
	/* Two more are too many; one is not. */
	ck_assert_int_eq(reserve_within(&third, &two_of_each, &id), PAGE_OVER_BLOCK);
	ck_assert_int_eq(reserve_within(&other, &two_of_each, &id), PAGE_MAY_GO);
	/* The page itself does not count for its own limits. */
	ck_assert_int_eq(state_settle_page(state, 1, REMEMBERED_FAILED, "", &now, &error), 0);
	ck_assert_int_eq(reserve_within(&w, &two_of_each, &id), PAGE_MAY_GO);
}
END_TEST

START_TEST(an_alias_counts_for_the_node_and_in_all)
{
	struct page_limits limits = {.hour = 9, .total = 3, .block = 9, .share_ppm = 1000000};
	struct page_wish w = wish(1), other = wish(2);
	uint64_t id;

	w.alias = other.alias = 0x9000000000;
	w.alias_block = other.alias_block = 99;
	ck_assert_int_eq(reserve_within(&w, &limits, &id), PAGE_MAY_GO);
	ck_assert_int_eq(reserve_within(&other, &limits, &id), PAGE_OVER_TOTAL);
	limits.total = 4;
	other.node_pages = 2;
	ck_assert_int_eq(reserve_within(&other, &limits, &id), PAGE_OVER_NODE);
	other.node_pages = 4;
	ck_assert_int_eq(reserve_within(&other, &limits, &id), PAGE_MAY_GO);
}
END_TEST

static void import_two(void)
{
	struct remembered_page pages[2] = {{.device = DEVICE, .dpa = wish(1).dpa, .length = 64},
					   {.device = DEVICE, .dpa = wish(2).dpa, .length = 64}};
	const struct remembered_pages list = {.items = pages, .n = 2};
	size_t n;

	ck_assert_int_eq(state_import_pages(state, &list, 9, &n, &error), 0);
}

START_TEST(an_imported_page_has_the_limits_of_a_new_one)
{
	const struct page_limits one = {.hour = 1, .total = 1, .block = 9, .share_ppm = 1000000};
	const struct page_limits two = {.hour = 1, .total = 2, .block = 9, .share_ppm = 1000000};
	struct page_wish w[2] = {wish(1), wish(2)};
	struct page_reservation r[2];

	w[0].again = w[1].again = true;
	import_two();
	ck_assert_int_eq(state_reserve_pages(state, w, 2, &one, &now, r, &error), 0);
	ck_assert_int_eq(r[0].verdict, PAGE_OVER_TOTAL);
	ck_assert_uint_eq(r[0].id, 0);
	/* The entry has the reason, and is not taken for one that was tried. */
	ck_assert_ptr_nonnull(strstr(stored(1).text, "page-limit-total"));
	ck_assert_int_eq(stored(1).state, REMEMBERED_KNOWN);
	ck_assert_int_eq(state_reserve_pages(state, w, 2, &two, &now, r, &error), 0);
	ck_assert_int_eq(r[0].verdict, PAGE_MAY_GO);
	ck_assert_int_eq(r[1].verdict, PAGE_MAY_GO);
	ck_assert_str_eq(stored(1).text, "");
}
END_TEST

START_TEST(several_are_reserved_and_settled_at_once)
{
	struct page_wish w[3] = {wish(1), wish(2), wish(3)};
	struct page_settlement s[3] = {{.state = REMEMBERED_OUT, .online_us = 1500},
				       {.id = 77, .state = REMEMBERED_OUT},
				       {.state = REMEMBERED_REFUSED, .text = "busy"}};
	struct page_reservation r[3];

	import_two();
	for (unsigned int i = 0; i < 3; i++)
		w[i].again = true;
	ck_assert_int_eq(state_reserve_pages(state, w, 3, &page_limits_default, &now, r, &error),
			 0);
	ck_assert_int_eq(r[2].error, -ENOENT);
	s[0].id = r[0].id;
	s[2].id = r[1].id;
	ck_assert_int_eq(state_settle_pages(state, s, 3, &now, &error), 0);
	ck_assert_int_eq(stored(1).state, REMEMBERED_OUT);
	ck_assert_uint_eq(stored(1).online_us, 1500);
	ck_assert_str_eq(stored(2).text, "busy");
	/* It is out already: the time stays, until it is out in another boot. */
	ck_assert_int_eq(state_settle_page(state, 1, REMEMBERED_OUT, "", &now, &error), 0);
	ck_assert_uint_eq(stored(1).online_us, 1500);
	now.boot_id[0]++;
	ck_assert_int_eq(state_reserve_pages(state, w, 1, &page_limits_default, &now, r, &error),
			 0);
	ck_assert_uint_eq(stored(1).online_us, 0);
}
END_TEST

START_TEST(a_page_beyond_a_limit_in_this_boot_has_the_reason)
{
	const struct page_limits none = {.hour = 9, .total = 9, .block = 0, .share_ppm = 1000000};
	struct page_wish w = wish(1);
	struct page_reservation r;
	uint64_t id;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "", &now, &error), 0);
	w.again = true;
	ck_assert_int_eq(state_reserve_pages(state, &w, 1, &none, &now, &r, &error), 0);
	ck_assert_int_eq(r.verdict, PAGE_OVER_BLOCK);
	ck_assert_int_eq(stored(id).state, REMEMBERED_OUT);
	now.boot_id[0]++;
	ck_assert_int_eq(state_reserve_pages(state, &w, 1, &none, &now, &r, &error), 0);
	ck_assert_int_eq(stored(id).state, REMEMBERED_REFUSED);
	ck_assert_ptr_nonnull(strstr(stored(id).text, "page-limit-block"));
}
END_TEST

/* ---- reserving and settling ---- */

START_TEST(a_write_is_reserved_and_settled)
{
	struct page_wish w = wish(1);
	struct remembered_page p;
	uint64_t id;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	p = stored(id);
	ck_assert_int_eq(p.state, REMEMBERED_RESERVED);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "", &now, &error), 0);
	open_state();
	p = stored(id);
	ck_assert_int_eq(p.state, REMEMBERED_OUT);
	ck_assert_str_eq(p.device, DEVICE);
	ck_assert_uint_eq(p.serial, 0xabc0);
	ck_assert_uint_eq(p.dpa, w.dpa);
	ck_assert_uint_eq(p.length, REMEMBERED_LINE);
	ck_assert_uint_eq(p.cause, PAGE_BY_POLICY);
	ck_assert_uint_eq(p.incident, 7);
	ck_assert_uint_eq(p.spa, w.spa);
	ck_assert_uint_eq(p.block, 33);
	ck_assert_uint_eq(p.created_ns, SECOND);
	ck_assert_int_eq(reserve(&w, &id), PAGE_IS_OUT);
}
END_TEST

START_TEST(a_range_is_remembered_once)
{
	struct page_wish w = wish(1);
	uint64_t id, again;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_REFUSED, "busy", &now, &error), 0);
	ck_assert_int_eq(reserve(&w, &again), PAGE_MAY_GO);
	ck_assert_uint_eq(id, again);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(stored(id).tries, 2);
}
END_TEST

START_TEST(a_page_that_is_busy_for_ever_is_given_up)
{
	struct page_wish w = wish(1);
	uint64_t id;

	for (unsigned int i = 0; i < PAGE_LIMIT_TRIES; i++) {
		ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
		ck_assert_int_eq(
			state_settle_page(state, id, REMEMBERED_REFUSED, "busy", &now, &error), 0);
	}
	ck_assert_int_eq(reserve(&w, &id), PAGE_TRIED_ENOUGH);
	now.boot_id[0]++;
	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
}
END_TEST

static const struct page_wish bad_wishes[] = {
	{.device = "", .length = 64},
	{.device = "../x", .length = 64},
	{.device = DEVICE, .length = 0},
	{.device = DEVICE, .length = 65},
	{.device = DEVICE, .dpa = 1, .length = 63},
	{.device = DEVICE, .dpa = UINT64_MAX - 63, .length = 64},
	{.device = DEVICE, .dpa = INT64_MAX - 63, .length = INT64_MAX - 63},
	{.device = DEVICE, .length = 64, .spa = UINT64_MAX},
	{.device = "a-name-of-more-than-sixty-four-letters-is-not-one-of-a-device-at-all",
	 .length = 64},
};

START_TEST(a_range_that_is_none_is_refused)
{
	const struct page_wish w[] = {wish(1), bad_wishes[_i]};
	struct page_reservation v[2];

	ck_assert_int_eq(page_wish_check(&w[0], &error), 0);
	ck_assert_int_eq(page_wish_check(&w[1], &error), -EINVAL);
	ck_assert_int_eq(state_reserve_pages(state, w, 2, &page_limits_default, &now, v, &error),
			 -EINVAL);
	ck_assert_uint_eq(count(), 0);
}
END_TEST

/* ---- limits ---- */

START_TEST(pages_of_one_block_count_once)
{
	struct page_wish w = wish(1);
	uint64_t id;

	for (unsigned int i = 0; i < 6; i++) {
		w.dpa += REMEMBERED_LINE;
		ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO); /* all in one page */
	}
	for (unsigned int i = 0; i < 3; i++) {
		w.dpa += REMEMBERED_LINE;
		w.spa += 4096;
		ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	}
	w.dpa += REMEMBERED_LINE;
	w.spa += 4096;
	ck_assert_int_eq(reserve(&w, &id), PAGE_OVER_BLOCK);
	w.cause = PAGE_BY_HAND;
	ck_assert_int_eq(reserve(&w, &id), PAGE_OVER_BLOCK);
	/* After a reboot none of them is out. */
	now.boot_id[0]++;
	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
}
END_TEST

START_TEST(a_refused_page_is_not_out)
{
	struct page_wish w = wish(1);
	uint64_t id;

	for (unsigned int i = 0; i < 6; i++) {
		w.dpa += REMEMBERED_LINE;
		w.spa += 4096;
		ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
		ck_assert_int_eq(
			state_settle_page(state, id, REMEMBERED_REFUSED, "slab", &now, &error), 0);
	}
}
END_TEST

/* All writes of an hour. */
static void fill_hour(void)
{
	for (unsigned int i = 0; i < PAGE_LIMIT_HOUR_DEFAULT; i++) {
		struct page_wish w = wish(i);
		uint64_t id;

		ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	}
}

START_TEST(an_hour_has_a_limit_that_no_restart_and_no_clock_ends)
{
	struct page_wish w = wish(99);
	uint64_t id;

	fill_hour();
	ck_assert_int_eq(reserve(&w, &id), PAGE_OVER_HOUR);
	open_state();
	now.time_ns += 1000 * PAGE_HOUR_NS; /* of people only */
	ck_assert_int_eq(reserve(&w, &id), PAGE_OVER_HOUR);
	now.boottime_ns = 1; /* backwards */
	ck_assert_int_eq(reserve(&w, &id), PAGE_OVER_HOUR);
	now.boot_id[0]++;
	now.boottime_ns = 59 * MINUTES;
	ck_assert_int_eq(reserve(&w, &id), PAGE_OVER_HOUR);
	now.boottime_ns += 2 * MINUTES;
	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
}
END_TEST

START_TEST(entries_that_were_forgotten_still_count_within_the_hour)
{
	struct page_wish w = wish(99);

	fill_hour();
	for (uint64_t id = 1; id <= PAGE_LIMIT_HOUR_DEFAULT; id++)
		ck_assert_int_eq(state_forget_page(state, id, &error), 0);
	ck_assert_uint_eq(count(), 0);
	ck_assert_int_eq(reserve(&w, &w.incident), PAGE_OVER_HOUR);
	/* A person names each page. */
	w.cause = PAGE_BY_HAND;
	ck_assert_int_eq(reserve(&w, &w.incident), PAGE_MAY_GO);
}
END_TEST

START_TEST(all_remembered_pages_have_a_limit)
{
	const struct page_limits two = {.hour = 9, .total = 2, .block = 9, .share_ppm = 1000};
	struct page_wish w[] = {wish(1), wish(2), wish(3)};
	uint64_t id;

	ck_assert_int_eq(reserve_within(&w[0], &two, &id), PAGE_MAY_GO);
	ck_assert_int_eq(reserve_within(&w[1], &two, &id), PAGE_MAY_GO);
	ck_assert_int_eq(reserve_within(&w[2], &two, &id), PAGE_OVER_TOTAL);
	ck_assert_int_eq(reserve_within(&w[1], &two, &id), PAGE_MAY_GO); /* the same one */
}
END_TEST

START_TEST(a_killed_process_has_used_what_it_reserved)
{
	const struct page_limits two = {.hour = 2, .total = 9, .block = 9, .share_ppm = 1000};
	struct page_wish w[] = {wish(1), wish(2), wish(3)};
	uint64_t id;
	int status;
	pid_t child;

	state = state_free(state);
	child = fork();
	if (child == 0) {
		struct page_reservation v[3];
		int r = state_new(path, &state, NULL);

		if (r == 0)
			r = state_reserve_pages(state, w, 3, &two, &now, v, NULL);
		if (r == 0 && v[0].verdict == PAGE_MAY_GO && v[1].verdict == PAGE_MAY_GO &&
		    v[2].verdict == PAGE_OVER_HOUR)
			(void)kill(getpid(), SIGKILL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	open_state();
	ck_assert_uint_eq(count(), 2);
	ck_assert_int_eq(stored(1).state, REMEMBERED_RESERVED);
	ck_assert_int_eq(stored(2).state, REMEMBERED_RESERVED);
	ck_assert_int_eq(reserve_within(&w[2], &two, &id), PAGE_OVER_HOUR);
}
END_TEST

/* ---- put out again, and brought back ---- */

START_TEST(put_out_again_is_the_first_entry_with_another_place)
{
	struct page_wish w = wish(1);
	struct remembered_page p;
	uint64_t id, again;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	now.boot_id[0]++;
	now.time_ns += MINUTES;
	w.again = true;
	w.cause = PAGE_BY_HAND;
	w.spa += 0x10000000;
	w.block += 2;
	ck_assert_int_eq(reserve(&w, &again), PAGE_MAY_GO);
	ck_assert_uint_eq(id, again);
	p = stored(id);
	ck_assert_uint_eq(p.cause, PAGE_BY_POLICY);
	ck_assert_uint_eq(p.created_ns, SECOND);
	ck_assert_uint_eq(p.spa, w.spa);
	ck_assert_uint_eq(p.block, 35);
}
END_TEST

/* As the restorer asks for it after it has read the entry. */
static struct page_wish wish_in_place(const struct remembered_page *known)
{
	struct page_wish w = wish(1);

	w.again = true;
	w.known = known;
	return w;
}

START_TEST(an_entry_in_its_place_is_reserved_without_another_change)
{
	struct page_wish w = wish(1);
	struct remembered_page known, p;
	uint64_t id, again;

	w.cause = PAGE_BY_POLICY;
	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "text", &now, &error), 0);
	known = stored(id);
	w = wish_in_place(&known);
	ck_assert_int_eq(reserve(&w, &again), PAGE_MAY_GO);
	ck_assert_uint_eq(again, id);
	p = stored(id);
	ck_assert_uint_eq(p.state, REMEMBERED_RESERVED);
	ck_assert_uint_eq(p.cause, PAGE_BY_POLICY);
	ck_assert_uint_eq(p.tries, 1);
	ck_assert_uint_eq(p.spa, known.spa);
}
END_TEST

START_TEST(an_entry_that_changed_since_it_was_read_is_looked_at)
{
	struct page_wish w = wish(1);
	struct remembered_page known;
	uint64_t id;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "", &now, &error), 0);
	known = stored(id);
	w = wish_in_place(&known);
	ck_assert_int_eq(state_return_page(state, id, "", &error), 0);
	expect_forgotten(&w);
	ck_assert_uint_eq(stored(id).state, REMEMBERED_RETURNED);
	ck_assert_int_eq(state_forget_page(state, id, &error), 0);
	expect_forgotten(&w);
	ck_assert_uint_eq(count(), 0);
}
END_TEST

START_TEST(an_entry_in_its_place_has_the_limit_of_its_block)
{
	struct page_limits none = page_limits_default;
	struct page_wish w = wish(1), other = wish(2);
	struct remembered_page known;
	uint64_t id, id2;

	other.spa = w.spa + 0x1000;
	other.block = w.block;
	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_REFUSED, "busy", &now, &error), 0);
	ck_assert_int_eq(reserve(&other, &id2), PAGE_MAY_GO);
	known = stored(id);
	w = wish_in_place(&known);
	none.block = 1;
	ck_assert_int_eq(reserve_within(&w, &none, &id2), PAGE_OVER_BLOCK);
	ck_assert_uint_eq(stored(id).state, REMEMBERED_REFUSED);
	ck_assert_str_eq(stored(id).text, page_verdict_text(PAGE_OVER_BLOCK));
	none.block = 2;
	ck_assert_int_eq(reserve_within(&w, &none, &id2), PAGE_MAY_GO);
}
END_TEST

START_TEST(one_that_was_brought_back_is_not_put_out_again)
{
	struct page_wish w = wish(1);
	uint64_t id;

	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_int_eq(state_return_page(state, id, "with the next boot", &error), 0);
	/* A result that comes later does not change that. */
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "", &now, &error), 0);
	ck_assert_int_eq(stored(id).state, REMEMBERED_RETURNED);
	w.again = true;
	expect_forgotten(&w);
	ck_assert_int_eq(state_forget_page(state, id, &error), 0);
	ck_assert_int_eq(state_forget_page(state, id, &error), -ENOENT);
	expect_forgotten(&w);
	w.again = false;
	ck_assert_int_eq(reserve(&w, &id), PAGE_MAY_GO);
	ck_assert_uint_eq(id, 2); /* numbers are not used again */
}
END_TEST

/* ---- lists ---- */

static void add(struct remembered_pages *list, const char *device, uint64_t dpa)
{
	struct remembered_page *p = remembered_pages_add(list);

	ck_assert_ptr_nonnull(p);
	*p = (struct remembered_page){.dpa = dpa, .length = 64, .state = REMEMBERED_OUT};
	(void)snprintf(p->device, sizeof(p->device), "%s", device);
}

START_TEST(a_list_is_imported_once_and_nothing_of_it_is_out)
{
	struct remembered_pages list = {0};
	size_t n = 99;

	add(&list, DEVICE, 0);
	add(&list, DEVICE, 64);
	add(&list, DEVICE, 64);
	ck_assert_int_eq(state_import_pages(state, &list, 2, &n, &error), 0);
	ck_assert_uint_eq(n, 2);
	ck_assert_int_eq(state_import_pages(state, &list, 2, &n, &error), 0);
	ck_assert_uint_eq(n, 0);
	ck_assert_uint_eq(count(), 2);
	ck_assert_int_eq(stored(1).state, REMEMBERED_KNOWN);
	remembered_pages_done(&list);
}
END_TEST

START_TEST(a_list_that_is_too_long_or_wrong_changes_nothing)
{
	struct remembered_pages list = {0};
	size_t n;

	for (unsigned int i = 0; i < 3; i++)
		add(&list, DEVICE, i * 64);
	ck_assert_int_eq(state_import_pages(state, &list, 2, &n, &error), -EDQUOT);
	ck_assert_ptr_nonnull(strstr(error.text, "page-limit-total allows 2"));
	ck_assert_uint_eq(count(), 0);
	add(&list, "no device", 0);
	ck_assert_int_eq(state_import_pages(state, &list, 99, &n, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "entry 4"));
	ck_assert_uint_eq(count(), 0);
	remembered_pages_done(&list);
}
END_TEST

/* ---- a list that is kept ---- */

static struct pages_version version;
static struct remembered_pages kept;

/* Return: whether it was read again. */
static bool is_read_again(void)
{
	const struct pages_version before = version;

	ck_assert_int_eq(state_read_changed_pages(state, &version, &kept, &error), 0);
	ck_assert_uint_eq(kept.n, count());
	return memcmp(&before, &version, sizeof(before)) != 0;
}

START_TEST(a_list_is_read_again_when_an_entry_has_changed_and_not_otherwise)
{
	const struct page_wish one = wish(1), two = wish(2);
	struct state *beside;
	uint64_t id = 0, other;

	version = (struct pages_version){0};
	ck_assert(is_read_again());
	ck_assert(!is_read_again());
	ck_assert_int_eq(reserve(&one, &id), PAGE_MAY_GO);
	ck_assert(is_read_again());
	ck_assert_uint_eq(kept.items[0].state, REMEMBERED_RESERVED);
	ck_assert_int_eq(state_settle_page(state, id, REMEMBERED_OUT, "", &now, &error), 0);
	ck_assert(is_read_again());
	ck_assert_uint_eq(kept.items[0].state, REMEMBERED_OUT);
	/* Another table. */
	ck_assert_int_eq(state_put_policy(state, STATE_LAZY, &(struct policy_mark){0}, &error), 0);
	ck_assert(!is_read_again());
	ck_assert_int_eq(reserve(&two, &other), PAGE_MAY_GO);
	ck_assert(is_read_again());
	/* Another process. */
	ck_assert_int_eq(state_new_beside(path, &beside, &error), 0);
	ck_assert_int_eq(state_forget_page(beside, id, &error), 0);
	(void)state_free(beside);
	ck_assert(is_read_again());
	ck_assert_uint_eq(kept.n, 1);
	ck_assert(!is_read_again());
	remembered_pages_done(&kept);
}
END_TEST

SUITE(check_remembered_pages)
{
	Suite *s = suite_create("remembered pages");
	TCase *t = tcase_create("decision");

	tcase_add_loop_test(t, a_decision_has_one_reason, 0, ARRAY_SIZE(decisions));
	tcase_add_test(t, age_never_runs_backwards);
	suite_add_tcase(s, t);
	t = tcase_create("database");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, an_alias_counts_for_its_block);
	tcase_add_test(t, an_alias_counts_for_the_node_and_in_all);
	tcase_add_test(t, an_imported_page_has_the_limits_of_a_new_one);
	tcase_add_test(t, several_are_reserved_and_settled_at_once);
	tcase_add_test(t, a_page_beyond_a_limit_in_this_boot_has_the_reason);
	tcase_add_test(t, an_old_entry_is_forgotten_by_the_time_that_the_host_ran);
	tcase_add_test(t, an_imported_entry_is_as_old_as_its_import);
	tcase_add_test(t, a_write_is_reserved_and_settled);
	tcase_add_test(t, a_range_is_remembered_once);
	tcase_add_test(t, a_page_that_is_busy_for_ever_is_given_up);
	tcase_add_loop_test(t, a_range_that_is_none_is_refused, 0, ARRAY_SIZE(bad_wishes));
	tcase_add_test(t, pages_of_one_block_count_once);
	tcase_add_test(t, a_refused_page_is_not_out);
	tcase_add_test(t, an_hour_has_a_limit_that_no_restart_and_no_clock_ends);
	tcase_add_test(t, entries_that_were_forgotten_still_count_within_the_hour);
	tcase_add_test(t, all_remembered_pages_have_a_limit);
	tcase_add_test(t, a_killed_process_has_used_what_it_reserved);
	tcase_add_test(t, put_out_again_is_the_first_entry_with_another_place);
	tcase_add_test(t, an_entry_in_its_place_is_reserved_without_another_change);
	tcase_add_test(t, an_entry_that_changed_since_it_was_read_is_looked_at);
	tcase_add_test(t, an_entry_in_its_place_has_the_limit_of_its_block);
	tcase_add_test(t, one_that_was_brought_back_is_not_put_out_again);
	tcase_add_test(t, a_list_is_read_again_when_an_entry_has_changed_and_not_otherwise);
	tcase_add_test(t, a_list_is_imported_once_and_nothing_of_it_is_out);
	tcase_add_test(t, a_list_that_is_too_long_or_wrong_changes_nothing);
	suite_add_tcase(s, t);
	return s;
}
