// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa translate: reads the operands, translates them, and determines the exit status. Answers
// are printed by answer_text.c and answer_json.c.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/answer.h"
#include "cli/cli.h"
#include "cli/operands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"
#include "sysfs/memdev_operand.h"

/* One run of translate. */
struct translation {
	struct cli *cli;
	const struct memdev *memdev; /* NULL: the operands are SPAs */
	struct json_writer json;
	struct answers answers; /* of one operand; reused */
	bool inexact;
	size_t n_malformed, first_malformed; /* lines of standard input */
	uint64_t input_bytes;		     /* how long that is; 0: not known */
};

struct operand {
	struct address_range range;
	bool is_stdin; /* "-" */
};

/* Return: 0 or -ENOMEM. */
static int print_answer(struct translation *t, const struct address_range *range,
			const struct answer *a)
{
	struct shown_answer shown = {
		.host = t->cli->host,
		.answer = a,
		.by_spa = !t->memdev,
		.is_range = range->is_range,
	};

	if (!a->exact)
		t->inexact = true;
	if (!t->cli->json) {
		answer_text(&shown);
		return 0;
	}
	answer_json(&t->json, &shown);
	return out_json(&t->json);
}

/* Return: 0 or -ENOMEM. */
static int translate_range(struct translation *t, const struct address_range *range)
{
	int r;

	r = addresses_translate(&t->cli->addresses, t->memdev, range->first, range->last,
				&t->answers);
	if (r < 0)
		return r;
	ARRAY_FOREACH(a, &t->answers)
		if (r >= 0)
			r = print_answer(t, range, a);
	return r;
}

/* A malformed line has an answer, too: the order of lines and answers stays the same. */
static void print_malformed(struct translation *t, size_t number, const char *why)
{
	char reason[ERROR_TEXT_MAX + 32];

	(void)snprintf(reason, sizeof(reason), "line %zu: %s", number, why);
	if (t->cli->json) {
		answer_json_malformed(&t->json, reason, !t->memdev, 0);
	} else {
		out_styled(STYLE_BAD, "%s", reason);
		out_end();
	}
	if (!t->n_malformed++)
		t->first_malformed = number;
}

/* A blank line has its place in the output, too, but is no error. */
static void print_blank(struct translation *t, size_t number)
{
	char reason[48];

	(void)snprintf(reason, sizeof(reason), "line %zu: the line is blank", number);
	if (t->cli->json)
		answer_json_malformed(&t->json, reason, !t->memdev, 0);
	else
		out_end();
}

static int translate_line(struct translation *t, size_t number, const char *line)
{
	struct address_range range;
	struct error e = {0};

	if (!line[strspn(line, " \t")]) {
		print_blank(t, number);
		return 0;
	}
	if (operand_address(line, &range, &e) < 0) {
		print_malformed(t, number, e.text);
		return 0;
	}
	return translate_range(t, &range);
}

/* Without it, a program that waits for a line looks like one that hangs. */
static void say_that_it_reads(const char *what)
{
	if (isatty(STDIN_FILENO))
		log_warning("translate: reads %s from standard input, one a line; Ctrl-D ends it",
			    what);
}

/* @r: of operand_line(). Return: 0 or -ENOMEM. */
static int answer_line(struct translation *t, size_t number, const char *line, int r)
{
	char why[64];

	if (r == -E2BIG) {
		(void)snprintf(why, sizeof(why), "the line is longer than %d bytes",
			       OPERAND_LINE_MAX);
		print_malformed(t, number, why);
	} else if (r == -EINVAL) {
		print_malformed(t, number, "the line contains a NUL byte");
	} else {
		return translate_line(t, number, line);
	}
	return 0;
}

