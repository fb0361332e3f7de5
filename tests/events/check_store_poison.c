// SPDX-License-Identifier: LGPL-2.1-or-later
/* Entries about poison that is cleared later are resolved, and no others. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/store_tables.h"
#include "events/store_statements.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static uint64_t next_event;
static enum event_type type;
static uint64_t dpa, length; /* length 0: the record has none */

static void as_poison(struct stored_event *event)
{
	struct event_record *rec = &event->record;

	strcpy(event->device, "cxl-0");
	strcpy(rec->event, "cxl_poison");
	memset(rec->bytes, 0, sizeof(rec->bytes));
	rec->type = type;
	rec->present = UINT64_C(1) << FIELD_DPA;
	rec->number[FIELD_DPA] = dpa;
	if (length > 0)
		rec->present |= UINT64_C(1) << FIELD_DPA_LENGTH;
	rec->number[FIELD_DPA_LENGTH] = length;
	event->severity = type == EVENT_POISON ? EVENT_CRITICAL : EVENT_OK;
}

static void as_poison_of_another(struct stored_event *event)
{
	as_poison(event);
	strcpy(event->device, "cxl-1");
}

static void as_pending_poison(struct stored_event *event)
{
	as_poison(event);
	event->pending = true;
}

/* Return: the number of the entry, or that of the pending event. */
static uint64_t put_as(enum event_type t, uint64_t address, uint64_t bytes,
		       void (*change)(struct stored_event *event))
{
	struct stored_event event;

	type = t;
	dpa = address;
	length = bytes;
	event = put(next_event++, change);
	ck_assert_uint_ne(event.seq, 0);
	return event.seq;
}

static uint64_t poison(uint64_t address, uint64_t bytes)
{
	return put_as(EVENT_POISON, address, bytes, as_poison);
}

static uint64_t clear(uint64_t address, uint64_t bytes)
{
	return put_as(EVENT_POISON_CLEARED, address, bytes, as_poison);
}

static bool resolved(uint64_t seq)
{
	return get_event(seq).resolved;
}

static uint64_t finish(uint64_t pending)
{
	struct store_final final = {.pending = pending};

	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
	ck_assert_uint_ne(final.seq, 0);
	return final.seq;
}

static void setup(void)
{
	store_setup();
	options.max_records = 10000;
	reopen();
	next_event = 0;
}

static int add_unresolved(void *userdata, const struct event_group *group)
{
	if (group->severity != EVENT_OK)
		*(uint64_t *)userdata += group->unresolved;
	return 0;
}

START_TEST(clearing_resolves_the_earlier_entries_of_the_range)
{
	uint64_t inside = poison(0x1000, 64), same = poison(0x1000, 64), unresolved = 0;
	uint64_t below = poison(0xfc0, 64), above = poison(0x1040, 64);
	uint64_t other = put_as(EVENT_POISON, 0x1000, 64, as_poison_of_another);
	uint64_t without_length = poison(0x1000, 0), later;

	clear(0x1000, 64);
	later = poison(0x1000, 64);
	ck_assert(resolved(inside) && resolved(same) && resolved(without_length));
	ck_assert(!resolved(below) && !resolved(above) && !resolved(other) && !resolved(later));
	/* Health counts the same. */
	ck_assert_int_eq(store_read_groups(reader, add_unresolved, &unresolved, &error), 0);
	ck_assert_uint_eq(unresolved, 4);
}
END_TEST

START_TEST(an_entry_is_resolved_when_all_of_it_was_cleared)
{
	uint64_t entry = poison(0x1000, 192), end = poison(UINT64_MAX - 63, 4096);

	clear(0x1080, 64);
	clear(0x1000, 64);
	ck_assert(!resolved(entry));
	clear(0x1040, 64);
	ck_assert(resolved(entry));
	clear(UINT64_MAX - 63, 64);
	ck_assert(resolved(end));
}
END_TEST

START_TEST(what_was_cleared_before_the_poison_does_not_count)
{
	uint64_t entry;

	clear(0x1000, 64);
	entry = poison(0x1000, 128);
	clear(0x1040, 64);
	ck_assert(!resolved(entry));
}
END_TEST

static uint64_t time_ns;

static void as_poison_at_time(struct stored_event *event)
{
	as_poison(event);
	event->record.time_ns = time_ns;
}

