// SPDX-License-Identifier: LGPL-2.1-or-later
/* The telemetry service: metric reports of the history, by day, and without a history. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/state/history.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define TELEMETRY ROOT "/TelemetryService"
#define DEVICE	  "cxl-000000000000abc0"
#define REPORT	  TELEMETRY "/MetricReports/" DEVICE "-Day"

enum { INTERVAL_S = 600, POINTS = HISTORY_DAY_S / INTERVAL_S, VALUES_OF_POINT = 3 };

static const struct history_limits limits = {INTERVAL_S, 30};
static struct fixture f;
static char directory[] = "/tmp/check_telemetry.XXXXXX";
static char path[80];
static struct error error;

static void setup_without(void)
{
	log_set_level(LOG_LEVEL_ERR);
	fixture_init(&f, NULL);
	fixture_ready(&f);
}

static void setup(void)
{
	setup_without();
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" HISTORY_FILE, directory);
	ck_assert_int_eq(history_new(path, &limits, &f.service->history, &error), 0);
}

static void teardown(void)
{
	struct history *history = f.service->history;
	char command[128];

	fixture_done(&f);
	(void)history_free(history);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	ck_assert_int_eq(system(command), 0);
}

static uint64_t now_s(void)
{
	return clock_realtime_ns() / 1000000000;
}

/* A sample of the first device: @temperature, 12 corrected errors, a link of 32.0 GT/s. */
static void record(uint64_t at_s, int64_t temperature)
{
	struct history_reading reading = {.device = DEVICE};
	const struct history_readings one = {.items = &reading, .n = 1};
	uint64_t slot_s;

	history_set(&reading.sample, HISTORY_TEMPERATURE, temperature);
	history_set(&reading.sample, HISTORY_CORRECTED_VOLATILE, 12);
	history_set(&reading.sample, HISTORY_LINK_SPEED, 320);
	ck_assert(history_claim(f.service->history, at_s, &slot_s));
	ck_assert_int_eq(history_write(f.service->history, slot_s, 1, &one, &error), 0);
}

static size_t count_values(void)
{
	return json_array_size(value_at(&f, "MetricValues"));
}

static long long points(void)
{
	return json_integer_value(value_at(&f, "Oem/CXLHost/PointCount"));
}

START_TEST(report_has_the_last_day)
{
	const uint64_t slot_s = now_s() / INTERVAL_S * INTERVAL_S;

	for (uint64_t i = 0; i < POINTS + 10; i++)
		record(slot_s - (POINTS + 10 - 1 - i) * INTERVAL_S, (int64_t)i);
	ck_assert_uint_eq(get(&f, REPORT), 200);
	ck_assert(f.in_job);
	/* A new interval has begun meanwhile, at most. */
	ck_assert_int_ge(points(), POINTS - 1);
	ck_assert_int_le(points(), POINTS);
	ck_assert_uint_eq(count_values(), (size_t)points() * VALUES_OF_POINT);
	ck_assert_str_eq(at(&f, "Id"), DEVICE "-Day");
	ck_assert_str_eq(at(&f, "MetricReportDefinition/@odata.id"),
			 TELEMETRY "/MetricReportDefinitions/Day");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Memory/@odata.id"), MEM0);
}
END_TEST

START_TEST(values_are_named_by_the_definition)
{
	static const char *const ids[] = {"TemperatureCelsius", "CorrectedVolatileErrorCount",
					  "LinkSpeedGTs"};
	static const char *const values[] = {"-5", "12", "32.0"};
	const uint64_t slot_s = now_s() / INTERVAL_S * INTERVAL_S;

	record(slot_s, -5);
	ck_assert_uint_eq(get(&f, REPORT), 200);
	ck_assert_uint_eq(count_values(), VALUES_OF_POINT);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		char key[64];

		(void)snprintf(key, sizeof(key), "MetricValues/%zu/MetricId", i);
		ck_assert_str_eq(at(&f, key), ids[i]);
		(void)snprintf(key, sizeof(key), "MetricValues/%zu/MetricValue", i);
		ck_assert_str_eq(at(&f, key), values[i]);
	}
	ck_assert_str_eq(at(&f, "Timestamp"), at(&f, "MetricValues/0/Timestamp"));
	ck_assert_uint_eq(get(&f, TELEMETRY "/MetricReportDefinitions/Day"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Metrics")), HISTORY_VALUES);
	ck_assert_str_eq(at(&f, "Metrics/0/MetricId"), "TemperatureCelsius");
	ck_assert_str_eq(at(&f, "Metrics/0/MetricProperties/0"),
			 SYSTEM "/Memory/{Memory}/EnvironmentMetrics#/TemperatureCelsius/Reading");
	ck_assert_str_eq(at(&f, "Wildcards/0/Values/0"), DEVICE);
	ck_assert_str_eq(at(&f, "Schedule/RecurrenceInterval"), "PT600S");
}
END_TEST

/* Asks for the report of a day of the calendar. Return: the status. */
static unsigned int get_day(const char *day)
{
	const struct http_request req = {
		.method = METHOD_GET, .path = REPORT, .options = {{"day", day}}, .n_options = 1};

	return ask(&f, &req);
}

START_TEST(older_day_is_an_option)
{
	/* 2026-11-26 and the day before it. */
	const uint64_t day_s = UINT64_C(20783) * HISTORY_DAY_S;

	record(day_s - INTERVAL_S, 1);
	record(day_s, 2);
	record(day_s + HISTORY_DAY_S - 1, 3);
	record(day_s + HISTORY_DAY_S, 4);
	ck_assert_uint_eq(get_day("2026-11-26"), 200);
	ck_assert_uint_eq(count_values(), (size_t)2 * VALUES_OF_POINT);
	ck_assert_str_eq(at(&f, "MetricValues/0/Timestamp"), "2026-11-26T00:00:00Z");
	ck_assert_str_eq(at(&f, "Timestamp"), "2026-11-26T23:50:00Z");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Days/0"), "2026-11-25");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Days/2"), "2026-11-27");
	ck_assert_uint_eq(get_day("2020-02-29"), 200);
	ck_assert_uint_eq(count_values(), 0);
	ck_assert_ptr_null(value_at(&f, "Timestamp"));
}
END_TEST

