// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far the trace rings were read, by what is stored, and what is missing at the next start. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static uint8_t boot = 1;
static uint64_t instance = 77;

/* @read records of a CPU's ring were read, event @i is the last of them. */
static struct stored_event of_ring(uint64_t i, unsigned int cpu, uint64_t read)
{
	struct stored_event ev;

	made_event(i, &ev);
	memset(ev.boot_id, boot, sizeof(ev.boot_id));
	ev.record.cpu = cpu;
	ev.record.read = OPT_U64(read);
	ev.record.instance = instance;
	return ev;
}

/* The service stores this first after a start, when the kernel says that @read were read. */
static struct stored_event of_start(uint64_t i, unsigned int cpu, uint64_t read)
{
	struct stored_event ev = of_ring(i, cpu, read);

	ev.device[0] = '\0';
	ev.severity = EVENT_WARNING;
	ev.record = (struct event_record){
		.type = EVENT_LOST_AT_END,
		.event = "lost_at_end",
		.cpu = cpu,
		.time_ns = i,
		.read = OPT_U64(read),
		.instance = instance,
	};
	return ev;
}

static void append(struct stored_event *events, size_t n)
{
	ck_assert_msg(store_append(store, events, n, &error) == 0, "%s", error.text);
}

/* Return: how many records the new service finds missing; opens the store again, as it does. */
static uint64_t missing_after_start(uint64_t i, unsigned int cpu, uint64_t read)
{
	struct stored_event ev = of_start(i, cpu, read);
	uint64_t before, after;

	reopen();
	before = count(&(struct event_filter){.types = 1U << EVENT_LOST_AT_END});
	append(&ev, 1);
	after = count(&(struct event_filter){.types = 1U << EVENT_LOST_AT_END});
	ck_assert_uint_eq(after - before, ev.outcome == STORE_FINAL);
	if (ev.outcome != STORE_FINAL) {
		ck_assert_int_eq(ev.outcome, STORE_NO_LOSS);
		return 0;
	}
	ck_assert(opt_u64_is(get_event(ev.seq).record.lost, ev.record.lost.value));
	return ev.record.lost.value;
}

START_TEST(records_that_were_read_and_not_stored_are_one_entry)
{
	struct stored_event events[] = {of_start(1, 0, 4), of_start(2, 1, 0), of_ring(3, 0, 5),
					of_ring(4, 0, 6), of_ring(5, 1, 1)};

	append(events, 5);
	ck_assert_uint_eq(count(&(struct event_filter){0}), 3);
	ck_assert_uint_eq(missing_after_start(10, 0, 20), 14);
	ck_assert_uint_eq(missing_after_start(11, 1, 1), 0);
	/* Once. */
	ck_assert_uint_eq(missing_after_start(12, 0, 20), 0);
}
END_TEST

START_TEST(nothing_is_missing_after_the_first_start)
{
	ck_assert_uint_eq(missing_after_start(1, 0, 4000), 0);
	ck_assert_uint_eq(missing_after_start(2, 0, 4001), 1);
}
END_TEST

START_TEST(another_boot_or_instance_is_not_compared)
{
	struct stored_event ev = of_ring(1, 0, 10);

	append(&ev, 1);
	boot = 2;
	ck_assert_uint_eq(missing_after_start(2, 0, 50), 0);
	instance = 78;
	ck_assert_uint_eq(missing_after_start(3, 0, 90), 0);
	ck_assert_uint_eq(missing_after_start(4, 0, 91), 1);
}
END_TEST

START_TEST(ring_that_was_emptied_is_counted_anew)
{
	struct stored_event ev = of_ring(1, 0, 10);

	append(&ev, 1);
	ck_assert_uint_eq(missing_after_start(2, 0, 3), 0);
	ck_assert_uint_eq(missing_after_start(3, 0, 5), 2);
}
END_TEST

START_TEST(loss_of_no_records_only_says_how_far_the_ring_was_read)
{
	struct stored_event ev = of_ring(1, 0, 10), note = of_start(2, 0, 15);

	note.record.type = EVENT_LOST;
	note.record.lost = OPT_U64(0);
	append(&ev, 1);
	append(&note, 1);
	ck_assert_int_eq(note.outcome, STORE_NO_LOSS);
	ck_assert_uint_eq(count(&(struct event_filter){0}), 1);
	ck_assert_uint_eq(missing_after_start(3, 0, 15), 0);
}
END_TEST

START_TEST(duplicates_and_refused_records_are_not_missing)
{
	struct stored_event ev = of_ring(1, 0, 1), again = of_ring(1, 0, 2),
			    more = of_ring(2, 0, 3);

	options.policy = STORE_NEVER_OVERWRITES;
	options.max_records = 1;
	reopen();
	append(&ev, 1);
	append(&again, 1);
	ck_assert_int_eq(again.outcome, STORE_DUPLICATE);
	append(&more, 1);
	ck_assert_int_eq(more.outcome, STORE_REFUSED);
	options.max_records = 100;
	ck_assert_uint_eq(missing_after_start(3, 0, 3), 0);
}
END_TEST

START_TEST(what_was_not_committed_is_missing)
{
	struct stored_event first = of_ring(1, 0, 1), *many = calloc(200, sizeof(*many));

	append(&first, 1);
	for (uint64_t i = 0; i < 200; i++)
		many[i] = of_ring(2 + i, 0, 2 + i);
	limit_files(60 * 1024);
	ck_assert_int_eq(store_append(store, many, 200, &error), -ENOSPC);
	limit_files(RLIM_INFINITY);
	ck_assert_uint_eq(missing_after_start(300, 0, 201), 200);
	free(many);
}
END_TEST

START_TEST(copy_of_a_damaged_file_knows_how_far_rings_were_read)
{
	struct stored_event ev = of_ring(1, 3, 10);

	append(&ev, 1);
	store = store_set_aside(store, "a test");
	ck_assert_uint_eq(missing_after_start(2, 3, 12), 2);
}
END_TEST

/* A commit of many records of one CPU, and of few of another one between them. */
START_TEST(last_record_of_each_cpu_counts)
{
	struct stored_event events[] = {of_ring(1, 0, 1), of_ring(2, 1, 1), of_ring(3, 0, 2),
					of_ring(4, 0, 3), of_ring(5, 1, 2)};

	append(events, 5);
	ck_assert_uint_eq(missing_after_start(6, 0, 3), 0);
	ck_assert_uint_eq(missing_after_start(7, 1, 2), 0);
}
END_TEST

static void setup(void)
{
	store_setup();
	reopen();
}

SUITE(check_store_rings)
{
	Suite *s = suite_create("events store rings");
	TCase *t = tcase_create("rings");

	tcase_add_checked_fixture(t, setup, store_teardown);
	tcase_add_test(t, records_that_were_read_and_not_stored_are_one_entry);
	tcase_add_test(t, nothing_is_missing_after_the_first_start);
	tcase_add_test(t, another_boot_or_instance_is_not_compared);
	tcase_add_test(t, ring_that_was_emptied_is_counted_anew);
	tcase_add_test(t, loss_of_no_records_only_says_how_far_the_ring_was_read);
	tcase_add_test(t, duplicates_and_refused_records_are_not_missing);
	tcase_add_test(t, what_was_not_committed_is_missing);
	tcase_add_test(t, copy_of_a_damaged_file_knows_how_far_rings_were_read);
	tcase_add_test(t, last_record_of_each_cpu_counts);
	suite_add_tcase(s, t);
	return s;
}
