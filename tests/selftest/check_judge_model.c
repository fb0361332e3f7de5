// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The judge on a model of devices that exchange positions from block to block, as firmware does
 * that only its PRM handler can describe: the right translation passes, each wrong one is found.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "selftest/judge_points.h"
#include "selftest/marker.h"
#include "selftest/model.h"
#include "selftest/random.h"
#include "tests/lib/suites.h"

#define BASE  0x210000000ULL
#define BYTES 0x800000ULL

static struct memdev devices[4];
static const struct memdev *members[4];
static struct selftest_model *model;
static struct error e;

static void setup(void)
{
	model = NULL;
	for (unsigned int i = 0; i < 4; i++) {
		devices[i] = (struct memdev){.name = "memN",
					     .serial = OPT_U64(0xabc0 + i),
					     .bdf = i == 3 ? "0000:0f:00.0" : NULL};
		members[i] = &devices[i];
	}
}

static void teardown(void)
{
	model = selftest_model_free(model);
}

static int open_text(const char *text, size_t n)
{
	model = selftest_model_free(model);
	return selftest_model_new(text, strlen(text), members, n, BASE, BASE + BYTES - 1, &model,
				  &e);
}

/* Two masks: each bit of the position is exchanged by other bits of the block. */
#define MASKS "[\"0xfffffffffffffffe\", \"0x5554\"]"
#define RULE(name, position)                                                                       \
	"{" name ", \"base\": \"0x210000000\", \"ways\": 4, \"granularity\": 256, "                \
	"\"position\": " position ", \"dpa\": \"0x40000000\", \"position_masks\": " MASKS "}"
#define RULES                                                                                      \
	"[" RULE("\"serial\": \"0xabc0\"", "0") ", " RULE(                                         \
		"\"serial\": \"0xabc1\"",                                                          \
		"1") ", " RULE("\"serial\": \"0xabc2\"",                                           \
			       "2") ", " RULE("\"bdf\": \"0000:0f:00.0\"", "3") "]"

static unsigned int exchange(uint64_t block)
{
	return (unsigned int)__builtin_parityll(block & 0xfffffffffffffffe) |
	       (unsigned int)__builtin_parityll(block & 0x5554) << 1;
}

/* The inverse of the rule, written anew. */
static struct judge_point point_of(uint64_t spa)
{
	const uint64_t chunk = (spa - BASE) / 256, block = chunk / 4;

	return (struct judge_point){.spa = spa,
				    .dpa = 0x40000000 + block * 256 + spa % 256,
				    .position = (unsigned int)(chunk % 4) ^ exchange(block)};
}

enum { POINTS = 300 };

static struct judge_point points[POINTS];
static struct judgement judgements[POINTS];
static struct judge_summary summary;

static void make_points(void)
{
	uint64_t state = 5;

	points[0] = point_of(BASE);
	points[1] = point_of(BASE + BYTES - 64);
	for (size_t i = 2; i < POINTS; i++)
		points[i] = point_of(BASE + (selftest_random(&state) % BYTES & ~63ULL));
}

static void run(void)
{
	const struct selftest_memory m = selftest_model_memory(model);
	const struct selftest_device d = selftest_model_device(model);
	const struct judge j = {.memory = &m, .device = &d, .seed = 1};

	ck_assert_int_eq(judge_points(&j, points, POINTS, judgements, &summary), 0);
}

START_TEST(a_right_translation_of_a_permuting_rule_passes)
{
	ck_assert_int_eq(open_text(RULES, 4), 0);
	make_points();
	run();
	ck_assert_uint_eq(summary.right, POINTS);
	ck_assert_uint_eq(summary.wrong + summary.failed + summary.disturbed, 0);
}
END_TEST

/* A handler without the permutation is right where that exchanges nothing, and only there. */
START_TEST(a_translation_without_the_permutation_is_found)
{
	size_t wrong = 0;

	ck_assert_int_eq(open_text(RULES, 4), 0);
	make_points();
	for (size_t i = 0; i < POINTS; i++)
		points[i].position = (unsigned int)((points[i].spa - BASE) / 256 % 4);
	run();
	for (size_t i = 0; i < POINTS; i++) {
		const unsigned int x = exchange((points[i].spa - BASE) / 1024);

		ck_assert_int_eq(judgements[i].result, x ? JUDGE_ELSEWHERE : JUDGE_RIGHT);
		ck_assert_int_eq(judgements[i].bit, x ? (x & 1 ? 8 : 9) : -1);
		ck_assert_uint_eq(judgements[i].difference, x * 256ULL);
		wrong += x != 0;
	}
	ck_assert_uint_eq(summary.wrong, wrong);
	ck_assert_uint_gt(wrong, POINTS / 2);
}
END_TEST

