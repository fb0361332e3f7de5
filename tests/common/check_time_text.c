// SPDX-License-Identifier: LGPL-2.1-or-later
/* Times of day as a person writes them. */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/array.h"
#include "common/time_text.h"
#include "tests/lib/suites.h"

#define NANO UINT64_C(1000000000)

/* Thursday 2026-11-26 21:44:13.5 UTC */
#define NOW	 (UINT64_C(1795729453) * NANO + NANO / 2)
#define HOUR	 (3600 * NANO)
#define DAY	 (24 * HOUR)
#define MIDNIGHT (NOW - NOW % DAY)

static uint64_t first_of(const char *text)
{
	struct time_written t = {0};

	ck_assert_msg(time_text_read(text, NOW, &t) == 0, "'%s' was refused", text);
	ck_assert(t.present);
	return t.first_ns;
}

static uint64_t last_of(const char *text)
{
	struct time_written t = {0};

	ck_assert_msg(time_text_read(text, NOW, &t) == 0, "'%s' was refused", text);
	return t.last_ns;
}

static const struct {
	const char *text;
	uint64_t ns;
} forms[] = {
	{"now", NOW},
	{"today", MIDNIGHT},
	{"yesterday", MIDNIGHT - DAY},
	{"tomorrow", MIDNIGHT + DAY},
	{"1 hour ago", NOW - HOUR},
	{"1hour ago", NOW - HOUR},
	{"3 days ago", NOW - 3 * DAY},
	{"3 days", NOW - 3 * DAY},
	{"2h", NOW - 2 * HOUR},
	{"2h ago", NOW - 2 * HOUR},
	{"-2h", NOW - 2 * HOUR},
	{"+2h", NOW + 2 * HOUR},
	{"1h30min", NOW - HOUR * 3 / 2},
	{"1 hour 30 minutes ago", NOW - HOUR * 3 / 2},
	{"90s", NOW - 90 * NANO},
	{"10m", NOW - 600 * NANO},
	{"10 min", NOW - 600 * NANO},
	{"1w", NOW - 7 * DAY},
	{"2 weeks ago", NOW - 14 * DAY},
	{"1M", NOW - 2629800 * NANO},
	{"1 year ago", NOW - 31557600 * NANO},
	{"500ms", NOW - NANO / 2},
	{"1us", NOW - 1000},
	{"0s", NOW},
	{"@0", 0},
	{"@1795729453", NOW - NANO / 2},
	{"@1795729453.5", NOW},
	{"@1795729453.000000001", NOW - NANO / 2 + 1},
	{"2026-11-26", MIDNIGHT},
	{"2026-11-26Z", MIDNIGHT},
	{"2026-11-26 UTC", MIDNIGHT},
	{"2026-11-26 21:44", NOW - 13 * NANO - NANO / 2},
	{"2026-11-26T21:44", NOW - 13 * NANO - NANO / 2},
	{"2026-11-26   21:44:13", NOW - NANO / 2},
	{"2026-11-26T21:44:13", NOW - NANO / 2},
	{"2026-11-26T21:44:13Z", NOW - NANO / 2},
	{"2026-11-26T21:44:13.500000000Z", NOW},
	{"2026-11-26 21:44:13.5 UTC", NOW},
	{"Thu 2026-11-26 21:44:13 UTC", NOW - NANO / 2},
	{"Thursday 2026-11-26", MIDNIGHT},
	{"2026-11-26T22:44:13+01:00", NOW - NANO / 2},
	{"2026-11-26 22:44:13 +0100", NOW - NANO / 2},
	{"2026-11-26 22:44:13 +01", NOW - NANO / 2},
	{"2026-11-27T03:14:13.5+05:30", NOW},
	{"2026-11-26T16:44:13.5-05:00", NOW},
	{"2026-11-26-05:00", MIDNIGHT + 5 * HOUR},
	{"21:44", NOW - 13 * NANO - NANO / 2},
	{"21:44:13", NOW - NANO / 2},
	{"9:05 UTC", MIDNIGHT + 9 * HOUR + 300 * NANO},
	/* There it is the 27th already. */
	{"02:44 +05:00", NOW - 13 * NANO - NANO / 2},
	{"2026-1-5", MIDNIGHT - 325 * DAY},
	{"2024-02-29", MIDNIGHT - 1001 * DAY},
	{"2016-12-31T23:59:60Z", UINT64_C(1483228800) * NANO},
	{"1970-01-01", 0},
	{"1970-01-01T01:00+01:00", 0},
};

