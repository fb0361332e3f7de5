// SPDX-License-Identifier: LGPL-2.1-or-later
/* Incidents of findings and readings: they are there while their finding is. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "events/event_fill.h"
#include "events/incident_act.h"
#include "events/incident_now.h"
#include "events/incident_place.h"
#include "events/store_found.h"
#include "events/store_tables.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

#define HOUR_NS	 INCIDENT_HOUR_NS
#define NOON_NS	 UINT64_C(1790000000000000000)
#define LATER_NS (NOON_NS + HOUR_NS)

enum { FOUND_MAX = 8, KILLS = 12, SETS_MAX = 100000 };

static const uint8_t this_boot[EVENT_BOOT_ID_SIZE] = {1, 2, 3, 4};
static uint64_t boottime;

static void setup(void)
{
	store_setup();
	boottime = 1000 * HOUR_NS;
	options.boottime = &boottime;
	memcpy(options.boot_id, this_boot, sizeof(this_boot));
	reopen();
}

/* ---- findings ---- */

static struct incident_found unmapped(const char *device)
{
	return (struct incident_found){
		.device = device,
		.host = "0000:0d:00.0",
		.serial = 0xabc0,
		.kind = INCIDENT_CONFIGURATION,
		.anchor = incident_found_anchor("CAPACITY_UNMAPPED", ""),
		.severity = EVENT_WARNING,
		.advised = ACT_CHANGE_CONFIGURATION,
		.code = "CAPACITY_UNMAPPED",
		.object = "mem0",
		.text = "DPA 0x0 is mapped by no decoder",
		.next = "map it with, for example:\ncxl create-region",
	};
}

static struct incident_found of_window(const char *thing)
{
	struct incident_found f = unmapped("");

	f.code = "WINDOW_PCI";
	f.anchor = incident_found_anchor(f.code, thing);
	f.object = "decoder0.0";
	return f;
}

static struct incident_found hot(enum event_severity severity)
{
	struct incident_found f = unmapped("cxl-1");

	f.kind = INCIDENT_TEMPERATURE;
	f.anchor = (struct incident_anchor){.type = ANCHOR_DEVICE};
	f.severity = severity;
	f.advised = 0;
	f.code = severity == EVENT_CRITICAL ? "TEMPERATURE_CRITICAL" : "TEMPERATURE_WARNING";
	f.text = "the device's temperature is beyond a threshold";
	f.next = NULL;
	return f;
}

static void set_at(const struct incident_found *items, size_t n, uint64_t now_ns)
{
	struct store_found found = {.items = items, .n = n, .now_ns = now_ns};

	ck_assert_msg(store_set_found(store, &found, &error) == 0, "%s", error.text);
}

static void set_one(struct incident_found f)
{
	set_at(&f, 1, NOON_NS);
}

static void set_none(void)
{
	set_at(NULL, 0, LATER_NS);
}

static void expire(void)
{
	bool more;

	ck_assert_int_eq(store_expire(store, MADE_TIME, &more, &error), 0);
}

struct incidents {
	size_t n;
	struct incident at[FOUND_MAX];
};

static int take(void *userdata, const struct incident *i)
{
	struct incidents *list = userdata;

	ck_assert_uint_lt(list->n, FOUND_MAX);
	list->at[list->n++] = *i;
	return 0;
}

static struct incidents incidents(bool all)
{
	struct incidents list = {0};

	ck_assert_int_eq(store_read_incidents(reader, all, take, &list, &error), 0);
	return list;
}

static struct incident only_open(void)
{
	const struct incidents list = incidents(false);

	ck_assert_uint_eq(list.n, 1);
	return list.at[0];
}

static struct incident get(uint64_t id)
{
	struct incident i;

	ck_assert_msg(store_read_incident(reader, id, &i, &error) == 0, "%s", error.text);
	return i;
}

static struct incident_finding words_of(uint64_t id)
{
	struct incident_finding f;

	ck_assert_int_eq(store_read_finding(reader, id, &f, &error), 0);
	return f;
}

/* ---- tests ---- */

