// SPDX-License-Identifier: LGPL-2.1-or-later
/* Hand-made pages of a trace ring, valid and malformed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "events/ring.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"

#define MISSED	     (1ULL << 31)
#define MISSED_COUNT (1ULL << 30)

static struct event_formats *formats;
static struct event_ring ring;
static struct records got;
static struct page page;
static struct error e;

static void setup(void)
{
	formats = test_formats();
	event_ring_init(&ring, formats, 3, "boot");
	got = (struct records){0};
	page_begin(&page, 1000);
}

static void teardown(void)
{
	records_done(&got);
	event_formats_free(formats);
}

static void put(uint32_t delta, uint64_t dpa)
{
	uint8_t payload[TEST_EVENT_BYTES];

	test_payload(payload, dpa);
	page_event(&page, delta, payload, sizeof(payload));
}

/* From memory of exactly that length, so that the address sanitizer detects reads beyond it. */
static int read_len(size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);
	int r;

	memcpy(copy, page.bytes, len);
	r = event_ring_page(&ring, copy, len, collect, &got, &e);
	free(copy);
	return r;
}

static int read_page(void)
{
	return read_len(sizeof(page.bytes));
}

static void expect_event(size_t i, uint64_t time_ns, uint64_t dpa)
{
	ck_assert_uint_gt(got.n, i);
	ck_assert_str_eq(got.items[i].event, "cxl_test");
	ck_assert_str_eq(got.items[i].memdev, "mem0");
	ck_assert_str_eq(got.items[i].clock, "boot");
	ck_assert_uint_eq(got.items[i].cpu, 3);
	ck_assert_uint_eq(got.items[i].time_ns, time_ns);
	ck_assert(opt_u64_is(event_number(&got.items[i], FIELD_DPA), dpa));
}

static void expect_lost(size_t i, struct opt_u64 count)
{
	ck_assert_uint_gt(got.n, i);
	ck_assert_int_eq(got.items[i].type, EVENT_LOST);
	ck_assert_str_eq(got.items[i].event, "lost");
	ck_assert_uint_eq(got.items[i].cpu, 3);
	ck_assert_int_eq(got.items[i].lost.present, count.present);
	ck_assert_uint_eq(got.items[i].lost.value, count.value);
}

START_TEST(time_advances_by_deltas_extensions_and_absolute_stamps)
{
	put(10, 1);
	put(20, 2);
	page_entry(&page, 30, 5); /* 5 + (2 << 27) on */
	page_u32(&page, 2);
	put(1, 3);
	page_entry(&page, 31, 7); /* the time is 7 + (9 << 27) */
	page_u32(&page, 9);
	put(1, 4);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 4);
	expect_event(0, 1010, 1);
	expect_event(1, 1030, 2);
	expect_event(2, 1036 + (2ULL << 27), 3);
	expect_event(3, 8 + (9ULL << 27), 4);
	ck_assert_uint_eq(ring.counts.records, 4);
	ck_assert_uint_eq(ring.counts.gaps, 0);
}
END_TEST

/* As the kernel counts them: all with data, of any system, and neither times nor padding. */
START_TEST(each_record_says_how_many_were_read)
{
	const uint8_t foreign[TEST_EVENT_BYTES] = {TEST_EVENT + 1};

	ring.read = OPT_U64(40);
	ring.instance = 12;
	put(10, 1);
	page_entry(&page, 30, 5);
	page_u32(&page, 2);
	page_event(&page, 1, foreign, sizeof(foreign));
	page_entry(&page, 29, 1);
	page_u32(&page, 4);
	put(1, 2);
	page_end(&page, MISSED);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 3);
	expect_lost(0, (struct opt_u64){0});
	ck_assert(opt_u64_is(got.items[0].read, 40));
	ck_assert(opt_u64_is(got.items[1].read, 41));
	ck_assert(opt_u64_is(got.items[2].read, 43));
	ck_assert_uint_eq(got.items[2].instance, 12);
	/* A page that ends with others: a loss of none. */
	page_begin(&page, 5000);
	page_event(&page, 1, foreign, sizeof(foreign));
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 4);
	expect_lost(3, OPT_U64(0));
	ck_assert(opt_u64_is(got.items[3].read, 44));
	ck_assert_uint_eq(ring.counts.gaps, 1);
}
END_TEST

START_TEST(without_the_kernels_count_no_record_has_one)
{
	const uint8_t foreign[TEST_EVENT_BYTES] = {TEST_EVENT + 1};

	put(10, 1);
	page_event(&page, 1, foreign, sizeof(foreign));
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert(!got.items[0].read.present);
}
END_TEST

