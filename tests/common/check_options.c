// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of options: parsing, errors, and printed help. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/options.h"
#include "tests/lib/suites.h"

enum { READ = 1, WRITE = 2 };

struct values {
	bool json, help;
	const char *host, *host_name, *zone;
	unsigned int poll;
	uint64_t events;
};

static const struct option_row rows[] = {
	{
		.name = "host",
		.argument = "PATH",
		.help = "a host",
		.set = option_set_text,
		.offset = offsetof(struct values, host),
	},
	{
		.name = "host-name",
		.argument = "NAME",
		.help = "its name, which is explained here in more words than one line of help can hold, so that it is broken",
		.set = option_set_text,
		.offset = offsetof(struct values, host_name),
		.commands = READ | WRITE,
	},
	{
		.name = "poll",
		.argument = "SECONDS",
		.help = "how often",
		.set = option_set_uint,
		.offset = offsetof(struct values, poll),
		.max = 3600,
		.commands = READ,
	},
	{
		.name = "events",
		.argument = "N",
		.help = "how many",
		.set = option_set_u64,
		.offset = offsetof(struct values, events),
		.max = UINT64_MAX,
		.commands = WRITE,
	},
	{
		.name = "zone",
		.argument = "ZONE",
		.help = "which",
		.set = option_set_text,
		.words = "movable, kernel",
		.offset = offsetof(struct values, zone),
	},
	{
		.name = "json",
		.help = "JSON",
		.set = option_set_flag,
		.offset = offsetof(struct values, json),
	},
	{
		.name = "help",
		.help = "this text",
		.set = option_set_flag,
		.offset = offsetof(struct values, help),
		.stop = true,
	},
};
static struct option_table table = {rows, ARRAY_SIZE(rows)};

enum { ARGUMENTS_MAX = 12 };

static struct values values;
static struct option_result result;
static struct error error;

/* Parses the words of @line, which are separated by single spaces. */
static int parse(const char *line)
{
	static char words[256], *argv[ARGUMENTS_MAX];
	int argc = 0;

	ck_assert_uint_lt(strlen(line), sizeof(words));
	(void)snprintf(words, sizeof(words), "%s", line);
	memset(argv, 0, sizeof(argv));
	for (char *next = words, *word; (word = strsep(&next, " "));) {
		ck_assert_int_lt(argc, ARGUMENTS_MAX - 1);
		argv[argc++] = word;
	}
	values = (struct values){0};
	error = (struct error){0};
	return options_parse(&table, argc, argv, &values, &result, &error);
}

static void check_mixed_options(void)
{
	ck_assert_int_eq(parse("p one --json --host=x two - --poll 5 -- --three"), 0);
	ck_assert(values.json);
	ck_assert_str_eq(values.host, "x");
	ck_assert_uint_eq(values.poll, 5);
	ck_assert_int_eq(result.n_operands, 4);
	ck_assert_str_eq(result.operands[0], "one");
	ck_assert_str_eq(result.operands[1], "two");
	ck_assert_str_eq(result.operands[2], "-");
	ck_assert_str_eq(result.operands[3], "--three");
}

START_TEST(options_and_operands_may_be_mixed)
{
	check_mixed_options();
}
END_TEST

START_TEST(posixly_correct_changes_nothing)
{
	ck_assert_int_eq(setenv("POSIXLY_CORRECT", "1", 1), 0);
	check_mixed_options();
}
END_TEST

START_TEST(a_full_name_that_begins_another_one_is_accepted)
{
	ck_assert_int_eq(parse("p --host x --host-name y --zone kernel"), 0);
	ck_assert_str_eq(values.zone, "kernel");
	ck_assert_str_eq(values.host, "x");
	ck_assert_str_eq(values.host_name, "y");
}
END_TEST