START_TEST(a_finding_opens_an_incident_and_ends_it_when_it_is_gone)
{
	struct incident i;

	set_one(unmapped("cxl-1"));
	i = only_open();
	ck_assert_uint_eq(i.count, 1);
	ck_assert_int_eq(i.severity, EVENT_WARNING);
	ck_assert_uint_eq(i.first_ns, NOON_NS);
	ck_assert_uint_eq(i.last_ns, NOON_NS);
	ck_assert_str_eq(i.device, "cxl-1");
	ck_assert_str_eq(i.host, "0000:0d:00.0");
	ck_assert_str_eq(words_of(i.id).text, "DPA 0x0 is mapped by no decoder");
	ck_assert_str_eq(words_of(i.id).code, "CAPACITY_UNMAPPED");
	set_none();
	ck_assert_uint_eq(incidents(false).n, 0);
	ck_assert_int_eq(get(i.id).state, INCIDENT_CLOSED);
	ck_assert_str_eq(incident_end_text(get(i.id).end), "not found any more");
	ck_assert_str_eq(words_of(i.id).text, "DPA 0x0 is mapped by no decoder");
}
END_TEST

START_TEST(words_of_the_greatest_length_come_back_whole)
{
	static char text[INCIDENT_TEXT_MAX], next[INCIDENT_NEXT_MAX];
	struct incident_found f = unmapped("cxl-1");
	struct incident_finding kept;

	memset(text, 't', sizeof(text) - 1);
	memset(next, 'n', sizeof(next) - 1);
	f.text = text;
	f.next = next;
	set_one(f);
	kept = words_of(only_open().id);
	ck_assert_str_eq(kept.text, text);
	ck_assert_str_eq(kept.next, next);
}
END_TEST

START_TEST(what_stays_is_not_counted_again_and_writes_nothing)
{
	uint64_t before, after;
	struct incident i;

	set_one(unmapped("cxl-1"));
	i = only_open();
	ck_assert_int_eq(store_read_version(reader, &before, &error), 0);
	set_one(unmapped("cxl-1"));
	ck_assert_int_eq(store_read_version(reader, &after, &error), 0);
	ck_assert_uint_eq(before, after);
	reopen();
	set_one(unmapped("cxl-1"));
	ck_assert_uint_eq(only_open().id, i.id);
	ck_assert_uint_eq(only_open().count, 1);
}
END_TEST

START_TEST(code_and_thing_tell_findings_apart)
{
	struct incident_found f[4] = {unmapped("cxl-1"), unmapped("cxl-2"), of_window("window-1"),
				      of_window("window-2")};
	struct incidents list;

	set_at(f, 4, NOON_NS);
	list = incidents(false);
	ck_assert_uint_eq(list.n, 4);
	ck_assert_uint_lt(list.at[2].id, list.at[3].id);
	ck_assert_str_eq(list.at[2].device, "");
	/* Another name of the same window is no other incident. */
	f[3].object = "decoder0.7";
	set_at(f + 3, 1, LATER_NS);
	ck_assert_uint_eq(only_open().id, list.at[3].id);
	ck_assert_str_eq(words_of(list.at[3].id).object, "decoder0.7");
}
END_TEST

START_TEST(a_value_that_swings_makes_two_incidents_and_no_more)
{
	uint64_t first, second;

	set_one(hot(EVENT_CRITICAL));
	first = only_open().id;
	set_none();
	for (int k = 0; k < 20; k++) {
		boottime += HOUR_NS / 60;
		set_one(hot(EVENT_WARNING));
		boottime += HOUR_NS / 60;
		set_none();
		expire();
	}
	second = only_open().id;
	ck_assert_uint_eq(incidents(true).n, 2);
	ck_assert_uint_eq(only_open().previous, first);
	ck_assert_int_eq(only_open().severity, EVENT_CRITICAL);
	ck_assert_uint_eq(only_open().count, 20);
	boottime += HOUR_NS / 2;
	expire();
	ck_assert_uint_eq(only_open().id, second);
	boottime += HOUR_NS;
	expire();
	ck_assert_uint_eq(incidents(false).n, 0);
	ck_assert_int_eq(get(second).end, INCIDENT_END_GONE);
}
END_TEST

START_TEST(what_recurs_after_a_day_is_as_severe_as_it_is)
{
	uint64_t first;

	set_one(hot(EVENT_CRITICAL));
	first = only_open().id;
	set_none();
	boottime += 25 * HOUR_NS;
	set_one(hot(EVENT_WARNING));
	ck_assert_uint_eq(only_open().previous, first);
	ck_assert_int_eq(only_open().severity, EVENT_WARNING);
	set_none();
	ck_assert_uint_eq(incidents(false).n, 0);
}
END_TEST

START_TEST(one_that_is_held_is_held_over_a_restart)
{
	set_one(hot(EVENT_WARNING));
	set_none();
	set_one(hot(EVENT_WARNING));
	reopen();
	set_none();
	expire();
	ck_assert_uint_eq(incidents(false).n, 1);
	boottime += 2 * HOUR_NS;
	expire();
	ck_assert_uint_eq(incidents(false).n, 0);
}
END_TEST