START_TEST(each_form_means_its_time)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		ck_assert_msg(first_of(forms[i].text) == forms[i].ns,
			      "'%s' is %" PRIu64 " instead of %" PRIu64, forms[i].text,
			      first_of(forms[i].text), forms[i].ns);
}
END_TEST

/* Times are printed to the second: --until with such a time selects its event. */
START_TEST(a_time_to_the_second_is_the_whole_second)
{
	static const char *const seconds[] = {"2026-11-26 21:44:13", "21:44:13Z", "@1795729453"};
	static const char *const instants[] = {"now",
					       "today",
					       "1s",
					       "2026-11-26",
					       "21:44",
					       "21:44:13.5",
					       "@1795729453.0",
					       "2026-11-26T21:44:13.000Z"};

	for (size_t i = 0; i < ARRAY_SIZE(seconds); i++)
		ck_assert_uint_eq(last_of(seconds[i]), first_of(seconds[i]) + NANO - 1);
	for (size_t i = 0; i < ARRAY_SIZE(instants); i++)
		ck_assert_uint_eq(last_of(instants[i]), first_of(instants[i]));
}
END_TEST

static const char *const bad[] = {
	"",
	" ",
	"noon",
	"Yesterday",
	"yesterday 10:00",
	"ago",
	"hour ago",
	"1 ago",
	"10",
	"m",
	"-",
	"+",
	"--2h",
	"- 2h",
	"-2h ago",
	"2h before",
	"2h ago ago",
	"2hago",
	"2 fortnights ago",
	"1.5h",
	"0x10s",
	"1h-30m",
	"@",
	"@-1",
	"@1.",
	"@1.1234567890",
	"@1 UTC",
	"@18446744073",
	"@99999999999999999999",
	"26-11-26",
	"2026-11",
	"20261126",
	"2026/11/26",
	"26.11.2026",
	"11/26/2026",
	"2026-13-01",
	"2026-00-01",
	"2026-11-31",
	"2026-02-29",
	"2100-02-29",
	"2026-11-0",
	"2026-11-26T",
	"2026-11-26 T21:44",
	"2026-11-26 21",
	"2026-11-26 24:00",
	"2026-11-26 21:60",
	"2026-11-26 21:4",
	"2026-11-26 21:444",
	"2026-11-26 21:44:61",
	"2026-11-26 21:44:1",
	"2026-11-26 21:44:13.",
	"2026-11-26 21:44:13.1234567890",
	"2026-11-26.5",
	"2026-11-26 21:44 CET",
	"2026-11-26 21:44 Europe/Berlin",
	"2026-11-26 21:44 +1",
	"2026-11-26 21:44 +01:",
	"2026-11-26 21:44 +01:60",
	"2026-11-26 21:44 +24:00",
	"2026-11-26 21:44 +01:000",
	"2026-11-26 21:44ZZ",
	"Fri 2026-11-26",
	"Thu 21:44",
	"Thu",
	"Thur 2026-11-26",
	"Nov 26 21:44:13",
	"1969-12-31",
	"1970-01-01T00:00+01:00",
	"2554-07-22",
	"9999-12-31",
	"57 years ago",
	"1000 years",
	"+1000 years",
	"99999999999d",
	"18446744073709551615y",
	"18446744073709551616s",
	"2026-11-26\n",
	"\xff\xfe",
};

START_TEST(anything_else_is_refused_and_leaves_the_result_alone)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct time_written t = {.first_ns = 7};

		ck_assert_msg(time_text_read(bad[i], NOW, &t) == -EINVAL, "'%s' was accepted",
			      bad[i]);
		ck_assert(!t.present && t.first_ns == 7);
	}
}
END_TEST

/* ---- properties -------------------------------------------------------------------------------
 */

enum { ROUNDS = 20000 };

static uint64_t random_state;

static uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % n;
}

static void setup_random(void)
{
	random_state = UINT64_C(0x9e3779b97f4a7c15);
}

