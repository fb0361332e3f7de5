// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Reports of errors in texts, files and the database of rasdaemon.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/event_store.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rasdaemon_db.h"
#include "cli/triage_run.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/report_answer.h"

static bool is_repeated(const struct triage_incident *t, const struct triage_incident *before)
{
	return t->incident.id && t->incident.id == before->incident.id &&
	       (!t->reported_page.present || !before->reported_page.present ||
		t->reported_page.value == before->reported_page.value);
}

/* Several reports may be of one incident of the log; other pages of it are kept. */
static void drop_repeated(struct triage_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct triage_incident *t = &list->items[i];
		size_t k = 0;

		while (k < n && !is_repeated(t, &list->items[k]))
			k++;
		if (k == n) {
			list->items[n++] = *t;
			continue;
		}
		incident_combine(&list->items[k].incident, &t->incident);
		list->items[k].is_taken |= t->is_taken;
		entry_list_done(&t->entries);
	}
	list->n = n;
}

static int print_reports(struct triage_run *run, struct triage_reports *reports)
{
	struct error e = {0};
	int r;

	run->reports = reports;
	r = triage_read_log(run, NULL, &e);
	if (r < 0)
		log_warning(
			"triage: the log cannot be read, so how often it happened is not known: %s",
			e.text[0] ? e.text : strerror(-r));
	drop_repeated(&run->list);
	/* The place and the act follow from what the log knows, too. */
	for (size_t i = 0; i < run->list.n; i++)
		if (triage_look(run->cli, run->ids, &run->list.items[i]) < 0)
			return triage_fail("", &e, -ENOMEM);
	triage_sort(&run->list);
	if (reports->n_left_out)
		log_warning("triage: %zu reports of more than %d incidents are left out",
			    reports->n_left_out, TRIAGE_REPORTED_MAX);
	if (triage_print_result(run, true) < 0)
		return triage_fail("", &e, -ENOMEM);
	return STATUS_PARTIAL;
}

/* Return: @r, or the failure of the process that gave the lines. */
static int end_database(struct rasdaemon_db *db, int r, struct error *e)
{
	struct error why = {0};
	int ended = db ? rasdaemon_db_close(db, &why) : 0;

	if (r == 0 && ended < 0)
		*e = why;
	else if (r == 0 && why.text[0])
		log_warning("triage: %s", why.text);
	return r == 0 ? ended : r;
}

static void warn_of_no_cxl(const struct triage_reports *reports)
{
	const char *verb = reports->n_no_cxl == 1 ? "is" : "are";

	if (reports->n_no_cxl)
		log_warning(
			"triage: %zu report%s of PCIe errors %s left out: the first one's function %s %s",
			reports->n_no_cxl, plural_s(reports->n_no_cxl), verb, reports->no_cxl,
			report_no_cxl);
}

/* @lines: NULL when there is no memory; freed. @db: what they are of; NULL: a text. */
static int triage_lines(struct triage_run *run, struct trace_lines *lines, struct rasdaemon_db *db)
{
	struct triage_reports reports = {0};
	struct error e = {0};
	int status,
		r = lines ? triage_read_reports(run->cli, run->ids, lines, &reports, &e) : -ENOMEM;

	(void)trace_lines_free(lines);
	r = end_database(db, r, &e);
	run->list = reports.list;
	status = r < 0 ? triage_fail("", &e, r) : STATUS_OK;
	warn_of_no_cxl(&reports);
	if (r == 0 && reports.list.n)
		status = print_reports(run, &reports);
	triage_reports_done(&reports);
	if (r < 0 || reports.list.n)
		return status;
	status = STATUS_ERROR;
	cli_progress_end();
	if (run->cli->json && triage_print_json(&run->list, event_store_is_recorded(run->cli)) < 0)
		status = triage_fail("", &e, -ENOMEM);
	/* The reason was said of each. */
	if (!reports.n_malformed)
		log_err("triage: no report of an error is recognised; looked for: %s, the database of rasdaemon as a file",
			reports_looked_for());
	return status;
}

static int triage_database(struct triage_run *run, int fd)
{
	struct rasdaemon_db db = {.fd = -1};
	struct error e = {0};
	int status, r = rasdaemon_db_open(&db, fd, &e);

	if (r < 0)
		return triage_fail("", &e, r);
	status = triage_lines(run, trace_lines_new(db.fd), &db);
	(void)close(db.fd);
	return status;
}

int triage_input(struct triage_run *run, const char *path)
{
	const bool is_input = str_equal(path, "-");
	_cleanup_close_ int fd = is_input ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	struct error e = {0};

	if (!is_input && fd < 0) {
		(void)error_set(&e, errno, "cannot open %s: %s", path, strerror(errno));
		return triage_fail("", &e, -EIO);
	}
	if (!is_input && rasdaemon_db_is(fd))
		return triage_database(run, fd);
	return triage_lines(run, trace_lines_new(is_input ? STDIN_FILENO : fd), NULL);
}

int triage_text(struct triage_run *run, const char *text)
{
	return triage_lines(run, trace_lines_new_text(text, strlen(text)), NULL);
}
