// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa events: the log that cxl-redfishd keeps, or the records of a captured host.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/event_list.h"
#include "cli/output.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "events/event_fill.h"
#include "events/replay.h"
#include "events/store.h"
#include "events/store_reader.h"

#define STATE_DEFAULT "/var/lib/cxl-redfish"

enum { PAGE_ENTRIES = 1000, FOLLOW_INTERVAL_MS = 500 };

/* One run of events. */
struct event_list {
	struct cli *cli;
	struct event_selection selection;
	struct json_writer json;
	bool heading_printed;
	uint64_t last; /* number of the last entry read */
	size_t n;      /* entries read in this page */

	/* Of a captured host. */
	struct event_mapping *mapping;
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
};

static volatile sig_atomic_t interrupted;

static void handle_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static uint64_t page_size_of(const struct cli *cli)
{
	const long size = sysconf(_SC_PAGESIZE);

	if (cli->host)
		return cli->host->page_size;
	return size > 0 ? (uint64_t)size : PAGE_SIZE_DEFAULT;
}

/* Return: 0; -ENOMEM; -EPIPE when standard output cannot be written. */
static int print_event(struct event_list *l, const struct stored_event *ev)
{
	if (!event_is_selected(&l->selection, ev))
		return 0;
	if (l->cli->json) {
		event_json(&l->json, ev, page_size_of(l->cli));
		l->json.comma = false; /* lines, not an array */
		if (out_json(&l->json) < 0)
			return -ENOMEM;
	} else {
		if (!l->heading_printed)
			event_text_heading();
		l->heading_printed = true;
		event_text(ev);
	}
	return ferror(stdout) ? -EPIPE : 0;
}

/* ---- the log ---- */

static int print_log_entry(void *userdata, const struct stored_event *ev)
{
	struct event_list *l = userdata;

	l->last = ev->seq;
	l->n++;
	return interrupted ? -EINTR : print_event(l, ev);
}

static int read_entries(struct event_list *l, struct store_reader *r, struct error *e)
{
	const struct event_filter filter = {
		.created_first = l->selection.since,
		.has_spa = l->selection.has_spa,
		.spa_first = l->selection.spa_first,
		.spa_last = l->selection.spa_last,
	};
	int result = 0;

	do {
		const struct event_page page = {.from = l->last, .max = PAGE_ENTRIES};

		l->n = 0;
		result = store_read_page(r, &filter, &page, print_log_entry, l, e);
	} while (result == 0 && l->n == PAGE_ENTRIES);
	return result;
}

/* Polls, because entries are rare; a signal ends the pause early. */
static int follow_log(struct event_list *l, struct store_reader *r, struct error *e)
{
	const struct timespec pause = {.tv_nsec = FOLLOW_INTERVAL_MS * 1000000};
	int result = 0;

	while (result == 0 && !interrupted) {
		if (fflush(stdout) == EOF)
			return -EPIPE;
		(void)nanosleep(&pause, NULL);
		result = read_entries(l, r, e);
		/* The service may be replacing a damaged log by a new one. */
		if (result == -ENOENT || result == -EBUSY)
			result = 0;
	}
	return result;
}

static void catch_interrupt(void)
{
	struct sigaction action = {.sa_handler = handle_interrupt};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
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
	if (result == 0) {
		catch_interrupt();
		result = read_entries(l, r, e);
	}
	if (result == 0 && l->cli->events.follow)
		result = follow_log(l, r, e);
	(void)store_reader_close(r);
	if (result == -ENOENT)
		return error_set(e, ENOENT,
				 "there is no event log in %s: start cxl-redfishd with --state "
				 "%s, or read the events of a captured host with --host",
				 state, state);
	return result == -EINTR ? 0 : result;
}

/* ---- a captured host ---- */

static void print_captured_record(const struct event_record *rec, void *userdata)
{
	struct event_list *l = userdata;
	struct stored_event ev;

	event_fill(l->mapping, l->boot_id, rec, 0, &ev, NULL);
	(void)print_event(l, &ev);
}

static int list_capture(struct event_list *l, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct event_counts counts;
	int r;

	r = event_mapping_new(l->cli->host, l->cli->translator, &l->mapping, e);
	if (r < 0)
		return r;
	event_boot_id(l->cli->root, l->boot_id);
	fd = openat(l->cli->root->dirfd, "events", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		r = event_replay(fd, print_captured_record, l, &counts, e);
	l->mapping = event_mapping_unref(l->mapping);
	/* The capture may have no event records. */
	return r == -ENOENT ? 0 : r;
}

int command_events(struct cli *cli, int n, char **operands)
{
	struct event_list l = {.cli = cli, .json = {.absent_is_null = true}};
	struct error e = {0};
	int r;

	(void)n;
	(void)operands;
	r = event_selection_read(&cli->events, clock_realtime_ns(), &l.selection, &e);
	if (r == 0 && cli->host_path && (cli->events.follow || cli->events.state))
		r = error_set(&e, EINVAL,
			      "%s requires the log of cxl-redfishd and cannot be used with --host",
			      cli->events.follow ? "--follow" : "--state");
	if (r == 0 && cli->host_path && cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (r == 0)
		r = cli->host_path ? list_capture(&l, &e) : list_log(&l, &e);
	json_writer_done(&l.json);
	if (r == -EPIPE)
		return STATUS_OK; /* main() reports it */
	if (r < 0)
		log_err("events: %s", e.text[0] ? e.text : strerror(-r));
	return r < 0 ? STATUS_ERROR : STATUS_OK;
}
