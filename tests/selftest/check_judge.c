// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The judge, on a memory whose device is known to be right or wrong. Its lines exist when they are
 * written, so that a region of all 64 bits of an address can be tested.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "prm/interleave.h"
#include "selftest/judge_points.h"
#include "selftest/marker.h"
#include "selftest/plan.h"
#include "selftest/random.h"
#include "tests/lib/suites.h"

/* ---- a sparse memory --------------------------------------------------------------------------
 */

enum { SLOTS = 1 << 16, POINTS_MAX = 4096 };

struct slot {
	bool used;
	uint64_t line;
	uint8_t bytes[MARKER_LINE];
};

static struct {
	struct slot *slots;
	uint64_t ignored; /* address bits that the memory does not have */
	size_t writes, reads;
	size_t fail_write, fail_read; /* the number of the one that fails; 0: none */
	bool poisoned;		      /* each read fails */
	bool absent;		      /* nothing is kept: all reads give zeros */
} memory;

static struct {
	uint64_t base;	    /* SPA that DPA 0 has, by the right rule: SPA = base + DPA */
	uint64_t flip, add; /* what a wrong one makes of it */
	size_t bytes;	    /* that it zeroes */
	uint8_t value;	    /* with which it does */
	bool idle;	    /* it does nothing */
	int error;
	size_t calls;
} device;

static struct slot *slot_of(uint64_t line)
{
	uint64_t state = line & ~memory.ignored;
	size_t i = selftest_random(&state) % SLOTS;

	line &= ~memory.ignored;
	while (memory.slots[i].used && memory.slots[i].line != line)
		i = (i + 1) % SLOTS;
	memory.slots[i].used = true;
	memory.slots[i].line = line;
	return &memory.slots[i];
}

static int write_line(void *userdata, uint64_t spa, const uint8_t *line, struct error *e)
{
	(void)userdata;
	if (++memory.writes == memory.fail_write)
		return error_set(e, EIO, "write of a test");
	if (!memory.absent)
		memcpy(slot_of(spa)->bytes, line, MARKER_LINE);
	return 0;
}

static int read_line(void *userdata, uint64_t spa, uint8_t *line, struct error *e)
{
	(void)userdata;
	if (++memory.reads == memory.fail_read || memory.poisoned)
		return error_set(e, EIO, "read of a test");
	memcpy(line, slot_of(spa)->bytes, MARKER_LINE);
	return 0;
}

static int clear_line(void *userdata, unsigned int position, uint64_t dpa, struct error *e)
{
	const struct selftest_memory *m = userdata;
	uint64_t spa = ((device.base + dpa) ^ device.flip) + device.add;

	(void)position;
	device.calls++;
	if (device.error)
		return error_set(e, device.error, "device of a test");
	for (size_t i = 0; i < device.bytes && !device.idle; i++, spa++)
		if (spa >= m->first && spa <= m->last)
			slot_of(spa & ~(uint64_t)(MARKER_LINE - 1))->bytes[spa % MARKER_LINE] =
				device.value;
	return 0;
}

static struct selftest_memory lines;
static struct selftest_device wiper;
static struct judge judge;
static struct judge_point points[POINTS_MAX];
static struct judgement judgements[POINTS_MAX];
static struct judge_summary summary;

static void setup(void)
{
	memset(&memory, 0, sizeof(memory));
	memset(&device, 0, sizeof(device));
	memory.slots = calloc(SLOTS, sizeof(*memory.slots));
	ck_assert_ptr_nonnull(memory.slots);
	device.bytes = MARKER_LINE;
	lines = (struct selftest_memory){
		.last = UINT64_MAX, .write = write_line, .read = read_line};
	wiper = (struct selftest_device){.clear = clear_line, .userdata = &lines};
	judge = (struct judge){
		.memory = &lines, .device = &wiper, .seed = 0x5eed, .search_bytes = 65536};
}

static void teardown(void)
{
	free(memory.slots);
}

static void region(uint64_t first, uint64_t last)
{
	lines.first = device.base = first;
	lines.last = last;
}

static void point(size_t i, uint64_t spa)
{
	points[i] = (struct judge_point){.spa = spa, .dpa = spa - device.base};
}

static int run(size_t n)
{
	return judge_points(&judge, points, n, judgements, &summary);
}

/* ---- right ------------------------------------------------------------------------------------
 */