START_TEST(a_device_that_was_not_read_keeps_what_it_reported)
{
	static const char *const unread[] = {"cxl-0", "cxl-1"};
	struct store_found unknown = {.unread = unread, .n_unread = 2};
	struct incident_found both[2] = {hot(EVENT_WARNING), unmapped("cxl-1")};

	set_at(both, 2, NOON_NS);
	ck_assert_int_eq(store_set_found(store, &unknown, &error), 0);
	ck_assert_int_eq(only_open().kind, INCIDENT_TEMPERATURE);
	set_none();
	ck_assert_uint_eq(incidents(false).n, 0);
}
END_TEST

START_TEST(a_finding_that_goes_while_the_service_does_not_run_ends_its_incident)
{
	set_one(unmapped("cxl-1"));
	reopen();
	ck_assert_uint_eq(incidents(false).n, 1);
	set_none();
	ck_assert_uint_eq(incidents(false).n, 0);
}
END_TEST

START_TEST(an_acknowledged_one_opens_again_when_it_becomes_worse)
{
	uint64_t id;

	set_one(hot(EVENT_WARNING));
	id = only_open().id;
	ck_assert_int_eq(store_acknowledge(store, id, true, &error), 0);
	set_one(hot(EVENT_WARNING));
	ck_assert_int_eq(get(id).state, INCIDENT_ACKNOWLEDGED);
	set_one(hot(EVENT_CRITICAL));
	ck_assert_int_eq(get(id).state, INCIDENT_OPEN);
	ck_assert_int_eq(get(id).severity, EVENT_CRITICAL);
	ck_assert_str_eq(words_of(id).code, "TEMPERATURE_CRITICAL");
}
END_TEST

START_TEST(one_that_is_resolved_while_its_finding_stays_begins_anew)
{
	uint64_t id;

	set_one(unmapped("cxl-1"));
	id = only_open().id;
	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	ck_assert_uint_eq(incidents(false).n, 0);
	set_one(unmapped("cxl-1"));
	ck_assert_uint_gt(only_open().id, id);
	ck_assert_uint_eq(only_open().previous, id);
}
END_TEST

/* A record of the temperature, of the same device. */
static struct stored_event record(uint64_t number)
{
	struct stored_event ev;

	made_event(number, &ev);
	ev.record.type = EVENT_MEMORY_MODULE;
	strcpy(ev.device, "cxl-1");
	ev.severity = EVENT_WARNING;
	ev.record.number[FIELD_EVENT_TYPE] = 3;
	ev.record.present |= UINT64_C(1) << FIELD_EVENT_TYPE;
	return ev;
}

START_TEST(a_record_and_a_reading_of_one_cause_are_one_incident)
{
	struct stored_event ev = record(1);
	uint64_t id;

	set_one(hot(EVENT_WARNING));
	id = only_open().id;
	ck_assert_int_eq(store_append(store, &ev, 1, &error), 0);
	expire();
	ck_assert_uint_eq(only_open().id, id);
	ck_assert_int_eq(only_open().kind, INCIDENT_TEMPERATURE);
	ck_assert_uint_eq(only_open().count, 2);
	/* Its entry is resolved, and the temperature is still high. */
	ck_assert_int_eq(store_resolve(store, ev.seq, true, &error), 0);
	ck_assert_uint_eq(only_open().id, id);
	ck_assert_int_eq(store_resolve(store, ev.seq, false, &error), 0);
	/* The entry says that it was, and is not resolved. */
	set_none();
	ck_assert_uint_eq(only_open().id, id);
	ck_assert(!only_open().found);
	ck_assert_int_eq(store_resolve(store, ev.seq, true, &error), 0);
	ck_assert_uint_eq(incidents(false).n, 0);
}
END_TEST

/* Nobody has to resolve it a second time. */
START_TEST(an_entry_that_was_resolved_before_the_finding_went_ends_with_it)
{
	struct stored_event ev = record(1), other = record(2);
	uint64_t id;

	set_one(hot(EVENT_WARNING));
	id = only_open().id;
	ck_assert_int_eq(store_append(store, &ev, 1, &error), 0);
	ck_assert_int_eq(store_append(store, &other, 1, &error), 0);
	expire();
	ck_assert_int_eq(store_resolve(store, other.seq, true, &error), 0);
	if (_i == 0) { /* one of both is not resolved */
		set_none();
		ck_assert_uint_eq(only_open().id, id);
		return;
	}
	ck_assert_int_eq(store_resolve(store, ev.seq, true, &error), 0);
	ck_assert_uint_eq(only_open().id, id);
	set_none();
	ck_assert_uint_eq(incidents(false).n, 0);
	ck_assert_int_eq(get(id).state, INCIDENT_RESOLVED);
	set_none();
	ck_assert_uint_eq(incidents(true).n, 1);
}
END_TEST

