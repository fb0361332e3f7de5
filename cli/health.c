// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa health: one line and an exit status for monitoring, as Nagios' plugins have them.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "model/finding_text.h"
#include "cli/output.h"
#include "cli/event_store.h"
#include "cli/health_summary.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "common/arena.h"
#include "common/array.h"
#include "common/log.h"
#include "common/names.h"
#include "common/option_files.h"
#include "common/strutil.h"
#include "events/instance.h"
#include "mailbox/readings.h"
#include "model/event_health.h"
#include "model/findings.h"
#include "model/health.h"
#include "sysfs/stable_id.h"

/* A problem of any object. */
struct problem {
	enum health_level level;
	const char *object;		 /* of the snapshot */
	const struct incident *incident; /* NULL: it is about something else */
	enum incident_act act;		 /* about the incident */
	bool is_of_device;		 /* the incident, and the device is there */
	size_t order;			 /* in which it was found */
	char text[FINDING_TEXT_MAX];
};
DEFINE_ARRAY(struct problem, problems);

struct health_run {
	struct cli *cli;
	struct arena *arena;
	struct memdev_ids *ids;
	const struct readings *readings; /* NULL when no device could be read */
	struct event_health *events;	 /* NULL without a log */
	struct open_incidents *open;	 /* the same */
	struct health_log log;
	struct health_rollup rollup;
	struct problems problems;
	const struct object *object;	  /* only what is below it; NULL: the host */
	const char *unknown;		  /* why the health is not known; NULL */
	char no_log[ERROR_TEXT_MAX + 64]; /* why its events are not known; "" */
	bool no_memory;
	char *verdict;	    /* FINDING_TEXT_MAX bytes, for health_verdict() */
	const char *absent; /* why there is no CXL memory; NULL: there is, or may be */
};

#define HEALTH_STATE_AND_HOST                                                                      \
	"--state requires the log of cxl-redfishd and cannot be used with --host"

static const char *const words[] = {
	[HEALTH_STATUS_OK] = "OK",
	[HEALTH_STATUS_WARNING] = "WARNING",
	[HEALTH_STATUS_CRITICAL] = "CRITICAL",
	[HEALTH_STATUS_UNKNOWN] = "UNKNOWN",
};

/* '|' is where a plugin's figures begin. */
static void make_plugin_text(char *text)
{
	while ((text = strpbrk(text, "\n|")))
		*text = ' ';
}

static void add_findings(struct health_run *run, const struct health *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct problem *p;

		if (finding_severity(&h->findings[i]) == HEALTH_OK)
			continue;
		p = problems_add(&run->problems);
		if (!p) {
			run->no_memory = true;
			return;
		}
		p->level = finding_severity(&h->findings[i]);
		p->object = h->findings[i].object;
		p->incident = h->incidents[i] ? &h->incidents[i]->open->incident : NULL;
		p->act = p->incident ? h->incidents[i]->now.act : ACT_NONE;
		p->is_of_device = p->incident && h->incidents[i]->now.memdev;
		p->order = run->problems.n;
		(void)finding_sentence(&h->findings[i], p->text);
		make_plugin_text(p->text);
	}
}

/* Entries of a captured host have no numbers. */
static void drop_entry_numbers(struct health *h)
{
	for (size_t i = 0; i < h->n; i++)
		for (size_t k = 0; k < FINDING_ARGS_MAX; k++)
			if (h->findings[i].args[k].type == FINDING_ARG_ENTRY)
				h->findings[i].args[k] = (struct finding_arg){0};
}

static void add_devices(struct health_run *run)
{
	const struct host *host = run->cli->host;

	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct memdev *m = host->memdevs[i];
		struct health h;

		if (run->object && !verdict_has_memdev(run->object, m))
			continue;
		health_of_device(m->name, readings_mailbox(run->readings, m), &run->log,
				 memdev_id(run->ids, m), &h);
		health_add_reserved(m->name, m, NULL, "", &h);
		if (run->cli->host_path)
			drop_entry_numbers(&h);
		health_rollup_add(&run->rollup, h.level);
		add_findings(run, &h);
	}
}

static void add_regions(struct health_run *run)
{
	const struct host *host = run->cli->host;

	for (size_t i = 0; i < host_n_mappings(host); i++) {
		const struct region *mapping = host_mapping_at(host, i);
		struct health h = {0};

		if (run->object && !verdict_has_mapping(run->object, mapping))
			continue;
		if (health_of_region(host, run->cli->addresses.translator, mapping, NULL, &h) < 0)
			run->no_memory = true;
		else
			add_findings(run, &h);
	}
}