static uint64_t put_at(uint64_t when, enum event_type t)
{
	time_ns = when;
	return put_as(t, 0x1000, 64, as_poison_at_time);
}

/* The rings of CPUs are read one after the other. */
START_TEST(records_of_one_boot_are_compared_by_their_times)
{
	uint64_t before = put_at(1000, EVENT_POISON), late, after;

	(void)put_at(2000, EVENT_POISON_CLEARED);
	late = put_at(1500, EVENT_POISON);
	after = put_at(2500, EVENT_POISON);
	ck_assert(resolved(before) && resolved(late) && !resolved(after));
}
END_TEST

START_TEST(pending_entries_are_compared_by_the_order_of_their_records)
{
	uint64_t first = put_as(EVENT_POISON, 0x1000, 64, as_pending_poison);
	uint64_t cleared = put_as(EVENT_POISON_CLEARED, 0x1000, 64, as_pending_poison);
	uint64_t second = put_as(EVENT_POISON, 0x1000, 64, as_pending_poison);
	uint64_t first_entry, second_entry;

	second_entry = finish(second);
	(void)finish(cleared);
	first_entry = finish(first);
	ck_assert(resolved(first_entry));
	ck_assert(!resolved(second_entry));
}
END_TEST

START_TEST(other_entries_of_the_range_stay_unresolved)
{
	uint64_t dram = put_as(EVENT_DRAM, 0x1000, 64, as_poison);

	clear(0x1000, 64);
	ck_assert(!resolved(dram));
}
END_TEST

/* The steps of SQLite's machine that clearing one range takes. */
static int steps_of_clearing(uint64_t address)
{
	sqlite3_stmt *stmt = store_statement(store, STMT_POISON_NEAR);

	(void)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
	clear(address, 64);
	return sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
}

START_TEST(clearing_takes_no_more_steps_with_more_entries)
{
	int few, many;

	for (uint64_t i = 0; i < 100; i++)
		poison(i * 4096, 64);
	few = steps_of_clearing(50 * 4096);
	for (uint64_t i = 100; i < 3000; i++)
		poison(i * 4096, 64);
	for (uint64_t i = 100; i < 1000; i++)
		clear(i * 4096 + 1024, 64);
	for (uint64_t i = 0; i < 1000; i++)
		clear(60 * 4096, 64);
	many = steps_of_clearing(60 * 4096);
	ck_assert_int_gt(few, 0);
	ck_assert_int_le(many, 2 * few);
}
END_TEST

START_TEST(long_ranges_are_found_from_any_address_of_theirs)
{
	uint64_t all = poison(0, UINT64_MAX), high = poison(UINT64_C(1) << 63, 4096);
	uint64_t large = poison(0x10000000, UINT64_C(1) << 40);

	clear(0x80000000000, 64);
	clear((UINT64_C(1) << 63) + 4032, 64);
	ck_assert(!resolved(all) && !resolved(high) && !resolved(large));
	clear(0x10000000, UINT64_C(1) << 40);
	ck_assert(resolved(large) && !resolved(all) && !resolved(high));
	clear(UINT64_C(1) << 63, UINT64_MAX);
	ck_assert(resolved(high) && !resolved(all));
	clear(0, UINT64_C(1) << 63);
	ck_assert(resolved(all));
}
END_TEST

SUITE(check_store_poison)
{
	Suite *suite = suite_create("store poison");
	TCase *t = tcase_create("poison");

	tcase_set_timeout(t, 300);
	tcase_add_checked_fixture(t, setup, store_teardown);
	tcase_add_test(t, clearing_resolves_the_earlier_entries_of_the_range);
	tcase_add_test(t, an_entry_is_resolved_when_all_of_it_was_cleared);
	tcase_add_test(t, what_was_cleared_before_the_poison_does_not_count);
	tcase_add_test(t, records_of_one_boot_are_compared_by_their_times);
	tcase_add_test(t, pending_entries_are_compared_by_the_order_of_their_records);
	tcase_add_test(t, other_entries_of_the_range_stay_unresolved);
	tcase_add_test(t, clearing_takes_no_more_steps_with_more_entries);
	tcase_add_test(t, long_ranges_are_found_from_any_address_of_theirs);
	suite_add_tcase(suite, t);
	return suite;
}
