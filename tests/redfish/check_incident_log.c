// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The log of incidents: what their entries show, and what a person may do with them.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "redfish/resources/resources.h"
#include "redfish/state/incident_notes.h"
#include "redfish/state/state.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define INCIDENTS     SYSTEM "/LogServices/Incidents"
#define CLEAR	      INCIDENTS "/Actions/LogService.ClearLog"
#define OEM(property) "Oem/CXLHost/Incident/" property

static struct log_fixture l;

static void setup(void)
{
	log_init(&l);
}

static void teardown(void)
{
	log_done(&l);
}

static const char *uri_of(uint64_t id)
{
	static char uri[128];

	(void)snprintf(uri, sizeof(uri), INCIDENTS "/Entries/%" PRIu64, id);
	return uri;
}

static void expect(const char *path, const char *text)
{
	const char *found = at(&l.f, path);

	ck_assert_msg(found && strcmp(found, text) == 0, "%s is %s", path,
		      found ? found : "absent");
}

static void expect_null(const char *path)
{
	ck_assert_msg(json_is_null(value_at(&l.f, path)), "%s is not null", path);
}

static long long number(const char *path)
{
	ck_assert_msg(json_is_integer(value_at(&l.f, path)), "%s is no number", path);
	return json_integer_value(value_at(&l.f, path));
}

static void set(struct stored_event *ev, enum event_field field, uint64_t value)
{
	ev->record.number[field] = value;
	ev->record.present |= UINT64_C(1) << field;
}

/* An error of the media of mem0 in one row of a bank, at the start of its region. */
static struct stored_event media(unsigned int i, uint64_t bank, bool uncorrectable)
{
	struct stored_event ev;

	log_event(i, &ev);
	set(&ev, FIELD_LOG, uncorrectable ? EVENT_LOG_FAILURE : 0);
	set(&ev, FIELD_HDR_FLAGS, 0);
	set(&ev, FIELD_TYPE, 0);
	set(&ev, FIELD_SUB_TYPE, 0);
	set(&ev, FIELD_DESCRIPTOR, uncorrectable ? EVENT_DESCRIPTOR_UNCORRECTABLE : 0);
	set(&ev, FIELD_CME_THRESHOLD_EV_FLAGS, 0);
	set(&ev, FIELD_DPA, 0x1040);
	set(&ev, FIELD_CHANNEL, 1);
	set(&ev, FIELD_RANK, 0);
	set(&ev, FIELD_BANK_GROUP, 2);
	set(&ev, FIELD_BANK, bank);
	set(&ev, FIELD_ROW, 0x1a2b);
	set(&ev, FIELD_COLUMN, 0x30);
	set(&ev, FIELD_NIBBLE_MASK, 0x10);
	ev.answer.spa = ev.answer.spa_last = MODEL_WINDOW_BASE + 0x1040;
	ev.severity = uncorrectable ? EVENT_CRITICAL : EVENT_WARNING;
	return ev;
}

static uint64_t put(struct stored_event ev)
{
	return log_put(&l, &ev);
}

static unsigned int patch(uint64_t id, const char *body)
{
	return log_send(&l, METHOD_PATCH, uri_of(id), body);
}

/* Counts are in the file within a second or so. */
static void wait_for_count(uint64_t id, long long n)
{
	for (unsigned int i = 0;; i++) {
		ck_assert_uint_lt(i, WAIT_MAX_MS);
		ck_assert_uint_eq(log_get(&l, uri_of(id)), 200);
		if (number(OEM("Count")) == n)
			return;
		(void)usleep(1000);
	}
}

