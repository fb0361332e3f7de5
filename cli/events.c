// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa events: the log that cxl-redfishd keeps, or the records of a captured host.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/event_changes.h"
#include "cli/event_list.h"
#include "cli/event_order.h"
#include "cli/event_summary.h"
#include "capture/captured_host.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/names.h"
#include "events/event_fill.h"
#include "events/replay.h"
#include "events/store.h"
#include "events/store_reader.h"
#include "redfish/state/state.h"

enum {
	PAGE_ENTRIES = 1000,
	LOG_NAMES_MAX = 64,
	AGAIN_ENTRIES = 64, /* read at once for printing them in the order of their time */
	FOLLOW_INTERVAL_MS = 500,
	SELECTED_TIMES_MAX = 2 * (EVENT_TIME_TEXT_MAX + 16),
};

/* Names in the log, for those who know it but not what it has. */
struct log_names {
	char name[LOG_NAMES_MAX][EVENT_MEMDEV_MAX];
	size_t n;
};
_Static_assert(EVENT_MEMDEV_MAX >= EVENT_REGION_MAX, "for both");

/* One run of events. */
struct event_list {
	struct cli *cli;
	struct event_selection selection;
	struct event_names_seen seen;
	struct log_names devices, regions;
	struct event_columns columns;
	struct event_summary *summary; /* NULL without --summary */
	struct event_order order;
	struct json_writer json;
	bool heading_printed;
	uint64_t last;	 /* number of the last entry read */
	size_t n;	 /* entries read in this page */
	uint64_t newest; /* number of the newest entry at the beginning */
	uint64_t all;	 /* events that there are, selected or not */

	/* The entries that were read last for printing. */
	struct stored_event *again;
	size_t n_again;

	/* The mapping of a captured host. */
	struct event_mapping *mapping;
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	struct error problem; /* of keeping a record */
};

static uint64_t page_size_of(const struct cli *cli)
{
	const long size = sysconf(_SC_PAGESIZE);

	if (cli->host)
		return cli->host->page_size;
	return size > 0 ? (uint64_t)size : PAGE_SIZE_DEFAULT;
}

static const char *slot_of(const struct event_list *l, const struct stored_event *ev)
{
	const struct memdev *m = l->cli->host ? event_memdev(l->cli->host, &ev->record) : NULL;

	return m ? m->slot : NULL;
}

/* An event that is selected, and printed later. */
static void measure_event(struct event_list *l, const struct stored_event *ev)
{
	if (!l->summary && !l->cli->json)
		event_text_measure(&l->columns, ev, slot_of(l, ev));
}

/* Return: 0; -ENOMEM; -EPIPE when standard output cannot be written. */
static int print_event(struct event_list *l, const struct stored_event *ev)
{
	const char *slot = slot_of(l, ev);

	if (l->summary)
		return event_summary_add(l->summary, ev);
	cli_progress_end();
	if (l->cli->json) {
		event_json(&l->json, ev, page_size_of(l->cli), slot);
		l->json.comma = false; /* lines, not an array */
		if (out_json(&l->json) < 0)
			return -ENOMEM;
	} else {
		if (!l->heading_printed)
			event_text_heading(&l->columns);
		l->heading_printed = true;
		event_text(&l->columns, ev, slot);
	}
	return ferror(stdout) ? -EPIPE : 0;
}

/* ---- the log ---- */

static int take_entry(struct event_list *l, const struct stored_event *ev)
{
	l->last = ev->seq;
	l->n++;
	cli_progress_step(ev->seq, l->newest);
	return cli_interrupted() ? -EINTR : 0;
}

static bool have_enough(const struct event_list *l)
{
	return l->cli->events.lines && l->order.list.n >= l->cli->events.lines;
}

/* Keeps the place of an entry that is selected. */
static int place_entry(void *userdata, const struct stored_event *ev)
{
	struct event_list *l = userdata;
	int r = take_entry(l, ev);

	if (r < 0 || !event_is_selected(&l->selection, ev, &l->seen))
		return r;
	if (!have_enough(l))
		measure_event(l, ev);
	return event_order_add_entry(&l->order, ev);
}

static int print_new_entry(void *userdata, const struct stored_event *ev)
{
	struct event_list *l = userdata;
	int r = take_entry(l, ev);

	if (r == 0 && event_is_selected(&l->selection, ev, &l->seen))
		r = print_event(l, ev);
	return r;
}

