// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts that the store keeps for ever: they survive the removal of entries, and the process. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "events/store_counts.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static const char *device;
static enum answer_source source;

static void as_of_device(struct stored_event *event)
{
	strcpy(event->device, device);
	event->answer.source = source;
	event->answer.hpa_disagrees = source == SOURCE_DECODER;
}

static void as_pending_of_device(struct stored_event *event)
{
	as_of_device(event);
	event->pending = true;
}

static uint64_t total, n_totals;

static int add_total(void *userdata, const struct event_total *t)
{
	const char *wanted = userdata;

	ck_assert_int_eq(t->type, EVENT_DRAM);
	ck_assert_uint_gt(t->n, 0);
	n_totals++;
	if (strcmp(t->device, wanted) == 0)
		total += t->n;
	return 0;
}

/* How many entries of a device were ever added. */
static uint64_t ever(const char *name)
{
	char wanted[EVENT_DEVICE_MAX];

	strcpy(wanted, name);
	total = n_totals = 0;
	ck_assert_int_eq(store_read_totals(reader, add_total, wanted, &error), 0);
	return total;
}

static uint64_t counted(unsigned int which)
{
	uint64_t counts[STORE_COUNTS];

	ck_assert_int_eq(store_read_counts(reader, counts, &error), 0);
	return counts[which];
}

static uint64_t answered(enum answer_source by)
{
	return counted(STORE_COUNT_SOURCES + by);
}

static struct stored_event put_of(uint64_t i, const char *name, enum answer_source by)
{
	device = name;
	source = by;
	return put(i, as_of_device);
}

/* Three of one device, two of another; one of them is a duplicate's. */
static void put_some(void)
{
	reopen();
	for (uint64_t i = 0; i < 3; i++)
		(void)put_of(i, "cxl-a", SOURCE_DECODER);
	for (uint64_t i = 3; i < 5; i++)
		(void)put_of(i, "cxl-b", SOURCE_PRM);
	ck_assert_int_eq(put_of(4, "cxl-b", SOURCE_PRM).outcome, STORE_DUPLICATE);
}

static void expect_some(void)
{
	ck_assert_uint_eq(ever("cxl-a"), 3);
	ck_assert_uint_eq(ever("cxl-b"), 2);
	ck_assert_uint_eq(n_totals, 2);
	ck_assert_uint_eq(counted(STORE_COUNT_DUPLICATES), 1);
	ck_assert_uint_eq(counted(STORE_COUNT_DISAGREEMENTS), 3);
	ck_assert_uint_eq(answered(SOURCE_DECODER), 3);
	ck_assert_uint_eq(answered(SOURCE_PRM), 2);
	ck_assert_uint_eq(answered(SOURCE_NONE), 0);
}

START_TEST(entries_and_outcomes_are_counted_over_restarts)
{
	put_some();
	expect_some();
	reopen();
	expect_some();
	(void)put_of(7, "cxl-a", SOURCE_PRM);
	ck_assert_uint_eq(ever("cxl-a"), 4);
	ck_assert_uint_eq(answered(SOURCE_PRM), 3);
}
END_TEST

/* Groups without entries are removed at the next start. */
START_TEST(counts_do_not_follow_entries_that_are_removed)
{
	bool more;

	put_some();
	ck_assert_int_eq(store_clear(store, "cxl-b", 100, &more, &error), 0);
	expect_some();
	reopen();
	expect_some();
	ck_assert_int_eq(store_clear(store, NULL, 100, &more, &error), 0);
	reopen();
	reopen();
	expect_some();
	(void)put_of(8, "cxl-b", SOURCE_PRM);
	ck_assert_uint_eq(ever("cxl-b"), 3);
	ck_assert_int_eq(store_clear(store, NULL, 100, &more, &error), 0);
	reopen();
	ck_assert_uint_eq(ever("cxl-b"), 3);
}
END_TEST

START_TEST(what_is_overwritten_or_refused_is_counted)
{
	options.max_records = 4;
	reopen();
	for (uint64_t i = 0; i < 10; i++)
		(void)put_of(i, "cxl-a", SOURCE_NONE);
	ck_assert_uint_eq(ever("cxl-a"), 10);
	options.policy = STORE_NEVER_OVERWRITES;
	reopen();
	ck_assert_int_eq(put_of(20, "cxl-a", SOURCE_NONE).outcome, STORE_REFUSED);
	ck_assert_uint_eq(ever("cxl-a"), 10);
	ck_assert_uint_eq(counted(STORE_COUNT_REFUSED), 1);
	ck_assert_uint_eq(answered(SOURCE_NONE), 10);
}
END_TEST