START_TEST(abbreviations_are_refused_with_the_full_names)
{
	static const struct {
		const char *line, *message;
	} lines[] = {
		{"p --js", "options cannot be abbreviated: write --json instead of --js"},
		{"p --js=1", "options cannot be abbreviated: write --json instead of --js"},
		{"p --pol 5", "options cannot be abbreviated: write --poll instead of --pol"},
		{"p --pol", "options cannot be abbreviated: write --poll instead of --pol"},
		{"p --host-=y",
		 "options cannot be abbreviated: write --host-name instead of --host-"},
		{"p --h",
		 "options cannot be abbreviated: write --host or --host-name or --help instead of --h"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		ck_assert_int_eq(parse(lines[i].line), -EINVAL);
		ck_assert_str_eq(error.text, lines[i].message);
	}
}
END_TEST

START_TEST(errors_name_the_option)
{
	static const struct {
		const char *line, *message;
	} lines[] = {
		{"p --nonsense", "unknown option '--nonsense'"},
		{"p --=x", "unknown option '--=x'"},
		{"p -x", "unknown option '-x'"},
		{"p -json", "unknown option '-json'"},
		{"p --host", "--host requires an argument: --host PATH"},
		{"p --host=", "the argument PATH of --host is empty"},
		{"p --json=yes", "--json does not take an argument"},
		{"p --poll 0", "--poll requires a number from 1 to 3600, not '0'"},
		{"p --poll 3601", "--poll requires a number from 1 to 3600, not '3601'"},
		{"p --poll -1", "--poll requires a number from 1 to 3600, not '-1'"},
		{"p --poll=", "the argument SECONDS of --poll is empty"},
		{"p --zone x", "--zone requires one of movable, kernel, not 'x'"},
		{"p --zone kern", "--zone requires one of movable, kernel, not 'kern'"},
		{"p --zone=", "the argument ZONE of --zone is empty"},
		{"p --events 18446744073709551616",
		 "--events requires a number from 1 to 18446744073709551615, not '18446744073709551616'"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		ck_assert_msg(parse(lines[i].line) == -EINVAL, "%s", lines[i].line);
		ck_assert_str_eq(error.text, lines[i].message);
	}
}
END_TEST

START_TEST(the_last_one_counts_where_twice_is_allowed)
{
	ck_assert_int_eq(parse("p --poll 5 --poll=7 --json --json"), 0);
	ck_assert_uint_eq(values.poll, 7);
}
END_TEST

START_TEST(twice_is_an_error_where_the_table_says_so)
{
	table.once = true;
	ck_assert_int_eq(parse("p --host x --json --json"), 0);
	ck_assert_int_eq(parse("p --host x --host=x"), -EINVAL);
	ck_assert_str_eq(error.text, "--host is given twice; it can be given only once");
	table.once = false;
}
END_TEST

START_TEST(options_after_one_that_stops_are_not_parsed)
{
	ck_assert_int_eq(parse("p one --help --nonsense two"), 0);
	ck_assert(values.help && result.stopped);
	ck_assert_int_eq(result.n_operands, 1);
	ck_assert_int_eq(parse("p --nonsense --help"), -EINVAL);
}
END_TEST

START_TEST(an_option_of_another_command_is_found)
{
	ck_assert_int_eq(parse("p --json --host-name x --events 1"), 0);
	ck_assert_ptr_null(options_unsupported(&table, &result, WRITE));
	ck_assert_ptr_eq(options_unsupported(&table, &result, READ), &rows[3]);
}
END_TEST

static char *printed(unsigned int commands)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(f);
	options_print(f, &table, commands);
	(void)fclose(f);
	return text;
}

START_TEST(help_has_the_options_of_a_command)
{
	_cleanup_free_ char *all = printed(0), *read = printed(READ), *both = printed(READ | WRITE);

	ck_assert_ptr_nonnull(strstr(all, "  --poll SECONDS    how often (1 to 3600)\n"));
	ck_assert_ptr_nonnull(strstr(all, "  --events N "));
	ck_assert_ptr_nonnull(strstr(read, "  --poll SECONDS "));
	ck_assert_ptr_null(strstr(read, "--events"));
	ck_assert_ptr_nonnull(strstr(both, "--host-name NAME"));
	ck_assert_ptr_null(strstr(both, "--poll"));
}
END_TEST

START_TEST(help_is_broken_into_lines)
{
	_cleanup_free_ char *all = printed(0);

	ck_assert_ptr_nonnull(strstr(all, "\n                    line of help can hold, so"));
	for (const char *line = all; *line; line += strcspn(line, "\n") + 1) {
		ck_assert_uint_le(strcspn(line, "\n"), OPTIONS_HELP_COLUMNS);
		ck_assert_msg(line[strcspn(line, "\n") - 1] != ' ', "a blank before a newline");
	}
}
END_TEST

START_TEST(text_keeps_its_paragraphs)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(f);
	options_print_text(f, "One.\n\nTwo.\nThree.", 2, 0);
	(void)fclose(f);
	ck_assert_str_eq(text, "One.\n\n  Two.\n  Three.\n");
}
END_TEST

SUITE(check_options)
{
	Suite *suite = suite_create("options");
	TCase *t = tcase_create("options");

	tcase_add_test(t, options_and_operands_may_be_mixed);
	tcase_add_test(t, posixly_correct_changes_nothing);
	tcase_add_test(t, a_full_name_that_begins_another_one_is_accepted);
	tcase_add_test(t, abbreviations_are_refused_with_the_full_names);
	tcase_add_test(t, errors_name_the_option);
	tcase_add_test(t, the_last_one_counts_where_twice_is_allowed);
	tcase_add_test(t, twice_is_an_error_where_the_table_says_so);
	tcase_add_test(t, options_after_one_that_stops_are_not_parsed);
	tcase_add_test(t, an_option_of_another_command_is_found);
	tcase_add_test(t, help_has_the_options_of_a_command);
	tcase_add_test(t, help_is_broken_into_lines);
	tcase_add_test(t, text_keeps_its_paragraphs);
	suite_add_tcase(suite, t);
	return suite;
}
