// SPDX-License-Identifier: LGPL-2.1-or-later
/* The Timestamp of Conditions: when the service first saw them, from one view to the next. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/strutil.h"
#include "redfish/feed/event_message.h"
#include "redfish/resources/finding_message.h"
#include "redfish/view/condition_times.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_fixture.h"

#define CHASSIS ROOT "/Chassis/cxl-000000000000abc0"
#define MANAGER ROOT "/Managers/Service"
#define SWITCH	ROOT "/Fabrics/CXL/Switches/switch-0000000000005001"

/* Times of views, an hour from each other. */
#define HOUR(n) ((uint64_t)1767225600000000000 + (uint64_t)(n)*3600000000000)

static struct fixture f;
static struct mailbox mailboxes[4];
static struct mailbox *const said = &mailboxes[0]; /* by mem0 */
static struct view_inputs faults;

static void setup(void)
{
	fixture_init(&f, NULL);
	faults = (struct view_inputs){0};
	fixture_use_healthy(&f, mailboxes);
}

static void teardown(void)
{
	fixture_done(&f);
}

/* A view of what the devices say now, at an hour of the clock. */
static void show(unsigned int hour)
{
	struct view_inputs in = faults;
	struct view *v;

	in.host = &f.model.host;
	in.readings = &f.readings;
	in.switches = f.switches;
	ck_assert_int_eq(translator_new(in.host, NULL, &in.translator, NULL), 0);
	ck_assert_int_eq(view_new(f.table, &in, &v, NULL), 0);
	(void)translator_unref(in.translator);
	view_date_conditions(v, service_view(f.service), HOUR(hour));
	ck_assert_int_eq(service_set_view(f.service, v), 0);
}

/* Return: the Condition of a resource whose text contains @text. */
static const json_t *condition_of(const char *uri, const char *text)
{
	const json_t *item;
	size_t i;

	ck_assert_uint_eq(get(&f, uri), 200);
	json_array_foreach(value_at(&f, "Status/Conditions"), i, item) {
		if (strstr(json_string_value(json_object_get(item, "MessageId")), text) ||
		    strstr(json_string_value(json_object_get(item, "Message")), text))
			return item;
	}
	ck_abort_msg("%s has no condition %s", uri, text);
}

static void expect_since(const char *uri, const char *text, unsigned int hour)
{
	const json_t *when = json_object_get(condition_of(uri, text), "Timestamp");
	char wanted[EVENT_TIME_MAX];

	event_time(HOUR(hour), wanted);
	ck_assert_ptr_nonnull(when);
	ck_assert_str_eq(json_string_value(when), wanted);
}

START_TEST(a_condition_keeps_its_time_while_it_goes_on)
{
	said->maintenance_needed = true;
	show(1);
	show(2);
	expect_since(MEM0, "MaintenanceNeeded", 1);
	said->replacement_needed = true;
	show(3);
	expect_since(MEM0, "MaintenanceNeeded", 1);
	expect_since(MEM0, "ReplacementNeeded", 3);
}
END_TEST

START_TEST(a_condition_that_comes_again_has_a_new_time)
{
	said->maintenance_needed = true;
	show(1);
	said->maintenance_needed = false;
	show(2);
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_ptr_null(value_at(&f, "Status/Conditions"));
	said->maintenance_needed = true;
	show(3);
	expect_since(MEM0, "MaintenanceNeeded", 3);
	expect_since(SYSTEM, "ConditionInRelatedResource", 3);
}
END_TEST

START_TEST(a_step_of_the_clock_changes_no_time)
{
	said->maintenance_needed = true;
	show(5);
	show(1);
	expect_since(MEM0, "MaintenanceNeeded", 5);
	mailboxes[1].maintenance_needed = true;
	show(2);
	expect_since(MEM0, "MaintenanceNeeded", 5);
	expect_since(SYSTEM "/Memory/cxl-000000000000abc1", "MaintenanceNeeded", 2);
}
END_TEST

START_TEST(arguments_that_change_make_no_other_condition)
{
	said->corrected_volatile_warning = true;
	said->alerts[ALERT_CORRECTED_VOLATILE].warning = OPT_INT(10);
	show(1);
	said->alerts[ALERT_CORRECTED_VOLATILE].warning = OPT_INT(20);
	show(2);
	expect_since(MEM0, "CorrectedVolatile", 1);
}
END_TEST

