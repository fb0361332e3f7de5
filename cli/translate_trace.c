// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa translate --trace: the addresses of events that other programs have printed, answered as
// the log of events answers them.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/answer.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/trace_answer.h"
#include "events/trace_lines.h"
#include "events/trace_text.h"

struct trace_run {
	struct cli *cli;
	FILE *f;	   /* NULL: --trace is the text itself */
	const char *input; /* what messages call it */
	struct event_mapping *mapping;
	struct json_writer json;
	size_t n_answers, n_inexact, n_malformed, first_malformed;
};

static int print_malformed_line(struct trace_run *run, size_t number, const char *why)
{
	char reason[ERROR_TEXT_MAX + 32];

	(void)snprintf(reason, sizeof(reason), "line %zu: %s", number, why);
	if (!run->n_malformed++)
		run->first_malformed = number;
	if (run->cli->json) {
		answer_json_malformed(&run->json, reason, false, number);
		return out_json(&run->json);
	}
	out_styled(STYLE_BAD, "%s", reason);
	out_end();
	return 0;
}

/* Return: 0 or -ENOMEM. */
static int answer_record(struct trace_run *run, size_t number, const struct trace_text *text)
{
	struct trace_answer trace;
	const struct answer *then = &trace.then.answer;
	struct shown_answer shown = {
		.host = run->cli->host, .answer = then, .line = number, .trace = &trace};
	int r = trace_answer(run->mapping, run->cli->translator, text, run->cli->this_boot,
			     &run->cli->timeout, &trace);

	if (r < 0)
		return r;
	shown.is_range = then->dpa_last != then->dpa;
	run->n_answers++;
	run->n_inexact += !then->exact;
	if (run->cli->json) {
		answer_json(&run->json, &shown);
		return out_json(&run->json);
	}
	out_styled(STYLE_FAINT, "line %zu: ", number);
	answer_trace_text(&shown);
	return 0;
}

static int answer_trace_line(struct trace_run *run, const struct trace_line *line)
{
	struct trace_text text;
	struct error e = {0};
	int r = trace_text_parse(line, &text, &e);

	if (r < 0)
		return print_malformed_line(run, line->number, e.text);
	return r > 0 ? answer_record(run, line->number, &text) : 0;
}

/* Return: in bytes; 0 for what is no file. */
static uint64_t file_size(FILE *f)
{
	struct stat st;

	return fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static int answer_lines(struct trace_run *run, struct trace_lines *lines)
{
	const uint64_t total = run->f ? file_size(run->f) : 0;
	struct trace_line line;
	char why[64];
	int r;

	while (!ferror(stdout) && (r = trace_lines_next(lines, &line)) != 0) {
		if (cli_interrupted())
			return -EINTR;
		cli_progress_step(trace_lines_bytes(lines), total);
		cli_progress_pause(true);
		if (r == -E2BIG) {
			(void)snprintf(why, sizeof(why), "it is longer than %d bytes",
				       TRACE_TEXT_LINE_MAX);
			r = print_malformed_line(run, line.number, why);
		} else if (r == -EINVAL) {
			r = print_malformed_line(run, line.number, "it contains a NUL byte");
		} else if (r > 0) {
			r = answer_trace_line(run, &line);
		}
		cli_progress_pause(false);
		if (r < 0)
			return r;
	}
	return cli_interrupted() ? -EINTR : 0;
}

static int answer_trace(struct trace_run *run)
{
	const char *text = run->cli->trace;
	struct trace_lines *lines =
		run->f ? trace_lines_new(fileno(run->f)) : trace_lines_new_text(text, strlen(text));
	int r;

	cli_catch_interrupt();
	cli_progress_begin("translate");
	r = lines ? answer_lines(run, lines) : -ENOMEM;
	cli_progress_end();
	(void)trace_lines_free(lines);
	return r;
}

static int trace_status(const struct trace_run *run, int r)
{
	if (r < 0)
		log_err("translate: --trace %s: %s", run->input,
			r == -ENOMEM  ? "out of memory"
			: r == -EINTR ? "interrupted; the rest has no answer"
				      : strerror(-r));
	else if (!run->n_answers && !run->n_malformed)
		log_warning(
			"translate: no line of --trace %s has a memory device and an address (memdev=... dpa=...)",
			run->input);
	if (run->n_malformed)
		log_err("translate: --trace %s has %zu malformed line%s, the first one is line %zu",
			run->input, run->n_malformed, plural_s(run->n_malformed),
			run->first_malformed);
	if (r < 0 || run->n_malformed)
		return STATUS_ERROR;
	return run->n_inexact || !run->n_answers ? STATUS_PARTIAL : STATUS_OK;
}

/* Return: whether --trace is an event itself: it has white space, and no file has that name. */
static bool is_text(const char *trace)
{
	struct stat st;

	return strpbrk(trace, " \t\n") && stat(trace, &st) < 0 &&
	       (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG);
}

/* Before the host is opened, which may replace the file system's view. */
static bool open_input(struct trace_run *run)
{
	const char *trace = run->cli->trace;

	run->input = trace;
	if (is_text(trace)) {
		run->input = "TEXT";
		return true;
	}
	run->f = str_equal(trace, "-") ? stdin : fopen(trace, "re");
	if (!run->f)
		log_err("translate: cannot open --trace %s: %s", trace, strerror(errno));
	return run->f;
}

int command_translate_trace(struct cli *cli)
{
	struct trace_run run = {.cli = cli, .json = {.absent_is_null = true, .break_depth = 1}};
	struct error e = {0};
	int r;

	if (!open_input(&run))
		return STATUS_ERROR;
	r = cli_open(cli) == STATUS_OK ? 0 : -EINVAL;
	if (r == 0) {
		cli_print_notes(cli);
		r = event_mapping_new(cli->host, cli->translator, &run.mapping, &e);
	}
	if (r == 0) {
		if (cli->json)
			put_array(&run.json, NULL);
		r = answer_trace(&run);
		if (cli->json) {
			put_end(&run.json);
			if (out_json(&run.json) < 0)
				r = -ENOMEM;
		}
		r = trace_status(&run, r);
	} else {
		r = STATUS_ERROR;
	}
	json_writer_done(&run.json);
	run.mapping = event_mapping_unref(run.mapping);
	if (run.f && run.f != stdin)
		(void)fclose(run.f);
	return r;
}