START_TEST(an_entry_says_what_where_how_often_and_what_to_do)
{
	uint64_t id, second;

	log_ready(&l);
	id = put(media(1, 3, true));
	second = put(media(2, 3, true));
	wait_for_count(id, 2);
	expect("@odata.id", uri_of(id));
	expect("EntryType", "Event");
	expect("MessageId", "CXLHost.1.0.Incident");
	expect("MessageArgs/0", MEM0_ID " (mem0, 0000:0d:00.0)");
	expect("MessageArgs/1", "2 uncorrectable media errors");
	expect("Severity", "Critical");
	expect("Resolved", "false");
	expect("Created", "2025-11-13T02:13:20.001000000Z");
	expect("Modified", "2025-11-13T02:13:20.002000000Z");
	expect("Links/OriginOfCondition/@odata.id", MEM0);
	ck_assert_int_eq(number("Links/RelatedLogEntries@odata.count"), 2);
	ck_assert_uint_eq(
		strtoull(strrchr(at(&l.f, "Links/RelatedLogEntries/0/@odata.id"), '/') + 1, NULL,
			 10),
		second);
	expect("Oem/CXLHost/Acknowledged", "false");
	expect_null("Oem/CXLHost/Note");
	expect_null("Oem/CXLHost/ChangedBy");
	expect(OEM("Kind"), "media-uncorrectable");
	expect(OEM("Device"), MEM0_ID);
	expect(OEM("SerialNumber"), "0xabc0");
	expect(OEM("State"), "open");
	expect(OEM("CountIsMinimum"), "false");
	expect(OEM("First"), "2025-11-13T02:13:20.001000000Z");
	expect_null(OEM("EndReason"));
	expect_null(OEM("Previous"));
	ck_assert_int_eq(number(OEM("Entries")), 2);
	ck_assert_int_eq(number(OEM("Rate/Week")), 2);
	expect(OEM("Certainty"), "exact");
	expect(OEM("Act"), "offline-page");
	ck_assert_ptr_nonnull(strstr(at(&l.f, OEM("ActText")), at(&l.f, OEM("PagesNow/0"))));
	expect(OEM("PagesThen/0"), "0x1000001000");
}
END_TEST

START_TEST(a_device_that_is_gone_leaves_its_incident_without_origin_and_pages)
{
	struct stored_event ev = media(1, 3, true);
	uint64_t id;

	log_ready(&l);
	strcpy(ev.device, "cxl-00000000deadbeef");
	id = put(ev);
	ck_assert_uint_eq(log_get(&l, uri_of(id)), 200);
	ck_assert_ptr_null(value_at(&l.f, "Links/OriginOfCondition"));
	expect("OriginOfConditionUnavailable", "true");
	ck_assert_uint_eq(json_array_size(value_at(&l.f, OEM("PagesNow"))), 0);
	expect_null(OEM("Slot"));
	expect(OEM("Certainty"), "unknown");
	expect(OEM("Act"), "watch");
}
END_TEST

START_TEST(related_entries_are_the_newest_and_all_are_counted)
{
	uint64_t id, last;

	log_ready(&l);
	id = put(media(1, 3, false));
	for (unsigned int i = 2; i < 150; i++)
		last = put(media(i, 3, false));
	wait_for_count(id, 149);
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Links/RelatedLogEntries")), 100);
	ck_assert_int_eq(number(OEM("Entries")), 149);
	ck_assert_uint_eq(
		strtoull(strrchr(at(&l.f, "Links/RelatedLogEntries/0/@odata.id"), '/') + 1, NULL,
			 10),
		last);
}
END_TEST

START_TEST(resolving_it_resolves_its_entries_and_reopening_reopens_them)
{
	char entry[128];
	uint64_t id;

	log_ready(&l);
	id = put(media(1, 3, true));
	(void)put(media(2, 3, true));
	(void)snprintf(entry, sizeof(entry), HOST_LOG "/Entries/%" PRIu64, id);
	ck_assert_uint_eq(patch(id, "{\"Resolved\": true}"), 200);
	expect("Resolved", "true");
	expect(OEM("State"), "resolved");
	expect(OEM("Act"), "none");
	ck_assert_ptr_nonnull(at(&l.f, "Oem/CXLHost/ChangedBy"));
	ck_assert_uint_eq(log_get(&l, entry), 200);
	expect("Resolved", "true");
	ck_assert_uint_eq(patch(id, "{\"Resolved\": false}"), 200);
	expect(OEM("State"), "open");
	ck_assert_uint_eq(log_get(&l, entry), 200);
	expect("Resolved", "false");
}
END_TEST

