// SPDX-License-Identifier: LGPL-2.1-or-later
/* Configuration files: lines, options from files, and what is refused. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/conf_file.h"
#include "common/option_files.h"
#include "tests/lib/suites.h"

static char seen[4096];
static struct error error;

static int note(void *userdata, unsigned int line, const char *key, const char *value,
		struct error *e)
{
	const size_t used = strlen(seen);

	(void)userdata;
	(void)line;
	if (strcmp(key, "bad") == 0)
		return error_set(e, EINVAL, "is bad");
	(void)snprintf(seen + used, sizeof(seen) - used, "%s=%s|", key, value);
	return 0;
}

static int parse(const char *bytes, size_t len)
{
	_cleanup_free_ char *copy = malloc(len + 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, bytes, len);
	copy[len] = '\0';
	seen[0] = '\0';
	error = (struct error){0};
	return conf_parse("f", copy, len, note, NULL, &error);
}

START_TEST(lines_are_keys_and_values)
{
	static const struct {
		const char *text, *seen;
	} cases[] = {
		{"", ""},
		{"\n\n", ""},
		{"a = b\n", "a=b|"},
		{"a=b", "a=b|"},
		{"  a\t=\t b c \t\n", "a=b c|"},
		{"a = b\r\nc = d\r\n", "a=b|c=d|"},
		{"# a = b\n;c = d\n e = f\n", "e=f|"},
		{"a = \"b\" # c = d\n", "a=\"b\" # c = d|"},
		{"a = b=c\n", "a=b=c|"},
		{"a-1 =\n", "a-1=|"},
		{"a = \303\244\n", "a=\303\244|"},
		{" \t \na = b", "a=b|"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(parse(cases[i].text, strlen(cases[i].text)) == 0, "%s: %s",
			      cases[i].text, error.text);
		ck_assert_str_eq(seen, cases[i].seen);
	}
}
END_TEST

#define BYTES(s) s, sizeof(s) - 1

START_TEST(other_lines_are_refused_by_file_and_line)
{
	static const struct {
		const char *text;
		size_t len;
		const char *message;
	} cases[] = {
		{BYTES("a = b\nlisten\n"), "f:2: listen: there is no '=': expected 'key = value'"},
		{BYTES("[main]\n"), "f:1: [main]: there are no sections"},
		{BYTES("\n\n= b\n"), "f:3: '' is not a key"},
		{BYTES("a b = c\n"), "f:1: 'a b' is not a key"},
		{BYTES("Listen = c\n"), "f:1: 'Listen' is not a key"},
		{BYTES("a_b = c\n"), "f:1: 'a_b' is not a key"},
		{BYTES(" # a = b\n"), "f:1: '# a' is not a key"},
		{BYTES("\357\273\277a = b\n"), "f:1: '\357\273\277a' is not a key"},
		{BYTES("a = b\0c\n"), "f:1: the line has a control character"},
		{BYTES("\0\n"), "f:1: the line has a control character"},
		{BYTES("# \0\n"), "f:1: the line has a control character"},
		{BYTES("a = \033[0m\n"), "f:1: the line has a control character"},
		{BYTES("a = b\rc = d\n"), "f:1: the line has a control character"},
		{BYTES("a = b\r\r\n"), "f:1: the line has a control character"},
		{BYTES("a = \177"), "f:1: the line has a control character"},
		{BYTES("x = y\n\nbad = c\nz = 1\n"), "f:3: bad: is bad"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(parse(cases[i].text, cases[i].len), -EINVAL);
		ck_assert_str_eq(error.text, cases[i].message);
	}
}
END_TEST

START_TEST(a_long_line_is_refused_and_never_cut)
{
	static char text[CONF_LINE_MAX + 8];

	memset(text, 'x', sizeof(text));
	memcpy(text, "a=", 2);
	text[CONF_LINE_MAX] = '\n';
	ck_assert_int_eq(parse(text, CONF_LINE_MAX + 1), 0);
	text[CONF_LINE_MAX] = '\r';
	text[CONF_LINE_MAX + 1] = '\n';
	ck_assert_int_eq(parse(text, CONF_LINE_MAX + 2), 0);
	text[CONF_LINE_MAX] = 'x';
	ck_assert_int_eq(parse(text, CONF_LINE_MAX + 2), -EFBIG);
	ck_assert_str_eq(error.text, "f:1: the line is too long: 4097 bytes, the maximum is 4096");
	/* A comment is a line, too. */
	text[0] = '#';
	ck_assert_int_eq(parse(text, CONF_LINE_MAX + 2), -EFBIG);
}
END_TEST

