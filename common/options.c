// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "common/strutil.h"

enum {
	LETTERS_MAX = 2 * OPTIONS_MAX + 3,
	FIRST_VALUE = 256,     /* of getopt_long() for row 0; above all characters */
	HELP_COLUMN_MAX = 24,  /* where descriptions start, at most */
	MESSAGE_TEXT_MAX = 64, /* how much of an argument a message repeats */
	HELP_TEXT_MAX = 512,   /* of one option */
};

int option_set_flag(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	(void)row;
	if (argument && !str_equal(argument, "yes") && !str_equal(argument, "no"))
		return error_set(e, EINVAL, "requires 'yes' or 'no', not '%.*s'", MESSAGE_TEXT_MAX,
				 argument);
	*(bool *)field = !str_equal(argument, "no");
	return 0;
}

/* Return: whether @argument is one of the words, which have ", " between. */
static bool is_one_of(const char *words, const char *argument)
{
	const size_t len = strlen(argument);

	for (words += strspn(words, ", "); *words; words += strspn(words, ", ")) {
		const size_t n = strcspn(words, ", ");

		if (n == len && memcmp(words, argument, n) == 0)
			return true;
		words += n;
	}
	return false;
}

int option_set_text(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	if (row->words && !is_one_of(row->words, argument))
		return error_set(e, EINVAL, "requires one of %s, not '%.*s'", row->words,
				 MESSAGE_TEXT_MAX, argument);
	*(const char **)field = argument;
	return 0;
}

int option_add_text(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	struct option_list *list = field;

	(void)row;
	if (list->n == OPTION_LIST_MAX)
		return error_set(e, EINVAL, "is given more than %d times", OPTION_LIST_MAX);
	list->items[list->n++] = argument;
	return 0;
}

static uint64_t option_min(const struct option_row *row)
{
	return row->min ? row->min : 1;
}

int option_set_u64(const struct option_row *row, void *field, const char *argument, struct error *e)
{
	const uint64_t min = option_min(row);
	uint64_t n;

	if (parse_u64(argument, &n) < 0 || n < min || n > row->max)
		return error_set(e, EINVAL,
				 "requires a number from %" PRIu64 " to %" PRIu64 ", not '%.*s'",
				 min, row->max, MESSAGE_TEXT_MAX, argument);
	*(uint64_t *)field = n;
	return 0;
}

int option_set_uint(const struct option_row *row, void *field, const char *argument,
		    struct error *e)
{
	uint64_t n = 0;
	int r;

	assert(row->max <= UINT32_MAX);
	r = option_set_u64(row, &n, argument, e);
	if (r == 0)
		*(unsigned int *)field = (unsigned int)n;
	return r;
}

/* Return: whether @arg, which may have a value behind '=', is the beginning of a row's name. */
static bool option_begins_with(const struct option_row *row, const char *arg)
{
	const size_t len = strcspn(arg, "=");

	return len > 2 && strncmp(arg, "--", 2) == 0 && strncmp(row->name, arg + 2, len - 2) == 0;
}

static bool option_is_abbreviated(const struct option_row *row, const char *arg)
{
	return option_begins_with(row, arg) && strcspn(arg, "=") - 2 < strlen(row->name);
}

/* Names all options that an abbreviation could mean, or says that there is none. */
static int option_unknown(const struct option_table *t, const char *arg, struct error *e)
{
	const int len = (int)strcspn(arg, "=");
	char names[ERROR_TEXT_MAX / 2] = "";
	size_t used = 0;

	for (size_t i = 0; i < t->n_rows && used < sizeof(names); i++)
		if (option_is_abbreviated(&t->rows[i], arg))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s--%s",
						 used ? " or " : "", t->rows[i].name);
	if (used)
		return error_set(e, EINVAL,
				 "options cannot be abbreviated: write %s instead of %.*s", names,
				 len, arg);
	return error_set(e, EINVAL, "unknown option '%.*s'", MESSAGE_TEXT_MAX, arg);
}

