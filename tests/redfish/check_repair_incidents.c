// SPDX-License-Identifier: LGPL-2.1-or-later
/* Entries of the worklist of repairs that no device asked for: those of open incidents. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/store.h"
#include "redfish/repairs/repair_run.h"
#include "tests/lib/repair_records.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"

#define SERIAL 0xabc9
#define DEVICE "cxl-000000000000abc9"

static char directory[64], path[96], log_file[96];
static struct state *state;
static struct store *store;
static struct error error;
static struct repair_entries list;
static uint64_t n_records;

static void open_store(void)
{
	const struct store_options o = {.path = log_file, .max_records = 1000};

	store = store_close(store);
	ck_assert_msg(store_open(&o, &store, &error) == 0, "%s", error.text);
}

static void setup(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/check_repairs.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	(void)snprintf(log_file, sizeof(log_file), "%s/" STORE_FILE, directory);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
	open_store();
}

static void teardown(void)
{
	char command[96];

	repair_entries_done(&list);
	state = state_free(state);
	store = store_close(store);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void number(struct stored_event *ev, enum event_field field, uint64_t value)
{
	event_record_set(&ev->record, field, value);
}

/* A DRAM record of one bank that asks for the sparing of a row. */
static struct stored_event request(uint64_t dpa)
{
	struct stored_event ev;

	made_event(n_records++, &ev);
	(void)snprintf(ev.device, sizeof(ev.device), DEVICE);
	ev.record.number[FIELD_HDR_TIMESTAMP] = MADE_TIME + n_records;
	record_ask_repair(&ev, SERIAL, dpa, 2, 1);
	return ev;
}

/* The same without a request. */
static struct stored_event plain(uint64_t dpa)
{
	struct stored_event ev = request(dpa);

	number(&ev, FIELD_HDR_FLAGS, 1);
	return ev;
}

static uint64_t log_event(struct stored_event ev)
{
	ck_assert_msg(store_append(store, &ev, 1, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ev.outcome, STORE_FINAL);
	return ev.seq;
}

/* Return: how many entries there are, which are in `list`. Counts of incidents in the file are
 * those of now when it was closed. */
static size_t worklist(void)
{
	size_t n_new;

	if (store)
		open_store();
	repair_entries_done(&list);
	list = (struct repair_entries){0};
	ck_assert_msg(repairs_update(state, log_file, &n_new, &error) == 0, "%s", error.text);
	ck_assert_int_eq(state_read_repairs(state, &list, &error), 0);
	return list.n;
}

/* An entry is repaired, whatever it is. */
static void repair(uint64_t id, enum edac_repair_type type)
{
	const struct repair_attempt attempt = {.id = id, .type = type};
	struct repair_entry entry;

	ck_assert_msg(state_reserve_repair(state, &attempt, &entry, &error) == 0, "%s", error.text);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_DONE, 1, "", &error), 0);
}

/* ---- listing ----------------------------------------------------------------------------------
 */