START_TEST(clearing_the_log_and_losses_say_nothing_about_findings)
{
	bool more;

	set_one(unmapped("cxl-1"));
	put_many(1, 3);
	ck_assert_int_eq(store_clear(store, NULL, STORE_SEQ_MAX, &more, &error), 0);
	ck_assert_uint_eq(only_open().count, 1);
	ck_assert(!only_open().count_is_minimum);
}
END_TEST

START_TEST(ended_ones_are_removed_with_their_words)
{
	uint64_t id;

	set_one(unmapped("cxl-1"));
	id = only_open().id;
	set_none();
	ck_assert_int_eq(store_clear_incidents(store, STORE_SEQ_MAX, &error), 0);
	ck_assert_uint_eq(incidents(true).n, 0);
	ck_assert_str_eq(words_of(id).text, "");
}
END_TEST

START_TEST(findings_of_a_damaged_file_are_evaluated_anew)
{
	struct incident_found both[2] = {unmapped("cxl-1"), unmapped("cxl-2")};
	struct incidents list;

	set_at(both, 2, NOON_NS);
	list = incidents(false);
	ck_assert_uint_eq(list.n, 2);
	ck_assert_int_eq(store_acknowledge(store, list.at[0].id, true, &error), 0);
	put_many(1, 5);
	reader = store_reader_close(reader);
	store = store_set_aside(store, "page 7 is never used");
	reopen();
	set_one(unmapped("cxl-1"));
	ck_assert_int_eq(get(list.at[0].id).state, INCIDENT_ACKNOWLEDGED);
	ck_assert(!get(list.at[0].id).count_is_minimum);
	ck_assert_str_eq(words_of(list.at[0].id).code, "CAPACITY_UNMAPPED");
	ck_assert_int_eq(get(list.at[1].id).state, INCIDENT_CLOSED);
	ck_assert_int_eq(get(list.at[1].id).end, INCIDENT_END_GONE);
}
END_TEST

START_TEST(a_disk_that_is_full_changes_nothing)
{
	struct incident_found both[2] = {unmapped("cxl-1"), unmapped("cxl-2")};
	struct store_found found = {.items = both, .n = 2};
	int r;

	set_one(unmapped("cxl-1"));
	limit_files(0);
	r = store_set_found(store, &found, &error);
	limit_files(RLIM_INFINITY);
	ck_assert_int_lt(r, 0);
	ck_assert_uint_eq(incidents(false).n, 1);
	ck_assert_int_eq(store_set_found(store, &found, &error), 0);
	ck_assert_uint_eq(incidents(false).n, 2);
}
END_TEST

START_TEST(the_act_comes_from_the_finding_and_destroys_nothing_on_thin_evidence)
{
	struct incident i = {.found = true, .anchor = incident_found_anchor("X", "")};
	char text[PLACE_EVIDENCE_MAX];
	const char *reason;

	i.kind = INCIDENT_CONFIGURATION;
	i.advised = ACT_CHANGE_CONFIGURATION;
	ck_assert_int_eq(incident_act_of(&i, PLACE_DEVICE, false, &reason),
			 ACT_CHANGE_CONFIGURATION);
	i.advised = ACT_OFFLINE_PAGE; /* no finding knows a page */
	ck_assert_int_eq(incident_act_of(&i, PLACE_DEVICE, true, &reason), ACT_WATCH);
	i.advised = ACT_WATCH;
	ck_assert_int_eq(incident_act_of(&i, PLACE_DEVICE, true, &reason), ACT_WATCH);
	i.state = INCIDENT_CLOSED;
	ck_assert_int_eq(incident_act_of(&i, PLACE_DEVICE, true, &reason), ACT_NONE);
	ck_assert_int_eq(incident_place_of(&i, text), PLACE_UNKNOWN);
	strcpy(i.device, "cxl-1");
	ck_assert_int_eq(incident_place_of(&i, text), PLACE_DEVICE);
}
END_TEST

START_TEST(the_words_are_those_of_the_finding_while_it_has_no_records)
{
	const struct incident_finding f = {.text = "it is hot"};
	struct incident i = {.kind = INCIDENT_TEMPERATURE, .found = true, .count = 1};
	char text[INCIDENT_WHAT_TEXT_MAX];

	ck_assert_str_eq(incident_what_text(&i, &f, text), "it is hot");
	i.count = 3;
	ck_assert_str_eq(incident_what_text(&i, &f, text), "it is hot (3 times)");
	ck_assert_str_eq(incident_what_text(&i, NULL, text), "3 reports of the temperature");
	i.last_seq = 7;
	ck_assert_str_eq(incident_what_text(&i, &f, text), "3 reports of the temperature");
}
END_TEST