bool option_is_list(const struct option_row *row)
{
	return row->set == option_add_text;
}

int option_store(const struct option_row *row, const char *argument, const char *prefix,
		 void *values, struct error *e)
{
	int r = row->check && argument ? row->check(argument, e) : 0;

	if (r < 0) {
		if (prefix)
			error_prefix(e, "%s%s", prefix, row->name);
		return r;
	}
	r = row->set(row, (char *)values + row->offset, argument, e);
	if (r < 0 && prefix && e) {
		const struct error old = *e;

		return error_set(e, r, "%s%s %.*s", prefix, row->name, ERROR_TEXT_MAX / 2,
				 old.text);
	}
	return r;
}

/* An option of the command line. */
static int option_store_given(const struct option_row *row, const char *argument, bool twice,
			      void *values, struct error *e)
{
	if (twice && argument && !option_is_list(row))
		return error_set(e, EINVAL, "--%s is given twice; it can be given only once",
				 row->name);
	if (argument && !argument[0])
		return error_set(e, EINVAL, "the argument %s of --%s is empty", row->argument,
				 row->name);
	return option_store(row, argument, "--", values, e);
}

static bool lists_differ(const struct option_list *a, const struct option_list *b)
{
	if (a->n != b->n)
		return true;
	for (size_t i = 0; i < a->n; i++)
		if (!str_equal(a->items[i], b->items[i]))
			return true;
	return false;
}

bool option_differs(const struct option_row *row, const void *a, const void *b)
{
	const void *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;

	if (option_is_list(row))
		return lists_differ(x, y);
	if (row->set == option_set_text) {
		const char *const *s = x, *const *t = y;

		return (*s || *t) && !str_equal(*s, *t);
	}
	if (row->set == option_set_flag)
		return *(const bool *)x != *(const bool *)y;
	if (row->set == option_set_uint)
		return *(const unsigned int *)x != *(const unsigned int *)y;
	assert(row->set == option_set_u64);
	return *(const uint64_t *)x != *(const uint64_t *)y;
}

/* Return: the index of the row that getopt_long() means by @value; -1 for none. */
static int option_index(const struct option_table *t, int value)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].letter && t->rows[i].letter == value)
			return (int)i;
	return value >= FIRST_VALUE ? value - FIRST_VALUE : -1;
}

/*
 * Handles what getopt_long() returned for @arg. getopt_long() accepts abbreviations, so the name
 * is compared again.
 */
static int option_take(const struct option_table *t, int value, const char *arg, void *values,
		       struct option_result *result, struct error *e)
{
	const bool failed = value == '?' || value == ':';
	const int index = option_index(t, failed ? optopt : value);
	const struct option_row *row = index >= 0 ? &t->rows[index] : NULL;
	int r;

	if (!row || option_is_abbreviated(row, arg))
		return option_unknown(t, arg, e);
	if (value == ':')
		return error_set(e, EINVAL, "--%s requires an argument: --%s %s", row->name,
				 row->name, row->argument);
	if (failed)
		return error_set(e, EINVAL, "--%s does not take an argument", row->name);
	r = option_store_given(row, optarg, t->once && (result->given >> index & 1), values, e);
	result->given |= UINT64_C(1) << index;
	result->stopped = r == 0 && row->stop;
	return r;
}

/* "-:" and the letters: operands are returned in their order, as value 1; a missing argument as
 * ':'.
 */
static void make_letters(const struct option_table *t, char ret[static LETTERS_MAX])
{
	size_t n = (size_t)snprintf(ret, LETTERS_MAX, "-:");

	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].letter)
			n += (size_t)snprintf(ret + n, LETTERS_MAX - n, "%c%s", t->rows[i].letter,
					      t->rows[i].argument ? ":" : "");
}

static void make_getopt_options(const struct option_table *t, struct option *options)
{
	assert(t->n_rows <= OPTIONS_MAX);
	for (size_t i = 0; i < t->n_rows; i++)
		options[i] = (struct option){
			.name = t->rows[i].name,
			.has_arg = t->rows[i].argument ? required_argument : no_argument,
			.val = FIRST_VALUE + (int)i,
		};
}