START_TEST(an_incident_without_a_request_is_listed_at_its_newest_record)
{
	const uint64_t first = log_event(plain(0x1000));
	uint64_t incident, newest;

	ck_assert_uint_eq(worklist(), 1);
	ck_assert(!repair_entry_is_asked(&list.items[0]));
	ck_assert_uint_eq(list.items[0].state, REPAIR_WAITING);
	ck_assert_uint_eq(list.items[0].event, first);
	ck_assert_uint_eq(list.items[0].place.dpa, 0x1001);
	ck_assert_str_eq(list.items[0].device, DEVICE);
	incident = list.items[0].incident;
	ck_assert_uint_ne(incident, 0);
	newest = log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_uint_eq(list.items[0].id, 1);
	ck_assert_uint_eq(list.items[0].event, newest);
	/* Another place is another repair: who was shown the first one means that. */
	newest = log_event(plain(0x2000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_uint_eq(list.items[0].id, 2);
	ck_assert_uint_eq(list.items[0].incident, incident);
	ck_assert_uint_eq(list.items[0].event, newest);
	ck_assert_uint_eq(list.items[0].place.dpa, 0x2001);
}
END_TEST

START_TEST(the_entry_of_a_column_is_the_same_whatever_row_comes_next)
{
	for (uint64_t i = 0; i < 4; i++) {
		struct stored_event ev = plain(0x1000 + 64 * i);

		number(&ev, FIELD_ROW, 50 + i);
		(void)log_event(ev);
		ck_assert_uint_eq(worklist(), 1);
		/* The first one may be of a row only. */
		ck_assert_uint_eq(list.items[0].id, i == 0 ? 1 : 2);
	}
	ck_assert_uint_eq(list.items[0].fault, PLACE_COLUMN);
	ck_assert_uint_eq(list.items[0].place.part[REPAIR_ROW], 53);
}
END_TEST

START_TEST(it_ends_with_its_incident)
{
	uint64_t incident;

	(void)log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	incident = list.items[0].incident;
	ck_assert_int_eq(store_acknowledge(store, incident, true, &error), 0);
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_int_eq(store_resolve_incident(store, incident, true, &error), 0);
	ck_assert_uint_eq(worklist(), 0);
	(void)log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_uint_ne(list.items[0].incident, incident);
	ck_assert_uint_eq(list.items[0].repaired, 0);
}
END_TEST

START_TEST(a_request_of_the_incident_takes_its_place)
{
	const struct repair_attempt attempt = {.id = 1, .type = EDAC_REPAIR_PPR};
	struct repair_entry entry;
	uint64_t asked;

	(void)log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_int_eq(state_reserve_repair(state, &attempt, &entry, &error), 0);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_REFUSED, 1, "no", &error), 0);
	asked = log_event(request(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert(repair_entry_is_asked(&list.items[0]));
	ck_assert_uint_eq(list.items[0].event, asked);
	(void)log_event(plain(0x2000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_uint_eq(list.items[0].event, asked);
}
END_TEST

static void not_repairable(struct stored_event *ev)
{
	number(ev, FIELD_DPA_FLAGS, 3);
}
static void without_flags(struct stored_event *ev)
{
	ev->record.present &= ~(UINT64_C(1) << FIELD_DPA_FLAGS);
}
static void of_poison(struct stored_event *ev)
{
	ev->record.type = EVENT_POISON;
	(void)snprintf(ev->record.event, sizeof(ev->record.event), "cxl_poison");
}
static void of_the_link(struct stored_event *ev)
{
	ev->record.type = EVENT_AER_CORRECTABLE;
	(void)snprintf(ev->record.event, sizeof(ev->record.event), "cxl_aer_correctable_error");
}

static void (*const without_place[])(struct stored_event *ev) = {
	not_repairable,
	without_flags,
	of_poison,
	of_the_link,
};

START_TEST(an_incident_without_a_place_that_can_be_repaired_is_not_listed)
{
	struct stored_event ev = plain(0x1000);

	without_place[_i](&ev);
	(void)log_event(ev);
	ck_assert_uint_eq(worklist(), 0);
}
END_TEST

START_TEST(an_update_without_news_changes_nothing)
{
	(void)log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_uint_eq(list.items[0].id, 1);
	/* Without the log nothing is known of the incident. */
	store = store_close(store);
	ck_assert_int_eq(remove(log_file), 0);
	ck_assert_uint_eq(worklist(), 1);
}
END_TEST

START_TEST(errors_that_go_on_after_a_repair_say_so)
{
	struct repair_attempt again;
	uint64_t incident;

	(void)log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	repair(1, EDAC_REPAIR_ROW_SPARING);
	incident = list.items[0].incident;
	ck_assert_uint_eq(worklist(), 1);
	ck_assert_int_eq(store_resolve_incident(store, incident, true, &error), 0);
	ck_assert_uint_eq(worklist(), 1); /* what was done stays */
	ck_assert_uint_eq(list.items[0].state, REPAIR_DONE);
	(void)log_event(plain(0x1040));
	ck_assert_uint_eq(worklist(), 2);
	ck_assert_uint_eq(list.items[1].state, REPAIR_WAITING);
	ck_assert_uint_eq(list.items[1].repaired, 1);
	ck_assert_str_eq(list.items[1].text,
			 "errors go on, though repair 1 repaired the same place 1 time");
	/* The row has its spare already. */
	again = (struct repair_attempt){.id = list.items[1].id, .type = EDAC_REPAIR_ROW_SPARING};
	ck_assert_int_eq(state_reserve_repair(state, &again, &list.items[0], &error), -EBUSY);
}
END_TEST

START_TEST(errors_at_another_place_are_not_called_repaired)
{
	struct stored_event other = plain(0x2000);

	(void)log_event(plain(0x1000));
	ck_assert_uint_eq(worklist(), 1);
	repair(1, EDAC_REPAIR_ROW_SPARING);
	number(&other, FIELD_ROW, 77);
	(void)log_event(other);
	ck_assert_uint_eq(worklist(), 2);
	ck_assert_uint_eq(list.items[1].repaired, 0);
	ck_assert_str_eq(list.items[1].text, "");
}
END_TEST

/* ---- room -------------------------------------------------------------------------------------
 */

/* Entries of as many incidents. */
static void make_listed(struct repair_entries *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct stored_event ev = plain(0x1000 + 64 * i);
		struct repair_entry *entry = repair_entries_add(to);

		ev.seq = ev.incident = 1000 + i;
		ck_assert(entry && repair_entry_of_incident(&ev, PLACE_ROW, entry));
	}
}

static struct repairs_added list_all(const struct repair_entries *wanted)
{
	const struct repair_ids none = {0};
	struct repairs_added added;

	ck_assert_int_eq(state_list_incidents(state, wanted, &none, &added, &error), 0);
	return added;
}

START_TEST(one_that_is_not_asked_for_gives_way_to_one_that_is)
{
	struct repair_entries wanted = {0}, asked = {0};
	struct repairs_added added;

	make_listed(&wanted, REPAIRS_OF_DEVICE_MAX + 2);
	added = list_all(&wanted);
	ck_assert_uint_eq(added.n, REPAIRS_OF_DEVICE_MAX);
	ck_assert_uint_eq(added.left_out, 2);
	for (int i = 0; i < 2; i++) {
		const struct stored_event ev = request(0x100000 + 64 * (uint64_t)i);
		struct repair_entry *entry = repair_entries_add(&asked);

		ck_assert(entry && repair_entry_of(&ev, entry));
	}
	ck_assert_int_eq(state_add_repairs(state, &asked, 1, &added, &error), 0);
	ck_assert_uint_eq(added.n, 2);
	ck_assert_uint_eq(added.left_out, 0);
	ck_assert_int_eq(state_read_repairs(state, &list, &error), 0);
	ck_assert_uint_eq(list.n, REPAIRS_OF_DEVICE_MAX);
	ck_assert_uint_eq(list.items[0].id, 3); /* the oldest two are gone */
	ck_assert_uint_eq(list_all(&wanted).left_out, 4);
	repair_entries_done(&wanted);
	repair_entries_done(&asked);
}
END_TEST

START_TEST(those_of_one_incident_are_read_without_the_others)
{
	struct repair_entries wanted = {0};

	make_listed(&wanted, 3);
	(void)list_all(&wanted);
	ck_assert_int_eq(state_read_incident_repairs(state, 1001, &list, &error), 0);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_uint_eq(list.items[0].id, 2);
	ck_assert_uint_eq(list.items[0].incident, 1001);
	repair_entries_done(&wanted);
}
END_TEST

/* ---- what would repair it ---------------------------------------------------------------------
 */

static struct edac_repair instances[2];
static const struct edac_device edac = {.repairs = instances, .n_repairs = 2};
static struct port endpoint = {.kind = PORT_ENDPOINT, .decoders_committed = {1, true}};
static const struct memdev memdev = {.name = "mem0",
				     .serial = {SERIAL, true},
				     .enabled = true,
				     .endpoint = &endpoint,
				     .edac = &edac};
static const struct memdev *const memdevs[] = {&memdev};
static const struct host machine = {.memdevs = memdevs, .n_memdevs = 1, .kernel_release = "7.3.4"};

static struct edac_repair instance(enum edac_repair_type type, bool safe)
{
	return (struct edac_repair){.type = type,
				    .safe_when_used = OPT_BOOL(safe),
				    .first_dpa = OPT_U64(0),
				    .last_dpa = OPT_U64(0xffff)};
}

static struct repair_plan plan_of(struct stored_event *ev, enum incident_place fault)
{
	struct repair_entry entry;
	struct repair_plan plan;

	ev->seq = ev->incident = 1;
	ck_assert(repair_entry_of_incident(ev, fault, &entry));
	repair_plan_make(&entry, &machine, ev->boot_id, MADE_TIME, &plan);
	return plan;
}

START_TEST(the_fault_and_the_device_say_what_would_repair_it)
{
	struct stored_event ev = plain(0x1000);

	instances[0] = instance(EDAC_REPAIR_ROW_SPARING, false);
	instances[1] = instance(EDAC_REPAIR_PPR, true);
	/* The narrowest that is possible now, else one that Linux offers. */
	ck_assert_int_eq(plan_of(&ev, PLACE_CELL).type, EDAC_REPAIR_PPR);
	ck_assert(plan_of(&ev, PLACE_CELL).possible);
	instances[1] = instance(EDAC_REPAIR_PPR, false);
	ck_assert_int_eq(plan_of(&ev, PLACE_CELL).type, EDAC_REPAIR_ROW_SPARING);
	ck_assert_str_eq(repair_when_name(plan_of(&ev, PLACE_CELL).when), "not-while-used");
	ck_assert_int_eq(plan_of(&ev, PLACE_BANK).type, EDAC_REPAIR_BANK_SPARING);
	ck_assert_ptr_nonnull(strstr(plan_of(&ev, PLACE_BANK).reason, "offers no bank-sparing"));
	ck_assert_int_eq(plan_of(&ev, PLACE_RANK).type, EDAC_REPAIR_RANK_SPARING);
}
END_TEST

START_TEST(no_place_of_a_device_that_failed_as_a_whole_is_repaired)
{
	struct stored_event ev = plain(0x1000);

	instances[0] = instances[1] = instance(EDAC_REPAIR_PPR, true);
	ck_assert(!plan_of(&ev, PLACE_DEVICE).possible);
	ck_assert_ptr_nonnull(strstr(plan_of(&ev, PLACE_DEVICE).reason, "whole device"));
	ev.record.type = EVENT_GENERAL_MEDIA; /* without coordinates, an address alone */
	for (int f = FIELD_CHANNEL; f <= FIELD_COLUMN; f++)
		ev.record.present &= ~(UINT64_C(1) << f);
	ck_assert_int_eq(plan_of(&ev, PLACE_UNKNOWN).type, EDAC_REPAIR_PPR);
	ck_assert(plan_of(&ev, PLACE_UNKNOWN).possible);
}
END_TEST

START_TEST(a_record_that_asks_is_none_of_these)
{
	struct stored_event ev = request(0x1000);
	struct repair_entry entry;

	ev.seq = ev.incident = 1;
	ck_assert(!repair_entry_of_incident(&ev, PLACE_ROW, &entry));
	ck_assert(repair_entry_of(&ev, &entry));
	ck_assert(repair_entry_is_asked(&entry));
	ck_assert(repair_entry_is_of(&entry, &ev));
	ev = plain(0x1000);
	ev.seq = ev.incident = 1;
	ck_assert(!repair_entry_of(&ev, &entry));
	ck_assert(repair_entry_of_incident(&ev, PLACE_ROW, &entry));
	ck_assert(repair_entry_is_of(&entry, &ev));
	ev.incident = 2;
	ck_assert(!repair_entry_is_of(&entry, &ev));
}
END_TEST

SUITE(check_repair_incidents)
{
	Suite *s = suite_create("repairs of incidents");
	TCase *t = tcase_create("worklist");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_incident_without_a_request_is_listed_at_its_newest_record);
	tcase_add_test(t, the_entry_of_a_column_is_the_same_whatever_row_comes_next);
	tcase_add_test(t, it_ends_with_its_incident);
	tcase_add_test(t, a_request_of_the_incident_takes_its_place);
	tcase_add_loop_test(t, an_incident_without_a_place_that_can_be_repaired_is_not_listed, 0,
			    ARRAY_SIZE(without_place));
	tcase_add_test(t, an_update_without_news_changes_nothing);
	tcase_add_test(t, errors_that_go_on_after_a_repair_say_so);
	tcase_add_test(t, errors_at_another_place_are_not_called_repaired);
	tcase_add_test(t, one_that_is_not_asked_for_gives_way_to_one_that_is);
	tcase_add_test(t, those_of_one_incident_are_read_without_the_others);
	tcase_add_test(t, the_fault_and_the_device_say_what_would_repair_it);
	tcase_add_test(t, no_place_of_a_device_that_failed_as_a_whole_is_repaired);
	tcase_add_test(t, a_record_that_asks_is_none_of_these);
	suite_add_tcase(s, t);
	return s;
}