START_TEST(the_number_of_lines_is_limited)
{
	static char text[CONF_LINES_MAX + 2];

	memset(text, '\n', sizeof(text));
	ck_assert_int_eq(parse(text, CONF_LINES_MAX), 0);
	ck_assert_int_eq(parse(text, CONF_LINES_MAX + 1), -EFBIG);
	ck_assert_str_eq(error.text, "f: the file has more than 8192 lines");
}
END_TEST

/* ---- options ----------------------------------------------------------------------------------
 */

struct values {
	bool wrap, help, check;
	const char *host;
	unsigned int poll;
	struct option_list listen;
};

static int check_listen(const char *argument, struct error *e)
{
	return argument[0] == '!' ? error_set(e, EINVAL, "cannot listen on %s", argument) : 0;
}

static const struct option_row rows[] = {
	{.name = "host", .set = option_set_text, .offset = offsetof(struct values, host)},
	{
		.name = "poll",
		.set = option_set_uint,
		.offset = offsetof(struct values, poll),
		.max = 100,
	},
	{
		.name = "listen",
		.set = option_add_text,
		.offset = offsetof(struct values, listen),
		.check = check_listen,
	},
	{.name = "wrap", .set = option_set_flag, .offset = offsetof(struct values, wrap)},
	{
		.name = "check",
		.set = option_set_flag,
		.offset = offsetof(struct values, check),
		.not_key = true,
	},
	{
		.name = "help",
		.set = option_set_flag,
		.offset = offsetof(struct values, help),
		.stop = true,
	},
};
static const struct option_table table = {rows, ARRAY_SIZE(rows)};

enum { HOST = 1, POLL = 2, LISTEN = 4 };

static char directory[] = "/tmp/check_conf_file.XXXXXX";
static struct values values, overruled;
static struct option_files files;

