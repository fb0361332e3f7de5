// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The watcher of incidents: when subscribers are told that one is worse. Its thread has a clock of
 * the test, which stands still; the messages are those in the log.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "daemon/incident_watcher.h"
#include "events/store.h"
#include "redfish/eventing/event_service.h"
#include "redfish/repairs/state_repairs.h"
#include "redfish/state/incident_notes.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { CAUGHT_MAX = 64, TEXT_MAX = 400 };

static struct log_fixture l;
static struct event_bus *bus;
static struct state *state;
static struct event_service *es;
static struct incident_watcher *watcher;
static uint64_t last_event;

/* ---- the thread of the watcher ---- */

static _Thread_local bool is_watcher;
static atomic_ullong now_ms;

uint64_t __real_clock_monotonic_ms(void);
uint64_t __wrap_clock_monotonic_ms(void);

/* It is far in the past, so the thread does not wait for it; the pause is one between two looks. */
uint64_t __wrap_clock_monotonic_ms(void)
{
	if (!is_watcher)
		return __real_clock_monotonic_ms();
	(void)usleep(1000);
	return atomic_load(&now_ms);
}

static bool next_is_watcher;
static void *(*watcher_function)(void *userdata);

int __real_pthread_create(pthread_t *ret, const pthread_attr_t *attr, void *(*fn)(void *),
			  void *userdata);
int __wrap_pthread_create(pthread_t *ret, const pthread_attr_t *attr, void *(*fn)(void *),
			  void *userdata);

static void *run_watcher(void *userdata)
{
	is_watcher = true;
	return watcher_function(userdata);
}

/* The linker's --wrap: the thread that incident_watcher_new() starts has the clock of the test. */
int __wrap_pthread_create(pthread_t *ret, const pthread_attr_t *attr, void *(*fn)(void *),
			  void *userdata)
{
	if (!next_is_watcher)
		return __real_pthread_create(ret, attr, fn, userdata);
	next_is_watcher = false;
	watcher_function = fn;
	return __real_pthread_create(ret, attr, run_watcher, userdata);
}

/* ---- the messages in the log: "IncidentWorsened 1 Warning row-part watch it" ---- */

static char caught[CAUGHT_MAX][TEXT_MAX];
static size_t n_caught;

static int catch_message(void *userdata, uint64_t seq, const char *body, size_t len)
{
	json_t *message = json_loadb(body, len, 0, NULL);
	const json_t *record = json_object_get(message, "Record");
	const json_t *args = json_object_get(record, "MessageArgs");
	const char *id = json_string_value(json_object_get(record, "MessageId"));
	const char *place = json_string_value(json_array_get(args, 3));
	const char *act = json_string_value(json_array_get(args, 4));

	(void)userdata;
	(void)seq;
	ck_assert_uint_lt(n_caught, CAUGHT_MAX);
	(void)snprintf(caught[n_caught++], TEXT_MAX, "%s %s %s %s %s", strrchr(id, '.') + 1,
		       json_string_value(json_array_get(args, 0)),
		       json_string_value(json_object_get(record, "MessageSeverity")),
		       place ? place : "", act ? act : "");
	json_decref(message);
	return 0;
}

static void catch_messages(void)
{
	struct store_reader *r;
	struct error e;

	n_caught = 0;
	ck_assert_msg(event_log_reader_get(l.log, &r, &e) == 0, "%s", e.text);
	ck_assert_int_eq(store_read_messages(r, 0, CAUGHT_MAX, catch_message, NULL, &e), 0);
	event_log_reader_put(l.log, r, 0);
}

/* Return: how many messages begin so; @ret: the last of them. */
static size_t messages(const char *begin, char ret[static TEXT_MAX])
{
	size_t n = 0;

	catch_messages();
	for (size_t i = 0; i < n_caught; i++) {
		if (!str_after_prefix(caught[i], begin))
			continue;
		memcpy(ret, caught[i], TEXT_MAX);
		n++;
	}
	return n;
}