START_TEST(padding_is_skipped)
{
	put(1, 1);
	page_entry(&page, 29, 1);
	page_u32(&page, 12);
	page_u32(&page, 0xffffffff);
	page_u32(&page, 0xffffffff);
	put(1, 2);
	page_entry(&page, 29, 0); /* the rest is unused */
	page_u32(&page, 0xffffffff);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 2);
	expect_event(1, 1002, 2);
}
END_TEST

START_TEST(time_advances_up_to_a_discarded_event)
{
	put(1, 1);
	page_entry(&page, 29, 40);
	page_u32(&page, 4);
	put(1, 2);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	expect_event(1, 1042, 2);
}
END_TEST

START_TEST(a_malformed_page_is_a_loss_at_the_time_of_the_last_record)
{
	put(5, 1);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_int_eq(read_len(RING_PAGE_HEADER - 1), -EBADMSG);
	expect_lost(1, (struct opt_u64){0});
	ck_assert_uint_eq(got.items[1].time_ns, 1005);
	ck_assert_uint_eq(got.items[1].repeat, 1);
}
END_TEST

START_TEST(a_page_without_events_is_no_damage)
{
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_int_eq(read_len(RING_PAGE_HEADER), 0);
	ck_assert_uint_eq(got.n, 0);
	ck_assert_uint_eq(ring.counts.pages, 2);
}
END_TEST

START_TEST(events_of_other_systems_are_skipped_and_counted)
{
	const uint8_t other[16] = {TEST_EVENT + 1};

	page_event(&page, 1, other, sizeof(other));
	put(1, 1);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 1);
	ck_assert_uint_eq(ring.counts.foreign, 1);
}
END_TEST

START_TEST(records_of_the_same_time_are_distinguished)
{
	put(1, 1);
	put(0, 2);
	put(0, 3);
	put(1, 4);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(got.items[i].repeat, i % 3);
}
END_TEST

START_TEST(the_time_of_day_is_known_with_a_clock_offset)
{
	put(1, 1);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert(!got.items[0].wall_ns.present);
	ring.wall_offset = OPT_U64(1700000000000000000);
	ck_assert_int_eq(read_page(), 0);
	ck_assert(opt_u64_is(got.items[1].wall_ns, 1700000000000001001));
	/* A clock that is ahead of the time of day. */
	ring.wall_offset = OPT_U64(0 - (uint64_t)500);
	ck_assert_int_eq(read_page(), 0);
	ck_assert(opt_u64_is(got.items[2].wall_ns, 501));
}
END_TEST

START_TEST(a_counted_loss_is_a_record_before_the_next_one)
{
	put(5, 1);
	page_end(&page, MISSED | MISSED_COUNT);
	page_u32(&page, 42);
	page_u32(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 2);
	expect_lost(0, OPT_U64(42));
	ck_assert_uint_eq(got.items[0].time_ns, 1005);
	expect_event(1, 1005, 1);
	ck_assert_uint_eq(ring.counts.lost, 42);
	ck_assert_uint_eq(ring.counts.gaps, 1);
	ck_assert_uint_eq(ring.counts.records, 1);
}
END_TEST

/* In the kernel the flag is a negative int. */
START_TEST(the_flag_of_a_loss_may_be_sign_extended)
{
	put(5, 1);
	page_end(&page, 0);
	*(uint64_t *)(void *)(page.bytes + 8) += MISSED_COUNT - MISSED;
	page_u32(&page, 42);
	page_u32(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 2);
	expect_lost(0, OPT_U64(42));
}
END_TEST

START_TEST(a_loss_not_counted_by_the_ring_has_no_number)
{
	put(5, 1);
	page_end(&page, MISSED);
	ck_assert_int_eq(read_page(), 0);
	expect_lost(0, (struct opt_u64){0});
	ck_assert_uint_eq(ring.counts.lost, 0);
	ck_assert_uint_eq(ring.counts.gaps, 1);
}
END_TEST

START_TEST(a_count_beyond_the_end_of_the_page_is_not_read)
{
	put(5, 1);
	page_end(&page, MISSED | MISSED_COUNT);
	ck_assert_int_eq(read_len(page.at + 7), 0);
	expect_lost(0, (struct opt_u64){0});
}
END_TEST

START_TEST(a_loss_before_an_empty_page_is_reported)
{
	page_end(&page, MISSED);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 1);
	expect_lost(0, (struct opt_u64){0});
}
END_TEST