START_TEST(it_is_acknowledged_with_a_note_until_it_has_ended)
{
	uint64_t id;

	log_ready(&l);
	id = put(media(1, 3, true));
	ck_assert_uint_eq(patch(id, "{\"Oem\":{\"CXLHost\":{\"Acknowledged\":true,"
				    "\"Note\":\"DIMM ordered \xe2\x9c\x93\"}}}"),
			  200);
	expect(OEM("State"), "acknowledged");
	expect("Oem/CXLHost/Acknowledged", "true");
	expect("Oem/CXLHost/Note", "DIMM ordered \xe2\x9c\x93");
	expect("Resolved", "false");
	ck_assert_uint_eq(patch(id, "{\"Oem\":{\"CXLHost\":{\"Acknowledged\":false}}}"), 200);
	expect(OEM("State"), "open");
	expect("Oem/CXLHost/Note", "DIMM ordered \xe2\x9c\x93");
	ck_assert_uint_eq(patch(id, "{\"Oem\":{\"CXLHost\":{\"Note\":null}}}"), 200);
	expect_null("Oem/CXLHost/Note");
	ck_assert_uint_eq(patch(id, "{\"Resolved\":true}"), 200);
	ck_assert_uint_eq(patch(id, "{\"Oem\":{\"CXLHost\":{\"Acknowledged\":true}}}"), 400);
	ck_assert_str_eq(message(&l.f), "PropertyValueConflict");
	ck_assert_uint_eq(patch(id, "{\"Oem\":{\"CXLHost\":{\"Acknowledged\":false}}}"), 200);
	expect(OEM("State"), "resolved");
}
END_TEST

START_TEST(bodies_are_read_strictly)
{
	static char long_note[400];
	const char *const bodies[] = {
		"{}",
		"{\"Resolved\": 1}",
		"{\"Oem\":{\"CXLHost\":{\"Acknowledged\":null}}}",
		"{\"Oem\":{\"CXLHost\":{\"Note\":\"two\\nlines\"}}}",
		"{\"Oem\":{\"CXLHost\":{\"Note\":\"\\u001b[31m\"}}}",
		"{\"Oem\":{\"CXLHost\":{\"Note\":\"\\u009b31m\"}}}",
		"{\"Oem\":{\"CXLHost\":{\"Note\":5}}}",
		"{\"Oem\":{\"CXLHost\":{\"ChangedBy\":\"me\"}}}",
		"{\"Oem\":{\"CXLHost\":{\"Incident\":{\"State\":\"closed\"}}}}",
		"{\"Resolved\":true,\"Oem\":{\"CXLHost\":{\"Acknowledged\":true}}}",
		long_note,
	};
	uint64_t id;

	(void)snprintf(long_note, sizeof(long_note),
		       "{\"Oem\":{\"CXLHost\":{\"Note\":\"%0257d\"}}}", 0);
	log_ready(&l);
	id = put(media(1, 3, true));
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++)
		ck_assert_msg(patch(id, bodies[i]) == 400, "%s", bodies[i]);
	ck_assert_uint_eq(log_get(&l, uri_of(id)), 200);
	expect(OEM("State"), "open");
	expect_null("Oem/CXLHost/Note");
	ck_assert_uint_eq(patch(77, "{\"Resolved\":true}"), 404);
	ck_assert_uint_eq(log_get(&l, INCIDENTS "/Entries/01"), 404);
	ck_assert_uint_eq(log_get(&l, INCIDENTS "/Entries/77"), 404);
}
END_TEST

