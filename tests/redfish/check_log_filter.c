// SPDX-License-Identifier: LGPL-2.1-or-later
//
// $filter of log entries: what it means, and what is refused.
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "redfish/resources/log/log_filter.h"
#include "tests/lib/suites.h"

#define SPA    "Oem/CXLHost/SystemPhysicalAddress"
#define ID(x)  "CXLHost.1.0." x
#define BIT(x) (1U << (x))

static struct event_filter parse(const char *text)
{
	struct event_filter f = {0};
	struct message m;

	ck_assert_msg(log_filter_parse(text, &f, &m) == 0, "%s: %s", text, m.args[0]);
	return f;
}

static bool matches_nothing(const struct event_filter *f)
{
	return f->created_first.present && f->created_last.present &&
	       f->created_first.value > f->created_last.value;
}

START_TEST(severities_are_a_set)
{
	static const struct {
		const char *text;
		unsigned int severities;
	} cases[] = {
		{"Severity eq 'Critical'", BIT(EVENT_CRITICAL)},
		{"Severity ne 'OK'", BIT(EVENT_WARNING) | BIT(EVENT_CRITICAL)},
		{"Severity eq 'OK' or Severity eq 'Warning'", BIT(EVENT_OK) | BIT(EVENT_WARNING)},
		{"not Severity eq 'OK'", BIT(EVENT_WARNING) | BIT(EVENT_CRITICAL)},
		{"not (Severity eq 'OK' or Severity eq 'Warning')", BIT(EVENT_CRITICAL)},
		{"not not Severity eq 'OK'", BIT(EVENT_OK)},
		{"(Severity ne 'OK') and (Severity ne 'Warning')", BIT(EVENT_CRITICAL)},
		{"Severity eq 'OK' and Severity ne 'OK' or Severity eq 'Warning'",
		 BIT(EVENT_WARNING)},
		{"  Severity  eq  'Critical'  ", BIT(EVENT_CRITICAL)},
		{"((((Severity eq 'Critical'))))", BIT(EVENT_CRITICAL)},
		{"Severity eq 'OK' or Severity ne 'OK'", 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_filter f = parse(cases[i].text);

		ck_assert_msg(f.severities == cases[i].severities, "%s", cases[i].text);
		ck_assert(!f.has_spa && !f.types && !f.created_first.present);
	}
}
END_TEST

START_TEST(entry_types_are_a_set)
{
	static const struct {
		const char *text;
		unsigned int logs;
	} cases[] = {
		{"CXLEntryType eq 'Fatal'", BIT(3)},
		{"CXLEntryType eq 'Warning' or CXLEntryType eq 'Failure'", BIT(1) | BIT(2)},
		/* An entry without one has none that is this. */
		{"CXLEntryType ne 'Informational'", BIT(1) | BIT(2) | BIT(3) | BIT(EVENT_NO_LOG)},
		{"CXLEntryType eq 'Fatal' or CXLEntryType ne 'Fatal'", 0},
	};
	struct event_filter f;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		f = parse(cases[i].text);
		ck_assert_msg(f.logs == cases[i].logs, "%s", cases[i].text);
		ck_assert(!f.severities && !f.types && !matches_nothing(&f));
	}
	f = parse("CXLEntryType eq 'DynamicCapacity'");
	ck_assert(matches_nothing(&f));
}
END_TEST

START_TEST(messages_are_a_set)
{
	struct event_filter f = parse("MessageId eq '" ID("PoisonEvent") "'");

	ck_assert_uint_eq(f.types, BIT(EVENT_POISON));
	f = parse(
		"MessageId eq '" ID("DRAMEvent") "' or MessageId eq '" ID("GeneralMediaEvent") "'");
	ck_assert_uint_eq(f.types, BIT(EVENT_DRAM) | BIT(EVENT_GENERAL_MEDIA));
	f = parse("MessageId ne 'Base.1.0.Success'");
	ck_assert_uint_eq(f.types, 0);
	ck_assert(!matches_nothing(&f));
	f = parse("MessageId eq 'Base.1.0.Success'");
	ck_assert(matches_nothing(&f));
}
END_TEST

START_TEST(addresses_are_a_range_and_compare_as_numbers)
{
	static const struct {
		const char *text;
		uint64_t first, last;
	} cases[] = {
		{SPA " ge '0x1000' and " SPA " le '0x1fff'", 0x1000, 0x1fff},
		{SPA " gt '0x1000' and " SPA " lt '0x2000'", 0x1001, 0x1fff},
		{SPA " eq '0x00AbC'", 0xabc, 0xabc},
		{SPA " ge '0x9'", 9, UINT64_MAX},
		{SPA " lt '0x10'", 0, 0xf},
		{SPA " le '0xffffffffffffffff'", 0, UINT64_MAX},
		{SPA " ge '0x1' and " SPA " ge '0x5' and " SPA " lt 0x7", 5, 6},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_filter f = parse(cases[i].text);

		ck_assert_msg(f.has_spa, "%s", cases[i].text);
		ck_assert_msg(f.spa_first == cases[i].first, "%s", cases[i].text);
		ck_assert_msg(f.spa_last == cases[i].last, "%s", cases[i].text);
		ck_assert(!matches_nothing(&f));
	}
}
END_TEST

