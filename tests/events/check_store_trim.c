// SPDX-License-Identifier: LGPL-2.1-or-later
/* How entries leave the store: overwritten, refused, expired, cleared; and counts of the others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static const struct event_filter everything;

START_TEST(numbers_are_never_used_twice)
{
	uint64_t last = 0;
	bool more;

	options.max_records = 5;
	for (int round = 0; round < 4; round++) {
		reopen();
		for (uint64_t i = 0; i < 7; i++) {
			struct stored_event event = put((uint64_t)round * 100 + i, NULL);

			ck_assert_uint_gt(event.seq, last);
			last = event.seq;
		}
		ck_assert_uint_eq(list_all().n, 5);
		ck_assert_int_eq(store_clear(store, NULL, last, &more, &error), 0);
		ck_assert_uint_eq(list_all().n, 0);
	}
}
END_TEST

START_TEST(the_oldest_entries_are_overwritten)
{
	struct store_info info;
	struct listed l;

	reopen();
	put_many(0, 90);
	put_many(90, 25);
	l = list_all();
	ck_assert_uint_eq(l.n, 100);
	ck_assert_uint_eq(l.seq[0], 16);
	ck_assert_uint_eq(count(&everything), 100);
	ck_assert_int_eq(store_read_info(reader, &info, &error), 0);
	ck_assert_uint_eq(info.wrapped, 15);
	ck_assert_uint_eq(info.oldest, 16);
	ck_assert_uint_eq(info.newest, 115);
	/* An overwritten event that is added again is a new entry. */
	ck_assert_int_eq(put(0, NULL).outcome, STORE_FINAL);
}
END_TEST

START_TEST(a_limit_that_was_lowered_is_reached_in_steps)
{
	bool more = true;
	int steps = 0;

	options.max_records = 3000;
	reopen();
	put_many(0, 3000);
	options.max_records = 10;
	reopen();
	while (more) {
		ck_assert_int_eq(store_expire(store, 0, &more, &error), 0);
		steps++;
	}
	ck_assert_int_eq(steps, 3);
	ck_assert_uint_eq(list_all().n, 10);
	(void)put(5000, NULL);
	ck_assert_uint_eq(list_all().n, 10);
}
END_TEST

static int add_loss(void *userdata, const struct event_loss *loss)
{
	struct event_loss *all = userdata;
	size_t i = 0;

	while (all[i].place[0])
		i++;
	all[i] = *loss;
	return 0;
}

START_TEST(a_full_log_that_is_not_overwritten_refuses_and_counts)
{
	struct event_loss losses[4] = {0};

	options.max_records = 3;
	options.policy = STORE_NEVER_OVERWRITES;
	reopen();
	put_many(0, 3);
	ck_assert_int_eq(put(3, NULL).outcome, STORE_REFUSED);
	ck_assert_int_eq(put(4, NULL).outcome, STORE_REFUSED);
	ck_assert_int_eq(put(1, NULL).outcome, STORE_DUPLICATE);
	ck_assert_uint_eq(list_all().seq[0], 1);
	ck_assert_uint_eq(list_all().n, 3);
	ck_assert_int_eq(store_read_losses(reader, add_loss, losses, &error), 0);
	ck_assert_str_eq(losses[0].place, "refused");
	ck_assert_uint_eq(losses[0].n, 2);
	ck_assert_str_eq(losses[1].place, "");
}
END_TEST

static void as_lost(struct stored_event *event)
{
	event->record = (struct event_record){.type = EVENT_LOST, .event = "lost", .cpu = 3};
	event->record.time_ns = made_random(event->stored_ns);
	if (event->stored_ns % 2000000 == 500)
		event->record.lost = OPT_U64(40);
}

START_TEST(losses_are_counted_by_source_after_their_entries_are_removed)
{
	struct event_loss losses[4] = {0};
	bool more;

	reopen();
	(void)put(2, as_lost);
	(void)put(4, as_lost);
	(void)put(5, as_lost); /* the ring has no count */
	ck_assert_int_eq(put(5, as_lost).outcome, STORE_DUPLICATE);
	ck_assert_int_eq(store_clear(store, NULL, 100, &more, &error), 0);
	reopen();
	ck_assert_int_eq(store_read_losses(reader, add_loss, losses, &error), 0);
	ck_assert_str_eq(losses[0].place, "cpu3");
	ck_assert_uint_eq(losses[0].n, 80);
	ck_assert_uint_eq(losses[0].gaps, 3);
	ck_assert_str_eq(losses[1].place, "");
}
END_TEST