START_TEST(pages_and_filters_select_incidents)
{
	uint64_t ids[5];

	log_ready(&l);
	for (unsigned int i = 0; i < 5; i++)
		ids[i] = put(media(i, i, i == 4));
	ck_assert_uint_eq(patch(ids[1], "{\"Resolved\":true}"), 200);
	ck_assert_uint_eq(log_get(&l, INCIDENTS "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 5);
	expect("Members/0/@odata.id", uri_of(ids[0]));
	ck_assert_ptr_null(value_at(&l.f, "Members@odata.nextLink"));
	ck_assert_uint_eq(log_query(&l, INCIDENTS "/Entries", "$top=2&$skip=1"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Members")), 2);
	expect("Members/0/@odata.id", uri_of(ids[1]));
	ck_assert_ptr_nonnull(strstr(at(&l.f, "Members@odata.nextLink"), "$skiptoken="));
	ck_assert_uint_eq(log_query(&l, INCIDENTS "/Entries",
				    "$filter=" OEM("State") " eq 'open' and " OEM(
					    "Kind") " eq 'media-corrected'&$top=2"),
			  200);
	ck_assert_int_eq(number("Members@odata.count"), 3);
	expect("Members/1/@odata.id", uri_of(ids[2]));
	ck_assert_uint_eq(
		log_query(&l, INCIDENTS "/Entries", "$filter=" OEM("Device") " ne '" MEM0_ID "'"),
		200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
	ck_assert_uint_eq(log_query(&l, INCIDENTS "/Entries", "$filter=State eq"), 400);
}
END_TEST

START_TEST(a_page_has_at_most_fifty_members_and_links_the_next)
{
	uint64_t last = 0;

	log_ready(&l);
	for (unsigned int i = 0; i < 60; i++)
		last = put(media(i, i, false));
	ck_assert_uint_eq(log_query(&l, INCIDENTS "/Entries", "$top=1000"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&l.f, "Members")), 50);
	ck_assert_int_eq(number("Members@odata.count"), 60);
	ck_assert_uint_lt(strtoull(strstr(at(&l.f, "Members@odata.nextLink"), "=") + 1, NULL, 10),
			  last);
}
END_TEST

START_TEST(clearing_removes_those_that_have_ended_and_their_notes)
{
	struct incident_note note;
	struct incident i = {0};
	uint64_t ended, open;

	log_ready(&l);
	ended = put(media(1, 1, true));
	open = put(media(2, 2, true));
	ck_assert_uint_eq(
		patch(ended, "{\"Resolved\":true,\"Oem\":{\"CXLHost\":{\"Note\":\"a\"}}}"), 200);
	ck_assert_uint_eq(patch(open, "{\"Oem\":{\"CXLHost\":{\"Note\":\"b\"}}}"), 200);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, CLEAR, "{\"LogEntriesETag\":\"\\\"x\\\"\"}"),
			  428);
	ck_assert_uint_eq(log_get(&l, uri_of(ended)), 200);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, CLEAR, "{}"), 204);
	ck_assert_uint_eq(log_get(&l, uri_of(ended)), 404);
	ck_assert_uint_eq(log_get(&l, uri_of(open)), 200);
	expect("Oem/CXLHost/Note", "b");
	/* The same fault anew is another incident, and says nothing of the former one. */
	ended = put(media(3, 1, true));
	ck_assert_uint_eq(log_get(&l, uri_of(ended)), 200);
	expect_null("Oem/CXLHost/Note");
	ck_assert(!incident_notes_get(l.f.service->incident_notes, &i, &note));
}
END_TEST

START_TEST(what_recurs_has_no_note_and_names_the_former_one)
{
	char former[24];
	uint64_t id;

	log_ready(&l);
	id = put(media(1, 1, true));
	ck_assert_uint_eq(patch(id, "{\"Resolved\":true,\"Oem\":{\"CXLHost\":{\"Note\":\"a\"}}}"),
			  200);
	(void)snprintf(former, sizeof(former), "%" PRIu64, id);
	id = put(media(2, 1, true));
	ck_assert_uint_eq(log_get(&l, uri_of(id)), 200);
	expect(OEM("Previous"), former);
	expect_null("Oem/CXLHost/Note");
}
END_TEST

START_TEST(without_a_store_there_are_no_incidents)
{
	fixture_ready(&l.f);
	ck_assert_uint_eq(log_get(&l, INCIDENTS), 200);
	expect("Status/State", "Disabled");
	expect("ServiceEnabled", "false");
	ck_assert_uint_eq(log_get(&l, INCIDENTS "/Entries"), 200);
	ck_assert_int_eq(number("Members@odata.count"), 0);
	ck_assert_uint_eq(log_get(&l, INCIDENTS "/Entries/1"), 404);
	ck_assert_uint_eq(patch(1, "{\"Resolved\":true}"), 404);
}
END_TEST

/* ---- notes in the state database --------------------------------------------------------------
 */

static const char state_path[] = "incident_notes.db";

