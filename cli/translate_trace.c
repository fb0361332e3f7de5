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
#include "events/report_answer.h"

struct trace_run {
	struct cli *cli;
	FILE *f;	   /* NULL: --trace is the text itself */
	const char *input; /* what messages call it */
	struct event_mapping *mapping;
	struct json_writer json;
	struct trace_lines *lines;
	uint64_t total; /* bytes of it; 0: not known */
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

/* By the present mapping, which is what the page is asked for. */
static int print_spa(struct trace_run *run, struct shown_answer *shown)
{
	shown->by_spa = true;
	if (run->cli->json) {
		answer_json(&run->json, shown);
		return out_json(&run->json);
	}
	shown->answer = &shown->trace->now.answer;
	answer_text(shown);
	return 0;
}

static int print_report(struct trace_run *run, const struct report *report,
			const struct report_answer *answer)
{
	const struct answer *then = &answer->trace.then.answer;
	struct shown_answer shown = {.host = run->cli->host,
				     .answer = then,
				     .line = report->line,
				     .trace = &answer->trace};

	shown.is_range = answer->by == REPORT_BY_SPA ? report->spa != report->spa_last
						     : then->dpa_last != then->dpa;
	run->n_answers++;
	run->n_inexact += !then->exact;
	if (!run->cli->json)
		out_styled(STYLE_FAINT, "line %zu: ", report->line);
	if (answer->by == REPORT_BY_SPA)
		return print_spa(run, &shown);
	if (run->cli->json) {
		answer_json(&run->json, &shown);
		return out_json(&run->json);
	}
	answer_trace_text(&shown);
	return 0;
}

/* Return: as report_fn. */
static int use_report(const struct report *report, void *arg)
{
	struct trace_run *run = arg;
	struct report_answer answer;
	int r;

	if (cli_interrupted())
		return -EINTR;
	if (ferror(stdout))
		return -EPIPE;
	if (report->wrong.text[0])
		return print_malformed_line(run, report->line, report->wrong.text);
	if (report_address_of(report) == REPORT_NO_ADDRESS)
		return 0;
	r = report_answer(run->mapping, run->cli->addresses.translator, report, run->cli->this_boot,
			  &run->cli->addresses.timeout, &answer);
	if (r < 0)
		return r;
	cli_progress_step(trace_lines_bytes(run->lines), run->total);
	cli_progress_pause(true);
	r = print_report(run, report, &answer);
	cli_progress_pause(false);
	return r;
}

/* Return: in bytes; 0 for what is no file. */
static uint64_t file_size(FILE *f)
{
	struct stat st;

	return fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static int answer_trace(struct trace_run *run)
{
	const char *text = run->cli->trace;
	int r = -ENOMEM;

	run->lines =
		run->f ? trace_lines_new(fileno(run->f)) : trace_lines_new_text(text, strlen(text));
	run->total = run->f ? file_size(run->f) : 0;
	cli_catch_interrupt();
	cli_progress_begin("translate");
	if (run->lines)
		r = reports_read(run->lines, run->cli->host->page_size, use_report, run);
	cli_progress_end();
	run->lines = trace_lines_free(run->lines);
	if (r == -EPIPE && ferror(stdout))
		r = 0;
	return cli_interrupted() ? -EINTR : r;
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
			"translate: no line of --trace %s has a report of an error with an address; looked for: %s",
			run->input, reports_looked_for());
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
		r = event_mapping_new(cli->host, cli->addresses.translator, &run.mapping, &e);
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