/* Findings of the host are incidents, too: when the watcher saw them first, they have the lowest
 * numbers. */
static const char *after_number(const char *text)
{
	return strchr(strchr(text, ' ') + 1, ' ') + 1;
}

static size_t n_worsened(uint64_t id, char ret[static TEXT_MAX])
{
	char begin[64];

	(void)snprintf(begin, sizeof(begin), "IncidentWorsened %llu ", (unsigned long long)id);
	return messages(begin, ret);
}

static void wait_for_worsened(uint64_t id, size_t n)
{
	char text[TEXT_MAX];

	WAIT_UNTIL(n_worsened(id, text) == n);
}

/* ---- events ---- */

static void set(struct stored_event *ev, enum event_field field, uint64_t value)
{
	ev->record.number[field] = value;
	ev->record.present |= UINT64_C(1) << field;
}

/* A corrected error at one row and several columns of a bank, of which the device asks nothing. */
static struct stored_event error_of(const char *device)
{
	static const enum event_field zeros[] = {
		FIELD_LOG,	FIELD_HDR_FLAGS,  FIELD_TYPE,
		FIELD_SUB_TYPE, FIELD_DESCRIPTOR, FIELD_CME_THRESHOLD_EV_FLAGS,
		FIELD_CHANNEL,	FIELD_RANK,	  FIELD_BANK_GROUP,
		FIELD_BANK,	FIELD_ROW,
	};
	struct stored_event ev;

	made_event(++last_event, &ev);
	(void)snprintf(ev.device, sizeof(ev.device), "%s", device);
	ev.severity = EVENT_OK;
	for (size_t i = 0; i < ARRAY_SIZE(zeros); i++)
		set(&ev, zeros[i], 0);
	set(&ev, FIELD_COLUMN, last_event);
	ev.record.bytes[BYTES_COR_MASK].len = 0;
	return ev;
}

/* Writes what would be written a second later. */
static int expire(struct store *store, void *userdata)
{
	bool more;

	(void)userdata;
	return store_expire(store, MADE_TIME, &more, NULL);
}

/* Return: its number. */
static uint64_t store_it(struct stored_event ev)
{
	const uint64_t seq = log_put(&l, &ev);

	ck_assert_int_eq(event_log_do(l.log, expire, NULL), 0);
	return seq;
}

/* Returns when the watcher has looked at all that was stored before. */
static void wait_for_a_look(void)
{
	char device[EVENT_DEVICE_MAX], begin[64], text[TEXT_MAX];
	uint64_t id;

	(void)snprintf(device, sizeof(device), "cxl-look-%llu", (unsigned long long)last_event);
	id = store_it(error_of(device));
	(void)snprintf(begin, sizeof(begin), "IncidentOpened %llu ", (unsigned long long)id);
	WAIT_UNTIL(messages(begin, text) == 1);
}

static uint64_t open_incident(const char *device)
{
	const uint64_t id = store_it(error_of(device));

	wait_for_a_look();
	return id;
}

static void warn(struct stored_event *ev)
{
	ev->severity = EVENT_WARNING;
}

/* ---- fixtures ---- */

static void setup(void)
{
	static const struct event_service_options options = {.push_program = "/none"};
	char path[128];

	last_event = 0;
	atomic_store(&now_ms, 1);
	log_init(&l);
	log_ready(&l);
	(void)snprintf(path, sizeof(path), "%s/state.db", l.directory);
	ck_assert_int_eq(event_bus_new(&bus, NULL), 0);
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	ck_assert_int_eq(event_service_new(l.f.service, l.log, bus, state, &options, &es, NULL), 0);
	l.f.service->state = state;
	next_is_watcher = true;
	ck_assert_int_eq(incident_watcher_new(l.f.service, l.log, es, &watcher, NULL), 0);
}