START_TEST(a_right_rule_is_right_at_the_ends_of_the_region)
{
	region(0x1000, 0x1fff);
	point(0, 0x1000);
	point(1, 0x1fc0);
	point(2, 0x1040);
	point(3, 0x1000); /* twice */
	ck_assert_int_eq(run(4), 0);
	ck_assert_uint_eq(summary.right, 4);
	ck_assert_uint_eq(summary.wrong + summary.failed + summary.disturbed, 0);
	ck_assert_uint_eq(device.calls, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(judgements[i].result, JUDGE_RIGHT);
}
END_TEST

START_TEST(nothing_outside_of_the_region_is_touched)
{
	region(0x1000, 0x103f); /* a single line */
	point(0, 0x1000);
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(summary.right, 1);
	for (size_t i = 0; i < SLOTS; i++)
		ck_assert(!memory.slots[i].used || memory.slots[i].line == 0x1000);
}
END_TEST

START_TEST(the_whole_address_space_has_ends_too)
{
	region(0, UINT64_MAX);
	point(0, 0);
	point(1, UINT64_MAX & ~63ULL);
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(summary.right, 2);
	ck_assert_uint_eq(summary.disturbed, 0);
}
END_TEST

/* ---- wrong ------------------------------------------------------------------------------------
 */

/* Places where an error may hide: ends, the middle, and random ones. */
static size_t places(void)
{
	uint64_t state = 7;
	size_t n = 0;

	point(n++, 0);
	point(n++, UINT64_MAX & ~63ULL);
	point(n++, UINT64_MAX / 2 + 1);
	for (; n < 40; n++)
		point(n, selftest_random(&state) & ~63ULL);
	return n;
}

/* A rule that is wrong in one bit: at each place that bit is named, and what was found. */
START_TEST(the_bit_of_each_single_bit_error_is_named)
{
	const uint64_t bit = UINT64_C(1) << _i;
	size_t n;

	region(0, UINT64_MAX);
	device.flip = bit;
	n = places();
	ck_assert_int_eq(run(n), 0);
	ck_assert_uint_eq(summary.wrong, n);
	ck_assert_uint_eq(summary.right, 0);
	for (size_t i = 0; i < n; i++) {
		const struct judgement *v = &judgements[i];

		/* Zeros from within the last line leave the region at its end. */
		ck_assert(v->result == JUDGE_ELSEWHERE ||
			  (v->result == JUDGE_SPREAD && points[i].spa == (UINT64_MAX & ~63ULL)));
		ck_assert_int_eq(v->bit, _i);
		ck_assert_uint_eq(v->found, points[i].spa ^ bit);
		ck_assert_uint_eq(v->difference, bit);
	}
}
END_TEST

/* Two devices of an interleaved region that are exchanged: the lowest bit of the chunk's number. */
START_TEST(exchanged_devices_differ_in_the_bit_of_the_granularity)
{
	region(0x100000, 0x13ffff);
	device.flip = UINT64_C(256) << _i;
	for (size_t i = 0; i < 64; i++)
		point(i, 0x100000 + i * 0x1000 + (i % 4) * 64);
	ck_assert_int_eq(run(64), 0);
	ck_assert_uint_eq(summary.wrong, 64);
	for (size_t i = 0; i < 64; i++) {
		ck_assert_int_eq(judgements[i].result, JUDGE_ELSEWHERE);
		ck_assert_int_eq(judgements[i].bit, 8 + _i);
	}
	ck_assert_uint_eq(summary.disturbed, 0);
}
END_TEST

/* No single bit: the range around the point is looked through. */
START_TEST(a_line_at_any_distance_in_the_range_is_found)
{
	region(0x100000, 0x1fffff);
	device.add = 0x4cc0;
	point(0, 0x120000);
	ck_assert_int_eq(run(1), 0);
	ck_assert_int_eq(judgements[0].result, JUDGE_ELSEWHERE);
	ck_assert_uint_eq(judgements[0].found, 0x124cc0);
	ck_assert_uint_eq(judgements[0].difference, 0x4cc0);
	ck_assert_int_eq(judgements[0].bit, 6);
}
END_TEST

/* By the markers of other points, without a search of a range. */
START_TEST(a_line_that_another_point_marked_is_found_at_any_distance)
{
	region(0, UINT64_MAX);
	device.add = 0x3000000c00;
	point(0, 0x1000);
	point(1, 0x3000001c00);
	judge.search_bytes = 64;
	ck_assert_int_eq(run(2), 0);
	ck_assert_int_eq(judgements[0].result, JUDGE_ELSEWHERE);
	ck_assert_uint_eq(judgements[0].found, 0x3000001c00);
	ck_assert_int_eq(judgements[0].bit, 10);
}
END_TEST

START_TEST(what_is_beyond_the_range_is_not_claimed_to_be_found)
{
	region(0x100000, 0x1fffff);
	device.add = 0x40cc0; /* three bits, and another range of 64 KiB */
	point(0, 0x120000);
	point(1, 0x1fffc0); /* the end of the region is the end of the range */
	ck_assert_int_eq(run(2), 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(judgements[i].result, JUDGE_NOWHERE);
		ck_assert_int_eq(judgements[i].bit, -1);
	}
	ck_assert_uint_eq(judgements[0].searched_first, 0x120000);
	ck_assert_uint_eq(judgements[0].searched_last, 0x12ffff);
	ck_assert_uint_eq(judgements[1].searched_last, 0x1fffff);
}
END_TEST

START_TEST(ranges_are_looked_through_for_some_points_only)
{
	region(0x100000, 0x1fffff);
	device.idle = true;
	for (size_t i = 0; i < JUDGE_SEARCHES + 2; i++)
		point(i, 0x100000 + i * 64);
	ck_assert_int_eq(run(JUDGE_SEARCHES + 2), 0);
	ck_assert_uint_eq(summary.wrong, JUDGE_SEARCHES + 2);
	ck_assert_uint_le(judgements[JUDGE_SEARCHES - 1].searched_first,
			  judgements[JUDGE_SEARCHES - 1].searched_last);
	ck_assert_uint_gt(judgements[JUDGE_SEARCHES].searched_first,
			  judgements[JUDGE_SEARCHES].searched_last);
}
END_TEST

START_TEST(more_than_the_line_is_no_hit)
{
	static const size_t bytes[] = {32, 63, 65, 128, 256};

	region(0x100000, 0x1fffff);
	device.bytes = bytes[_i];
	point(0, 0x120000);
	point(1, 0x1200c0);
	ck_assert_int_eq(run(2), 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(judgements[i].result, JUDGE_SPREAD);
		ck_assert_uint_eq(judgements[i].found, points[i].spa);
	}
}
END_TEST

/* A device that zeroes a page: lines of other points are gone, too. */
START_TEST(lines_of_other_points_are_compared_at_the_end)
{
	region(0x100000, 0x1fffff);
	device.bytes = 4096;
	point(0, 0x120400);
	point(1, 0x120000);
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(summary.wrong, 2);
	ck_assert_uint_gt(summary.disturbed, 0);
	ck_assert_uint_eq(summary.first_disturbed, 0x1203c0);
}
END_TEST

START_TEST(other_bytes_than_zeros_are_damage)
{
	region(0x100000, 0x1fffff);
	device.value = 0x55;
	point(0, 0x120000);
	ck_assert_int_eq(run(1), 0);
	ck_assert_int_eq(judgements[0].result, JUDGE_DAMAGED);
	ck_assert_uint_eq(summary.wrong, 1);
}
END_TEST

/* Memory that ignores an address bit: two SPAs are one line. */
START_TEST(two_addresses_of_one_line_are_found)
{
	region(0x100000, 0x1fffff);
	memory.ignored = 0x40000;
	point(0, 0x100000);
	point(1, 0x140000);
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_gt(summary.disturbed, 0);
	ck_assert(summary.has_alias);
	ck_assert_uint_eq(summary.alias ^ summary.first_disturbed, 0x40000);
}
END_TEST

/* ---- errors -----------------------------------------------------------------------------------
 */

START_TEST(an_error_of_the_device_is_named)
{
	region(0x100000, 0x1fffff);
	device.error = EBUSY;
	point(0, 0x120000);
	ck_assert_int_eq(run(1), 0);
	ck_assert_int_eq(judgements[0].result, JUDGE_FAILED);
	ck_assert_str_eq(judgements[0].error, "device of a test");
	ck_assert_uint_eq(summary.failed, 1);
	ck_assert_uint_eq(summary.right + summary.wrong, 0);
}
END_TEST

START_TEST(memory_that_cannot_be_written_fails_all_and_clears_nothing)
{
	region(0x100000, 0x1fffff);
	memory.fail_write = 2;
	point(0, 0x120000);
	point(1, 0x130000);
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(summary.failed, 2);
	ck_assert_uint_eq(device.calls, 0);
	ck_assert_str_eq(judgements[1].error, "write of a test");
}
END_TEST

START_TEST(memory_that_cannot_be_read_is_never_right)
{
	region(0x100000, 0x1fffff);
	if (_i)
		memory.poisoned = true;
	else
		memory.fail_read = 2;
	point(0, 0x120000);
	ck_assert_int_eq(run(1), 0);
	ck_assert_int_eq(judgements[0].result, JUDGE_FAILED);
	ck_assert_str_eq(judgements[0].error, "read of a test");
}
END_TEST

/* Zeros are what a device would leave: where all is zero they prove nothing. */
START_TEST(memory_that_keeps_nothing_is_never_right)
{
	region(0x1000, 0x103f);
	memory.absent = true;
	point(0, 0x1000);
	ck_assert_int_eq(run(1), 0);
	ck_assert_int_eq(judgements[0].result, JUDGE_FAILED);
	ck_assert_ptr_nonnull(strstr(judgements[0].error, "SPA 0x1000 does not keep"));
	ck_assert_uint_eq(device.calls, 0);
}
END_TEST

static bool end_at_two(void *userdata, size_t done, size_t total)
{
	(void)userdata;
	ck_assert_uint_eq(total, 4);
	return done == 2;
}

START_TEST(a_test_that_is_ended_says_what_it_did)
{
	region(0x100000, 0x1fffff);
	judge.progress = end_at_two;
	for (size_t i = 0; i < 4; i++)
		point(i, 0x100000 + i * 4096);
	ck_assert_int_eq(run(4), -ECANCELED);
	ck_assert_uint_eq(summary.right, 2);
	ck_assert_int_eq(judgements[2].result, JUDGE_NOT_TRIED);
	ck_assert_int_eq(judgements[3].result, JUDGE_NOT_TRIED);
	/* Within a search, too. */
	device.idle = true;
	judge.progress = end_at_two;
	for (size_t i = 0; i < 2; i++)
		points[i] = points[2];
	ck_assert_int_eq(run(4), -ECANCELED);
	ck_assert_uint_eq(summary.wrong, 2);
}
END_TEST

/* ---- markers ----------------------------------------------------------------------------------
 */

START_TEST(a_marker_has_its_address_and_no_zero)
{
	uint8_t marker[MARKER_LINE];
	uint64_t state = 3, line, found;

	for (size_t i = 0; i < 10000; i++) {
		line = i < 2 ? (i ? UINT64_MAX & ~63ULL : 0) : selftest_random(&state) & ~63ULL;
		marker_make(line, i, marker);
		ck_assert_ptr_null(memchr(marker, 0, sizeof(marker)));
		ck_assert(marker_read(marker, i, &found));
		ck_assert_uint_eq(found, line);
		ck_assert(!marker_read(marker, i + 1, &found));
		marker[i % MARKER_LINE] ^= 1;
		ck_assert(!marker_read(marker, i, &found) || found != line);
	}
}
END_TEST

SUITE(check_judge)
{
	Suite *s = suite_create("judge");
	TCase *t = tcase_create("judge");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_right_rule_is_right_at_the_ends_of_the_region);
	tcase_add_test(t, nothing_outside_of_the_region_is_touched);
	tcase_add_test(t, the_whole_address_space_has_ends_too);
	tcase_add_loop_test(t, the_bit_of_each_single_bit_error_is_named, 0, 64);
	tcase_add_loop_test(t, exchanged_devices_differ_in_the_bit_of_the_granularity, 0, 7);
	tcase_add_test(t, a_line_at_any_distance_in_the_range_is_found);
	tcase_add_test(t, a_line_that_another_point_marked_is_found_at_any_distance);
	tcase_add_test(t, what_is_beyond_the_range_is_not_claimed_to_be_found);
	tcase_add_test(t, ranges_are_looked_through_for_some_points_only);
	tcase_add_loop_test(t, more_than_the_line_is_no_hit, 0, 5);
	tcase_add_test(t, lines_of_other_points_are_compared_at_the_end);
	tcase_add_test(t, other_bytes_than_zeros_are_damage);
	tcase_add_test(t, two_addresses_of_one_line_are_found);
	tcase_add_test(t, an_error_of_the_device_is_named);
	tcase_add_test(t, memory_that_cannot_be_written_fails_all_and_clears_nothing);
	tcase_add_loop_test(t, memory_that_cannot_be_read_is_never_right, 0, 2);
	tcase_add_test(t, memory_that_keeps_nothing_is_never_right);
	tcase_add_test(t, a_test_that_is_ended_says_what_it_did);
	tcase_add_test(t, a_marker_has_its_address_and_no_zero);
	suite_add_tcase(s, t);
	return s;
}