static void note_name(struct log_names *names, const char *name)
{
	bool is_new = name[0] && names->n < LOG_NAMES_MAX;

	for (size_t i = 0; i < names->n && is_new; i++)
		is_new = strcmp(names->name[i], name) != 0;
	if (is_new)
		(void)snprintf(names->name[names->n++], EVENT_MEMDEV_MAX, "%s", name);
}

/* Only looks for the names. */
static int see_entry(void *userdata, const struct stored_event *ev)
{
	struct event_list *l = userdata;

	if (ev->device[0]) /* not that of a port */
		note_name(&l->devices, ev->record.memdev);
	note_name(&l->regions, ev->answer.region);
	(void)event_is_selected(&l->selection, ev, &l->seen);
	return take_entry(l, ev);
}

/* With -n from the newest entry back, which need not read them all. */
static int read_entries(struct event_list *l, struct store_reader *r,
			const struct event_filter *filter, bool backwards, store_each_event *each,
			struct error *e)
{
	int result = 0;

	do {
		const struct event_page page = {
			.from = l->last, .backwards = backwards, .max = PAGE_ENTRIES};

		l->n = 0;
		result = store_read_page(r, filter, &page, each, l, e);
	} while (result == 0 && l->n == PAGE_ENTRIES && !(backwards && have_enough(l)));
	return result;
}

static int keep_entry(void *userdata, const struct stored_event *ev)
{
	struct event_list *l = userdata;

	l->again[l->n_again++] = *ev;
	return 0;
}

/* Entries that follow each other mostly do so in time. An entry that is gone meanwhile is NULL. */
static int read_again(struct event_list *l, struct store_reader *r, uint64_t seq,
		      const struct stored_event **ret, struct error *e)
{
	const struct event_page page = {.from = seq - 1, .max = AGAIN_ENTRIES};
	int result = 0;

	for (int attempt = 0; attempt < 2; attempt++) {
		for (size_t i = 0; i < l->n_again; i++) {
			*ret = &l->again[i];
			if (l->again[i].seq == seq)
				return 0;
		}
		*ret = NULL;
		if (attempt > 0)
			break;
		l->n_again = 0;
		result = store_read_page(r, &(struct event_filter){0}, &page, keep_entry, l, e);
		if (result < 0)
			break;
	}
	return result;
}

static int print_entries(struct event_list *l, struct store_reader *r, struct error *e)
{
	const struct stored_event *ev;
	int result = 0;

	l->again = malloc(AGAIN_ENTRIES * sizeof(*l->again));
	if (!l->again)
		return -ENOMEM;
	for (size_t i = 0; i < l->order.list.n && result == 0; i++) {
		result = cli_interrupted() ? -EINTR
					   : read_again(l, r, l->order.list.items[i].seq, &ev, e);
		if (result == 0 && ev)
			result = print_event(l, ev);
	}
	return result;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(a, b);
}

static void add_log_names(struct log_names *names, struct error *e)
{
	const size_t used = strlen(e->text);
	struct names list = {0};

	if (!names->n)
		return;
	qsort(names->name, names->n, sizeof(names->name[0]), compare_names);
	for (size_t i = 0; i < names->n; i++)
		names_add(&list, "%s", names->name[i]);
	(void)snprintf(e->text + used, sizeof(e->text) - used, "; the log has %s",
		       names_end(&list));
}

/* Return: 0; -ENODEV when the device or region is nowhere. */
static int check_names(struct event_list *l, struct store_reader *r, struct error *e)
{
	const struct event_selection *c = &l->selection;
	int result = 0;

	if (event_selection_check(c, &l->seen, l->cli->host, e) == 0)
		return 0;
	*e = (struct error){0};
	/* An entry that was not read may have the name. */
	l->last = 0;
	result = read_entries(l, r, &(struct event_filter){0}, false, see_entry, e);
	if (result == 0)
		result = event_selection_check(c, &l->seen, l->cli->host, e);
	if (result == -ENODEV)
		add_log_names(c->memdev && !l->seen.memdev ? &l->devices : &l->regions, e);
	return result;
}

