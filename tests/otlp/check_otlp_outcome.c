// SPDX-License-Identifier: LGPL-2.1-or-later
/* The consequence of a collector's answer, without a network. */
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "otlp/outcome.h"
#include "tests/lib/suites.h"

/* Sun, 06 Nov 1994 08:49:37 GMT */
enum { NOW_S = 784111777 };

static struct otlp_outcome outcome(unsigned int status, const char *retry_after,
				   const struct otlp_attempt *attempt)
{
	const struct otlp_answer answer = {
		.status = status,
		.text = "Connection refused",
		.retry_after = retry_after,
		.body = {.encoding = OTLP_PROTOBUF, .bytes = (const uint8_t *)""},
	};
	struct otlp_outcome ret;

	otlp_outcome(&answer, attempt, &ret);
	return ret;
}

static const struct {
	unsigned int status;
	enum otlp_action many, one;
	const char *text;
} rows[] = {
	{200, OTLP_SENT, OTLP_SENT, ""},
	{202, OTLP_SENT, OTLP_SENT, ""},
	{0, OTLP_RETRY, OTLP_RETRY, "Connection refused"},
	{429, OTLP_RETRY, OTLP_RETRY, "429"},
	{502, OTLP_RETRY, OTLP_RETRY, "502"},
	{503, OTLP_RETRY, OTLP_RETRY, "503"},
	{504, OTLP_RETRY, OTLP_RETRY, "504"},
	{400, OTLP_HALVE, OTLP_SKIP, "400"},
	{413, OTLP_HALVE, OTLP_SKIP, "413"},
	{301, OTLP_BLOCKED, OTLP_BLOCKED, "redirections"},
	{307, OTLP_BLOCKED, OTLP_BLOCKED, "redirections"},
	{401, OTLP_BLOCKED, OTLP_BLOCKED, "otlp-headers-file"},
	{403, OTLP_BLOCKED, OTLP_BLOCKED, "otlp-headers-file"},
	{404, OTLP_BLOCKED, OTLP_BLOCKED, "path"},
	{405, OTLP_BLOCKED, OTLP_BLOCKED, "URL"},
	{415, OTLP_BLOCKED, OTLP_BLOCKED, "otlp-encoding"},
	/* Others, so that nothing is lost: OTLP would drop them. */
	{408, OTLP_BLOCKED, OTLP_BLOCKED, "log of the collector"},
	{418, OTLP_BLOCKED, OTLP_BLOCKED, "log of the collector"},
	{500, OTLP_BLOCKED, OTLP_BLOCKED, "log of the collector"},
	{501, OTLP_BLOCKED, OTLP_BLOCKED, "log of the collector"},
	{999, OTLP_BLOCKED, OTLP_BLOCKED, "log of the collector"},
};

START_TEST(each_status_has_its_outcome)
{
	struct otlp_outcome many, one;

	many = outcome(rows[_i].status, "", &(struct otlp_attempt){.n_records = 512});
	one = outcome(rows[_i].status, "", &(struct otlp_attempt){.n_records = 1});
	ck_assert_int_eq(many.action, rows[_i].many);
	ck_assert_int_eq(one.action, rows[_i].one);
	ck_assert_ptr_nonnull(strstr(many.text, rows[_i].text));
	ck_assert_uint_eq(many.after_ms, many.action == OTLP_BLOCKED ? OTLP_BLOCKED_MS : 0);
	ck_assert_uint_eq(many.rejected, 0);
}
END_TEST

START_TEST(delay_doubles_up_to_five_minutes_with_full_jitter)
{
	static const uint64_t windows[] = {1000,  2000,	  4000,	  8000,	  16000, 32000,
					   64000, 128000, 256000, 300000, 300000};

	for (unsigned int i = 0; i < ARRAY_SIZE(windows); i++) {
		struct otlp_attempt a = {.n_records = 1, .failures = i};

		a.random = 0;
		ck_assert_uint_eq(outcome(503, "", &a).after_ms, 0);
		a.random = (uint32_t)windows[i];
		ck_assert_uint_eq(outcome(503, "", &a).after_ms, windows[i]);
		a.random = (uint32_t)windows[i] + 1;
		ck_assert_uint_eq(outcome(503, "", &a).after_ms, 0);
		a.random = UINT32_MAX;
		ck_assert_uint_le(outcome(503, "", &a).after_ms, windows[i]);
	}
	ck_assert_uint_le(
		outcome(0, "", &(struct otlp_attempt){.failures = UINT32_MAX, .random = 7})
			.after_ms,
		OTLP_BACKOFF_MAX_MS);
}
END_TEST

static const struct {
	const char *text;
	uint64_t ms; /* without jitter; 0: it is none */
} delays[] = {
	{"7", 7000},
	{"0", 1000},
	{"3599", 3599000},
	{"3600", 3600000},
	{"3601", 3600000},
	{"99999999999999999999999", 3600000},
	{"Sun, 06 Nov 1994 08:49:47 GMT", 10000},
	{"Sunday, 06-Nov-94 08:49:47 GMT", 10000},
	{"Sun Nov  6 08:49:47 1994", 10000},
	{"Sun, 06 Nov 1994 08:00:00 GMT", 1000},
	{"Fri, 31 Dec 9999 23:59:59 GMT", 3600000},
	{"", 0},
	{"-1", 0},
	{"7s", 0},
	{"1.5", 0},
	{"Sun, 06 Nov 1994 08:49:47 CET", 0},
	{"Sun, 06 Nov 1994", 0},
	{"soon", 0},
};