static int translate_lines(struct translation *t)
{
	char line[OPERAND_LINE_MAX + 1] = "";
	uint64_t bytes = 0;

	say_that_it_reads("addresses");
	for (size_t number = 1; !ferror(stdout); number++) {
		int r = operand_line(stdin, line);

		if (cli_interrupted())
			return -EINTR;
		if (r == 0)
			break;
		if (r == -EIO)
			return -errno;
		bytes += r > 0 ? strlen(line) + 1 : OPERAND_LINE_MAX;
		cli_progress_step(bytes, t->input_bytes);
		cli_progress_pause(true);
		r = answer_line(t, number, line, r);
		cli_progress_pause(false);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Return: 0 or a negative errno, -EINTR when a signal has ended it. */
static int translate_stdin(struct translation *t)
{
	struct stat st;
	int r;

	if (fstat(fileno(stdin), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		t->input_bytes = (uint64_t)st.st_size;
	cli_catch_interrupt();
	if (!isatty(STDIN_FILENO)) /* there it is where one types */
		cli_progress_begin("translate");
	r = translate_lines(t);
	cli_progress_end();
	return r;
}

static int translate_all(struct translation *t, int n, const struct operand *operands)
{
	int r = 0;

	for (int i = 0; i < n && r >= 0 && !ferror(stdout); i++) {
		r = operands[i].is_stdin ? translate_stdin(t)
					 : translate_range(t, &operands[i].range);
		if (operands[i].is_stdin && r < 0 && r != -ENOMEM && r != -EINTR)
			log_err("standard input: %s", strerror(-r));
	}
	return r;
}

/* The first operand may be a misspelt memory device. */
static int first_operand_malformed(struct error *e)
{
	char why[ERROR_TEXT_MAX];

	(void)snprintf(why, sizeof(why), "%s", e->text);
	return error_set(
		e, EINVAL,
		"%s; memory devices are written memN, dddd:bb:dd.f, serial:NUMBER or cxl-...", why);
}

/* Return: whether an operand is of a line of the kernel's log, pasted with or without quotes. */
static bool is_event(int n, char **operands)
{
	static const char *const fields[] = {"memdev=", "memdev:", "dpa=", "dpa:", "\"memdev\""};

	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(fields); k++)
			if (strstr(operands[i], fields[k]))
				return true;
	return false;
}

/* All before anything is translated: a part of the output could be taken for all of it. */
static int read_operands(int n, char **operands, const char *memdev, struct operand *ret)
{
	struct error e = {0};
	int n_stdin = 0, r = 0;

	if (is_event(n, operands)) {
		log_err("translate: the operands are an event of the kernel, not addresses: give it to standard input of: cxl-spa translate --trace -");
		return -EINVAL;
	}
	if (memdev)
		r = operand_check_memdev(memdev, &e);
	for (int i = 0; i < n && r >= 0; i++) {
		ret[i].is_stdin = str_equal(operands[i], "-");
		if (!ret[i].is_stdin)
			r = operand_address(operands[i], &ret[i].range, &e);
		else if (++n_stdin > 1)
			r = error_set(
				&e, EINVAL,
				"'-' (standard input) is given twice; it can be given only once");
		if (r < 0 && i == 0 && !memdev && str_after_prefix(operands[i], "0x") == NULL)
			r = first_operand_malformed(&e);
	}
	if (r >= 0 && !n)
		r = error_set(&e, EINVAL, "an ADDRESS is missing after %s", memdev);
	if (r < 0)
		log_err("translate: %s", e.text);
	return r;
}

static int open_host_and_memdev(struct cli *cli, const char *memdev, const struct memdev **ret)
{
	struct error e = {0};
	int status;

	status = cli_open(cli);
	if (status != STATUS_OK || !memdev)
		return status;
	if (operand_memdev(cli->host, memdev, ret, &e) < 0) {
		log_err("translate: %s", e.text);
		return STATUS_ERROR;
	}
	return STATUS_OK;
}

/* Return: the exit status. */
static int translate_operands(struct translation *t, int n, const struct operand *operands)
{
	int r;

	if (t->cli->json)
		put_array(&t->json, NULL);
	r = translate_all(t, n, operands);
	if (t->cli->json) {
		put_end(&t->json);
		if (out_json(&t->json) < 0)
			r = -ENOMEM;
	}
	json_writer_done(&t->json);
	answers_done(&t->answers);
	if (r == -ENOMEM || r == -EINTR)
		log_err("translate: %s",
			r == -ENOMEM ? "out of memory" : "interrupted; the rest has no answer");
	if (t->n_malformed)
		log_err("translate: standard input has %zu malformed line%s, the first one is line %zu",
			t->n_malformed, plural_s(t->n_malformed), t->first_malformed);
	if (r < 0 || t->n_malformed)
		return STATUS_ERROR;
	return t->inexact ? STATUS_PARTIAL : STATUS_OK;
}

int command_translate(struct cli *cli, int n, char **operands)
{
	struct translation t = {.cli = cli, .json = {.absent_is_null = true, .break_depth = 1}};
	const char *memdev = n && operand_is_memdev(operands[0]) ? operands[0] : NULL;
	const int skip = memdev ? 1 : 0;
	_cleanup_free_ struct operand *read = NULL;

	if (cli->trace) {
		if (str_equal(cli->trace, "-"))
			say_that_it_reads("events");
		return command_translate_trace(cli);
	}
	read = calloc((size_t)n + 1, sizeof(*read));
	if (!read) {
		log_err("translate: out of memory");
		return STATUS_ERROR;
	}
	if (read_operands(n - skip, operands + skip, memdev, read) < 0 ||
	    open_host_and_memdev(cli, memdev, &t.memdev) != STATUS_OK)
		return STATUS_ERROR;
	cli_print_notes(cli);
	return translate_operands(&t, n - skip, read);
}