/* Writes @ns in one of the forms, by the calendar of the C library. */
static void write_time(uint64_t ns, char *text, size_t size)
{
	const int zone = (int)random_below(28 * 60) - 14 * 60;
	const int away = zone < 0 ? -zone : zone;
	const bool has_zone = random_below(2);
	time_t seconds = (time_t)(ns / NANO) + (has_zone ? (time_t)zone * 60 : 0);
	struct tm tm;
	size_t n;

	ck_assert(gmtime_r(&seconds, &tm) != NULL);
	n = random_below(2) ? strftime(text, size, "%a ", &tm) : 0;
	n += strftime(text + n, size - n, random_below(2) ? "%Y-%m-%d " : "%Y-%m-%dT", &tm);
	n += strftime(text + n, size - n, "%H:%M:%S", &tm);
	n += (size_t)snprintf(text + n, size - n, ".%09" PRIu64, ns % NANO);
	if (has_zone)
		(void)snprintf(text + n, size - n, "%s%c%02d%s%02d", random_below(2) ? " " : "",
			       zone < 0 ? '-' : '+', away / 60, random_below(2) ? ":" : "",
			       away % 60);
	else
		(void)snprintf(text + n, size - n, "%s",
			       (const char *[]){"", "Z", " UTC"}[random_below(3)]);
}

START_TEST(a_time_that_was_written_is_read_back)
{
	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t ns = DAY + random_below(UINT64_MAX - 4 * DAY);
		char text[96];

		write_time(ns, text, sizeof(text));
		ck_assert_msg(first_of(text) == ns, "'%s' is not %" PRIu64, text, ns);
		(void)snprintf(text, sizeof(text), "@%" PRIu64 ".%09" PRIu64, ns / NANO, ns % NANO);
		ck_assert_msg(first_of(text) == ns, "'%s' is not %" PRIu64, text, ns);
	}
}
END_TEST

START_TEST(a_distance_is_added_up_or_refused)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"s", NANO},     {"min", 60 * NANO}, {"hours", HOUR},
		     {"day", DAY},    {"weeks", 7 * DAY}, {"us", 1000},
		     {"ms", 1000000}, {"m", 60 * NANO},	  {"y", 31557600 * NANO}};

	for (int i = 0; i < ROUNDS; i++) {
		const size_t a = random_below(ARRAY_SIZE(units)),
			     b = random_below(ARRAY_SIZE(units));
		const uint64_t n = random_below(UINT64_C(1) << random_below(60)),
			       m = random_below(UINT64_C(1) << random_below(60));
		const __uint128_t distance =
			(__uint128_t)n * units[a].ns + (__uint128_t)m * units[b].ns;
		const bool later = random_below(2);
		struct time_written t;
		char text[96];
		int r;

		(void)snprintf(text, sizeof(text), "%s%" PRIu64 "%s%s %" PRIu64 " %s",
			       later ? "+" : "-", n, random_below(2) ? " " : "", units[a].name, m,
			       units[b].name);
		r = time_text_read(text, NOW, &t);
		if (distance > (later ? UINT64_MAX - NOW : NOW))
			ck_assert_msg(r == -EINVAL, "'%s' was accepted", text);
		else
			ck_assert_msg(r == 0 && t.first_ns == (later ? NOW + (uint64_t)distance
								     : NOW - (uint64_t)distance),
				      "'%s'", text);
	}
}
END_TEST

/* Whatever is changed in a text, it is refused or has a time, whose ends are in order. */
START_TEST(no_text_has_ends_out_of_order)
{
	static const char *const texts[] = {"2026-11-26T21:44:13.389Z", "1 hour 30 minutes ago",
					    "Thu 2026-11-26 22:44:13 +01:00", "@1795729453.389",
					    "yesterday"};
	static const char bytes[] = "0123456789-+:.TZ@ agohmsdyw\t\xc2\xb5";

	for (int i = 0; i < ROUNDS; i++) {
		struct time_written t = {0};
		char *text = strdup(texts[random_below(ARRAY_SIZE(texts))]);
		const size_t len = strlen(text);

		for (uint64_t n = 1 + random_below(4); n; n--)
			text[random_below(len)] = bytes[random_below(sizeof(bytes))];
		if (time_text_read(text, random_below(2) ? NOW : random_below(UINT64_MAX), &t) == 0)
			ck_assert(t.present && t.first_ns <= t.last_ns);
		else
			ck_assert(!t.present);
		free(text);
	}
}
END_TEST

SUITE(check_time_text)
{
	Suite *s = suite_create("time_text");
	TCase *t = tcase_create("forms");
	TCase *p = tcase_create("properties");

	tcase_add_test(t, each_form_means_its_time);
	tcase_add_test(t, a_time_to_the_second_is_the_whole_second);
	tcase_add_test(t, anything_else_is_refused_and_leaves_the_result_alone);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(p, setup_random, NULL);
	tcase_add_test(p, a_time_that_was_written_is_read_back);
	tcase_add_test(p, a_distance_is_added_up_or_refused);
	tcase_add_test(p, no_text_has_ends_out_of_order);
	suite_add_tcase(s, p);
	return s;
}