static struct incident an_incident(uint64_t id, uint64_t bank)
{
	struct incident i = {.id = id, .kind = INCIDENT_MEDIA_CORRECTED};

	strcpy(i.device, MEM0_ID);
	i.anchor = (struct incident_anchor){ANCHOR_LOCATION, 0xf, bank};
	return i;
}

static void say(struct incident_notes *n, const struct incident *i, const char *text, uint64_t time)
{
	struct incident_note note;

	(void)incident_notes_get(n, i, &note);
	note.incident = i->id;
	note.acknowledged = true;
	note.severity = EVENT_WARNING;
	(void)snprintf(note.text, sizeof(note.text), "%s", text);
	strcpy(note.changed_by, "admin");
	note.changed_ns = time;
	ck_assert_int_eq(incident_notes_put(n, &note, NULL), 0);
}

static void remove_state(void)
{
	ck_assert_int_eq(system("rm -f incident_notes.db*"), 0);
}

START_TEST(notes_outlive_the_service_and_the_event_log)
{
	struct incident i = an_incident(5, UINT64_MAX), other = an_incident(6, 2);
	struct incident_notes *n = incident_notes_new();
	struct incident_note note;
	struct state *st;

	remove_state();
	ck_assert_int_eq(state_new(state_path, &st, NULL), 0);
	incident_notes_set_state(n, st);
	say(n, &i, "first", 1);
	say(n, &i, "second", 2);
	n = incident_notes_free(n);
	n = incident_notes_new();
	incident_notes_set_state(n, st);
	ck_assert(incident_notes_get(n, &i, &note));
	ck_assert_str_eq(note.text, "second");
	ck_assert_str_eq(note.changed_by, "admin");
	ck_assert(note.acknowledged && note.severity == EVENT_WARNING && note.changed_ns == 2);
	ck_assert(!incident_notes_get(n, &other, &note));
	/* In a new log it has another number; one that recurred has a former one. */
	i.id = 99;
	ck_assert(incident_notes_get(n, &i, &note));
	i.previous = 5;
	ck_assert(!incident_notes_get(n, &i, &note));
	(void)incident_notes_free(n);
	(void)state_free(st);
	remove_state();
}
END_TEST

START_TEST(notes_are_bounded_and_the_oldest_go_first)
{
	struct incident_notes *n = incident_notes_new();
	struct incident first = an_incident(1, 0);
	struct incident_note note;

	for (unsigned int k = 0; k <= INCIDENT_NOTES_MAX; k++) {
		struct incident i = an_incident(k + 1, k);

		say(n, &i, "x", k);
	}
	ck_assert(!incident_notes_get(n, &first, &note));
	first = an_incident(2, 1);
	ck_assert(incident_notes_get(n, &first, &note));
	(void)incident_notes_free(n);
}
END_TEST

SUITE(check_incident_log)
{
	Suite *s = suite_create("incident log");
	TCase *t = tcase_create("entries"), *notes = tcase_create("notes");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, an_entry_says_what_where_how_often_and_what_to_do);
	tcase_add_test(t, a_device_that_is_gone_leaves_its_incident_without_origin_and_pages);
	tcase_add_test(t, related_entries_are_the_newest_and_all_are_counted);
	tcase_add_test(t, resolving_it_resolves_its_entries_and_reopening_reopens_them);
	tcase_add_test(t, it_is_acknowledged_with_a_note_until_it_has_ended);
	tcase_add_test(t, bodies_are_read_strictly);
	tcase_add_test(t, pages_and_filters_select_incidents);
	tcase_add_test(t, a_page_has_at_most_fifty_members_and_links_the_next);
	tcase_add_test(t, clearing_removes_those_that_have_ended_and_their_notes);
	tcase_add_test(t, what_recurs_has_no_note_and_names_the_former_one);
	tcase_add_test(t, without_a_store_there_are_no_incidents);
	suite_add_tcase(s, t);
	tcase_set_timeout(notes, 60);
	tcase_add_test(notes, notes_outlive_the_service_and_the_event_log);
	tcase_add_test(notes, notes_are_bounded_and_the_oldest_go_first);
	suite_add_tcase(s, notes);
	return s;
}