static int list_entries(struct event_list *l, struct store_reader *r, struct error *e)
{
	const struct event_filter filter = event_selection_filter(&l->selection);
	struct store_info info = {0};
	const size_t lines = l->cli->events.lines;
	int result = store_read_info(r, &info, e);

	l->newest = info.newest;
	l->all = info.entries;
	if (result == 0)
		result = read_entries(l, r, &filter, lines > 0, place_entry, e);
	if (result == 0 && lines)
		l->order.list.n = l->order.list.n < lines ? l->order.list.n
							  : lines; /* the newest came first */
	event_order_sort(&l->order);
	if (result == 0)
		result = check_names(l, r, e);
	if (result == 0)
		result = print_entries(l, r, e);
	cli_progress_end();
	l->last = info.newest;
	return result;
}

/* Polls, because entries are rare; a signal ends the pause early. */
static int follow_log(struct event_list *l, struct store_reader *r, struct error *e)
{
	const struct timespec pause = {.tv_nsec = FOLLOW_INTERVAL_MS * 1000000};
	const struct event_filter filter = event_selection_filter(&l->selection);
	int result = 0;

	while (result == 0 && !cli_interrupted()) {
		if (fflush(stdout) == EOF)
			return -EPIPE;
		(void)nanosleep(&pause, NULL);
		result = read_entries(l, r, &filter, false, print_new_entry, e);
		/* The service may be replacing a damaged log by a new one. */
		if (result == -ENOENT || result == -EBUSY)
			result = 0;
	}
	return result;
}

