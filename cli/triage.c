// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa triage: what happened, where, how often, and the one thing to do.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/event_store.h"
#include "cli/object.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rasdaemon_db.h"
#include "cli/switches.h"
#include "cli/triage_incident.h"
#include "cli/triage_report.h"
#include "cli/verdict.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/component_id.h"
#include "events/event_fill.h"
#include "events/report_answer.h"
#include "mailbox/readings.h"
#include "model/found.h"

/* A selection of the incidents of the host. */
struct triage_selection {
	uint64_t id;		     /* 0: any */
	const struct object *object; /* NULL: any */
	bool has_spa;
	uint64_t spa, spa_last;
	char component[COMPONENT_TEXT_MAX]; /* "": any */
};

struct triage_run {
	struct cli *cli;
	struct arena *arena;
	struct memdev_ids *ids;
	struct triage_selection selection;
	struct triage_list list;
	struct triage_reports
		*reports; /* of a text; NULL: the incidents of the log are asked for */
	struct triage_log log;
	bool in_full; /* an operand selects some */
};

/* ---- the incidents of the log ---- */

static int add_entry(void *userdata, uint64_t seq)
{
	uint64_t *new = entry_list_add(userdata);

	if (!new)
		return -ENOMEM;
	*new = seq;
	return 0;
}

static bool is_wanted(const struct triage_run *run, const struct triage_incident *t)
{
	const struct triage_selection *s = &run->selection;

	if (s->id)
		return t->incident.id == s->id;
	/* The words of a finding without device say which object it is about; they come later. */
	if (s->object && !t->now.memdev && !t->incident.device[0])
		return incident_is_only_found(&t->incident);
	if (s->object && (!t->now.memdev || !verdict_has_memdev(s->object, t->now.memdev)))
		return false;
	for (size_t k = 0; s->has_spa && k < t->now.n_pages; k++)
		if (t->now.pages[k] <= s->spa_last &&
		    t->now.pages[k] + (run->cli->host->page_size - 1) >= s->spa)
			return true;
	return !s->has_spa;
}

static int add_incident(void *userdata, const struct incident *i)
{
	struct triage_run *run = userdata;
	struct triage_incident *t;
	int r;

	if (run->reports) {
		triage_adopt(run->reports, i, &run->log);
		return 0;
	}
	t = triage_list_add(&run->list);
	if (!t)
		return -ENOMEM;
	*t = (struct triage_incident){.incident = *i,
				      .age = run->log.age,
				      .age_is_now = run->log.age_is_now,
				      .host = run->log.host,
				      .is_of_log = true};
	r = triage_look(run->cli, run->ids, t);
	if (r == 0 && !is_wanted(run, t))
		run->list.n--;
	return r;
}

/* The log of another machine, or of a boot before this one, knows nothing of the time since. */
static void set_log(struct triage_run *run, const struct incident_age *then)
{
	struct triage_log *log = &run->log;
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t machine;

	log->age = then->age;
	if (run->cli->host_path)
		return;
	event_boot_id(run->cli->root, boot_id);
	machine = event_machine(run->cli->root);
	log->age_is_now = memcmp(boot_id, then->boot_id, sizeof(boot_id)) == 0;
	if (log->age_is_now)
		log->age = incident_age_at(then, boot_id, clock_boottime_ms() * 1000000);
	else if (!machine || !then->machine)
		log->host = TRIAGE_UNKNOWN_HOST;
	else if (machine != then->machine)
		log->host = TRIAGE_OTHER_HOST;
}

/* The component is that of the newest record, or the one that is selected; @ret_is: as of the
 * selection. */
static int find_component(struct store_reader *r, struct triage_run *run, struct triage_incident *t,
			  bool *ret_is, struct error *e)
{
	const char *wanted = run->selection.component;
	const size_t n = !wanted[0] && t->entries.n ? 1 : t->entries.n;
	struct stored_event ev;
	int result = 0;

	*ret_is = !wanted[0];
	for (size_t k = 0; k < n && (!t->component[0] || !*ret_is); k++) {
		result = store_read_one(r, t->entries.items[k], &ev, e);
		if (result < 0)
			return result == -ENOENT ? 0 : result;
		if (!wanted[0] || component_id_is(&ev.record, wanted)) {
			(void)component_id_text(&ev.record, t->component);
			*ret_is = true;
		}
	}
	return result;
}

static int read_components(struct store_reader *r, struct triage_run *run, struct error *e)
{
	int result = 0;

	for (size_t i = 0; i < run->list.n && result == 0; i++) {
		struct triage_incident *t = &run->list.items[i];
		bool is_wanted = true;

		if (t->incident.id && !t->component[0])
			result = find_component(r, run, t, &is_wanted, e);
		t->is_left_out = !is_wanted;
	}
	return result;
}

