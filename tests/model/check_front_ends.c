// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One finding in the words of each front end: cxl-spa's sentence and Redfish's condition come from
 * the same code and arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/finding_text.h"
#include "common/array.h"
#include "common/strutil.h"
#include "model/health.h"
#include "model/service_health.h"
#include "redfish/core/registry.h"
#include "tests/lib/redfish_fixture.h"

#define MANAGER ROOT "/Managers/Service"

static struct fixture f;

static void setup(void)
{
	fixture_init(&f, NULL);
}

static void teardown(void)
{
	fixture_done(&f);
}

static const char *sentence(const struct finding *finding)
{
	static char text[FINDING_TEXT_MAX];

	return finding_sentence(finding, text);
}

/* Fails the test unless the resource has that condition, alone. */
static void expect_condition(const char *uri, const char *message_id, const char *argument)
{
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Status/Conditions")), 1);
	ck_assert_str_eq(at(&f, "Status/Conditions/0/MessageId"), message_id);
	if (argument)
		ck_assert_str_eq(at(&f, "Status/Conditions/0/MessageArgs/0"), argument);
}

/* ---- one finding, two texts --------------------------------------------------------------------
 */

START_TEST(a_device_to_be_replaced_is_one_finding_in_both)
{
	static struct mailbox mailbox = {.has_health = true, .replacement_needed = true};
	struct health h;

	health_of_device("mem0", &mailbox, NULL, "cxl-000000000000abc0", &h);
	ck_assert_uint_eq(h.n, 1);
	ck_assert_int_eq(h.findings[0].finding.code, FINDING_REPLACEMENT_NEEDED);
	ck_assert_str_eq(sentence(&h.findings[0].finding), "it needs to be replaced");
	f.readings.mailboxes[0] = &mailbox;
	fixture_ready(&f);
	expect_condition(MEM0, "CXLHost.1.2.ReplacementNeeded", NULL);
}
END_TEST

START_TEST(a_missing_handler_is_one_finding_in_both)
{
	struct finding list[FIRMWARE_FINDINGS_MAX];
	struct firmware_status status;
	struct firmware *firmware;

	/* The module is not loaded. */
	ck_assert_int_eq(firmware_new("/nonexistent/cxl_prm", &firmware), 0);
	firmware_status(firmware, &status);
	ck_assert_uint_ge(firmware_findings(&status, list), 1);
	ck_assert_int_eq(list[0].code, FINDING_FIRMWARE_UNAVAILABLE);
	ck_assert_str_eq(sentence(&list[0]), status.text);
	f.model.firmware = firmware;
	model_normalize(f.region);
	fixture_ready(&f);
	expect_condition(MANAGER, "CXLHost.1.2.FirmwareUnavailable", status.text);
	fixture_done(&f);
	(void)firmware_free(firmware);
	fixture_init(&f, NULL);
}
END_TEST

START_TEST(levels_of_findings_are_the_severities_of_the_registry)
{
	static const struct {
		struct mailbox mb;
		enum registry_message message;
	} rows[] = {
		{{.has_health = true, .media = {MEDIA_NOT_READY, true}}, REGISTRY_MEDIA_NOT_READY},
		{{.has_health = true, .media = {MEDIA_DATA_LOSS_IMMINENT, true}},
		 REGISTRY_ALL_DATA_LOSS_IMMINENT},
		{{.has_health = true, .media = {MEDIA_SHUTDOWN_DATA_LOSS, true}},
		 REGISTRY_ALL_DATA_LOSS_ON_SHUTDOWN},
		{{.has_health = true, .maintenance_needed = true}, REGISTRY_MAINTENANCE_NEEDED},
		{{.has_health = true, .replacement_needed = true}, REGISTRY_REPLACEMENT_NEEDED},
		{{.has_health = true, .temperature_level = {LEVEL_CRITICAL, true}},
		 REGISTRY_TEMPERATURE_CRITICAL},
		{{.has_health = true, .life_used_level = {LEVEL_WARNING, true}},
		 REGISTRY_LIFE_USED_WARNING},
		{{.unresponsive = true}, REGISTRY_DEVICE_NOT_ANSWERING},
	};
	struct health h;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		health_of_device("mem0", &rows[i].mb, NULL, "cxl-0", &h);
		ck_assert_uint_eq(h.n, 1);
		ck_assert_int_eq(h.findings[0].level, registry_severity(rows[i].message));
	}
}
END_TEST

/* ---- sentences of cxl-spa ----------------------------------------------------------------------
 */

START_TEST(every_code_has_a_sentence)
{
	for (int i = 0; i < FINDING_CODE_COUNT; i++)
		ck_assert_msg(finding_format((enum finding_code)i) != NULL, "%s",
			      finding_code_name((enum finding_code)i));
	for (int i = 0; i < FINDING_REASONS; i++)
		ck_assert_ptr_nonnull(finding_reason_text((enum finding_reason)i));
}
END_TEST

