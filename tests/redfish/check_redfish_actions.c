// SPDX-License-Identifier: LGPL-2.1-or-later
/* The actions TranslateDPA and TranslateSPA without HTTP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

static struct fixture f;

static void start(void)
{
	fixture_init(&f, NULL);
	fixture_ready(&f);
}

static void stop(void)
{
	fixture_done(&f);
}

START_TEST(an_address_is_translated_there_and_back)
{
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddress\": \"0x140\"}"), 200);
	ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), "0x140");
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000240");
	ck_assert_str_eq(at(&f, "SystemPhysicalAddressLast"), "0x1000000240");
	ck_assert_str_eq(at(&f, "Exact"), "true");
	ck_assert_str_eq(at(&f, "TranslationSource"), "decoder");
	ck_assert_str_eq(at(&f, "Memory/@odata.id"), MEM0);
	ck_assert_str_eq(at(&f, "MemoryChunks/@odata.id"), REGION);
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{\"SystemPhysicalAddress\": \"0x1000000240\"}"),
			  200);
	ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), "0x140");
	ck_assert_str_eq(at(&f, "Memory/@odata.id"), MEM0);
	ck_assert_str_eq(at(&f, "Exact"), "true");
	ck_assert_ptr_null(at(&f, "Reason"));
}
END_TEST

START_TEST(an_address_without_answer_is_200_with_the_reason_and_no_address)
{
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddress\":\"0x10000000\"}"),
			  200);
	ck_assert_ptr_null(at(&f, "SystemPhysicalAddress"));
	ck_assert_ptr_null(at(&f, "SystemPhysicalAddressLast"));
	ck_assert_ptr_null(at(&f, "TranslationSource"));
	ck_assert_str_eq(at(&f, "Exact"), "false");
	ck_assert_ptr_nonnull(at(&f, "Reason"));
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{\"SystemPhysicalAddress\":\"0\"}"), 200);
	ck_assert_ptr_null(at(&f, "DevicePhysicalAddress"));
	ck_assert_ptr_null(at(&f, "Memory/@odata.id"));
	ck_assert_ptr_nonnull(at(&f, "Reason"));
}
END_TEST

START_TEST(an_interval_names_all_candidates)
{
	model_normalize(f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{\"SystemPhysicalAddress\":\"0x1000000240\"}"),
			  200);
	ck_assert_str_eq(at(&f, "Exact"), "false");
	ck_assert_str_eq(at(&f, "TranslationSource"), "estimate");
	ck_assert_ptr_null(at(&f, "Memory/@odata.id"));
	/* The interval is the devices' common one. */
	ck_assert_ptr_nonnull(at(&f, "DevicePhysicalAddress"));
	ck_assert_ptr_nonnull(at(&f, "DevicePhysicalAddressLast"));
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "Candidates")), 2);
	ck_assert_str_eq(at(&f, "Candidates/0/Memory/@odata.id"), MEM0);
	ck_assert_ptr_nonnull(at(&f, "Candidates/1/DevicePhysicalAddressLast"));
}
END_TEST

START_TEST(an_answer_names_the_reading_of_the_topology)
{
	f.model.host.generation = 7;
	fixture_ready(&f);
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddress\":\"0x140\"}"), 200);
	ck_assert_int_eq(json_integer_value(json_object_get(f.body, "TopologyGeneration")), 7);
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{\"SystemPhysicalAddress\":\"0\"}"), 200);
	ck_assert_int_eq(json_integer_value(json_object_get(f.body, "TopologyGeneration")), 7);
	ck_assert_uint_eq(
		post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddresses\":[\"0x140\",\"0\"]}"), 200);
	ck_assert_int_eq(json_integer_value(json_object_get(f.body, "TopologyGeneration")), 7);
	ck_assert_ptr_null(at(&f, "Translations/0/TopologyGeneration"));
}
END_TEST