START_TEST(all_that_refer_to_a_resource_have_the_same_time)
{
	said->maintenance_needed = true;
	show(1);
	said->replacement_needed = true; /* more severe, and still unhealthy */
	show(2);
	expect_since(SYSTEM, "ConditionInRelatedResource", 1);
	expect_since(ROOT "/Chassis/Host", "ConditionInRelatedResource", 1);
	expect_since(CHASSIS, "ConditionInRelatedResource", 1);
	expect_since(CHASSIS "/PCIeDevices/1", "ConditionInRelatedResource", 1);
}
END_TEST

START_TEST(a_device_with_the_kernel_name_of_another_has_its_own_time)
{
	const char *name = f.memdevs[0]->name;

	said->maintenance_needed = true;
	show(1);
	f.memdevs[0]->name = f.memdevs[1]->name;
	f.memdevs[1]->name = name;
	mailboxes[1].maintenance_needed = true;
	show(2);
	expect_since(MEM0, "MaintenanceNeeded", 1);
	expect_since(SYSTEM "/Memory/cxl-000000000000abc1", "MaintenanceNeeded", 2);
}
END_TEST

START_TEST(a_device_that_sanitizes_and_an_incomplete_region_have_times)
{
	f.memdevs[0]->security_state = "sanitize";
	show(1);
	expect_since(MEM0, "Sanitizing", 1);
	f.region->commit = REGION_NOT_COMMITTED;
	show(2);
	expect_since(MEM0, "Sanitizing", 1);
	expect_since(SYSTEM, "ConditionInRelatedResource", 2);
	ck_assert_uint_eq(get(&f, SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks/region0"), 200);
	ck_assert_ptr_nonnull(at(&f, "Status/Conditions/0/Timestamp"));
}
END_TEST

/* Thirty-three devices are unhealthy first, then one more. */
START_TEST(devices_beyond_the_limit_are_one_condition)
{
	static const struct mailbox unhealthy = {.has_health = true, .replacement_needed = true};
	struct port *parent = (struct port *)(uintptr_t)f.memdevs[0]->endpoint->parent;

	said->maintenance_needed = true;
	f.readings.others = &unhealthy;
	for (int i = 0; i < 32; i++)
		(void)model_memdev(&f.model, parent);
	show(1);
	(void)model_memdev(&f.model, parent);
	show(2);
	expect_since(SYSTEM, "MoreDevices", 1);
	expect_since(ROOT "/Fabrics/CXL", "MoreDevices", 1);
}
END_TEST

START_TEST(faults_of_the_service_have_times)
{
	(void)snprintf(faults.service_faults.text[0], sizeof(faults.service_faults.text[0]),
		       "a cause");
	show(1);
	(void)snprintf(faults.recording_faults.text[RECORDING_FAULT_NOT_STORED],
		       RECORDING_FAULT_TEXT_MAX, "a second cause");
	show(2);
	(void)snprintf(faults.service_faults.text[0], sizeof(faults.service_faults.text[0]),
		       "another cause");
	show(3);
	expect_since(MANAGER, "another cause", 1);
	expect_since(MANAGER, "a second cause", 2);
}
END_TEST

/* The log itself is not read: the fixture has none. */
START_TEST(the_log_has_the_time_that_the_manager_has)
{
	_cleanup_writer_ struct json_writer w = {0};
	const struct view *v;
	json_t *body, *condition;

	(void)snprintf(faults.recording_faults.text[RECORDING_FAULT_NOT_STORED],
		       RECORDING_FAULT_TEXT_MAX, "a cause");
	show(1);
	v = service_view(f.service);
	view_put_status(v, resource_find(v->index, SYSTEM "/LogServices/CXL"), &w);
	body = json_loadb(w.text, w.len, JSON_REJECT_DUPLICATES, NULL);
	condition =
		json_array_get(json_object_get(json_object_get(body, "Status"), "Conditions"), 0);
	ck_assert(json_equal(json_object_get(condition, "Timestamp"),
			     json_object_get(condition_of(MANAGER, "a cause"), "Timestamp")));
	json_decref(body);
}
END_TEST

START_TEST(notes_of_a_switch_have_times_of_their_own)
{
	struct switch_readings *readings = switch_readings_new();
	struct switch_reading *sw = made_switch(readings, "0000:44:00.0");
	static const char *notes[] = {"the first command failed", "the second command failed"};

	f.switches = readings;
	sw->notes = notes;
	sw->n_notes = 1;
	show(1);
	sw->n_notes = 2;
	show(2);
	sw->notes = notes + 1;
	sw->n_notes = 1;
	show(3);
	expect_since(SWITCH, notes[1], 2);
	sw->notes = notes;
	sw->n_notes = 2;
	show(4);
	expect_since(SWITCH, notes[1], 2);
	expect_since(SWITCH, notes[0], 4);
	(void)switch_readings_unref(readings);
}
END_TEST

/* Behind a view without times, as for lack of memory. */
START_TEST(a_view_without_times_has_no_timestamps)
{
	struct view_inputs in = {.host = &f.model.host, .readings = &f.readings};
	struct view *v;

	said->maintenance_needed = true;
	ck_assert_int_eq(translator_new(in.host, NULL, &in.translator, NULL), 0);
	ck_assert_int_eq(view_new(f.table, &in, &v, NULL), 0);
	(void)translator_unref(in.translator);
	ck_assert_int_eq(service_set_view(f.service, v), 0);
	ck_assert_ptr_null(json_object_get(condition_of(MEM0, "MaintenanceNeeded"), "Timestamp"));
	show(1);
	expect_since(MEM0, "MaintenanceNeeded", 1);
}
END_TEST

static void expect_item(const struct finding *one, unsigned int hour, bool has_time)
{
	const struct view *v = service_view(f.service);
	_cleanup_writer_ struct json_writer w = {0};
	char wanted[EVENT_TIME_MAX];
	json_t *item;

	put_finding_condition(v, one, NULL, &w);
	item = json_loadb(w.text, w.len, JSON_REJECT_DUPLICATES, NULL);
	event_time(HOUR(hour), wanted);
	ck_assert_int_eq(json_object_get(item, "Timestamp") != NULL, has_time);
	if (has_time)
		ck_assert_str_eq(json_string_value(json_object_get(item, "Timestamp")), wanted);
	json_decref(item);
}

START_TEST(a_condition_of_a_log_entry_has_the_time_of_the_entry)
{
	struct finding one = {.code = FINDING_UNRESOLVED_EVENTS, .object = "mem0"};

	one.args[0] = finding_number(1);
	one.args[1] = finding_event_type(EVENT_POISON);
	one.args[2] = finding_entry(5);
	one.args[3] = finding_time(HOUR(3));
	one.args[4] = finding_of_severity(HEALTH_CRITICAL);
	show(1);
	expect_item(&one, 3, true);
	/* The entry has none, and no resource of this view has the condition. */
	one.args[3] = (struct finding_arg){0};
	expect_item(&one, 0, false);
}
END_TEST

START_TEST(a_table_is_limited)
{
	struct arena *arena = arena_new();
	struct condition_times *before = condition_times_new(arena, NULL, 7), *now;
	char object[16];

	for (int i = 0; i < CONDITION_TIMES_MAX; i++) {
		(void)snprintf(object, sizeof(object), "%d", i);
		ck_assert_uint_eq(condition_since(before, "M", object), 7);
	}
	ck_assert_uint_eq(condition_since(before, "M", "one more"), 0);
	ck_assert_uint_eq(condition_since(before, "M", "0"), 7);
	condition_times_seal(before);
	now = condition_times_new(arena, before, 9);
	ck_assert_uint_eq(condition_since(now, "M", "5"), 7);
	ck_assert_uint_eq(condition_since(now, "N", "5"), 9);
	condition_times_seal(now);
	ck_assert_uint_eq(condition_since(now, "M", "5"), 7);
	ck_assert_uint_eq(condition_since(now, "M", "6"), 0);
	(void)arena_free(arena);
}
END_TEST

SUITE(check_condition_times)
{
	Suite *s = suite_create("condition times");
	TCase *t = tcase_create("times");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_condition_keeps_its_time_while_it_goes_on);
	tcase_add_test(t, a_condition_that_comes_again_has_a_new_time);
	tcase_add_test(t, a_step_of_the_clock_changes_no_time);
	tcase_add_test(t, arguments_that_change_make_no_other_condition);
	tcase_add_test(t, all_that_refer_to_a_resource_have_the_same_time);
	tcase_add_test(t, a_device_with_the_kernel_name_of_another_has_its_own_time);
	tcase_add_test(t, a_device_that_sanitizes_and_an_incomplete_region_have_times);
	tcase_add_test(t, devices_beyond_the_limit_are_one_condition);
	tcase_add_test(t, faults_of_the_service_have_times);
	tcase_add_test(t, the_log_has_the_time_that_the_manager_has);
	tcase_add_test(t, notes_of_a_switch_have_times_of_their_own);
	tcase_add_test(t, a_view_without_times_has_no_timestamps);
	tcase_add_test(t, a_condition_of_a_log_entry_has_the_time_of_the_entry);
	tcase_add_test(t, a_table_is_limited);
	suite_add_tcase(s, t);
	return s;
}
