// SPDX-License-Identifier: LGPL-2.1-or-later
/* The files of a captured PRM handler: malformed, contradictory, invalid, too large. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/model_handler.h"
#include "tests/lib/suites.h"

/* DPA 0 of mem0 is answered by its recorded pair. */
static void expect_recorded(void)
{
	const struct answer *a = query(0, 0);

	ck_assert(a->exact);
	ck_assert_int_eq(a->source, SOURCE_RECORDED);
	ck_assert_uint_eq(a->spa, BASE);
}

static const char *const bad_lines[] = {
	"nonsense",
	"0000:00:00.0",
	"0000:00:00.0 dpa",
	"0000:00:00.0 dpa 1000 -> spa 0x1000002000",
	"0000:00:00.0 dpa 0x1000 -> spa 1000002000",
	"0000:00:00.0 dpa 0x1000 => spa 0x1000002000",
	"0000:00:00.0 dpa 0x1000 -> dpa 0x1000002000",
	"0000:00:00.0 dpa 0x1000 -> spa",
	"0000:00:00.0 dpa 0x1000 -> spa 0x1000002000 0x1",
	"0000:00:00.0 dpa 0x10000000000000000 -> spa 0x0",
	"0000:00:00.0 spa 0x1000 -> spa 0x1000002000",
	"0000:00:00.0 dpa 0x1000: error",
	"0000:00:00.0 dpa 0x1000: error 22",
	"0000:00:00.0 dpa 0x1000: error 0",
	"0000:00:00.0 dpa 0x1000: error -99999999999",
	"0000:00:00.0 dpa 0x1000: warning -22",
	"0000:00:00.0 dpa : error -22",
	"\x1b[31m0000:00:00.0 dpa 0x1000 -> spa 0x1000002000",
	"0000:00:00.000000000000000000000000000000000000000 dpa 0 -> spa 0",
};

START_TEST(a_malformed_line_is_skipped_with_a_note)
{
	char text[256];

	(void)snprintf(text, sizeof(text), "# a\n0000:00:00.0 dpa 0x0 -> spa 0x1000000000\n%s\n",
		       bad_lines[_i]);
	put_pairs(text);
	put_rules(RULES);
	model_ready(&m);
	expect_note("prm/pairs.txt:3: ");
	expect_note("; the line is not used");
	expect_recorded();
}
END_TEST

static const char *const bad_rules[] = {
	"",
	"{",
	"{}",
	"1",
	"[1]",
	"[[]]",
	"[{}]",
	"[{\"bdf\":\"0000:00:00.0\",\"ways\":2,\"granularity\":256,\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"base\":4096,\"ways\":2,\"granularity\":256,\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"base\":\"4096\",\"ways\":2,\"granularity\":256,"
	"\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":\"2\",\"granularity\":256,"
	"\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":2.0,\"granularity\":256,"
	"\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":2,\"granularity\":256,"
	"\"position\":-1}]",
	"[{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":2,\"granularity\":9999999999,"
	"\"position\":0}]",
	"[{\"bdf\":7,\"base\":\"0x0\",\"ways\":2,\"granularity\":256,\"position\":0}]",
	"[{\"base\":\"0x0\",\"ways\":2,\"granularity\":256,\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"serial\":\"0xabc0\",\"base\":\"0x0\",\"ways\":2,"
	"\"granularity\":256,\"position\":0}]",
	"[{\"serial\":\"abc0\",\"base\":\"0x0\",\"ways\":2,\"granularity\":256,\"position\":0}]",
	"[{\"bdf\":\"0000:00:00.0\",\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":2,"
	"\"granularity\":256,\"position\":0}]",
	"[]trailing",
};

START_TEST(a_malformed_rule_file_leaves_the_pairs)
{
	put_pairs("0000:00:00.0 dpa 0x0 -> spa 0x1000000000\n");
	put_rules(bad_rules[_i]);
	model_ready(&m);
	expect_note("prm/rule.json");
	expect_note("; the rules are not used");
	expect_recorded();
	expect_estimate(0, 0x100, "only firmware knows");
}
END_TEST