START_TEST(many_addresses_are_answered_in_their_order)
{
	ck_assert_uint_eq(
		post(&f, TRANSLATE_DPA,
		     "{\"DevicePhysicalAddresses\":[\"0x100\",\"0\",\"0xffffffffffffffff\","
		     "\"0x100\"]}"),
		200);
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "Translations")), 4);
	ck_assert_str_eq(at(&f, "Translations/0/SystemPhysicalAddress"), "0x1000000200");
	ck_assert_str_eq(at(&f, "Translations/1/SystemPhysicalAddress"), "0x1000000000");
	ck_assert_ptr_null(at(&f, "Translations/2/SystemPhysicalAddress"));
	ck_assert_str_eq(at(&f, "Translations/2/DevicePhysicalAddress"), "0xffffffffffffffff");
	ck_assert_str_eq(at(&f, "Translations/3/SystemPhysicalAddress"), "0x1000000200");
	ck_assert_uint_eq(post(&f, TRANSLATE_SPA, "{\"SystemPhysicalAddresses\":[]}"), 200);
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "Translations")), 0);
}
END_TEST

START_TEST(malformed_parameters_are_400_and_named)
{
#define D "DevicePhysicalAddress"
	static const struct {
		const char *body, *message, *names; /* @names: one of the message's arguments */
	} cases[] = {
		{"{}", "ActionParameterMissing", D},
		{"{\"" D "\":\"1000\"}", "ActionParameterValueFormatError", D},
		{"{\"" D "\":\"1000\"}", "ActionParameterValueFormatError",
		 "1000: 0x1000 (hexadecimal) or 0x3e8 (decimal 1000)?"},
		{"{\"" D "\":4096}", "ActionParameterValueTypeError",
		 "4096: 0x4096 (hexadecimal) or 0x1000 (decimal 4096)?"},
		{"{\"" D "\":\"0x\"}", "ActionParameterValueFormatError", D},
		{"{\"" D "\":\"0x10000000000000000\"}", "ActionParameterValueFormatError", D},
		{"{\"" D "\":\"\"}", "ActionParameterValueFormatError", D},
		{"{\"" D "\":4096}", "ActionParameterValueTypeError", D},
		{"{\"" D "\":null}", "ActionParameterValueTypeError", D},
		{"{\"" D "\":[\"0x1\"]}", "ActionParameterValueTypeError", D},
		{"{\"" D "es\":\"0x1\"}", "ActionParameterValueTypeError", D "es"},
		{"{\"" D "es\":[\"0x1\",\"0x2\",\"0x3\",\"z\"]}", "ActionParameterValueFormatError",
		 D "es/3"},
		{"{\"" D "es\":[\"0x1\",7]}", "ActionParameterValueTypeError", D "es/1"},
		{"{\"" D "es\":[{}]}", "ActionParameterValueTypeError", D "es/0"},
		{"{\"" D "\":\"0x1\",\"" D "es\":[]}", "ActionParameterValueConflict", D},
		{"{\"" D "\":\"0x1\",\"Address\":1}", "ActionParameterUnknown", "Address"},
		{"{\"SystemPhysicalAddress\":\"0x1\"}", "ActionParameterUnknown",
		 "SystemPhysicalAddress"},
	};
#undef D

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const json_t *args;
		size_t found = 0;

		ck_assert_msg(post(&f, TRANSLATE_DPA, cases[i].body) == 400, "%s gives %u",
			      cases[i].body, f.res.status);
		ck_assert_str_eq(message(&f), cases[i].message);
		args = json_object_get(
			json_array_get(json_object_get(json_object_get(f.body, "error"),
						       "@Message.ExtendedInfo"),
				       0),
			"MessageArgs");
		for (size_t k = 0; k < json_array_size(args); k++)
			found += strcmp(json_string_value(json_array_get(args, k)),
					cases[i].names) == 0;
		ck_assert_msg(found > 0, "%s: %s is not named", cases[i].body, cases[i].names);
	}
}
END_TEST