static int read_incidents(struct store_reader *r, void *userdata, struct error *e)
{
	struct triage_run *run = userdata;
	struct incident_age then;
	int result = store_read_age(r, &then, e);

	set_log(run, &then);
	if (result == 0)
		result = store_read_incidents(r, run->selection.id != 0 || run->reports,
					      add_incident, run, e);
	for (size_t i = 0; i < run->list.n && result == 0; i++) {
		struct triage_incident *t = &run->list.items[i];

		if (!t->incident.id)
			continue;
		if (incident_is_only_found(&t->incident))
			result = store_read_finding(r, t->incident.id, &t->finding, e);
		if (result == 0)
			result = store_read_incident_entries(r, t->incident.id, TRIAGE_ENTRIES_MAX,
							     add_entry, &t->entries, e);
	}
	return result == 0 && (run->in_full || run->cli->json) ? read_components(r, run, e)
							       : result;
}

static bool is_of_other_object(const struct triage_run *run, const struct triage_incident *t)
{
	const struct object *o = run->selection.object;

	return o && o->kind != OBJECT_HOST && !t->incident.device[0] && t->incident.id &&
	       !str_equal(t->finding.object, o->name);
}

static void drop_others(struct triage_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->list.n; i++) {
		struct triage_incident *t = &run->list.items[i];

		if (t->is_left_out || is_of_other_object(run, t))
			entry_list_done(&t->entries);
		else
			run->list.items[n++] = *t;
	}
	run->list.n = n;
}

static int compare_urgency(const void *a, const void *b)
{
	const struct triage_incident *x = a, *y = b;

	return incident_urgency(&x->incident, x->now.act, &y->incident, y->now.act);
}

static void sort_list(struct triage_list *list)
{
	if (list->n > 1)
		qsort(list->items, list->n, sizeof(*list->items), compare_urgency);
}

/* ---- operands ---- */

/* Return: whether @s is a number of an incident, without any other character. */
static bool read_id(const char *s, uint64_t *ret)
{
	if (!s[0] || s[strspn(s, "0123456789")] || strlen(s) > 19)
		return false;
	*ret = strtoull(s, NULL, 10);
	return *ret > 0;
}

static int read_operand(struct triage_run *run, const char *s, struct object *object,
			struct error *e)
{
	struct triage_selection *selection = &run->selection;
	struct address_range range;
	int r;

	if (read_id(s, &selection->id) || component_id_parse(s, selection->component))
		return 0;
	selection->component[0] = '\0';
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		r = operand_address(s, &range, e);
		selection->has_spa = r == 0;
		selection->spa = range.first;
		selection->spa_last = range.last;
		return r;
	}
	r = object_find(run->cli->host, run->cli->fabric, s, object, e);
	if (r == 0)
		selection->object = object;
	return r;
}

static bool any_open(const struct triage_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (incident_is_open(&list->items[i].incident))
			return true;
	return false;
}

static void print_in_full(const struct triage_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (i)
			out_end();
		triage_print(&list->items[i]);
	}
}

static int print_result(struct triage_run *run, bool in_full)
{
	struct triage_list *list = &run->list;

	cli_progress_end();
	if (run->cli->json)
		return triage_print_json(list, event_store_is_recorded(run->cli));
	if (in_full && list->n && !(run->reports && list->n > 1)) {
		print_in_full(list);
		return 0;
	}
	triage_print_list(list);
	if (run->reports)
		return 0;
	triage_print_log_host(run->log.host);
	if (!event_store_is_recorded(run->cli))
		triage_print_unrecorded(run->cli->host_path != NULL);
	else if (!list->n)
		triage_print_nothing();
	return 0;
}

static int report_failure(const char *what, const struct error *e, int r)
{
	cli_progress_end();
	log_err("triage: %s%s", what, e->text[0] ? e->text : strerror(-r));
	return STATUS_ERROR;
}

static void run_done(struct triage_run *run)
{
	ARRAY_FOREACH(t, &run->list)
		entry_list_done(&t->entries);
	triage_list_done(&run->list);
	(void)arena_free(run->arena);
}

/* The service has them in its log; without one they are found here. */
static int find_problems(struct triage_run *run, struct found *ret, struct error *e)
{
	struct cli *cli = run->cli;
	struct mailbox_client *client = NULL;
	struct readings *readings = NULL;
	struct error unread = {0};
	int r = found_init(ret);

	if (r < 0 || (!cli->host_path && event_store_is_recorded(cli)))
		return r;
	if (cli_open_switches(cli) != STATUS_OK)
		return error_set(e, EIO, "the recorded switches cannot be read");
	/* Devices that cannot be read report nothing. */
	if (mailbox_client_new(cli->root, &client, &unread) == 0)
		(void)readings_read(client, cli->host, NULL, NULL, &readings);
	r = found_add_configuration(ret, cli->host, cli->translator, cli->fabric, run->ids);
	if (r == 0)
		r = found_add_readings(ret, cli->host, readings, run->ids);
	(void)readings_unref(readings);
	(void)mailbox_client_free(client);
	return r;
}

static int read_all(struct triage_run *run, struct error *e)
{
	struct found found;
	int r = find_problems(run, &found, e);

	if (r == 0)
		r = event_store_read(
			run->cli,
			&(struct store_found){.items = found.list.items, .n = found.list.n},
			read_incidents, run, e);
	found_done(&found);
	return r;
}