static int list_log(struct event_list *l, struct error *e)
{
	const char *state = l->cli->events.state ? l->cli->events.state : STATE_DEFAULT;
	struct store_reader *r = NULL;
	char path[4096];
	int result;

	if (snprintf(path, sizeof(path), "%s/" STORE_FILE, state) >= (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "the path of --state is too long");
	result = store_reader_open(path, &r, e);
	if (result == 0)
		result = list_entries(l, r, e);
	if (result == 0 && l->cli->events.follow)
		result = follow_log(l, r, e);
	(void)store_reader_close(r);
	if (result == -ENOENT)
		return error_set(
			e, ENOENT,
			"there is no event log in %s: start the service (systemctl start cxl-redfishd, or cxl-redfishd --state %s), or read the events of a captured host with --host",
			state, state);
	if (result == -EACCES)
		return error_set(
			e, EACCES,
			"cannot read the event log in %s: permission denied; only root and the user of the service can, so run this as root",
			state);
	if (result == -EINTR && l->cli->events.follow)
		return 0; /* that is how it ends */
	if (result == -EINTR)
		return error_set(e, EINTR, "interrupted; %s",
				 l->summary ? "nothing was counted to the end"
					    : "later entries are not shown");
	return result;
}

/* ---- a captured host ---- */

static void fill_event(const struct event_list *l, const struct event_record *rec,
		       struct stored_event *ret)
{
	event_fill(l->mapping, l->boot_id, rec, &provenance_live, 0, ret, NULL);
}

static void keep_captured_record(const struct event_record *rec, void *userdata)
{
	struct event_list *l = userdata;
	struct stored_event ev;

	if (l->problem.code)
		return;
	l->all++;
	fill_event(l, rec, &ev);
	if (!event_is_selected(&l->selection, &ev, &l->seen))
		return;
	measure_event(l, &ev);
	(void)event_order_add_record(&l->order, rec, &l->problem);
}

static int print_captured(struct event_list *l)
{
	struct event_record rec;
	struct stored_event ev;
	int r = 0;

	event_order_sort(&l->order);
	event_order_last(&l->order, l->cli->events.lines);
	for (size_t i = 0; i < l->order.list.n && r == 0; i++) {
		event_order_record(&l->order.list.items[i], &rec);
		fill_event(l, &rec, &ev);
		r = print_event(l, &ev);
	}
	return r;
}

static int list_capture(struct event_list *l, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct event_counts counts;
	int r, checked;

	r = event_mapping_new(l->cli->host, l->cli->addresses.translator, &l->mapping, e);
	if (r < 0)
		return r;
	event_boot_id(l->cli->root, l->boot_id);
	fd = openat(l->cli->root->dirfd, "events", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		r = event_replay(fd, keep_captured_record, l, &counts, e);
	if (r == -ENOENT)
		r = 0; /* the capture may have no event records */
	if (l->problem.code) {
		*e = l->problem;
		r = -l->problem.code;
	}
	checked =
		r == -ENOMEM ? 0 : event_selection_check(&l->selection, &l->seen, l->cli->host, e);
	if (checked == 0 && (r == 0 || r == -EBADMSG)) /* what can be read is printed */
		checked = print_captured(l);
	l->mapping = event_mapping_unref(l->mapping);
	return r < 0 ? r : checked;
}

/* ---- the subcommand ---- */

/* The host as it is, for the names and slots of devices; the log can be read without it. */
static void open_host(struct cli *cli)
{
	struct error e = {0};

	if (host_root_open(NULL, &cli->root, &e) == 0)
		(void)cli_read_host(cli, &e);
}

static int check_options(const struct cli *cli, struct error *e)
{
	const struct event_options *o = &cli->events;

	if (o->follow && o->summary)
		return error_set(e, EINVAL, "--follow and --summary cannot be used together");
	if (o->follow && o->until.present)
		return error_set(e, EINVAL, "--follow and --until cannot be used together");
	if (o->summary && o->wide)
		return error_set(e, EINVAL, "--wide and --summary cannot be used together");
	if (cli->host_path && (o->follow || o->state))
		return error_set(
			e, EINVAL,
			"%s requires the log of cxl-redfishd and cannot be used with --host",
			o->follow ? "--follow" : "--state");
	return 0;
}

/* ": --since is ..., --until is ...": what the times of a selection were understood as. */
static const char *selected_times(const struct event_selection *c,
				  char text[static SELECTED_TIMES_MAX])
{
	char time[EVENT_TIME_TEXT_MAX];
	int n = 0;

	text[0] = '\0';
	if (c->since.present)
		n = snprintf(text, SELECTED_TIMES_MAX, ": --since is %s",
			     event_time_text(c->since, time));
	if (c->until.present)
		(void)snprintf(text + n, SELECTED_TIMES_MAX - (size_t)n, "%s --until is %s",
			       n ? "," : ":", event_time_text(c->until, time));
	return text;
}

/* An empty output leaves open whether that is right. */
static void print_nothing(const struct event_list *l)
{
	const char *where = l->cli->host_path ? "the captured host" : "the log";
	char times[SELECTED_TIMES_MAX];

	if (l->cli->json || l->cli->events.follow || l->order.list.n)
		return;
	if (l->all)
		log_warning("events: none of the %" PRIu64 " event%s of %s is selected%s", l->all,
			    plural_s(l->all), where, selected_times(&l->selection, times));
	else
		log_warning("events: %s has no events", where);
}

static int list_events(struct event_list *l, struct error *e)
{
	struct cli *cli = l->cli;
	int r;

	if (cli->events.summary) {
		l->summary = event_summary_new(page_size_of(cli));
		if (!l->summary)
			return -ENOMEM;
	}
	/* Before the line is shown, so that who sees it can end the reading. */
	if (!cli->host_path)
		cli_catch_interrupt();
	cli_progress_begin("events");
	r = cli->host_path ? list_capture(l, e) : list_log(l, e);
	cli_progress_end();
	if (r == 0 && !l->summary)
		print_nothing(l);
	if (r < 0 || !l->summary)
		return r;
	if (!cli->json) {
		event_summary_text(l->summary);
		return 0;
	}
	l->json.break_depth = 2;
	event_summary_json(l->summary, &l->json);
	return out_json(&l->json);
}

int command_events(struct cli *cli, int n, char **operands)
{
	struct event_list l = {.cli = cli, .json = {.absent_is_null = true}};
	struct error e = {0};
	int r;

	if (event_changes_wanted(&cli->events))
		return event_changes_run(cli, n, operands);
	if (n > 0) {
		log_err("events: unexpected operand '%s'", operands[0]);
		return STATUS_ERROR;
	}
	r = event_selection_read(&cli->events, &l.selection, &e);
	if (r == 0)
		r = check_options(cli, &e);
	if (r == 0 && cli->host_path && cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (r == 0 && !cli->host_path)
		open_host(cli);
	event_text_setup(&l.columns, cli->events.wide, !cli->host_path);
	if (cli->events.follow)
		event_text_measure_later(&l.columns);
	if (r == 0)
		r = list_events(&l, &e);
	json_writer_done(&l.json);
	event_order_free(&l.order);
	l.summary = event_summary_free(l.summary);
	free(l.again);
	if (r == -EPIPE)
		return STATUS_OK; /* main() reports it */
	if (r < 0)
		log_err("events: %s", e.text[0] ? e.text : strerror(-r));
	return r < 0 ? STATUS_ERROR : STATUS_OK;
}
