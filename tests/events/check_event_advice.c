// SPDX-License-Identifier: LGPL-2.1-or-later
/* The next step for an event, by what its record has evidence of. */
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/event_advice.h"
#include "tests/lib/suites.h"

static struct event_record rec;
static char text[EVENT_ADVICE_MAX];

static void set(enum event_field field, uint64_t value)
{
	rec.present |= UINT64_C(1) << field;
	rec.number[field] = value;
}

static void start(enum event_type type, uint64_t log, uint64_t descriptor)
{
	rec = (struct event_record){.type = type};
	set(FIELD_LOG, log);
	set(FIELD_DESCRIPTOR, descriptor);
}

static const char *advice(bool *ret_retire)
{
	const char *a = event_advice(&rec, text, ret_retire);

	ck_assert_ptr_nonnull(a);
	ck_assert_msg(!strstr(a, "offline_page"), "%s", a);
	return a;
}

static void expect(const char *words, bool retire)
{
	bool found;

	ck_assert_msg(strstr(advice(&found), words), "'%s' is not in: %s", words, advice(NULL));
	ck_assert_msg(found == retire, "%s", advice(NULL));
}

static const enum event_type types[] = {EVENT_GENERAL_MEDIA, EVENT_DRAM};

/* Numbers of errors that are none of the media are not the same in both. */
START_TEST(memory_is_taken_out_of_use_for_errors_of_the_media_only)
{
	static const struct {
		uint64_t code[ARRAY_SIZE(types)];
		const char *words;
		bool media;
	} rows[] = {
		{{0, 0}, "loses nothing", true},
		{{4, 1}, "loses nothing", true},
		{{5, 5}, "loses nothing", true},
		{{1, 2}, "uses this address", false},
		{{2, 3}, "Check the link and the device", false},
		{{3, 4}, "may use this memory", false},
		{{6, 6}, "may use this memory", false},
		{{7, 7}, "Observe how often", false},
		{{UINT64_MAX, UINT64_MAX}, "Observe how often", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows) * ARRAY_SIZE(types); i++) {
		const size_t k = i / ARRAY_SIZE(types), type = i % ARRAY_SIZE(types);

		start(types[type], EVENT_LOG_WARNING, EVENT_DESCRIPTOR_THRESHOLD);
		set(FIELD_TYPE, rows[k].code[type]);
		expect(rows[k].words, rows[k].media);
		for (uint64_t log = EVENT_LOG_INFORMATIONAL; log <= EVENT_LOG_FATAL; log++) {
			start(types[type], log, EVENT_DESCRIPTOR_UNCORRECTABLE);
			set(FIELD_TYPE, rows[k].code[type]);
			expect(rows[k].media ? "is lost" : rows[k].words, false);
		}
	}
}
END_TEST

START_TEST(corrected_errors_are_observed_until_the_device_counts_too_many)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		start(types[i], EVENT_LOG_INFORMATIONAL, 0);
		set(FIELD_TYPE, 0);
		expect("Observe how often", false);
		set(FIELD_CME_THRESHOLD_EV_FLAGS, 2);
		expect("loses nothing", true);
		set(FIELD_SUB_TYPE, 5);
		expect("Check the link and the device", false);
	}
}
END_TEST

START_TEST(a_failure_is_not_taken_for_corrected)
{
	start(EVENT_DRAM, EVENT_LOG_FATAL, EVENT_DESCRIPTOR_THRESHOLD);
	set(FIELD_TYPE, 0);
	expect("replace it", false);
	start(EVENT_DRAM, EVENT_LOG_FAILURE, EVENT_DESCRIPTOR_THRESHOLD);
	set(FIELD_TYPE, 0);
	expect("Observe how often", false);
	start(EVENT_DRAM, EVENT_LOG_INFORMATIONAL, EVENT_DESCRIPTOR_THRESHOLD);
	set(FIELD_TYPE, 0);
	set(FIELD_HDR_FLAGS, EVENT_LOG_FATAL);
	expect("replace it", false);
	rec.present &= ~(UINT64_C(1) << FIELD_DESCRIPTOR);
	expect("replace it", false);
	start(EVENT_GENERAL_MEDIA, EVENT_LOG_FATAL, EVENT_DESCRIPTOR_UNCORRECTABLE);
	set(FIELD_TYPE, 0);
	ck_assert_str_eq(
		advice(NULL),
		"Do not use the address.  The data at the address is lost.  Move data away from the device, and replace it.");
	/* The device asks for the same. */
	set(FIELD_HDR_FLAGS, EVENT_FLAG_REPLACE);
	ck_assert_ptr_eq(strstr(strstr(advice(NULL), "Move data") + 1, "Move data"), NULL);
}
END_TEST

START_TEST(a_request_of_the_device_goes_before_what_is_usual)
{
	start(EVENT_GENERAL_MEDIA, EVENT_LOG_INFORMATIONAL, 0);
	set(FIELD_TYPE, 0);
	set(FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE);
	ck_assert_str_eq(advice(NULL),
			 "Perform the maintenance that the device's vendor describes.");
}
END_TEST

START_TEST(poison_is_lost_data_unless_it_was_cleared)
{
	rec = (struct event_record){.type = EVENT_POISON};
	expect("whether the poison was cleared", false);
	set(FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	expect("is lost", false);
	set(FIELD_TRACE_TYPE, POISON_TRACE_INJECT);
	expect("is lost", false);
	set(FIELD_TRACE_TYPE, POISON_TRACE_CLEAR);
	ck_assert_ptr_null(event_advice(&rec, text, NULL));
}
END_TEST

START_TEST(errors_of_the_link_are_no_errors_of_memory)
{
	static const enum event_type link[] = {EVENT_AER_CORRECTABLE, EVENT_AER_UNCORRECTABLE,
					       EVENT_PORT_AER_CORRECTABLE,
					       EVENT_PORT_AER_UNCORRECTABLE};

	for (size_t i = 0; i < ARRAY_SIZE(link); i++) {
		rec = (struct event_record){.type = link[i]};
		expect("heck the link", false);
	}
}
END_TEST

SUITE(check_event_advice)
{
	Suite *suite = suite_create("event_advice");
	TCase *t = tcase_create("event_advice");

	tcase_add_test(t, memory_is_taken_out_of_use_for_errors_of_the_media_only);
	tcase_add_test(t, corrected_errors_are_observed_until_the_device_counts_too_many);
	tcase_add_test(t, a_failure_is_not_taken_for_corrected);
	tcase_add_test(t, a_request_of_the_device_goes_before_what_is_usual);
	tcase_add_test(t, poison_is_lost_data_unless_it_was_cleared);
	tcase_add_test(t, errors_of_the_link_are_no_errors_of_memory);
	suite_add_tcase(suite, t);
	return suite;
}