START_TEST(times_are_a_range)
{
	struct event_filter f = parse(
		"Created ge '2025-11-13T02:13:20Z' and Created lt 2025-11-13T03:13:20.000000001+01:00");

	ck_assert_uint_eq(f.created_first.value, UINT64_C(1763000000000000000));
	ck_assert_uint_eq(f.created_last.value, UINT64_C(1763000000000000000));
	f = parse("Created gt '2025-11-13T02:13:20.5Z'");
	ck_assert_uint_eq(f.created_first.value, UINT64_C(1763000000500000001));
	ck_assert_uint_eq(f.created_last.value, UINT64_MAX);
}
END_TEST

START_TEST(everything_together_is_one_filter)
{
	struct event_filter f =
		parse("(Severity eq 'Critical' or Severity eq 'Warning') and MessageId ne '" ID(
			"PoisonEvent") "' and " SPA
				       " ge '0x10' and Created le '1970-01-01T00:00:01Z'");

	ck_assert_uint_eq(f.severities, BIT(EVENT_CRITICAL) | BIT(EVENT_WARNING));
	ck_assert_uint_eq(f.types, (BIT(EVENT_TYPES) - 1) & ~BIT(EVENT_POISON));
	ck_assert_uint_eq(f.spa_first, 0x10);
	ck_assert_uint_eq(f.created_last.value, 1000000000);
}
END_TEST

START_TEST(an_impossible_filter_matches_no_entry)
{
	static const char *const texts[] = {
		"Severity eq 'OK' and Severity eq 'Warning'",
		SPA " gt '0x5' and " SPA " lt '0x5'",
		SPA " gt '0xffffffffffffffff'",
		SPA " lt '0x0'",
		"Created lt '1970-01-01T00:00:00Z'",
		"Created eq '1970-01-01T00:00:00Z' and Created eq '1970-01-01T00:00:01Z'",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct event_filter f = parse(texts[i]);

		ck_assert_msg(matches_nothing(&f), "%s", texts[i]);
	}
}
END_TEST

static void refused(const char *text, enum message_id id)
{
	struct event_filter f = {0};
	struct message m;

	ck_assert_msg(log_filter_parse(text, &f, &m) < 0, "%s", text);
	ck_assert_msg(m.id == id, "%s: %d", text, m.id);
}

START_TEST(invalid_expressions_are_refused)
{
	static const char *const texts[] = {
		" ",
		"Severity",
		"Severity eq",
		"Severity eq 'Critical",
		"Severity is 'OK'",
		"Severity eq 'Bad'",
		"Severity eq 'OK' and",
		"(Severity eq 'OK'",
		"Severity eq 'OK')",
		"Severity eq 'OK' Severity eq 'OK'",
		"not",
		SPA " ge '1000'",
		SPA " ge '0x'",
		SPA " ge '0x11111111111111111'",
		SPA " ge 5",
		"Created ge 'now'",
		"Created ge '2025-02-29T00:00:00Z'",
		"Created ge '2025-01-01T00:00:00'",
		"Created ge '2025-01-01T24:00:00Z'",
		"Created ge '2025-13-01T00:00:00Z'",
		"Created ge '2025-00-01T00:00:00Z'",
		"Created ge '1969-12-31T23:59:59Z'",
		"Created ge '9999-01-01T00:00:00Z'",
		"Created ge '2025-01-01T00:00:00.Z'",
		"Created ge '2025-01-01T00:00:00+0100'",
		"Severity eq ''",
		"'OK' eq Severity",
		"CXLEntryType eq 'fatal'",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		refused(texts[i], MESSAGE_QUERY_PARAMETER_VALUE_FORMAT_ERROR);
}
END_TEST

START_TEST(filters_without_an_index_are_refused_by_name)
{
	static const char *const texts[] = {
		"Message eq 'x'",
		"EntryType eq 'CXL'",
		"CXLEntryType eq 'Fatal' or Severity eq 'OK'",
		"severity eq 'OK'",
		"Severity gt 'OK'",
		SPA " ne '0x5'",
		"not " SPA " ge '0x5'",
		SPA " lt '0x5' or " SPA " gt '0x9'",
		"Severity eq 'OK' or MessageId eq 'x'",
		"not (Severity eq 'OK' and MessageId eq 'x')",
	};
	struct event_filter f;
	struct message m;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		refused(texts[i], MESSAGE_QUERY_PARAMETER_UNSUPPORTED);
	ck_assert_int_lt(log_filter_parse("Message eq 'x'", &f, &m), 0);
	ck_assert_str_eq(m.args[0], "$filter: Message");
}
END_TEST

START_TEST(parentheses_have_an_end)
{
	char text[256];

	memset(text, '(', 200);
	strcpy(text + 200, "Severity eq 'OK'");
	refused(text, MESSAGE_QUERY_PARAMETER_UNSUPPORTED);
}
END_TEST

SUITE(check_log_filter)
{
	Suite *s = suite_create("log filter");
	TCase *t = tcase_create("filter");

	tcase_add_test(t, severities_are_a_set);
	tcase_add_test(t, entry_types_are_a_set);
	tcase_add_test(t, messages_are_a_set);
	tcase_add_test(t, addresses_are_a_range_and_compare_as_numbers);
	tcase_add_test(t, times_are_a_range);
	tcase_add_test(t, everything_together_is_one_filter);
	tcase_add_test(t, an_impossible_filter_matches_no_entry);
	tcase_add_test(t, invalid_expressions_are_refused);
	tcase_add_test(t, filters_without_an_index_are_refused_by_name);
	tcase_add_test(t, parentheses_have_an_end);
	suite_add_tcase(s, t);
	return s;
}