/* A bit of the DPA that is wrong above the chunk: a bit of the block, and by it of the position. */
START_TEST(a_wrong_bit_of_the_dpa_is_found)
{
	ck_assert_int_eq(open_text(RULES, 4), 0);
	make_points();
	for (size_t i = 0; i < POINTS; i++)
		points[i].dpa ^= UINT64_C(64) << _i;
	run();
	ck_assert_uint_eq(summary.wrong, POINTS);
	for (size_t i = 0; i < POINTS; i++) {
		ck_assert_int_eq(judgements[i].result, JUDGE_ELSEWHERE);
		if (_i < 2)
			ck_assert_uint_eq(judgements[i].difference, 64ULL << _i);
		else
			ck_assert_uint_eq(judgements[i].difference >> 10, 1ULL << (_i - 2));
	}
}
END_TEST

START_TEST(a_dpa_below_the_share_is_refused)
{
	ck_assert_int_eq(open_text(RULES, 4), 0);
	make_points();
	points[0].dpa = 0x3fffffc0;
	run();
	ck_assert_int_eq(judgements[0].result, JUDGE_FAILED);
	ck_assert_ptr_nonnull(strstr(judgements[0].error, "no DPA 0x3fffffc0"));
}
END_TEST

static const struct {
	const char *text, *message;
} hostile[] = {
	{"", "not JSON"},
	{"{}", "not an array"},
	{"[]", "no rule has"},
	{"[1]", "no rule has"},
	{"[{\"serial\": \"0xabc0\"}]", "\"base\" is not an address"},
	{"[{\"serial\": \"0xabc0\", \"base\": 1}]", "\"base\" is not an address"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": -1}]", "\"ways\" is not a number"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 5, \"granularity\": 256, \"position\": 0}]",
	 "no decoder has"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 2, \"granularity\": 0, \"position\": 0}]",
	 "no decoder has"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 2, \"granularity\": 256, \"position\": 2}]",
	 "no decoder has"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 3, \"granularity\": 256, \"position\": 2, \"position_masks\": [\"0x1\"]}]",
	 "power of two"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 2, \"granularity\": 256, \"position\": 1, \"position_masks\": [\"0x1\", \"0x2\"]}]",
	 "power of two"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 2, \"granularity\": 256, \"position\": 1, \"position_masks\": [\"1\"]}]",
	 "a mask is not"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 2, \"granularity\": 256, \"position\": 1, \"position_masks\": 7}]",
	 "not an array"},
	{"[{\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 1, \"granularity\": 256, \"position\": 0}, {\"serial\": \"0xabc0\", \"base\": \"0x0\", \"ways\": 1, \"granularity\": 256, \"position\": 0}]",
	 "rule 2 is a second one"},
	{"[{\"serial\": \"0xabc0\", \"serial\": \"0xabc1\"}]", "not JSON"},
};

START_TEST(a_text_that_is_no_model_is_refused)
{
	ck_assert_int_eq(open_text(hostile[_i].text, 1), -EINVAL);
	ck_assert_msg(strstr(e.text, hostile[_i].message), "%s", e.text);
	ck_assert_ptr_null(model);
}
END_TEST

/* Rules whose SPAs are elsewhere, or have more than 64 bits, write nothing into the memory. */
START_TEST(rules_of_other_addresses_zero_nothing)
{
	static const char *const bases[] = {"0x0", "0xffffffffffffff00", "0x20fffffe0"};
	char text[256];

	(void)snprintf(
		text, sizeof(text),
		"[{\"serial\": \"0xabc0\", \"base\": \"%s\", \"ways\": 1, \"granularity\": 256, \"position\": 0}]",
		bases[_i]);
	ck_assert_int_eq(open_text(text, 1), 0);
	for (size_t i = 0; i < POINTS; i++)
		points[i] = (struct judge_point){.spa = BASE + i * 64, .dpa = i * 64};
	run();
	ck_assert_uint_eq(summary.right, 0);
}
END_TEST

SUITE(check_judge_model)
{
	Suite *s = suite_create("judge with a model");
	TCase *t = tcase_create("model");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_right_translation_of_a_permuting_rule_passes);
	tcase_add_test(t, a_translation_without_the_permutation_is_found);
	tcase_add_loop_test(t, a_wrong_bit_of_the_dpa_is_found, 0, 12);
	tcase_add_test(t, a_dpa_below_the_share_is_refused);
	tcase_add_loop_test(t, a_text_that_is_no_model_is_refused, 0,
			    (int)(sizeof(hostile) / sizeof(hostile[0])));
	tcase_add_loop_test(t, rules_of_other_addresses_zero_nothing, 0, 3);
	suite_add_tcase(s, t);
	return s;
}