START_TEST(losses_are_counted_by_source_in_a_log_that_must_not_be_overwritten)
{
	struct event_loss losses[4] = {0};

	options.max_records = 1;
	options.policy = STORE_NEVER_OVERWRITES;
	reopen();
	(void)put(1, NULL);
	ck_assert_int_eq(put(2, as_lost).outcome, STORE_REFUSED);
	ck_assert_int_eq(put(3, NULL).outcome, STORE_REFUSED);
	ck_assert_int_eq(store_read_losses(reader, add_loss, losses, &error), 0);
	ck_assert_str_eq(losses[0].place, "cpu3");
	ck_assert_uint_eq(losses[0].n, 40);
	ck_assert_str_eq(losses[1].place, "refused");
	ck_assert_uint_eq(losses[1].n, 1);
	ck_assert_str_eq(losses[2].place, "");
}
END_TEST

static void as_lost_beyond_count(struct stored_event *event)
{
	as_lost(event);
	event->record.lost = OPT_U64(UINT64_MAX);
}

START_TEST(impossible_loss_counts_are_no_damage)
{
	struct event_loss losses[4] = {0};

	reopen();
	for (uint64_t i = 0; i < 20; i++)
		(void)put(i, as_lost_beyond_count);
	ck_assert_int_eq(store_read_losses(reader, add_loss, losses, &error), 0);
	ck_assert_uint_eq(losses[0].gaps, 20);
	ck_assert_uint_eq(losses[0].n, UINT64_C(1) << 60);
}
END_TEST

START_TEST(expired_entries_are_removed)
{
	struct store_info info;
	bool more;

	options.max_age_ns = 50 * UINT64_C(1000000);
	reopen();
	put_many(0, 100);
	ck_assert_int_eq(store_expire(store, MADE_TIME + 100 * UINT64_C(1000000), &more, &error),
			 0);
	ck_assert(!more);
	ck_assert_uint_eq(list_all().n, 50);
	ck_assert_uint_eq(list_all().seq[0], 51);
	ck_assert_int_eq(store_read_info(reader, &info, &error), 0);
	ck_assert_uint_eq(info.wrapped, 50);
}
END_TEST

START_TEST(a_clock_that_jumps_back_does_no_harm)
{
	bool more;

	options.max_age_ns = 50 * UINT64_C(1000000);
	reopen();
	/* A time in 1970 between current events: it stays until the entries before it expire. */
	put_many(1000, 10);
	for (uint64_t i = 2000; i < 2010; i++) {
		struct stored_event event;

		made_event(i, &event);
		event.stored_ns = i;
		event.record.wall_ns = OPT_U64(i);
		ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
		ck_assert_int_eq(event.outcome, STORE_FINAL);
	}
	put_many(1010, 10);
	ck_assert_int_eq(store_expire(store, 5000, &more, &error), 0);
	ck_assert_int_eq(store_expire(store, MADE_TIME + 1020 * UINT64_C(1000000), &more, &error),
			 0);
	ck_assert_uint_eq(list_all().n, 30);
	for (size_t i = 0; i < 30; i++)
		ck_assert_uint_eq(list_all().seq[i], i + 1);
	ck_assert_int_eq(store_expire(store, MADE_TIME + 1060 * UINT64_C(1000000), &more, &error),
			 0);
	ck_assert_uint_eq(list_all().n, 10);
	ck_assert_uint_eq(list_all().seq[0], 21);
}
END_TEST

START_TEST(an_entry_in_the_future_does_not_prevent_expiry)
{
	bool more;

	options.max_age_ns = 50 * UINT64_C(1000000);
	reopen();
	put_many(0, 10);
	put_many(1000000, 5); /* the clock is wrong for some time */
	put_many(10, 40);
	ck_assert_int_eq(store_expire(store, MADE_TIME + 80 * UINT64_C(1000000), &more, &error), 0);
	ck_assert_uint_eq(list_all().n, 20);
	ck_assert_uint_eq(list_all().seq[0], 36);
	/* At the end of the log there is no later entry to derive its age from. */
	put_many(1000005, 5);
	ck_assert_int_eq(store_expire(store, MADE_TIME + 200 * UINT64_C(1000000), &more, &error),
			 0);
	ck_assert_uint_eq(list_all().n, 5);
}
END_TEST