/* A rule of mem0 that is rejected while the one of mem1 stays. */
static const struct {
	const char *rule, *note;
} rejected_rules[] = {
	{"{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":5,\"granularity\":256,"
	 "\"position\":0}",
	 "rule 1 (0000:00:00.0) has invalid interleave ways"},
	{"{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":2,\"granularity\":300,"
	 "\"position\":0}",
	 "rule 1 (0000:00:00.0) has an invalid interleave granularity"},
	{"{\"bdf\":\"0000:00:00.0\",\"base\":\"0x0\",\"ways\":2,\"granularity\":256,"
	 "\"position\":2}",
	 "rule 1 (0000:00:00.0) has a position that is not below its ways"},
	{"{\"bdf\":\"0000:00:00.0\",\"base\":\"0x80\",\"ways\":2,\"granularity\":256,"
	 "\"position\":0}",
	 "rule 1 (0000:00:00.0) has a base that is not a multiple of 256"},
	{"{\"bdf\":\"0000:00:00.0\",\"base\":\"0xffffffffff000000\",\"ways\":2,"
	 "\"granularity\":256,\"position\":0}",
	 "rule 1 (0000:00:00.0) ends beyond 64 bits"},
	{"{\"bdf\":\"0000:77:00.0\",\"base\":\"0x0\",\"ways\":2,\"granularity\":256,"
	 "\"position\":0}",
	 "rule 1: 0000:77:00.0 is not a memdev of this host"},
	{"{\"bdf\":\"\\u001b[31m\",\"base\":\"0x0\",\"ways\":2,\"granularity\":256,"
	 "\"position\":0}",
	 "rule 1: (not printable) is not a memdev of this host"},
	{"{\"serial\":\"0x77\",\"base\":\"0x0\",\"ways\":2,\"granularity\":256,\"position\":0}",
	 "rule 1: 0x77 is not a memdev of this host"},
	{RULE("0000:00:00.0", 1),
	 "rule 1 (0000:00:00.0) contradicts prm/pairs.txt:1 (DPA 0x1000 of 0000:00:00.0 is at SPA 0x1000002000)"},
};

START_TEST(an_invalid_rule_is_rejected_with_a_note)
{
	char text[512];

	put_pairs("0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n");
	(void)snprintf(text, sizeof(text), "[%s,%s]", rejected_rules[_i].rule,
		       RULE("0000:01:00.0", 1));
	put_rules(text);
	model_ready(&m);
	expect_note(rejected_rules[_i].note);
	expect_note("it is not used");
	expect_estimate(0, 0, "only firmware knows");
	if (_i != ARRAY_SIZE(rejected_rules) - 1) {
		expect_both_ways(&m, mem[1], 0, BASE + 0x100, SOURCE_EMULATED);
	}
	expect_both_ways(&m, mem[0], 0x1000, BASE + 0x2000, SOURCE_RECORDED);
}
END_TEST

START_TEST(two_rules_for_one_device_are_both_refused)
{
	put_rules("[" RULE("0000:00:00.0", 0) "," RULE("0000:00:00.0", 1) "]");
	model_ready(&m);
	expect_note("rule 1 (0000:00:00.0) is for the same device as rule 2");
	expect_note("rule 2 (0000:00:00.0) is for the same device as rule 1");
	expect_estimate(0, 0, "only firmware knows");
}
END_TEST

START_TEST(two_rules_for_one_position_are_both_refused)
{
	put_rules("[" RULE("0000:00:00.0", 0) "," RULE("0000:01:00.0", 0) "]");
	model_ready(&m);
	expect_note("rule 1 (0000:00:00.0) claims the same SPAs as rule 2");
	expect_note("rule 2 (0000:01:00.0) claims the same SPAs as rule 1");
	expect_estimate(0, 0, "only firmware knows");
	expect_estimate(1, 0, "only firmware knows");
}
END_TEST