static void add_host_events(struct health_run *run)
{
	struct health h = {0};

	health_of_host_events(&run->log, &h);
	if (run->cli->host_path)
		drop_entry_numbers(&h);
	add_findings(run, &h);
}

/* The key of the service's configuration, which has the other ones. */
static bool expects_cxl(const struct cli *cli)
{
	static const struct option_row row = {.name = "expect-cxl", .set = option_set_flag};
	struct arena *arena = arena_new();
	bool expected = false;
	struct error e = {0};

	if (!cli->host_path && arena &&
	    option_files_read_key(&row, arena, &expected, sizeof(expected), &e) < 0)
		log_warning("health: whether CXL memory is expected is not known: %s", e.text);
	(void)arena_free(arena);
	return expected;
}

/* Seen by root alone, as is the log. */
static bool kernel_has_no_events(const struct cli *cli)
{
	return !cli->host_path && access("/sys/kernel/tracing/events", F_OK) == 0 &&
	       access("/sys/kernel/tracing/events/cxl", F_OK) < 0 && errno == ENOENT;
}

/* Absence is a fact, and Critical where it is not expected. */
static void add_absence(struct health_run *run)
{
	const bool expected = expects_cxl(run->cli);
	struct health h = {.n = 1, .findings[0] = {.object = "host"}};
	struct finding *f = &h.findings[0];

	if (run->absent && expected) {
		f->code = FINDING_CXL_MISSING;
		f->args[0] = finding_text(run->absent);
	} else if (!run->absent && kernel_has_no_events(run->cli)) {
		f->code = expected ? FINDING_EVENTS_NOT_RECORDED : FINDING_EVENTS_NOT_IN_KERNEL;
		f->args[0] = finding_text(EVENTS_ABSENT_TEXT);
	} else {
		return;
	}
	add_findings(run, &h);
}

/* Devices that cannot be read are unknown, which the result says. */
static int read_devices(struct health_run *run)
{
	struct mailbox_client *client = NULL;
	struct readings *readings = NULL;
	struct error e = {0};
	int r = mailbox_client_new(run->cli->root, &client, &e);

	if (r == 0)
		r = readings_read(client, run->cli->host, NULL, NULL, &readings);
	run->readings = readings;
	(void)mailbox_client_free(client);
	return r == -ENOMEM ? r : 0;
}

static int read_store(struct store_reader *r, void *userdata, struct error *e)
{
	struct health_run *run = userdata;
	int result = event_health_read(r, &run->events, e);

	return result < 0 ? result : open_incidents_read(r, &run->open, e);
}

/* Return: 0 or -ENOMEM. */
static int look_at_log(struct health_run *run)
{
	struct cli *cli = run->cli;

	run->log.events = run->events;
	run->log.incidents =
		host_incidents_new(run->arena, run->open, cli->host, cli->addresses.translator,
				   run->ids, &cli->addresses.timeout);
	return run->log.incidents ? 0 : -ENOMEM;
}

/* A log that cannot be read may have anything: that is not OK. */
static int read_log(struct health_run *run)
{
	struct error e = {0};
	int r = event_store_read(run->cli, NULL, read_store, run, &e);

	cli_progress_end();
	if (r == -ENOMEM || look_at_log(run) < 0)
		return -ENOMEM;
	if (r == 0)
		return 0;
	(void)snprintf(run->no_log, sizeof(run->no_log), "the log of events cannot be read: %s%s",
		       e.text[0] ? e.text : strerror(-r),
		       r == -EACCES && !run->cli->host_path ? "; run this as root" : "");
	if (!run->object)
		log_warning("health: %s", run->no_log);
	make_plugin_text(run->no_log);
	return 0;
}

static int health_status(struct health_run *run)
{
	const struct host *host = run->cli->host;
	struct opt_int level = health_rollup_level(&run->rollup);
	int worst = level.present ? level.value : HEALTH_OK;

	ARRAY_FOREACH(p, &run->problems)
		if ((int)p->level > worst)
			worst = (int)p->level;
	if (worst > HEALTH_OK)
		return worst;
	if (level.present && host->n_memdevs && !run->no_log[0])
		return worst;
	if (run->absent && !run->no_log[0])
		return HEALTH_STATUS_OK;
	run->unknown = "the devices do not report their health";
	if (run->no_log[0])
		run->unknown = run->no_log;
	else if (run->rollup.n_unknown < run->rollup.n)
		run->unknown = "some devices do not report their health";
	return HEALTH_STATUS_UNKNOWN;
}