START_TEST(clearing_a_device_leaves_the_others)
{
	bool more;

	reopen();
	put_many(0, 80);
	ck_assert_int_eq(store_clear(store, "cxl-3", 40, &more, &error), 0);
	ck_assert(!more);
	ck_assert_uint_eq(count(&(struct event_filter){.device = "cxl-3"}), 5);
	ck_assert_uint_eq(count(&everything), 75);
	ck_assert_int_eq(store_clear(store, "no such device", 100, &more, &error), 0);
	ck_assert_uint_eq(list_all().n, 75);
}
END_TEST

START_TEST(clearing_goes_in_steps_and_keeps_later_entries)
{
	bool more = true;
	int steps = 0;

	options.max_records = 5000;
	reopen();
	put_many(0, 2500);
	for (; more; steps++) {
		ck_assert_int_eq(store_clear(store, NULL, 2500, &more, &error), 0);
		(void)put(3000 + (uint64_t)steps, NULL);
	}
	ck_assert_int_eq(steps, 3);
	ck_assert_uint_eq(list_all().n, 3);
	ck_assert_uint_eq(list_all().seq[0], 2501);
}
END_TEST

START_TEST(a_pending_event_is_not_cleared)
{
	struct store_final final = {0};
	bool more;

	reopen();
	final.pending = put(1, as_pending).seq;
	ck_assert_int_eq(store_clear(store, NULL, 100, &more, &error), 0);
	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
	ck_assert_uint_ne(final.seq, 0);
}
END_TEST

static uint64_t unresolved[EVENT_SEVERITIES], grouped;

static int add_group(void *userdata, const struct event_group *group)
{
	(void)userdata;
	ck_assert_int_eq(group->type, EVENT_DRAM);
	unresolved[group->severity] += group->unresolved;
	grouped += group->n;
	return 0;
}

static void expect_groups(uint64_t n, uint64_t n_unresolved)
{
	memset(unresolved, 0, sizeof(unresolved));
	grouped = 0;
	ck_assert_int_eq(store_read_groups(reader, add_group, NULL, &error), 0);
	ck_assert_uint_eq(grouped, n);
	ck_assert_uint_eq(unresolved[EVENT_WARNING] + unresolved[EVENT_CRITICAL], n_unresolved);
}

static void as_resolved(struct stored_event *event)
{
	event->resolved = true;
}

START_TEST(counts_follow_each_change)
{
	bool more;

	reopen();
	put_many(0, 20);
	ck_assert(get_event(put(20, as_resolved).seq).resolved);
	expect_groups(21, 20);
	ck_assert_int_eq(store_resolve(store, 5, true, &error), 0);
	ck_assert_int_eq(store_resolve(store, 5, true, &error), 0);
	ck_assert(get_event(5).resolved);
	expect_groups(21, 19);
	ck_assert_int_eq(store_resolve(store, 5, false, &error), 0);
	ck_assert_int_eq(store_resolve(store, 21, false, &error), 0);
	expect_groups(21, 21);
	ck_assert_int_eq(store_resolve(store, 5, true, &error), 0);
	reopen();
	expect_groups(21, 20);
	ck_assert_int_eq(store_clear(store, NULL, 10, &more, &error), 0);
	expect_groups(11, 11);
	ck_assert_int_eq(store_resolve(store, 5, true, &error), -ENOENT);
	ck_assert_int_eq(store_resolve(store, 1000, true, &error), -ENOENT);
	ck_assert_int_eq(store_clear(store, NULL, 1000, &more, &error), 0);
	expect_groups(0, 0);
}
END_TEST

SUITE(check_store_trim)
{
	Suite *s = suite_create("store-trim");
	TCase *t = tcase_create("trim");

	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, numbers_are_never_used_twice);
	tcase_add_test(t, the_oldest_entries_are_overwritten);
	tcase_add_test(t, a_limit_that_was_lowered_is_reached_in_steps);
	tcase_add_test(t, a_full_log_that_is_not_overwritten_refuses_and_counts);
	tcase_add_test(t, losses_are_counted_by_source_after_their_entries_are_removed);
	tcase_add_test(t, losses_are_counted_by_source_in_a_log_that_must_not_be_overwritten);
	tcase_add_test(t, impossible_loss_counts_are_no_damage);
	tcase_add_test(t, expired_entries_are_removed);
	tcase_add_test(t, a_clock_that_jumps_back_does_no_harm);
	tcase_add_test(t, an_entry_in_the_future_does_not_prevent_expiry);
	tcase_add_test(t, clearing_a_device_leaves_the_others);
	tcase_add_test(t, clearing_goes_in_steps_and_keeps_later_entries);
	tcase_add_test(t, a_pending_event_is_not_cleared);
	tcase_add_test(t, counts_follow_each_change);
	suite_add_tcase(s, t);
	return s;
}