/* Bad entries that follow one valid event. */
static const struct {
	uint32_t words[2];
	size_t n;
} bad_entries[] = {
	{{28 | 1 << 5}, 1},	       /* longer than the page */
	{{0 | 1 << 5, 0}, 2},	       /* shorter than its own header */
	{{0 | 1 << 5, 3}, 2},	       /* the same */
	{{0 | 1 << 5, 4096}, 2},       /* longer than the page */
	{{0 | 1 << 5, 0xffffffff}, 2}, /* wraps in 32 bits */
	{{0 | 1 << 5, 0xfffffffc}, 2},
	{{29 | 1 << 5, 0}, 2}, /* padding that never ends */
	{{29 | 1 << 5, 0x7fffffff}, 2},
	{{0 | 1 << 5}, 1}, /* its length is missing */
	{{30 | 1 << 5}, 1},
	{{31 | 1 << 5}, 1},
	{{29 | 1 << 5}, 1},
};

START_TEST(invalid_lengths_end_the_page_and_are_reported)
{
	put(5, 1);
	for (size_t i = 0; i < bad_entries[_i].n; i++)
		page_u32(&page, bad_entries[_i].words[i]);
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.text, "byte 52"));
	ck_assert_uint_eq(got.n, 2);
	expect_event(0, 1005, 1);
	expect_lost(1, (struct opt_u64){0});
	ck_assert_uint_eq(ring.counts.damaged, 1);
	ck_assert_uint_eq(ring.counts.gaps, 1);
}
END_TEST

START_TEST(a_page_that_claims_more_than_it_has_is_damaged)
{
	static const uint64_t commits[] = {4081, 8192, (1 << 27) - 1, UINT64_MAX};

	put(5, 1);
	for (size_t i = 0; i < ARRAY_SIZE(commits); i++) {
		memcpy(page.bytes + 8, &commits[i], 8);
		ck_assert_int_eq(read_page(), -EBADMSG);
		expect_lost(i, (struct opt_u64){0});
	}
	ck_assert_uint_eq(got.n, ARRAY_SIZE(commits));
}
END_TEST

START_TEST(a_page_truncated_anywhere_is_read_or_refused)
{
	put(5, 1);
	put(5, 2);
	page_end(&page, 0);
	for (size_t len = 0; len < page.at; len++) {
		ck_assert_int_eq(read_len(len), -EBADMSG);
		ck_assert_uint_eq(got.n, 1);
		records_done(&got);
	}
	ck_assert_int_eq(read_len(page.at), 0);
	ck_assert_uint_eq(got.n, 2);
}
END_TEST

/* Each byte of the page in turn gets each of a few values. */
START_TEST(a_page_damaged_anywhere_gives_no_more_records_than_fit)
{
	static const uint8_t values[] = {0, 1, 0x1c, 0x1d, 0x1e, 0x1f, 0x7f, 0x80, 0xff};

	for (uint32_t i = 0; i < 20; i++)
		put(i, i);
	page_end(&page, MISSED | MISSED_COUNT);
	for (size_t at = 0; at < page.at; at++) {
		const uint8_t was = page.bytes[at];

		for (size_t v = 0; v < sizeof(values); v++) {
			page.bytes[at] = values[v];
			(void)read_page();
			ck_assert_uint_le(got.n, 4096 / 4);
			got.n = 0;
		}
		page.bytes[at] = was;
	}
	ck_assert_int_eq(read_page(), 0);
	ck_assert_uint_eq(got.n, 21);
}
END_TEST

START_TEST(a_truncated_event_lacks_the_fields_beyond_its_end)
{
	uint8_t payload[TEST_EVENT_BYTES];

	test_payload(payload, 0x1000);
	for (size_t len = 4; len <= sizeof(payload); len += 4) {
		page_begin(&page, 0);
		page_event(&page, 1, payload, len);
		page_end(&page, 0);
		ck_assert_int_eq(read_page(), 0);
		ck_assert_uint_eq(got.n, 1);
		ck_assert_int_eq(got.items[0].memdev[0] != 0, len >= 16);
		ck_assert_int_eq(got.items[0].host[0] != 0, len >= 24);
		ck_assert_int_eq(event_number(&got.items[0], FIELD_DPA).present, len >= 32);
		ck_assert_uint_eq(got.items[0].payload_len, len);
		ck_assert_int_eq(memcmp(got.items[0].payload, payload, len), 0);
		records_done(&got);
	}
}
END_TEST