/* What the formatter relies on. */
START_TEST(every_format_is_well_formed)
{
	for (int i = 0; i < FINDING_CODE_COUNT; i++) {
		const char *format = finding_format((enum finding_code)i);
		int depth = 0;

		for (const char *p = format; *p; p++) {
			depth += (*p == '[') - (*p == ']');
			ck_assert_msg(depth == 0 || depth == 1, "%s", format);
			if (*p != '%')
				continue;
			ck_assert_msg(p[1] >= '1' && p[1] < '1' + FINDING_ARGS_MAX, "%s", format);
			if (p[2] == '{')
				ck_assert_msg(strchr(p, '|') && strchr(strchr(p, '|'), '}'), "%s",
					      format);
		}
		ck_assert_msg(depth == 0, "%s", format);
	}
}
END_TEST

START_TEST(a_sentence_has_the_right_plurals_and_leaves_out_what_is_absent)
{
	struct finding summary = {
		.code = FINDING_HOST_SUMMARY,
		.object = "host",
		.args = {finding_name("7.3.4"), finding_number(1), finding_number(0),
			 finding_number(2)},
	};
	struct finding memdev = {
		.code = FINDING_MEMDEV_IDENTITY,
		.object = "mem0",
		.args = {finding_name("0000:0d:00.0"),
			 finding_hex(0xabc0),
			 {0},
			 finding_size(OPT_U64(256 << 20))},
	};

	ck_assert_str_eq(sentence(&summary),
			 "Linux 7.3.4 shows 1 window, 0 regions and 2 memory devices");
	summary.args[0] = finding_name(NULL);
	summary.args[3] = finding_number(1);
	ck_assert_str_eq(sentence(&summary), "Linux shows 1 window, 0 regions and 1 memory device");
	ck_assert_str_eq(sentence(&memdev), "at 0000:0d:00.0, serial 0xabc0, 256 MiB of pmem");
}
END_TEST

START_TEST(a_list_is_written_with_positions_details_and_ranges)
{
	const struct finding_item second = {
		.name = "System RAM", .start = OPT_U64(0x1000), .size = OPT_U64(0x1000)};
	const struct finding_item first = {
		.position = OPT_U64(3), .name = "mem1", .detail = "decoder5.0", .next = &second};
	const struct finding targets = {
		.code = FINDING_REGION_TARGETS,
		.object = "region0",
		.args = {finding_list(&first)},
	};

	ck_assert_str_eq(sentence(&targets),
			 "targets by position: 3 mem1 (decoder5.0), System RAM 0x1000-0x1fff");
}
END_TEST

START_TEST(unresolved_entries_are_counted_in_a_sentence)
{
	struct finding events = {
		.code = FINDING_UNRESOLVED_EVENTS,
		.object = "mem0",
		.args = {finding_number(1),
			 {.type = FINDING_ARG_EVENT_TYPE, .event_type = EVENT_DRAM},
			 finding_number(7),
			 {.type = FINDING_ARG_TIME, .number = 1000000000}},
	};
	char expected[128];

	(void)snprintf(
		expected, sizeof(expected),
		"1 log entry of type %s is not resolved, the newest number 7, of 1970-01-01T00:00:01Z",
		event_type_name(EVENT_DRAM));
	ck_assert_str_eq(sentence(&events), expected);
	events.args[0] = finding_number(2);
	events.args[2] = events.args[3] = (struct finding_arg){0};
	(void)snprintf(expected, sizeof(expected), "2 log entries of type %s are not resolved",
		       event_type_name(EVENT_DRAM));
	ck_assert_str_eq(sentence(&events), expected);
}
END_TEST

START_TEST(a_long_argument_cuts_the_sentence)
{
	char text[2 * FINDING_TEXT_MAX];
	const struct finding note = {
		.code = FINDING_HOST_NOTE, .object = "host", .args = {finding_text(text)}};

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_uint_eq(strlen(sentence(&note)), FINDING_TEXT_MAX - 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("front ends");
	TCase *both = tcase_create("both"), *text = tcase_create("text");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(both, setup, teardown);
	tcase_add_test(both, a_device_to_be_replaced_is_one_finding_in_both);
	tcase_add_test(both, a_missing_handler_is_one_finding_in_both);
	tcase_add_test(both, levels_of_findings_are_the_severities_of_the_registry);
	suite_add_tcase(suite, both);
	tcase_add_test(text, every_code_has_a_sentence);
	tcase_add_test(text, every_format_is_well_formed);
	tcase_add_test(text, a_sentence_has_the_right_plurals_and_leaves_out_what_is_absent);
	tcase_add_test(text, a_list_is_written_with_positions_details_and_ranges);
	tcase_add_test(text, unresolved_entries_are_counted_in_a_sentence);
	tcase_add_test(text, a_long_argument_cuts_the_sentence);
	suite_add_tcase(suite, text);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
