// SPDX-License-Identifier: LGPL-2.1-or-later
/* Records for a collector, and requests of many services at one time. */
#include <stdlib.h>

#include <check.h>
#include <jansson.h>

#include "common/array.h"
#include "common/log.h"
#include "redfish/otlp/otlp_record.h"
#include "tests/lib/outage.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"

/* Return: a record as its collector reads it. */
static json_t *sent(const struct stored_event *ev, const char *severity)
{
	static const uint8_t uuid[STATE_UUID_SIZE] = {1};
	const struct event_item item = {.seq = ev->seq,
					.message_id = "CXLHost.1.0.DRAMEvent",
					.severity = severity,
					.entry = ev};
	_cleanup_otlp_ struct otlp_writer w;
	json_t *message, *record, *scope;

	otlp_begin_request(&w, OTLP_JSON, OTLP_LOGS, uuid, NULL);
	otlp_put_record(&w, uuid, &item, MADE_TIME);
	ck_assert_int_eq(otlp_writer_finish(&w), 0);
	message = json_loadb(w.out.text, w.out.len, 0, NULL);
	ck_assert_int_eq(json_unpack(message, "{s:[{s:[o]}]}", "resourceLogs", "scopeLogs", &scope),
			 0);
	record = json_array_get(json_object_get(scope, "logRecords"), 0);
	ck_assert_ptr_nonnull(json_incref(record));
	json_decref(message);
	return record;
}

static const struct {
	uint64_t log, own; /* of the device that had the record, and the record's own severity */
	enum event_severity severity;
	const char *text;
	int number;
} severities[] = {
	{EVENT_LOG_INFORMATIONAL, 0, EVENT_OK, "OK", 9},
	{EVENT_LOG_WARNING, 0, EVENT_WARNING, "Warning", 13},
	{EVENT_LOG_FAILURE, 0, EVENT_CRITICAL, "Critical", 17},
	{EVENT_LOG_FATAL, 0, EVENT_CRITICAL, "Critical", 21},
	/* The record says more than the log that it is in. */
	{EVENT_LOG_FAILURE, EVENT_LOG_FATAL, EVENT_CRITICAL, "Critical", 21},
	/* A fatal record that is not shown as critical is no fatal one here. */
	{EVENT_LOG_FATAL, 0, EVENT_WARNING, "Warning", 13},
};

START_TEST(severity_of_a_record_has_its_number)
{
	struct stored_event ev;
	json_t *record;

	made_event(1, &ev);
	ev.seq = 1;
	ev.severity = severities[_i].severity;
	event_record_set(&ev.record, FIELD_LOG, severities[_i].log);
	event_record_set(&ev.record, FIELD_HDR_FLAGS, severities[_i].own);
	record = sent(&ev, severities[_i].text);
	ck_assert_int_eq(json_integer_value(json_object_get(record, "severityNumber")),
			 severities[_i].number);
	ck_assert_str_eq(json_string_value(json_object_get(record, "severityText")),
			 severities[_i].text);
	json_decref(record);
}
END_TEST

/* Without jitter all of them would come in one second. */
START_TEST(services_come_back_one_by_one_after_an_outage)
{
	struct outage o;

	log_set_level(LOG_LEVEL_ERR);
	outage_run(1000, OUTAGE_HOUR_S, &o);
	/* Each within the longest delay of 300 s; on average 3 in a second. */
	ck_assert_uint_le(o.back_s[1], 301);
	ck_assert_uint_ge(o.back_s[0], 60);
	ck_assert_uint_le(o.back_max, 40);
	ck_assert_uint_le(o.attempts_max, 50);
	ck_assert(o.attempts_mean > 0);
}
END_TEST

/* Metrics over an interval, and events over ten seconds: 17 and 100 in a second on average. */
START_TEST(services_that_start_together_do_not_send_together)
{
	ck_assert_uint_le(outage_start(1000, 60), 60);
	ck_assert_uint_le(outage_start(1000, 10), 200);
	ck_assert_uint_eq(outage_start(1000, 0), 1000);
}
END_TEST

SUITE(check_otlp_export)
{
	Suite *s = suite_create("otlp export");
	TCase *tc = tcase_create("otlp export");

	tcase_add_loop_test(tc, severity_of_a_record_has_its_number, 0,
			    (int)ARRAY_SIZE(severities));
	tcase_add_test(tc, services_come_back_one_by_one_after_an_outage);
	tcase_add_test(tc, services_that_start_together_do_not_send_together);
	suite_add_tcase(s, tc);
	return s;
}