START_TEST(retry_after_is_a_number_of_seconds_or_a_date)
{
	struct otlp_attempt a = {.n_records = 1, .now_s = NOW_S};
	const uint64_t ms = delays[_i].ms;

	ck_assert_uint_eq(outcome(429, delays[_i].text, &a).after_ms, ms);
	a.random = UINT32_MAX;
	if (ms == 0)
		return;
	ck_assert_uint_ge(outcome(503, delays[_i].text, &a).after_ms, ms);
	ck_assert_uint_le(outcome(503, delays[_i].text, &a).after_ms, ms + ms / 8);
	ck_assert_uint_le(outcome(503, delays[_i].text, &a).after_ms, 3600000);
}
END_TEST

START_TEST(partial_success_is_final)
{
	static const char bytes[] = "\x0a\x05\x08\x07\x12\x01x";
	struct otlp_answer answer = {
		.status = 200,
		.retry_after = "",
		.body = {OTLP_PROTOBUF, (const uint8_t *)bytes, sizeof(bytes) - 1, false},
	};
	struct otlp_outcome o;

	otlp_outcome(&answer, &(struct otlp_attempt){.n_records = 10}, &o);
	ck_assert_int_eq(o.action, OTLP_SENT);
	ck_assert_uint_eq(o.rejected, 7);
	ck_assert_str_eq(o.text, "x");
	/* No more than were sent. */
	otlp_outcome(&answer, &(struct otlp_attempt){.n_records = 3}, &o);
	ck_assert_uint_eq(o.rejected, 3);
	/* Another encoding: no answer of OTLP. */
	answer.body.encoding = OTLP_JSON;
	otlp_outcome(&answer, &(struct otlp_attempt){.n_records = 3}, &o);
	ck_assert_int_eq(o.action, OTLP_BLOCKED);
	ck_assert_ptr_nonnull(strstr(o.text, "otlp-encoding"));
}
END_TEST

START_TEST(reason_of_the_collector_is_repeated)
{
	static const char bytes[] = "{\"code\":3,\"message\":\"no tenant\"}";
	const struct otlp_answer answer = {
		.status = 403,
		.retry_after = "",
		.body = {OTLP_JSON, (const uint8_t *)bytes, sizeof(bytes) - 1, false},
	};
	struct otlp_outcome o;

	otlp_outcome(&answer, &(struct otlp_attempt){.n_records = 10}, &o);
	ck_assert_ptr_nonnull(strstr(o.text, "no tenant"));
}
END_TEST

/* Hosts that one collector refuses are not all there again at one time. */
START_TEST(what_is_blocked_is_tried_after_five_minutes_and_a_jitter)
{
	struct otlp_attempt a = {.n_records = 10, .random = OTLP_BLOCKED_MS / 8};

	ck_assert_uint_eq(outcome(401, "", &a).after_ms, OTLP_BLOCKED_MS + OTLP_BLOCKED_MS / 8);
	a.random++;
	ck_assert_uint_eq(outcome(401, "", &a).after_ms, OTLP_BLOCKED_MS);
	a.random = UINT32_MAX;
	ck_assert_uint_le(outcome(401, "", &a).after_ms, OTLP_BLOCKED_MS + OTLP_BLOCKED_MS / 8);
}
END_TEST

START_TEST(address_that_is_not_allowed_blocks)
{
	const struct otlp_answer answer = {.refused = true, .text = "127.0.0.1", .retry_after = ""};
	struct otlp_outcome o;

	otlp_outcome(&answer, &(struct otlp_attempt){.n_records = 10}, &o);
	ck_assert_int_eq(o.action, OTLP_BLOCKED);
	ck_assert_ptr_nonnull(strstr(o.text, "127.0.0.1"));
	ck_assert_ptr_nonnull(strstr(o.text, "push-allow"));
}
END_TEST

SUITE(check_otlp_outcome)
{
	Suite *s = suite_create("otlp outcome");
	TCase *tc = tcase_create("otlp outcome");

	tcase_add_loop_test(tc, each_status_has_its_outcome, 0, (int)ARRAY_SIZE(rows));
	tcase_add_test(tc, delay_doubles_up_to_five_minutes_with_full_jitter);
	tcase_add_loop_test(tc, retry_after_is_a_number_of_seconds_or_a_date, 0,
			    (int)ARRAY_SIZE(delays));
	tcase_add_test(tc, partial_success_is_final);
	tcase_add_test(tc, reason_of_the_collector_is_repeated);
	tcase_add_test(tc, what_is_blocked_is_tried_after_five_minutes_and_a_jitter);
	tcase_add_test(tc, address_that_is_not_allowed_blocks);
	suite_add_tcase(s, tc);
	return s;
}