/* The worst first, then as they were found: object by object. */
static int compare_found(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The worst first; incidents before others, in the order of all front ends. */
static int compare_problems(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;

	if (x->level == y->level && x->incident && y->incident)
		return incident_urgency(x->incident, x->act, y->incident, y->act);
	if (x->level == y->level && !x->incident != !y->incident)
		return x->incident ? -1 : 1;
	return compare_found(a, b);
}

static void sort_problems(struct health_run *run, int (*compare)(const void *a, const void *b))
{
	if (run->problems.n)
		qsort(run->problems.items, run->problems.n, sizeof(*run->problems.items), compare);
}

static size_t count_problems(struct health_run *run, enum health_level level)
{
	size_t n = 0;

	ARRAY_FOREACH(p, &run->problems)
		n += p->level == level;
	return n;
}

static void print_healthy(const struct host *host)
{
	out("%zu memory device%s%s %zu region%s", host->n_memdevs, plural_s(host->n_memdevs),
	    host->n_derived ? "," : " and", host->n_regions, plural_s(host->n_regions));
	if (host->n_derived)
		out(" and %zu mapping%s of decoders without a region", host->n_derived,
		    plural_s(host->n_derived));
	out(" are healthy");
}

/* Return: how many problems are told with the first one. */
static size_t print_first(struct health_run *run)
{
	const struct problem *first = &run->problems.items[0];
	char text[FINDING_TEXT_MAX];
	size_t n = 0;

	if (!first->is_of_device) {
		out("%s: %s", first->object, first->text);
		return 1;
	}
	health_summary(&run->log, run->cli, first->object, text);
	out("%s", text);
	ARRAY_FOREACH(p, &run->problems)
		n += p->is_of_device && str_equal(p->object, first->object);
	return n;
}

/* The first one stands for all. */
static void print_line(struct health_run *run, int status)
{
	const struct host *host = run->cli->host;
	const size_t n = run->problems.n;
	size_t told = 1;

	out("CXL %s - ", words[status]);
	if (run->unknown)
		out("%s", run->unknown);
	else if (n)
		told = print_first(run);
	else if (run->absent)
		out("no CXL memory on this host: %s", run->absent);
	else
		print_healthy(host);
	if (n > told)
		out(" (and %zu more: --json has all)", n - told);
	if (run->no_log[0] && !run->unknown)
		out("; %s", run->no_log);
	out(" | devices=%zu regions=%zu warnings=%zu critical=%zu", host->n_memdevs,
	    host->n_regions, count_problems(run, HEALTH_WARNING),
	    count_problems(run, HEALTH_CRITICAL));
	if (host->n_derived)
		out(" mappings=%zu", host->n_derived);
	out_end();
}

static const char *reason_of(const struct health_run *run)
{
	if (run->unknown)
		return run->unknown;
	return run->no_log[0] ? run->no_log : run->absent;
}

/* Without a host nothing of it is known. */
static int print_json(struct health_run *run, int status)
{
	static const struct host none;
	const struct host *host = run->cli->host ? run->cli->host : &none;
	struct json_writer w = {.absent_is_null = true, .break_depth = 2};
	int r;

	put_object(&w, NULL);
	put_string(&w, "status", words[status]);
	put_number(&w, "exit_status", (uint64_t)status);
	put_string(&w, "reason", reason_of(run));
	put_number(&w, "devices", host->n_memdevs);
	put_number(&w, "devices_unknown", run->rollup.n_unknown);
	put_number(&w, "regions", host->n_regions);
	put_number(&w, "mappings", host->n_derived);
	put_bool(&w, "log_read", run->events != NULL);
	put_array(&w, "problems");
	ARRAY_FOREACH(p, &run->problems) {
		put_object(&w, NULL);
		put_string(&w, "status", words[p->level]);
		put_string(&w, "object", p->object);
		put_string(&w, "text", p->text);
		put_end(&w);
	}
	put_end(&w);
	put_end(&w);
	r = out_json(&w);
	json_writer_done(&w);
	return r;
}

/* Without allocating anything. */
static int print_no_memory(bool json)
{
	if (json)
		puts("{\"status\": \"UNKNOWN\", \"exit_status\": 3, \"reason\": \"out of memory\", "
		     "\"devices\": 0, \"devices_unknown\": 0, \"regions\": 0, \"mappings\": 0, "
		     "\"log_read\": false, \"problems\": []}");
	else
		puts("CXL UNKNOWN - out of memory");
	return HEALTH_STATUS_UNKNOWN;
}

int health_print_unknown(struct cli *cli, bool json, const char *reason)
{
	struct health_run run = {.cli = cli};

	(void)snprintf(run.no_log, sizeof(run.no_log), "%s", reason);
	make_plugin_text(run.no_log);
	run.unknown = run.no_log;
	if (json && print_json(&run, HEALTH_STATUS_UNKNOWN) < 0)
		return print_no_memory(json);
	if (!json) {
		out("CXL UNKNOWN - %s", run.unknown);
		out_end();
	}
	return HEALTH_STATUS_UNKNOWN;
}

/* Return: a status of health, or -ENOMEM. */
static int health_rate(struct health_run *run)
{
	add_devices(run);
	add_regions(run);
	if (!run->object || run->object->kind == OBJECT_HOST) {
		add_host_events(run);
		run->absent = host_memory_absence(run->cli->host);
		add_absence(run);
	}
	if (run->no_memory)
		return -ENOMEM;
	return health_status(run);
}

static int health_print(struct health_run *run)
{
	int status = health_rate(run);

	if (status < 0)
		return status;
	sort_problems(run, compare_problems);
	if (!run->cli->json)
		print_line(run, status);
	else if (print_json(run, status) < 0)
		return -ENOMEM;
	return status;
}

/* Return: a status of health, or -ENOMEM. @end: what is done with what was read */
static int health_read(struct health_run *run, int (*end)(struct health_run *run))
{
	int r;

	run->arena = arena_new();
	run->ids = run->arena ? memdev_ids_new(run->arena, run->cli->host) : NULL;
	r = run->ids ? read_devices(run) : -ENOMEM;
	if (r == 0)
		r = read_log(run);
	if (r == 0)
		r = end(run);
	(void)readings_unref(run->readings);
	(void)event_health_unref(run->events);
	(void)open_incidents_unref(run->open);
	problems_done(&run->problems);
	(void)arena_free(run->arena);
	return r;
}

/* "Warning (mem2, region0)", each object once. Return: 0 or -ENOMEM. */
static int health_verdict(struct health_run *run)
{
	static const char *const names_of[] = {"OK", "Warning", "Critical", "not known"};
	const int status = health_rate(run);
	struct names names = {0};
	const char *last = NULL;

	if (status < 0)
		return status;
	sort_problems(run, compare_found);
	ARRAY_FOREACH(p, &run->problems) {
		if ((int)p->level == status && !str_equal(p->object, last))
			names_add(&names, "%s", p->object);
		last = p->object;
	}
	if (status == HEALTH_STATUS_OK)
		(void)snprintf(run->verdict, FINDING_TEXT_MAX, "OK");
	else
		(void)snprintf(run->verdict, FINDING_TEXT_MAX, "%s (%.500s)", names_of[status],
			       run->unknown && run->rollup.n == 0 ? "no memory device"
			       : run->unknown			  ? run->unknown
								  : names_end(&names));
	return 0;
}

int verdict_health(struct cli *cli, const struct object *o, char text[static FINDING_TEXT_MAX])
{
	struct health_run run = {.cli = cli, .object = o, .verdict = text};

	return health_read(&run, health_verdict);
}

int command_health(struct cli *cli, int n, char **operands)
{
	struct health_run run = {.cli = cli};
	int r;

	(void)n;
	(void)operands;
	if (cli->host_path && cli->events.state) {
		log_err("health: " HEALTH_STATE_AND_HOST);
		return health_print_unknown(cli, cli->json, HEALTH_STATE_AND_HOST);
	}
	cli_progress_begin("health");
	if (cli_open(cli) != STATUS_OK) {
		cli_progress_end();
		return health_print_unknown(cli, cli->json, "the host cannot be read");
	}
	r = health_read(&run, health_print);
	cli_progress_end();
	return r >= 0 ? r : print_no_memory(cli->json);
}