static void teardown(void)
{
	ck_assert(incident_watcher_free(watcher, WAIT_MAX_MS));
	ck_assert(event_service_free(es, WAIT_MAX_MS));
	l.f.service->state = NULL;
	state = state_free(state);
	bus = event_bus_free(bus);
	log_done(&l);
}

/* ---- tests ---- */

static void more_severe(struct stored_event *ev)
{
	ev->severity = EVENT_CRITICAL;
}

static void at_other_row(struct stored_event *ev)
{
	set(ev, FIELD_ROW, 7);
}

static void asks_for_replacement(struct stored_event *ev)
{
	set(ev, FIELD_HDR_FLAGS, EVENT_FLAG_REPLACE);
}

static const struct {
	void (*worsen)(struct stored_event *ev);
	const char *message;
} ways[] = {
	{more_severe, "Critical row-part watch it"},
	{at_other_row, "Warning bank watch it"},
	{asks_for_replacement, "Warning row-part replace the device"},
};

START_TEST(severity_place_and_act_are_told_at_most_once_a_minute)
{
	const uint64_t id = open_incident("cxl-1");
	struct stored_event ev;
	char text[TEXT_MAX];

	ev = error_of("cxl-1");
	warn(&ev);
	(void)store_it(ev);
	wait_for_worsened(id, 1);
	ev = error_of("cxl-1");
	ways[_i].worsen(&ev);
	(void)store_it(ev);
	wait_for_a_look();
	ck_assert_uint_eq(n_worsened(id, text), 1);
	atomic_fetch_add(&now_ms, INCIDENT_WORSENED_MS - 1);
	wait_for_a_look();
	ck_assert_uint_eq(n_worsened(id, text), 1);
	atomic_fetch_add(&now_ms, 1);
	wait_for_worsened(id, 2);
	ck_assert_uint_eq(n_worsened(id, text), 2);
	ck_assert_str_eq(after_number(text), ways[_i].message);
}
END_TEST

/* @device: whose they are, and whether it asked for them */
static size_t n_repairs(const char *device, bool asked)
{
	struct repair_entries list = {0};
	size_t n = 0;

	ck_assert_int_eq(state_read_repairs(state, &list, NULL), 0);
	for (size_t i = 0; i < list.n; i++)
		n += str_equal(list.items[i].device, device) &&
		     repair_entry_is_asked(&list.items[i]) == asked;
	repair_entries_done(&list);
	return n;
}

START_TEST(requests_for_repairs_and_incidents_without_one_are_added_to_the_worklist)
{
	struct stored_event ev = error_of("cxl-1");

	set(&ev, FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE);
	(void)store_it(ev);
	WAIT_UNTIL(n_repairs("cxl-1", true) == 1);
	(void)store_it(error_of("cxl-1")); /* which asks for nothing, of the same incident */
	(void)store_it(error_of("cxl-2"));
	WAIT_UNTIL(n_repairs("cxl-2", false) == 1);
	ck_assert_uint_eq(n_repairs("cxl-1", true), 1);
	ck_assert_uint_eq(n_repairs("cxl-1", false), 0);
}
END_TEST

/* By a process that could not reach the service, as at boot. */
static void repair_alone(uint64_t id)
{
	const struct repair_attempt attempt = {.id = id, .type = EDAC_REPAIR_PPR, .alone = true};
	struct repair_entry entry;

	ck_assert_int_eq(state_reserve_repair(state, &attempt, &entry, NULL), 0);
	ck_assert_int_eq(state_settle_repair(state, &entry, REPAIR_DONE, 1, "", NULL), 0);
}

static bool is_left(uint64_t id)
{
	struct repair_entry entry;

	ck_assert_int_eq(state_read_repair(state, id, &entry, NULL), 0);
	return entry.unresolved;
}

static struct incident incident_of(uint64_t id)
{
	struct store_reader *r;
	struct incident i;

	ck_assert_int_eq(event_log_reader_get(l.log, &r, NULL), 0);
	ck_assert_int_eq(store_read_incident(r, id, &i, NULL), 0);
	event_log_reader_put(l.log, r, 0);
	return i;
}

