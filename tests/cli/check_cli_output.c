// SPDX-License-Identifier: LGPL-2.1-or-later
/* cxl-spa: the JSON objects of translate, and the findings of explain. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/explain.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/json_writer.h"

/* What @fill writes, as a string the caller frees. */
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
	answer_json_malformed(w, "line 1: no", false);
}

static void fill_malformed_spa(struct json_writer *w)
{
	answer_json_malformed(w, "line 1: no", true);
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
	ck_assert_str_eq(text, "{\"memdev\":\"mem0\",\"serial\":\"0xabc0\",\"dpa\":\"0x1000\","
			       "\"spa\":\"0x210002000\",\"spa_last\":\"0x210002000\","
			       "\"exact\":true,\"source\":\"decoder\",\"region\":\"region1\","
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
	ck_assert_str_eq(text,
			 "{\"memdev\":null,\"serial\":null,\"dpa\":\"0x1000\",\"spa\":\"0x2000\","
			 "\"spa_last\":\"0x2000\",\"exact\":false,\"source\":\"estimate\","
			 "\"region\":null,\"decoder\":null,\"position\":null,\"window\":null,"
			 "\"numa_node\":null,\"dax\":null,\"reason\":\"either\","
			 "\"dpa_last\":\"0x10ff\",\"candidates\":[{\"memdev\":\"mem0\","
			 "\"dpa\":\"0x1000\",\"dpa_last\":\"0x10ff\"},{\"memdev\":\"mem1\","
			 "\"dpa\":\"0x1000\",\"dpa_last\":\"0x10ff\"}]}");
}
END_TEST

START_TEST(a_malformed_line_is_an_object_of_nulls_with_its_reason)
{
	_cleanup_free_ char *text = written(fill_malformed);

	ck_assert_str_eq(text, "{\"memdev\":null,\"serial\":null,\"dpa\":null,\"spa\":null,"
			       "\"spa_last\":null,\"exact\":false,\"source\":null,"
			       "\"region\":null,\"decoder\":null,\"position\":null,"
			       "\"window\":null,\"numa_node\":null,\"dax\":null,"
			       "\"reason\":\"line 1: no\"}");
}
END_TEST

START_TEST(a_malformed_spa_has_the_keys_of_an_spa)
{
	_cleanup_free_ char *text = written(fill_malformed_spa);

	ck_assert_ptr_nonnull(strstr(text, "\"reason\":\"line 1: no\",\"dpa_last\":null,"
					   "\"candidates\":[]}"));
}
END_TEST

/* ---- explain -----------------------------------------------------------------------------------
 */

START_TEST(gaps_are_what_overlapping_ranges_leave)
{
	struct gap used[] = {{50, 59}, {0, 9}, {5, 19}, {90, 120}};
	struct gaps gaps = {0};

	ck_assert_int_eq(find_gaps((struct gap){0, 99}, used, ARRAY_SIZE(used), &gaps), 0);
	ck_assert_uint_eq(gaps.n, 2);
	ck_assert_uint_eq(gaps.items[0].first, 20);
	ck_assert_uint_eq(gaps.items[0].last, 49);
	ck_assert_uint_eq(gaps.items[1].first, 60);
	ck_assert_uint_eq(gaps.items[1].last, 89);
	gaps_done(&gaps);
}
END_TEST

START_TEST(gaps_reach_to_the_last_address)
{
	struct gap used[] = {{1, UINT64_MAX}};
	struct gaps gaps = {0};

	ck_assert_int_eq(find_gaps((struct gap){0, UINT64_MAX}, used, 1, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 1);
	ck_assert_uint_eq(gaps.items[0].last, 0);
	gaps_done(&gaps);
	ck_assert_int_eq(find_gaps((struct gap){5, UINT64_MAX}, NULL, 0, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 1);
	ck_assert_uint_eq(gaps.items[0].first, 5);
	gaps_done(&gaps);
}
END_TEST

START_TEST(gaps_of_a_window_are_what_regions_and_iomem_leave)
{
	const struct region regions[] = {
		{.resource = OPT_U64(0x1000), .size = OPT_U64(0x1000)},
		{.resource = OPT_U64(0x5000), .size = OPT_U64(UINT64_MAX)},
		{.size = OPT_U64(0x1000)},
	};
	const struct region *const list[] = {&regions[0], &regions[1], &regions[2]};
	const struct iomem_range iomem[] = {{0x1000, 0x6fff, 0, "CXL Window 0"},
					    {0x3000, 0x3fff, 1, "System RAM"}};
	const struct host host = {.iomem = iomem, .n_iomem = ARRAY_SIZE(iomem)};
	struct decoder w = {.start = OPT_U64(0x1000),
			    .size = OPT_U64(0x6000),
			    .regions = list,
			    .n_regions = ARRAY_SIZE(list)};
	struct gaps gaps = {0};

	ck_assert_int_eq(find_window_gaps(&w, NULL, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 1);
	ck_assert_uint_eq(gaps.items[0].first, 0x2000);
	ck_assert_uint_eq(gaps.items[0].last, 0x4fff);
	gaps_done(&gaps);
	ck_assert_int_eq(find_window_gaps(&w, &host, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 2);
	ck_assert_uint_eq(gaps.items[0].last, 0x2fff);
	ck_assert_uint_eq(gaps.items[1].first, 0x4000);
	gaps_done(&gaps);
	w.start.present = false;
	ck_assert_int_eq(find_window_gaps(&w, &host, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 0);
	w.start = OPT_U64(UINT64_MAX);
	ck_assert_int_eq(find_window_gaps(&w, &host, &gaps), 0);
	ck_assert_uint_eq(gaps.n, 0);
}
END_TEST

START_TEST(kernel_versions_are_compared_as_numbers)
{
	static const struct {
		const char *release;
		int at_least_7_1;
	} kernels[] = {
		{"7.3.4+deb13-amd64", 1},
		{"7.1", 1},
		{"7.0.12", 0},
		{"6.12.95", 0},
		{"10.0-rc1", 1},
		{"7", -1},
		{"", -1},
		{"next-7.3", -1},
		{"7.x", -1},
		{NULL, -1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		const struct host host = {.kernel_release = kernels[i].release};

		ck_assert_int_eq(explain_kernel_is(&host, 7, 1), kernels[i].at_least_7_1);
	}
}
END_TEST

/* A 4-way region over two host bridges with two endpoints each. */
struct small_host {
	struct port root, bridges[2], endpoints[4];
	struct dport root_dports[2], bridge_dports[2][2];
	struct decoder_target root_targets[2], bridge_targets[2][2];
	struct decoder window, bridge_decoders[2], endpoint_decoders[4];
	const struct decoder *bridge_list[2];
	struct region region;
};

static void make_small_host(struct small_host *s)
{
	*s = (struct small_host){.root = {.kind = PORT_ROOT}};
	s->region = (struct region){.name = "region0", .root = &s->window};
	s->window = (struct decoder){.port = &s->root, .targets = s->root_targets, .n_targets = 2};
	for (unsigned int b = 0; b < 2; b++) {
		s->root_targets[b] =
			(struct decoder_target){.position = b, .dport = &s->root_dports[b]};
		s->bridge_decoders[b] = (struct decoder){
			.port = &s->bridges[b],
			.targets = s->bridge_targets[b],
			.n_targets = 2,
			.region = &s->region,
		};
		s->bridge_list[b] = &s->bridge_decoders[b];
		s->bridges[b] = (struct port){
			.kind = PORT_HOST_BRIDGE,
			.parent = &s->root,
			.parent_dport = &s->root_dports[b],
			.decoders = &s->bridge_list[b],
			.n_decoders = 1,
		};
	}
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int b = i / 2, p = i % 2;

		s->bridge_targets[b][p] =
			(struct decoder_target){.position = p, .dport = &s->bridge_dports[b][p]};
		s->endpoints[i] = (struct port){
			.kind = PORT_ENDPOINT,
			.parent = &s->bridges[b],
			.parent_dport = &s->bridge_dports[b][p],
		};
		s->endpoint_decoders[i] =
			(struct decoder){.port = &s->endpoints[i], .region = &s->region};
	}
}

START_TEST(order_follows_the_targets_of_the_decoders_above)
{
	/* pos = position below its bridge * 2 + position of the bridge */
	static const unsigned int expected[4] = {0, 2, 1, 3};
	struct small_host s;

	make_small_host(&s);
	for (size_t i = 0; i < 4; i++) {
		unsigned int position = 99;

		ck_assert_int_eq(explain_order(&s.region, &s.endpoint_decoders[i], &position), 0);
		ck_assert_uint_eq(position, expected[i]);
	}
}
END_TEST

START_TEST(order_is_unknown_when_a_decoder_above_is)
{
	struct small_host s;
	unsigned int position;

	make_small_host(&s);
	s.bridge_decoders[1].region = NULL;
	ck_assert_int_eq(explain_order(&s.region, &s.endpoint_decoders[0], &position), 0);
	ck_assert_int_eq(explain_order(&s.region, &s.endpoint_decoders[2], &position), -ENODATA);
	s.endpoints[0].parent = NULL;
	ck_assert_int_eq(explain_order(&s.region, &s.endpoint_decoders[0], &position), -ENODATA);
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_test(t, an_exact_answer_has_all_keys_and_a_null_reason);
	tcase_add_test(t, an_inexact_answer_always_has_a_reason);
	tcase_add_test(t, several_candidates_leave_the_memdev_null);
	tcase_add_test(t, a_malformed_line_is_an_object_of_nulls_with_its_reason);
	tcase_add_test(t, a_malformed_spa_has_the_keys_of_an_spa);
	tcase_add_test(t, gaps_are_what_overlapping_ranges_leave);
	tcase_add_test(t, gaps_reach_to_the_last_address);
	tcase_add_test(t, gaps_of_a_window_are_what_regions_and_iomem_leave);
	tcase_add_test(t, kernel_versions_are_compared_as_numbers);
	tcase_add_test(t, order_follows_the_targets_of_the_decoders_above);
	tcase_add_test(t, order_is_unknown_when_a_decoder_above_is);
}

int main(void)
{
	Suite *suite = suite_create("cli output");
	TCase *t = tcase_create("cli output");
	SRunner *runner = srunner_create(suite);
	int failed;

	add_tests(t);
	suite_add_tcase(suite, t);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