START_TEST(overlapping_rules_of_another_geometry_are_both_refused)
{
	put_rules("[" RULE(
		"0000:00:00.0",
		0) ",{\"bdf\":\"0000:01:00.0\",\"base\":\"0x1010000000\",\"ways\":1,\"granularity\":256,\"position\":0}]");
	model_drop_region(&m, region);
	model_ready(&m);
	expect_note("rule 1 (0000:00:00.0) overlaps rule 2, which has another base or geometry");
	expect_note("rule 2 (0000:01:00.0) overlaps rule 1, which has another base or geometry");
	ck_assert(!query(0, 0)->has_spa && !query(1, 0)->has_spa);
}
END_TEST

START_TEST(a_rule_that_contradicts_a_pair_is_rejected)
{
	put_pairs("0000:01:00.0 dpa 0x1000 -> spa 0x1000002000\n");
	put_rules("[" RULE("0000:00:00.0", 0) "]");
	model_ready(&m);
	expect_note(
		"rule 1 (0000:00:00.0) contradicts prm/pairs.txt:1 (DPA 0x1000 of 0000:01:00.0 is at SPA 0x1000002000)");
	expect_estimate(0, 0, "only firmware knows");
}
END_TEST

START_TEST(a_shared_serial_identifies_no_device)
{
	mem[0]->serial = mem[1]->serial;
	put_rules("[{\"serial\":\"0xabc1\",\"base\":\"0x1000000000\",\"ways\":2,"
		  "\"granularity\":256,\"position\":0}]");
	model_ready(&m);
	expect_note("0xabc1 is the serial of several memdevs");
	expect_estimate(0, 0, "only firmware knows");
}
END_TEST

/* Pairs that are rejected, and the note. All leave DPA 0x1000 of mem0 to the estimate. */
static const struct {
	const char *pairs, *note;
} refused_pairs[] = {
	{"0000:00:00.0 dpa 0x1040 -> spa 0x1000002080\n",
	 ":1: DPA 0x1040 and SPA 0x1000002080 differ in their low 8 bits"},
	{"0000:77:00.0 dpa 0x1000 -> spa 0x1000002000\n",
	 ":1: 0000:77:00.0 is not a memdev of this host"},
	{"0000:00:00.0 dpa 0x10000000 -> spa 0x1000002000\n",
	 ":1: DPA 0x10000000 is beyond the capacity of 0000:00:00.0"},
	{"0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n"
	 "0000:00:00.0 dpa 0x1040 -> spa 0x1000002140\n",
	 ":1 and :2 contradict each other"},
	{"0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n"
	 "0000:00:00.0 dpa 0x1010 -> spa 0x1000002010\n"
	 "0000:00:00.0 dpa 0x1020 -> spa 0x1000002120\n",
	 ":1 and :3 contradict each other"},
	{"0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n"
	 "0000:01:00.0 dpa 0x1000 -> spa 0x1000002000\n",
	 ":1 and :2 contradict each other"},
	{"0000:00:00.0 dpa 0x1000 -> spa 0x1000002000\n"
	 "0000:00:00.0 dpa 0x2000 -> spa 0x1000002000\n",
	 ":1 and :2 contradict each other"},
};

START_TEST(an_invalid_pair_is_rejected_with_a_note)
{
	put_pairs(refused_pairs[_i].pairs);
	model_ready(&m);
	expect_note(refused_pairs[_i].note);
	expect_estimate(0, 0x1000, "only firmware knows");
	expect_estimate(0, 0x2000, "only firmware knows");
	expect_estimate(1, 0x1000, "only firmware knows");
	ck_assert(!model_translate_spa(&m, BASE + 0x2000, BASE + 0x2000)->exact);
}
END_TEST

/* Repeats @line until there are @n of them. */
static char *repeated(const char *line, size_t n, const char *first, const char *last)
{
	size_t len = strlen(line);
	char *text = malloc(strlen(first) + n * len + strlen(last) + 1), *at;

	ck_assert_ptr_nonnull(text);
	at = stpcpy(text, first);
	for (size_t i = 0; i < n; i++)
		at = stpcpy(at, line);
	(void)stpcpy(at, last);
	return text;
}

START_TEST(rules_are_not_used_when_pairs_are_unreadable)
{
	put_prm_file(PAIRS_FILE, "#\0\n", 3);
	put_rules(RULES);
	model_ready(&m);
	expect_note("; the captured handler is not used");
	expect_estimate(0, 0x1000, "only firmware knows");
}
END_TEST