static void setup(void)
{
	(void)snprintf(directory, sizeof(directory), "/tmp/check_conf_file.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	values = overruled = (struct values){0};
	files = (struct option_files){
		.table = &table,
		.arena = arena_new(),
		.values = &values,
		.overruled = &overruled,
	};
	error = (struct error){0};
}

static void teardown(void)
{
	char command[64];

	files.arena = arena_free(files.arena);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static const char *file_named(const char *name)
{
	static char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(file_named(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static int read_text(const char *text)
{
	write_file("x.conf", text);
	return option_files_read(&files, file_named("x.conf"), &error);
}

START_TEST(keys_are_the_options_of_the_table)
{
	ck_assert_int_eq(read_text("host = /a b\npoll = 5\nlisten = x\nlisten = y\nwrap = yes\n"),
			 0);
	ck_assert_str_eq(values.host, "/a b");
	ck_assert_uint_eq(values.poll, 5);
	ck_assert(values.wrap);
	ck_assert_uint_eq(values.listen.n, 2);
	ck_assert_str_eq(values.listen.items[1], "y");
}
END_TEST

START_TEST(errors_name_file_line_and_key)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"\nnonsense = 1\n", "2: nonsense: there is no such key"},
		{"check = yes\n", "1: check: there is no such key"},
		{"help = yes\n", "1: help: there is no such key"},
		{"poll = 101\n", "1: poll: requires a number from 1 to 100, not '101'"},
		{"poll = 5 # often\n", "1: poll: requires a number from 1 to 100, not '5 # often'"},
		{"poll =\n", "1: poll: has no value"},
		{"host =\n", "1: host: has no value"},
		{"poll = 5\nhost = x\npoll = 5\n", "3: poll: is given twice in this file"},
		{"wrap = true\n", "1: wrap: requires 'yes' or 'no', not 'true'"},
		{"listen = a\nlisten = !b\n", "2: listen: cannot listen on !b"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char wanted[512];

		ck_assert_int_eq(read_text(cases[i].text), -EINVAL);
		(void)snprintf(wanted, sizeof(wanted), "%s:%s", file_named("x.conf"),
			       cases[i].message);
		ck_assert_str_eq(error.text, wanted);
	}
}
END_TEST

START_TEST(a_list_has_a_limit)
{
	char text[OPTION_LIST_MAX * 16 + 16] = "";

	for (int i = 0; i <= OPTION_LIST_MAX; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "listen = x\n");
	ck_assert_int_eq(read_text(text), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, ":17: listen: is given more than 16 times"));
}
END_TEST

START_TEST(the_command_line_replaces_what_files_have)
{
	const struct option_list given = {.items = {"given"}, .n = 1};

	values.poll = overruled.poll = 7;
	values.listen = overruled.listen = given;
	files.given = POLL | LISTEN;
	ck_assert_int_eq(read_text("poll = 5\nlisten = x\nlisten = y\nhost = h\n"), 0);
	ck_assert_uint_eq(values.poll, 7);
	ck_assert_uint_eq(values.listen.n, 1);
	ck_assert_str_eq(values.listen.items[0], "given");
	ck_assert_str_eq(values.host, "h");
	/* Still, they must be valid. */
	ck_assert_int_eq(read_text("poll = often\n"), -EINVAL);
}
END_TEST

START_TEST(later_files_overrule_and_add)
{
	ck_assert_int_eq(mkdir(file_named("d"), 0700), 0);
	write_file("d/20.conf", "poll = 20\nlisten = b\n");
	write_file("d/10.conf", "poll = 10\nlisten = a\n");
	write_file("d/B.conf", "host = upper\n");
	write_file("d/a.conf", "host = lower\n");
	write_file("d/.30.conf", "nonsense\n");
	write_file("d/30.conf~", "nonsense\n");
	write_file("d/README", "nonsense\n");
	ck_assert_int_eq(read_text("poll = 1\nlisten = 0\nwrap = yes\n"), 0);
	ck_assert_int_eq(option_files_read_directory(&files, file_named("d"), &error), 0);
	ck_assert_uint_eq(values.poll, 20);
	ck_assert_str_eq(values.host, "lower");
	ck_assert(values.wrap);
	ck_assert_uint_eq(values.listen.n, 3);
	ck_assert_str_eq(values.listen.items[0], "0");
	ck_assert_str_eq(values.listen.items[1], "a");
	ck_assert_str_eq(values.listen.items[2], "b");
	ck_assert_uint_eq(files.n, 5);
}
END_TEST

/* The message of an error about a value, which then names where it is from. */
static const char *located(const char *key, size_t i)
{
	(void)error_set(&error, EINVAL, "wrong");
	option_files_locate(&files, key, i, &error);
	return error.text;
}

START_TEST(errors_about_values_name_their_file_and_line)
{
	char wanted[256];

	values.poll = overruled.poll = 7;
	files.given = POLL;
	ck_assert_int_eq(read_text("poll = 5\nlisten = x\n\nlisten = y\nhost = h\n"), 0);
	write_file("y.conf", "\n\n\nhost = i\nlisten = z\n");
	ck_assert_int_eq(option_files_read(&files, file_named("y.conf"), &error), 0);
	(void)snprintf(wanted, sizeof(wanted), "%s:2: wrong", file_named("x.conf"));
	ck_assert_str_eq(located("listen", 0), wanted);
	(void)snprintf(wanted, sizeof(wanted), "%s:4: wrong", file_named("x.conf"));
	ck_assert_str_eq(located("listen", 1), wanted);
	(void)snprintf(wanted, sizeof(wanted), "%s:5: wrong", file_named("y.conf"));
	ck_assert_str_eq(located("listen", 2), wanted);
	(void)snprintf(wanted, sizeof(wanted), "%s:4: wrong", file_named("y.conf"));
	ck_assert_str_eq(located("host", 0), wanted);
	/* Values of the command line, of no file, and of no key. */
	ck_assert_str_eq(located("poll", 0), "wrong");
	ck_assert_str_eq(located("listen", 3), "wrong");
	ck_assert_str_eq(located("listen", OPTION_LIST_MAX), "wrong");
	ck_assert_str_eq(located("nonsense", 0), "wrong");
}
END_TEST

START_TEST(files_that_cannot_be_read_are_named)
{
	ck_assert_int_eq(option_files_read(&files, file_named("none"), &error), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.text, "/none: No such file"));
	ck_assert_int_eq(option_files_read(&files, directory, &error), -EISDIR);
	ck_assert_int_eq(mkfifo(file_named("fifo"), 0600), 0);
	ck_assert_int_eq(option_files_read(&files, file_named("fifo"), &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "it is not a regular file"));
	ck_assert_int_eq(option_files_read_directory(&files, file_named("none"), &error), 0);
	ck_assert_int_eq(option_files_read_directory(&files, file_named("fifo"), &error), -ENOTDIR);
}
END_TEST

START_TEST(a_file_that_is_too_long_is_refused)
{
	write_file("x.conf", "");
	ck_assert_int_eq(truncate(file_named("x.conf"), CONF_FILE_MAX + 1), 0);
	ck_assert_int_eq(option_files_read(&files, file_named("x.conf"), &error), -EFBIG);
	ck_assert_ptr_nonnull(strstr(error.text, "the file is too long"));
}
END_TEST

START_TEST(the_number_of_files_is_limited)
{
	char name[16];

	ck_assert_int_eq(mkdir(file_named("d"), 0700), 0);
	for (int i = 0; i <= OPTION_FILES_MAX; i++) {
		(void)snprintf(name, sizeof(name), "d/%d.conf", i);
		write_file(name, "");
	}
	ck_assert_int_eq(option_files_read_directory(&files, file_named("d"), &error), -E2BIG);
}
END_TEST

START_TEST(values_are_compared)
{
	struct values a = {.host = "x"}, b = {.host = "x"};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		ck_assert(!option_differs(&rows[i], &a, &b));
	b = (struct values){.poll = 1, .wrap = true, .listen = {.items = {"x"}, .n = 1}};
	for (size_t i = 0; i < 4; i++)
		ck_assert(option_differs(&rows[i], &a, &b));
	a.listen = (struct option_list){.items = {"y"}, .n = 1};
	ck_assert(option_differs(&rows[2], &a, &b));
	a.host = b.host = NULL;
	ck_assert(!option_differs(&rows[0], &a, &b));
}
END_TEST

SUITE(check_conf_file)
{
	Suite *s = suite_create("conf_file");
	TCase *lines = tcase_create("lines"), *options = tcase_create("options");

	tcase_add_test(lines, lines_are_keys_and_values);
	tcase_add_test(lines, other_lines_are_refused_by_file_and_line);
	tcase_add_test(lines, a_long_line_is_refused_and_never_cut);
	tcase_add_test(lines, the_number_of_lines_is_limited);
	suite_add_tcase(s, lines);
	tcase_add_checked_fixture(options, setup, teardown);
	tcase_add_test(options, keys_are_the_options_of_the_table);
	tcase_add_test(options, errors_name_file_line_and_key);
	tcase_add_test(options, a_list_has_a_limit);
	tcase_add_test(options, the_command_line_replaces_what_files_have);
	tcase_add_test(options, later_files_overrule_and_add);
	tcase_add_test(options, errors_about_values_name_their_file_and_line);
	tcase_add_test(options, files_that_cannot_be_read_are_named);
	tcase_add_test(options, a_file_that_is_too_long_is_refused);
	tcase_add_test(options, the_number_of_files_is_limited);
	tcase_add_test(options, values_are_compared);
	suite_add_tcase(s, options);
	return s;
}