static uint64_t ask_for_repair(uint64_t dpa)
{
	struct stored_event ev = error_of("cxl-1");

	set(&ev, FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE);
	set(&ev, FIELD_DPA, dpa);
	return store_it(ev);
}

START_TEST(the_incident_of_repairs_that_were_made_without_the_service_is_closed)
{
	struct incident_note note;
	struct repair_entry entry;

	(void)ask_for_repair(0x1000);
	(void)ask_for_repair(0x1040); /* of the same incident */
	WAIT_UNTIL(n_repairs("cxl-1", true) == 2);
	ck_assert_int_eq(state_read_repair(state, 1, &entry, NULL), 0);
	repair_alone(1);
	atomic_fetch_add(&now_ms, 60 * 1000);
	WAIT_UNTIL(!is_left(1));
	ck_assert(incident_is_open((const struct incident[]){incident_of(entry.incident)}));
	repair_alone(2);
	atomic_fetch_add(&now_ms, 60 * 1000);
	WAIT_UNTIL(!is_left(2));
	ck_assert(!incident_is_open((const struct incident[]){incident_of(entry.incident)}));
	ck_assert(incident_notes_get(l.f.service->incident_notes,
				     (const struct incident[]){incident_of(entry.incident)},
				     &note));
	ck_assert_str_eq(note.text, "repaired by ppr (repair 2)");
	ck_assert_str_eq(note.changed_by, "worklist of repairs");
}
END_TEST

START_TEST(all_that_became_worse_in_a_minute_is_one_message)
{
	const uint64_t id = open_incident("cxl-1");
	struct stored_event ev = error_of("cxl-1");
	char text[TEXT_MAX];

	warn(&ev);
	(void)store_it(ev);
	wait_for_worsened(id, 1);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		ev = error_of("cxl-1");
		ways[i].worsen(&ev);
		(void)store_it(ev);
		wait_for_a_look();
	}
	atomic_fetch_add(&now_ms, INCIDENT_WORSENED_MS);
	wait_for_worsened(id, 2);
	wait_for_a_look();
	ck_assert_uint_eq(n_worsened(id, text), 2);
	ck_assert_str_eq(after_number(text), "Critical bank replace the device");
}
END_TEST

START_TEST(the_minute_is_that_of_each_incident)
{
	const uint64_t first = open_incident("cxl-1"), second = open_incident("cxl-2");
	struct stored_event ev = error_of("cxl-1");

	warn(&ev);
	(void)store_it(ev);
	wait_for_worsened(first, 1);
	ev = error_of("cxl-2");
	warn(&ev);
	(void)store_it(ev);
	wait_for_worsened(second, 1);
}
END_TEST

START_TEST(more_of_the_same_is_not_worse)
{
	const uint64_t id = open_incident("cxl-1");
	char text[TEXT_MAX];

	for (unsigned int i = 0; i < 3; i++) {
		(void)store_it(error_of("cxl-1"));
		atomic_fetch_add(&now_ms, INCIDENT_WORSENED_MS);
		wait_for_a_look();
	}
	ck_assert_uint_eq(n_worsened(id, text), 0);
}
END_TEST

SUITE(check_incident_watcher)
{
	Suite *s = suite_create("incident_watcher");
	TCase *t = tcase_create("incident_watcher");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, severity_place_and_act_are_told_at_most_once_a_minute, 0,
			    ARRAY_SIZE(ways));
	tcase_add_test(t, requests_for_repairs_and_incidents_without_one_are_added_to_the_worklist);
	tcase_add_test(t, the_incident_of_repairs_that_were_made_without_the_service_is_closed);
	tcase_add_test(t, all_that_became_worse_in_a_minute_is_one_message);
	tcase_add_test(t, the_minute_is_that_of_each_incident);
	tcase_add_test(t, more_of_the_same_is_not_worse);
	suite_add_tcase(s, t);
	return s;
}
