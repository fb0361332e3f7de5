// SPDX-License-Identifier: LGPL-2.1-or-later
/* cxl-spa: the objects of translate. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/json_writer.h"
#include "tests/lib/suites.h"

/* Return: the text that @fill writes; the caller frees it. */
static char *written(void (*fill)(struct json_writer *w))
{
	struct json_writer w = {.absent_is_null = true};

	fill(&w);
	ck_assert(!w.failed);
	put_raw_bytes(&w, "", 1);
	return w.text;
}

static const struct memdev devices[] = {
	{.name = "mem0", .serial = {0xabc0, true}},
	{.name = "mem1", .serial = {0xabc1, true}},
};

/* ---- answers -----------------------------------------------------------------------------------
 */

static const struct shown_answer *shown_now;

static void fill_answer(struct json_writer *w)
{
	answer_json(w, shown_now);
}

static void fill_malformed(struct json_writer *w)
{
	answer_json_malformed(w, "line 1: no", false, 0);
}

static void fill_malformed_spa(struct json_writer *w)
{
	answer_json_malformed(w, "line 1: no", true, 0);
}

START_TEST(an_exact_answer_has_all_keys_and_a_null_reason)
{
	static const struct bus bus = {.name = "root0"};
	const struct host host = {.buses = &bus, .n_buses = 1};
	const struct region region = {.name = "region1"};
	const struct decoder decoder = {.name = "decoder5.0"}, window = {.name = "decoder0.1"};
	const struct answer answer = {
		.has_dpa = true,
		.has_spa = true,
		.exact = true,
		.source = SOURCE_DECODER,
		.memdev = &devices[0],
		.dpa = 0x1000,
		.dpa_last = 0x1000,
		.spa = 0x210002000,
		.spa_last = 0x210002000,
		.mapping = &region,
		.region = &region,
		.decoder = &decoder,
		.window = &window,
		.position = {0, true},
		.numa_node = {2, true},
	};
	const struct shown_answer shown = {.host = &host, .answer = &answer};
	_cleanup_free_ char *text = NULL;

	shown_now = &shown;
	text = written(fill_answer);
	ck_assert_str_eq(
		text,
		"{\"memdev\":\"mem0\",\"serial\":\"0xabc0\",\"dpa\":\"0x1000\","
		"\"spa\":\"0x210002000\",\"spa_last\":\"0x210002000\","
		"\"exact\":true,\"source\":\"decoder\",\"mapping\":\"region\",\"region\":\"region1\","
		"\"decoder\":\"decoder5.0\",\"position\":0,"
		"\"window\":\"decoder0.1\",\"numa_node\":2,\"dax\":null,"
		"\"reason\":null}");
}
END_TEST

START_TEST(an_inexact_answer_always_has_a_reason)
{
	static const struct bus bus = {.name = "root0"};
	const struct host host = {.buses = &bus, .n_buses = 1};
	struct answer answer = {.has_dpa = true, .has_spa = true, .memdev = &devices[0]};
	struct shown_answer shown = {.host = &host, .answer = &answer};

	for (unsigned int i = 0; i < 16; i++) {
		shown.by_spa = i & 1;
		shown.is_range = i & 2;
		answer.has_spa = i & 4;
		answer.memdev = i & 8 ? &devices[0] : NULL;
		ck_assert_ptr_nonnull(answer_reason(&shown));
		ck_assert_uint_gt(strlen(answer_reason(&shown)), 10);
	}
	answer.has_spa = true;
	shown.by_spa = shown.is_range = false;
	ck_assert_str_eq(answer_reason(&shown),
			 "only an interval that contains the address is known");
	(void)snprintf(answer.reason, sizeof(answer.reason), "because");
	ck_assert_str_eq(answer_reason(&shown), "because");
}
END_TEST

START_TEST(several_candidates_leave_the_memdev_null)
{
	static const struct bus bus = {.name = "root0"};
	const struct host host = {.buses = &bus, .n_buses = 1};
	const struct answer answer = {
		.has_spa = true,
		.has_dpa = true,
		.source = SOURCE_ESTIMATE,
		.dpa = 0x1000,
		.dpa_last = 0x10ff,
		.spa = 0x2000,
		.spa_last = 0x2000,
		.candidates = {{&devices[0], 0x1000, 0x10ff}, {&devices[1], 0x1000, 0x10ff}},
		.n_candidates = 2,
		.reason = "either",
	};
	const struct shown_answer shown = {.host = &host, .answer = &answer, .by_spa = true};
	_cleanup_free_ char *text = NULL;

	shown_now = &shown;
	text = written(fill_answer);
	ck_assert_str_eq(
		text,
		"{\"memdev\":null,\"serial\":null,\"dpa\":\"0x1000\",\"spa\":\"0x2000\","
		"\"spa_last\":\"0x2000\",\"exact\":false,\"source\":\"estimate\","
		"\"mapping\":null,\"region\":null,\"decoder\":null,\"position\":null,\"window\":null,"
		"\"numa_node\":null,\"dax\":null,\"reason\":\"either\","
		"\"dpa_last\":\"0x10ff\",\"candidates\":[{\"memdev\":\"mem0\","
		"\"dpa\":\"0x1000\",\"dpa_last\":\"0x10ff\"},{\"memdev\":\"mem1\","
		"\"dpa\":\"0x1000\",\"dpa_last\":\"0x10ff\"}]}");
}
END_TEST

START_TEST(a_malformed_line_is_an_object_of_nulls_with_its_reason)
{
	_cleanup_free_ char *text = written(fill_malformed);

	ck_assert_str_eq(text,
			 "{\"memdev\":null,\"serial\":null,\"dpa\":null,\"spa\":null,"
			 "\"spa_last\":null,\"exact\":false,\"source\":null,"
			 "\"mapping\":null,\"region\":null,\"decoder\":null,\"position\":null,"
			 "\"window\":null,\"numa_node\":null,\"dax\":null,"
			 "\"reason\":\"line 1: no\"}");
}
END_TEST

START_TEST(a_malformed_spa_has_the_keys_of_an_spa)
{
	_cleanup_free_ char *text = written(fill_malformed_spa);

	ck_assert_ptr_nonnull(
		strstr(text, "\"reason\":\"line 1: no\",\"dpa_last\":null,\"candidates\":[]}"));
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_test(t, an_exact_answer_has_all_keys_and_a_null_reason);
	tcase_add_test(t, an_inexact_answer_always_has_a_reason);
	tcase_add_test(t, several_candidates_leave_the_memdev_null);
	tcase_add_test(t, a_malformed_line_is_an_object_of_nulls_with_its_reason);
	tcase_add_test(t, a_malformed_spa_has_the_keys_of_an_spa);
}

SUITE(check_cli_output)
{
	Suite *suite = suite_create("cli output");
	TCase *t = tcase_create("cli output");

	add_tests(t);
	suite_add_tcase(suite, t);
	return suite;
}