/* ---- a writer that is killed ---- */

/* Sets one finding, and each second time another one; reports each time that was committed. */
static void __attribute__((noreturn)) set_forever(int fd)
{
	struct incident_found both[2] = {unmapped("cxl-1"), unmapped("cxl-2")};
	struct store *s;

	if (store_open(&options, &s, NULL) < 0)
		_exit(1);
	for (uint32_t k = 1; k < SETS_MAX; k++) {
		struct store_found found = {.items = both, .n = 1 + k % 2};

		if (store_set_found(s, &found, NULL) < 0)
			_exit(2);
		if (write(fd, &k, sizeof(k)) != sizeof(k))
			_exit(3);
	}
	_exit(4);
}

/* Return: the number of the last set that was reported. */
static uint32_t kill_a_writer(unsigned int after)
{
	uint32_t k = 0, next;
	int fds[2], status;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		(void)close(fds[0]);
		set_forever(fds[1]);
	}
	(void)close(fds[1]);
	while (k < after && read(fds[0], &next, sizeof(next)) == sizeof(next))
		k = next;
	ck_assert_uint_ge(k, after);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	while (read(fds[0], &next, sizeof(next)) == sizeof(next))
		k = next;
	(void)close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	return k;
}

START_TEST(a_writer_that_is_killed_leaves_the_findings_of_its_last_set)
{
	uint64_t first = 0;

	for (unsigned int round = 0; round < KILLS; round++) {
		struct incidents open;
		uint32_t k;

		shut();
		k = kill_a_writer(1 + 3 * round);
		reopen();
		open = incidents(false);
		/* The set after the reported one may have been committed, too. A finding that
		 * recurred is held. */
		ck_assert_uint_ge(open.n, 1);
		ck_assert_uint_le(open.n, 2);
		ck_assert_str_eq(open.at[0].device, "cxl-1");
		ck_assert_uint_eq(open.at[0].count, 1);
		first = first ? first : open.at[0].id;
		ck_assert_uint_eq(open.at[0].id, first);
		ck_assert(k > 0);
		ck_assert_str_eq(words_of(first).code, "CAPACITY_UNMAPPED");
	}
	ck_assert_uint_le(incidents(true).n, 3);
}
END_TEST

SUITE(check_found)
{
	Suite *s = suite_create("found");
	TCase *t = tcase_create("found");

	tcase_add_checked_fixture(t, setup, store_teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, a_finding_opens_an_incident_and_ends_it_when_it_is_gone);
	tcase_add_test(t, words_of_the_greatest_length_come_back_whole);
	tcase_add_test(t, what_stays_is_not_counted_again_and_writes_nothing);
	tcase_add_test(t, code_and_thing_tell_findings_apart);
	tcase_add_test(t, a_value_that_swings_makes_two_incidents_and_no_more);
	tcase_add_test(t, what_recurs_after_a_day_is_as_severe_as_it_is);
	tcase_add_test(t, one_that_is_held_is_held_over_a_restart);
	tcase_add_test(t, a_device_that_was_not_read_keeps_what_it_reported);
	tcase_add_test(t, a_finding_that_goes_while_the_service_does_not_run_ends_its_incident);
	tcase_add_test(t, an_acknowledged_one_opens_again_when_it_becomes_worse);
	tcase_add_test(t, one_that_is_resolved_while_its_finding_stays_begins_anew);
	tcase_add_test(t, a_record_and_a_reading_of_one_cause_are_one_incident);
	tcase_add_loop_test(t, an_entry_that_was_resolved_before_the_finding_went_ends_with_it, 0,
			    2);
	tcase_add_test(t, clearing_the_log_and_losses_say_nothing_about_findings);
	tcase_add_test(t, ended_ones_are_removed_with_their_words);
	tcase_add_test(t, findings_of_a_damaged_file_are_evaluated_anew);
	tcase_add_test(t, a_disk_that_is_full_changes_nothing);
	tcase_add_test(t, the_act_comes_from_the_finding_and_destroys_nothing_on_thin_evidence);
	tcase_add_test(t, the_words_are_those_of_the_finding_while_it_has_no_records);
	tcase_add_test(t, a_writer_that_is_killed_leaves_the_findings_of_its_last_set);
	suite_add_tcase(s, t);
	return s;
}