static int triage_incidents(struct triage_run *run, const char *operand)
{
	struct error e = {0};
	int r;

	run->in_full = operand != NULL;
	r = read_all(run, &e);
	drop_others(run);
	if (r < 0)
		return report_failure("the incidents cannot be read: ", &e, r);
	if (run->selection.id && !run->list.n) {
		(void)error_set(&e, ENOENT, "there is no incident %s", operand);
		return report_failure("", &e, -ENOENT);
	}
	if (run->selection.component[0] && !run->list.n) {
		(void)error_set(&e, ENOENT, "no open incident names the component %s", operand);
		return report_failure("", &e, -ENOENT);
	}
	sort_list(&run->list);
	if (print_result(run, run->in_full) < 0)
		return report_failure("", &e, -ENOMEM);
	if (any_open(&run->list))
		return STATUS_PARTIAL;
	/* Errors of this host may be open, and nobody has seen them. */
	return run->cli->host_path || event_store_is_recorded(run->cli) ? STATUS_OK : STATUS_ERROR;
}

/* ---- texts ---- */

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
	r = event_store_read(run->cli, NULL, read_incidents, run, &e);
	if (r < 0)
		log_warning(
			"triage: the log cannot be read, so how often it happened is not known: %s",
			e.text[0] ? e.text : strerror(-r));
	drop_repeated(&run->list);
	/* The place and the act follow from what the log knows, too. */
	for (size_t i = 0; i < run->list.n; i++)
		if (triage_look(run->cli, run->ids, &run->list.items[i]) < 0)
			return report_failure("", &e, -ENOMEM);
	sort_list(&run->list);
	if (reports->n_left_out)
		log_warning("triage: %zu reports of more than %d incidents are left out",
			    reports->n_left_out, TRIAGE_REPORTED_MAX);
	if (print_result(run, true) < 0)
		return report_failure("", &e, -ENOMEM);
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
static int triage_text(struct triage_run *run, struct trace_lines *lines, struct rasdaemon_db *db)
{
	struct triage_reports reports = {0};
	struct error e = {0};
	int status,
		r = lines ? triage_read_reports(run->cli, run->ids, lines, &reports, &e) : -ENOMEM;

	(void)trace_lines_free(lines);
	r = end_database(db, r, &e);
	run->list = reports.list;
	status = r < 0 ? report_failure("", &e, r) : STATUS_OK;
	warn_of_no_cxl(&reports);
	if (r == 0 && reports.list.n)
		status = print_reports(run, &reports);
	triage_reports_done(&reports);
	if (r < 0 || reports.list.n)
		return status;
	status = STATUS_ERROR;
	cli_progress_end();
	if (run->cli->json && triage_print_json(&run->list, event_store_is_recorded(run->cli)) < 0)
		status = report_failure("", &e, -ENOMEM);
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
		return report_failure("", &e, r);
	status = triage_text(run, trace_lines_new(db.fd), &db);
	(void)close(db.fd);
	return status;
}

static int triage_file(struct triage_run *run, const char *path)
{
	const bool is_input = str_equal(path, "-");
	_cleanup_close_ int fd = is_input ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	struct error e = {0};

	if (!is_input && fd < 0) {
		(void)error_set(&e, errno, "cannot open %s: %s", path, strerror(errno));
		return report_failure("", &e, -EIO);
	}
	if (!is_input && rasdaemon_db_is(fd))
		return triage_database(run, fd);
	return triage_text(run, trace_lines_new(is_input ? STDIN_FILENO : fd), NULL);
}

/* An operand comes first, then an existing file; else it is a text. */
static int triage_operand(struct triage_run *run, const char *operand)
{
	struct object object;
	struct error e = {0}, object_error;

	if (str_equal(operand, "-"))
		return triage_file(run, operand);
	if (read_operand(run, operand, &object, &e) == 0)
		return triage_incidents(run, operand);
	run->selection = (struct triage_selection){0};
	if (access(operand, F_OK) == 0)
		return triage_file(run, operand);
	if (!strpbrk(operand, " \t\n:={")) {
		(void)error_set(
			&object_error, e.code,
			"%s; there is no incident of that number and no file of that name, and a text with a report of an error has more than one word",
			e.text);
		return report_failure("", &object_error, -e.code);
	}
	return triage_text(run, trace_lines_new_text(operand, strlen(operand)), NULL);
}

int command_triage(struct cli *cli, int n, char **operands)
{
	struct triage_run run = {.cli = cli};
	int status;

	if (cli->host_path && cli->events.state) {
		log_err("triage: --state requires the log of cxl-redfishd and cannot be used with --host");
		return STATUS_ERROR;
	}
	cli_progress_begin("triage");
	status = cli_open(cli);
	if (status != STATUS_OK) {
		cli_progress_end();
		return status;
	}
	run.arena = arena_new();
	run.ids = run.arena ? memdev_ids_new(run.arena, cli->host) : NULL;
	if (run.ids)
		status = n ? triage_operand(&run, operands[0]) : triage_incidents(&run, NULL);
	else
		status = report_failure("", &(struct error){0}, -ENOMEM);
	run_done(&run);
	return status;
}