int options_parse(const struct option_table *t, int argc, char **argv, void *values,
		  struct option_result *ret, struct error *e)
{
	struct option options[OPTIONS_MAX + 1] = {0};
	char letters[LETTERS_MAX];
	struct option_result result = {.operands = argv + 1};
	int value, at = 1, r = 0;

	make_getopt_options(t, options);
	make_letters(t, letters);
	opterr = 0;
	optind = 0; /* makes glibc start anew */
	while (r == 0 && !result.stopped &&
	       (value = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (value == 1)
			result.operands[result.n_operands++] = optarg;
		else
			r = option_take(t, value, argv[at], values, &result, e);
		at = optind;
	}
	if (r < 0)
		return r;
	while (!result.stopped && optind < argc)
		result.operands[result.n_operands++] = argv[optind++];
	*ret = result;
	return 0;
}

const struct option_row *options_unsupported(const struct option_table *t,
					     const struct option_result *result,
					     unsigned int command)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if ((result->given >> i & 1) && t->rows[i].commands &&
		    !(t->rows[i].commands & command))
			return &t->rows[i];
	return NULL;
}

/* ---- help ---- */

static bool option_is_printed(const struct option_row *row, unsigned int commands)
{
	return !row->commands || (row->commands & commands) == commands;
}

/* "  --name ARGUMENT" */
static size_t option_heading_length(const struct option_row *row)
{
	return strlen("  --") + strlen(row->name) + (row->argument ? 1 + strlen(row->argument) : 0);
}

static size_t options_column(const struct option_table *t, unsigned int commands)
{
	size_t column = 0;

	for (size_t i = 0; i < t->n_rows; i++) {
		const size_t wanted = option_heading_length(&t->rows[i]) + 2;

		if (option_is_printed(&t->rows[i], commands) && wanted > column &&
		    wanted <= HELP_COLUMN_MAX)
			column = wanted;
	}
	return column;
}

/* The help of a number ends with its range, so that it is the one that is checked. */
static void option_print_help(FILE *f, const struct option_row *row, size_t column)
{
	char text[HELP_TEXT_MAX];

	if (row->max)
		(void)snprintf(text, sizeof(text), "%s (%" PRIu64 " to %" PRIu64 ")", row->help,
			       option_min(row), row->max);
	options_print_text(f, row->max ? text : row->help, column, column);
}

void options_print(FILE *f, const struct option_table *t, unsigned int commands)
{
	const size_t column = options_column(t, commands);

	for (size_t i = 0; i < t->n_rows; i++) {
		const struct option_row *row = &t->rows[i];
		size_t len = option_heading_length(row);

		if (!option_is_printed(row, commands))
			continue;
		(void)fprintf(f, "  --%s%s%s", row->name, row->argument ? " " : "",
			      row->argument ? row->argument : "");
		if (len + 2 > column) {
			(void)putc('\n', f);
			len = 0;
		}
		(void)fprintf(f, "%*s", (int)(column - len), "");
		option_print_help(f, row, column);
	}
}

void options_print_text(FILE *f, const char *text, size_t indent, size_t column)
{
	bool at_start = true;

	while (*text) {
		const size_t len = strcspn(text, " \n");

		if (!at_start && column + 1 + len > OPTIONS_HELP_COLUMNS) {
			(void)fprintf(f, "\n%*s", (int)indent, "");
			column = indent;
			at_start = true;
		}
		if (len)
			(void)fprintf(f, "%s%.*s", at_start ? "" : " ", (int)len, text);
		column += len + (at_start ? 0 : 1);
		at_start = at_start && !len;
		text += len;
		if (*text == '\n') {
			(void)fprintf(f, "\n%*s", text[1] && text[1] != '\n' ? (int)indent : 0, "");
			column = indent;
			at_start = true;
		}
		if (*text)
			text++;
	}
	if (!at_start)
		(void)putc('\n', f);
}