/* The one that it gets, or the one it has when the process ends. */
START_TEST(pending_events_are_counted_by_their_last_answer)
{
	struct store_final final = {.answer = {.source = SOURCE_PRM}};

	reopen();
	device = "cxl-a";
	source = SOURCE_ESTIMATE;
	final.pending = put(0, as_pending_of_device).seq;
	(void)put(1, as_pending_of_device);
	ck_assert_uint_eq(ever("cxl-a"), 0);
	ck_assert_uint_eq(answered(SOURCE_ESTIMATE), 0);
	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
	ck_assert_uint_eq(answered(SOURCE_PRM), 1);
	reopen();
	ck_assert_uint_eq(ever("cxl-a"), 2);
	ck_assert_uint_eq(answered(SOURCE_PRM), 1);
	ck_assert_uint_eq(answered(SOURCE_ESTIMATE), 1);
}
END_TEST

START_TEST(a_file_that_replaces_a_damaged_one_continues_the_counts)
{
	bool more;

	put_some();
	ck_assert_int_eq(store_clear(store, "cxl-b", 100, &more, &error), 0);
	store = store_set_aside(store, "a page is bad");
	reopen();
	expect_some();
	reopen();
	expect_some();
}
END_TEST

START_TEST(a_transaction_that_fails_counts_nothing)
{
	struct stored_event events[200];
	int r;

	reopen();
	(void)put_of(0, "cxl-a", SOURCE_DECODER);
	for (uint64_t i = 0; i < 200; i++)
		made_event(i + 1, &events[i]);
	limit_files(4096);
	r = store_append(store, events, 200, &error);
	limit_files(RLIM_INFINITY);
	ck_assert_int_lt(r, 0);
	ck_assert_uint_eq(ever("cxl-a"), 1);
	ck_assert_uint_eq(n_totals, 1);
	(void)put_of(201, "cxl-a", SOURCE_DECODER);
	ck_assert_uint_eq(answered(SOURCE_DECODER), 2);
}
END_TEST

START_TEST(duplicates_are_no_failure_when_nothing_can_be_written)
{
	struct stored_event events[2];
	enum store_outcome outcomes[2];
	int known, new;

	put_some();
	limit_files(4096);
	for (uint64_t i = 0; i < 2; i++) {
		made_event(i, &events[i]);
		as_of_device(&events[i]);
	}
	device = "cxl-a";
	known = store_append(store, events, 2, &error);
	outcomes[0] = events[0].outcome;
	outcomes[1] = events[1].outcome;
	made_event(100, &events[1]);
	new = store_append(store, events, 2, &error);
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(known, 0);
	ck_assert_int_eq(outcomes[0], STORE_DUPLICATE);
	ck_assert_int_eq(outcomes[1], STORE_DUPLICATE);
	ck_assert_int_lt(new, 0);
	expect_some();
	ck_assert_int_eq(store_append(store, events, 1, &error), 0);
	ck_assert_uint_eq(counted(STORE_COUNT_DUPLICATES), 2);
}
END_TEST

/* Sums cannot overflow, which would be an error of each transaction. */
START_TEST(counts_of_a_file_that_was_changed_have_a_limit)
{
	put_some();
	shut();
	run_sql(path,
		"UPDATE groups SET stored = 9223372036854775807;"
		"UPDATE counts SET n = 9223372036854775807; INSERT INTO counts VALUES ('x', -1)");
	reopen();
	(void)put_of(10, "cxl-a", SOURCE_DECODER);
	ck_assert_uint_eq(ever("cxl-a"), UINT64_C(1) << 60);
	ck_assert_uint_eq(answered(SOURCE_DECODER), INT64_MAX);
}
END_TEST

SUITE(check_store_counts)
{
	Suite *suite = suite_create("store counts");
	TCase *t = tcase_create("counts");

	tcase_set_timeout(t, 300);
	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_add_test(t, entries_and_outcomes_are_counted_over_restarts);
	tcase_add_test(t, counts_do_not_follow_entries_that_are_removed);
	tcase_add_test(t, what_is_overwritten_or_refused_is_counted);
	tcase_add_test(t, pending_events_are_counted_by_their_last_answer);
	tcase_add_test(t, a_file_that_replaces_a_damaged_one_continues_the_counts);
	tcase_add_test(t, a_transaction_that_fails_counts_nothing);
	tcase_add_test(t, duplicates_are_no_failure_when_nothing_can_be_written);
	tcase_add_test(t, counts_of_a_file_that_was_changed_have_a_limit);
	suite_add_tcase(suite, t);
	return suite;
}