START_TEST(a_body_that_is_no_json_object_is_400)
{
	static const struct {
		const char *body, *message;
	} cases[] = {
		{"", "MalformedJSON"},
		{"{", "MalformedJSON"},
		{"{} {}", "MalformedJSON"},
		{"{\"DevicePhysicalAddress\":\"0x1\",\"DevicePhysicalAddress\":\"0x2\"}",
		 "MalformedJSON"},
		{"{\"DevicePhysicalAddress\":\"\xff\"}", "MalformedJSON"},
		{"{\"DevicePhysicalAddress\":\"0x1\\u0000\"}", "MalformedJSON"},
		{"[]", "UnrecognizedRequestBody"},
		{"7", "UnrecognizedRequestBody"},
		{"null", "UnrecognizedRequestBody"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(post(&f, TRANSLATE_DPA, cases[i].body) == 400, "%s", cases[i].body);
		ck_assert_str_eq(message(&f), cases[i].message);
	}
}
END_TEST

/* Return: status of a body of @n times @part with a last element or member @end. */
static unsigned int post_many(const char *begin, const char *part, size_t n, const char *end)
{
	char *body = malloc(strlen(begin) + n * strlen(part) + strlen(end) + 1), *at = body;
	unsigned int status;

	ck_assert_ptr_nonnull(body);
	at = stpcpy(at, begin);
	while (n-- > 0)
		at = stpcpy(at, part);
	(void)stpcpy(at, end);
	status = post(&f, TRANSLATE_DPA, body);
	free(body);
	return status;
}

START_TEST(a_body_of_more_parts_than_any_request_needs_is_413)
{
	static const struct {
		const char *begin, *part, *end;
		size_t n;
	} cases[] = {
		{"{\"a\":[", "{},", "{}]}", 2000},   {"{\"a\":[", "[],", "[]]}", 2000},
		{"{", "\"a\":1,", "\"b\":1}", 2000}, {"{\"a\":[", "1,", "1]}", 20000},
		{"{\"a\":[", "\"\",", "1]}", 20000},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_uint_eq(
			post_many(cases[i].begin, cases[i].part, cases[i].n, cases[i].end), 413);
		ck_assert_str_eq(message(&f), "PayloadTooLarge");
	}
	/* A long string is one part, whatever is in it. */
	ck_assert_uint_eq(post_many("{\"DevicePhysicalAddress\":\"", "{[,:\\\"", 20000, "\"}"),
			  400);
	ck_assert_str_eq(message(&f), "ActionParameterValueFormatError");
	ck_assert_uint_eq(post_many("", "[", 40, ""), 400);
	ck_assert_str_eq(message(&f), "MalformedJSON");
}
END_TEST

START_TEST(nesting_without_end_is_refused_not_followed)
{
	enum { DEPTH = 100000 };
	char *body = malloc(DEPTH + 1);

	ck_assert_ptr_nonnull(body);
	memset(body, '[', DEPTH);
	body[DEPTH] = '\0';
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, body), 400);
	free(body);
}
END_TEST

/* Return: a request of @n addresses, to be freed. */
static char *long_request(size_t n)
{
	char *body = malloc(64 + n * 8), *s = body;

	ck_assert_ptr_nonnull(body);
	s += sprintf(s, "{\"DevicePhysicalAddresses\":[");
	for (size_t i = 0; i < n; i++)
		s += sprintf(s, "%s\"0x1\"", i > 0 ? "," : "");
	strcpy(s, "]}");
	return body;
}

START_TEST(ten_thousand_addresses_are_taken_and_not_one_more)
{
	char *body = long_request(10000);

	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, body), 200);
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "Translations")), 10000);
	free(body);
	body = long_request(10001);
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, body), 400);
	ck_assert_str_eq(message(&f), "ArraySizeTooLong");
	free(body);
}
END_TEST

SUITE(check_redfish_actions)
{
	Suite *s = suite_create("redfish actions");
	TCase *actions = tcase_create("actions");

	tcase_add_checked_fixture(actions, start, stop);
	tcase_add_test(actions, an_address_is_translated_there_and_back);
	tcase_add_test(actions, an_address_without_answer_is_200_with_the_reason_and_no_address);
	tcase_add_test(actions, an_interval_names_all_candidates);
	tcase_add_test(actions, an_answer_names_the_reading_of_the_topology);
	tcase_add_test(actions, many_addresses_are_answered_in_their_order);
	tcase_add_test(actions, malformed_parameters_are_400_and_named);
	tcase_add_test(actions, a_body_that_is_no_json_object_is_400);
	tcase_add_test(actions, a_body_of_more_parts_than_any_request_needs_is_413);
	tcase_add_test(actions, nesting_without_end_is_refused_not_followed);
	tcase_add_test(actions, ten_thousand_addresses_are_taken_and_not_one_more);
	suite_add_tcase(s, actions);
	return s;
}