static const char *const no_days[] = {"",	    "2026-02-30", "2026-13-01", "2026-11-26T00:00",
				      "1969-12-31", "yesterday",  "2026-1-1",	" 2026-11-2"};

START_TEST(day_that_is_none_is_refused)
{
	ck_assert_msg(get_day(no_days[_i]) == 400, "'%s'", no_days[_i]);
	ck_assert_str_eq(message(&f), "QueryParameterValueFormatError");
}
END_TEST

START_TEST(day_of_another_resource_is_ignored)
{
	const struct http_request req = {
		.method = METHOD_GET, .path = MEM0, .options = {{"day", "x"}}, .n_options = 1};

	ck_assert_uint_eq(ask(&f, &req), 200);
}
END_TEST

START_TEST(every_device_has_a_report)
{
	ck_assert_uint_eq(get(&f, TELEMETRY "/MetricReports"), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 4);
	ck_assert_str_eq(at(&f, "Members/0/@odata.id"), REPORT);
	ck_assert_uint_eq(get(&f, TELEMETRY "/MetricReports/" DEVICE), 404);
	ck_assert_uint_eq(get(&f, ROOT), 200);
	ck_assert_str_eq(at(&f, "TelemetryService/@odata.id"), TELEMETRY);
	ck_assert_uint_eq(get(&f, TELEMETRY), 200);
	ck_assert_str_eq(at(&f, "ServiceEnabled"), "true");
}
END_TEST

START_TEST(history_that_another_process_has_is_unavailable)
{
	struct history_days days;
	struct history *other;

	ck_assert_int_eq(history_new(path, &limits, &other, &error), 0);
	ck_assert_int_eq(history_list_days(other, DEVICE, &days, &error), 0);
	ck_assert_uint_eq(get(&f, REPORT), 503);
	ck_assert_str_eq(message(&f), "ServiceTemporarilyUnavailable");
	(void)history_free(other);
	ck_assert_uint_eq(get(&f, REPORT), 200);
}
END_TEST

START_TEST(without_a_state_directory_there_is_no_history)
{
	ck_assert_uint_eq(get(&f, TELEMETRY), 200);
	ck_assert_str_eq(at(&f, "ServiceEnabled"), "false");
	ck_assert_str_eq(at(&f, "Status/State"), "Disabled");
	ck_assert_uint_eq(get(&f, REPORT), 200);
	ck_assert_uint_eq(count_values(), 0);
	ck_assert_int_eq(points(), 0);
	ck_assert_uint_eq(get(&f, TELEMETRY "/MetricReportDefinitions/Day"), 200);
	ck_assert_str_eq(at(&f, "MetricReportDefinitionEnabled"), "false");
	fixture_done(&f);
}
END_TEST

SUITE(check_telemetry)
{
	Suite *s = suite_create("telemetry");
	TCase *t = tcase_create("history"), *without = tcase_create("without");

	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, report_has_the_last_day);
	tcase_add_test(t, values_are_named_by_the_definition);
	tcase_add_test(t, older_day_is_an_option);
	tcase_add_loop_test(t, day_that_is_none_is_refused, 0, ARRAY_SIZE(no_days));
	tcase_add_test(t, day_of_another_resource_is_ignored);
	tcase_add_test(t, every_device_has_a_report);
	tcase_add_test(t, history_that_another_process_has_is_unavailable);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(without, setup_without, NULL);
	tcase_add_test(without, without_a_state_directory_there_is_no_history);
	suite_add_tcase(s, without);
	return s;
}