START_TEST(names_are_sanitized)
{
	uint8_t payload[TEST_EVENT_BYTES];

	test_payload(payload, 0);
	memcpy(payload + 8, "m\x1b[1m\n \xff", 8);
	page_event(&page, 0, payload, sizeof(payload));
	page_end(&page, 0);
	ck_assert_int_eq(read_page(), 0);
	ck_assert_str_eq(got.items[0].memdev, "m?[1m???");
}
END_TEST

START_TEST(stats_are_read_as_the_kernel_writes_them)
{
	struct ring_stats s;

	ring_stats_parse("entries: 0\noverrun: 17\ncommit overrun: 2\nbytes: 0\n"
			 "oldest event ts:     0.000000\nnow ts:  1234.000567\n"
			 "dropped events: 3\nread events: 5\n",
			 &s);
	ck_assert(opt_u64_is(s.overrun, 17));
	ck_assert(opt_u64_is(s.commit_overrun, 2));
	ck_assert(opt_u64_is(s.dropped, 3));
	ck_assert(opt_u64_is(s.now_ns, 1234000567000));
	/* trace_clock counter or x86-tsc */
	ring_stats_parse("oldest event ts: 0\nnow ts: 123456789\n", &s);
	ck_assert(!s.now_ns.present && !s.overrun.present && !s.dropped.present);
	ring_stats_parse("", &s);
	ck_assert(!s.now_ns.present);
	ring_stats_parse("now ts: \noverrun: -5\ncommit overrun: x", &s);
	ck_assert(!s.now_ns.present && !s.overrun.present && !s.commit_overrun.present);
}
END_TEST

START_TEST(the_chosen_clock_is_the_one_in_brackets)
{
	char clock[EVENT_CLOCK_MAX];

	ck_assert(ring_clock_parse("local global [boot] tai\n", clock));
	ck_assert_str_eq(clock, "boot");
	ck_assert(ring_clock_parse("[x86-tsc]", clock));
	ck_assert(!ring_clock_parse("local global", clock));
	ck_assert_str_eq(clock, "");
	ck_assert(!ring_clock_parse("[]", clock));
	ck_assert(!ring_clock_parse("[boot", clock));
	ck_assert(!ring_clock_parse("[a clock]", clock));
	ck_assert(!ring_clock_parse("[aaaaaaaaaaaaaaaa]", clock));
}
END_TEST

SUITE(check_ring)
{
	Suite *suite = suite_create("events pages");
	TCase *t = tcase_create("pages");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, time_advances_by_deltas_extensions_and_absolute_stamps);
	tcase_add_test(t, each_record_says_how_many_were_read);
	tcase_add_test(t, without_the_kernels_count_no_record_has_one);
	tcase_add_test(t, padding_is_skipped);
	tcase_add_test(t, time_advances_up_to_a_discarded_event);
	tcase_add_test(t, a_malformed_page_is_a_loss_at_the_time_of_the_last_record);
	tcase_add_test(t, a_page_without_events_is_no_damage);
	tcase_add_test(t, events_of_other_systems_are_skipped_and_counted);
	tcase_add_test(t, records_of_the_same_time_are_distinguished);
	tcase_add_test(t, the_time_of_day_is_known_with_a_clock_offset);
	tcase_add_test(t, a_counted_loss_is_a_record_before_the_next_one);
	tcase_add_test(t, the_flag_of_a_loss_may_be_sign_extended);
	tcase_add_test(t, a_loss_not_counted_by_the_ring_has_no_number);
	tcase_add_test(t, a_count_beyond_the_end_of_the_page_is_not_read);
	tcase_add_test(t, a_loss_before_an_empty_page_is_reported);
	tcase_add_loop_test(t, invalid_lengths_end_the_page_and_are_reported, 0,
			    ARRAY_SIZE(bad_entries));
	tcase_add_test(t, a_page_that_claims_more_than_it_has_is_damaged);
	tcase_add_test(t, a_page_truncated_anywhere_is_read_or_refused);
	tcase_add_test(t, a_page_damaged_anywhere_gives_no_more_records_than_fit);
	tcase_add_test(t, a_truncated_event_lacks_the_fields_beyond_its_end);
	tcase_add_test(t, names_are_sanitized);
	tcase_add_test(t, stats_are_read_as_the_kernel_writes_them);
	tcase_add_test(t, the_chosen_clock_is_the_one_in_brackets);
	suite_add_tcase(suite, t);
	return suite;
}