START_TEST(exceeded_limits_are_noted)
{
	char *lines = repeated("#\n", PAIRS_LINES_MAX, "", "");
	char *bytes = repeated("#", PAIRS_BYTES_MAX + 1, "", "");
	char *rules = repeated("1,", RULES_MAX, "[", "1]");
	char *large = repeated(" ", RULES_BYTES_MAX + 1, "", "");

	put_pairs(lines);
	model_ready(&m);
	expect_note("prm/pairs.txt: the file has more than 100000 lines; the captured handler");
	m.t = translator_unref(m.t);
	put_pairs(bytes);
	model_ready(&m);
	expect_note("prm/pairs.txt: the file is larger than 8388608 bytes; the captured handler");
	m.t = translator_unref(m.t);
	ck_assert_int_eq(unlinkat(host_dirfd, PAIRS_FILE, 0), 0);
	put_rules(rules);
	model_ready(&m);
	expect_note("prm/rule.json: the file has more than 4096 rules; the rules are not used");
	m.t = translator_unref(m.t);
	put_rules(large);
	model_ready(&m);
	expect_note("prm/rule.json: the file is larger than 1048576 bytes; the rules are not used");
	free(lines);
	free(bytes);
	free(rules);
	free(large);
}
END_TEST

START_TEST(a_nul_byte_or_no_file_at_all_is_rejected)
{
	put_prm_file(PAIRS_FILE, "#\0\n", 3);
	model_ready(&m);
	expect_note("prm/pairs.txt: the file contains a NUL byte");
	m.t = translator_unref(m.t);
	ck_assert_int_eq(unlinkat(host_dirfd, PAIRS_FILE, 0), 0);
	ck_assert_int_eq(mkfifoat(host_dirfd, PAIRS_FILE, 0600), 0);
	model_ready(&m);
	expect_note("prm/pairs.txt: ");
	expect_note("the captured handler is not used");
}
END_TEST

START_TEST(notes_are_kept_up_to_a_limit)
{
	char *text = repeated("0000:99:00.0 dpa 0 -> spa 0x1000000000\n", 1000, "", "");
	const char *const *notes;
	size_t n;

	put_pairs(text);
	free(text);
	model_ready(&m);
	notes = translator_notes(m.t, &n);
	ck_assert_uint_eq(n, 64);
	ck_assert_str_eq(notes[63], "937 more notes were dropped");
}
END_TEST

SUITE(check_handler_files)
{
	Suite *s = suite_create("handler_files");
	TCase *t = tcase_create("captured handler");

	tcase_add_checked_fixture(t, handler_setup, handler_teardown);
	tcase_add_loop_test(t, a_malformed_line_is_skipped_with_a_note, 0, ARRAY_SIZE(bad_lines));
	tcase_add_loop_test(t, a_malformed_rule_file_leaves_the_pairs, 0, ARRAY_SIZE(bad_rules));
	tcase_add_loop_test(t, an_invalid_rule_is_rejected_with_a_note, 0,
			    ARRAY_SIZE(rejected_rules));
	tcase_add_test(t, two_rules_for_one_device_are_both_refused);
	tcase_add_test(t, two_rules_for_one_position_are_both_refused);
	tcase_add_test(t, overlapping_rules_of_another_geometry_are_both_refused);
	tcase_add_test(t, a_rule_that_contradicts_a_pair_is_rejected);
	tcase_add_test(t, a_shared_serial_identifies_no_device);
	tcase_add_loop_test(t, an_invalid_pair_is_rejected_with_a_note, 0,
			    ARRAY_SIZE(refused_pairs));
	tcase_add_test(t, rules_are_not_used_when_pairs_are_unreadable);
	tcase_add_test(t, exceeded_limits_are_noted);
	tcase_add_test(t, a_nul_byte_or_no_file_at_all_is_rejected);
	tcase_add_test(t, notes_are_kept_up_to_a_limit);
	suite_add_tcase(s, t);
	return s;
}
