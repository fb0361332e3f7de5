// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Stores of the daemon: its state, accounts, and the log of events with its subscribers.
#include "daemon/daemon.h"
#include "daemon/incident_watcher.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include "common/log.h"
#include "common/sql_file.h"
#include "events/event_fill.h"
#include "events/instance.h"
#include "pages/page_master.h"
#include "pages/page_options.h"
#include "redfish/feed/incident_message.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/eventing/task_event.h"
#include "redfish/eventing/state_subscriptions.h"
#include "redfish/eventing/sunfish_destination.h"

struct event_service_options delivery_options(const struct config *c)
{
	return (struct event_service_options){
		.ca_file = c->push_ca,
		.allow = c->push_allow_text,
		.retry_attempts = c->push_attempts,
		.retry_seconds = c->push_seconds,
	};
}

void apply_sunfish(struct daemon *d)
{
	struct sunfish_settings s = {0};

	atomic_store(&d->service->core_writes, d->config.sunfish.writes);
	if (!d->event_service)
		return;
	sunfish_set_core(&s, d->config.sunfish.url);
	servers_agent(&d->servers, &d->config, s.agent);
	event_service_set_sunfish(d->event_service, &s);
}

struct store_limits log_limits(const struct config *c)
{
	return (struct store_limits){
		.max_records = c->max_events,
		.max_age_ns = c->max_event_days * 24 * 60 * 60 * 1000000000,
		.policy = c->never_overwrite ? STORE_NEVER_OVERWRITES : STORE_WRAPS_WHEN_FULL,
	};
}

static int start_event_service(struct daemon *d, struct error *e)
{
	struct event_service_options o = delivery_options(&d->config);
	const char *option;
	int r = otlp_settings_load(&d->config.otlp, &o.otlp, &option, e);

	if (r < 0) {
		d->is_refused = r == -EINVAL;
		return r;
	}
	o.push_program = find_program("cxl-redfish-push", "CXL_REDFISH_PUSH", d->push_program);
	r = event_service_new(d->service, d->log, d->bus, d->state, &o, &d->event_service, e);
	if (r < 0)
		return r;
	d->service->event_service = d->event_service;
	d->service->core_agent = event_service_core_agent;
	service_set_task_listener(d->service, notify_task_event, d->event_service);
	/* The first view was shown before. */
	notify_resource_events(d->event_service, NULL, publisher_view(d->publisher));
	return 0;
}

struct history_limits history_limits_of(const struct config *c)
{
	return (struct history_limits){c->history_seconds, c->history_days};
}

/* A file of the state directory. */
static int state_path(const struct daemon *d, const char *file, char ret[static SQL_PATH_MAX],
		      struct error *e)
{
	if (snprintf(ret, SQL_PATH_MAX, "%s/%s", d->config.state, file) < SQL_PATH_MAX)
		return 0;
	return error_set(e, ENAMETOOLONG, "the path of the state directory is too long");
}

int start_history(struct daemon *d, struct error *e)
{
	const struct history_limits limits = history_limits_of(&d->config);
	char path[SQL_PATH_MAX];
	int r;

	if (!d->config.state)
		return 0;
	r = state_path(d, HISTORY_FILE, path, e);
	if (r >= 0)
		r = history_new(path, &limits, &d->history.history, e);
	d->history.jobs = d->service->jobs;
	d->service->history = d->history.history;
	return r;
}

int open_state(struct daemon *d, struct error *e)
{
	char path[SQL_PATH_MAX];
	int r = d->config.state ? state_path(d, STATE_FILE, path, e) : 0;

	return r < 0 || !d->config.state ? r : state_new(path, &d->state, e);
}

struct page_rule page_rule_of(const struct config *c)
{
	struct page_rule rule;

	/* The text was checked with the options. */
	(void)page_rule_parse(c->page_policy, c->page_corrected, &rule, NULL);
	return rule;
}

static void notify_decision(void *userdata, const struct page_report *r)
{
	struct daemon *d = userdata;
	json_t *record = incident_page_record(r->view, r->incident, r->now, r->text);
	const char *type = incident_origin(r->view, r->incident) ? "Memory" : NULL;
	char uri[RESOURCE_URI_MAX];

	incident_entry_uri(r->incident->id, uri);
	audit_decision(d->service->audit, uri, r->text);
	if (!record || event_service_notify(d->event_service, record, type, NULL) < 0)
		log_warning("subscribers are not notified of a decision of the page policy");
}

/* Two masters of one memory take out more pages than the limits of either. */
void warn_of_page_master(const struct daemon *d, const struct page_rule *rule)
{
	const enum page_master master =
		rule->mode == PAGE_POLICY_OFF ? PAGE_MASTER_NONE : page_master_find(d->root);

	if (master != PAGE_MASTER_NONE)
		log_warning("page-policy: another program decides about pages, too: %s",
			    page_master_text(master));
}

static int start_policy(struct daemon *d, struct error *e)
{
	const struct page_policy_options o = {
		.views = d->service->view_holder,
		.log = d->log,
		.bus = d->bus,
		.keeper = d->keeper,
		.report = notify_decision,
		.userdata = d,
		.rule = page_rule_of(&d->config),
		.retry_ms = PAGE_RETRY_MS,
	};

	if (!d->log || !d->event_service)
		return 0;
	warn_of_page_master(d, &o.rule);
	return page_policy_new(&o, &d->policy, e);
}

/* The walker's listener. */
static void restore_after(void *userdata, const struct uevent *event)
{
	page_restorer_notify(userdata, event);
}

static int start_restorer(struct daemon *d, struct error *e)
{
	int r = page_restorer_new(d->publisher, d->service->view_holder, d->keeper, &d->restorer,
				  e);

	if (r == 0 && d->walker)
		topology_walker_listen(d->walker, restore_after, d->restorer);
	return r;
}

int start_pages(struct daemon *d, struct error *e)
{
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	struct error why = {0};
	int r;

	event_boot_id(d->root, boot_id);
	if (page_keeper_new(d->state, d->pages, boot_id, &d->keeper) < 0)
		return error_set(e, ENOMEM, "out of memory");
	page_keeper_set_limits(d->keeper, &d->config.pages);
	page_keeper_set_fence(d->keeper, page_online_is_fence(d->config.page_on_online));
	/* A database that cannot be used is no reason not to start: it is tried again. */
	if (page_keeper_forget_returned(d->keeper, &why) < 0)
		log_warning("pages that were brought back stay in the log HardwareIsolation: %s",
			    why.text);
	d->service->page_keeper = d->keeper;
	if (d->root->captured)
		return 0;
	r = d->pages ? start_restorer(d, e) : 0;
	/* Without a page helper it reports that pages may not be taken out. */
	return r < 0 ? r : start_policy(d, e);
}

int use_state(struct daemon *d, struct error *e)
{
	struct diagnostic_collector collector;

	service_set_state(d->service, d->state);
	d->collector = (struct collector){
		.program = find_program("cxl-redfish-collect", "CXL_REDFISH_COLLECT",
					d->collect_program),
		.root = d->root,
		.switches = d->switch_helper.opener,
	};
	collector = collector_of(&d->collector);
	if (uploads_set_directory(&d->service->uploads, d->config.state) < 0 ||
	    diagnostics_set(d->service->diagnostics, d->config.state, &collector) < 0)
		return error_set(e, ENOMEM, "out of memory");
	return 0;
}

/*
 * A listener on TCP has clients that only an account can identify; root is identified on a Unix
 * socket, and can create the first account there.
 */
int start_accounts(struct daemon *d, struct error *e)
{
	const char *listener = config_listener(&d->config, false);
	const char *unix_listener = config_listener(&d->config, true);
	int r;

	r = accounts_new(d->state, d->password, &d->accounts, e);
	d->password = password_free(d->password);
	if (r < 0 || !listener || accounts_exist(d->accounts))
		return r;
	if (!unix_listener)
		return error_set(
			e, EINVAL,
			"--listen %s is refused, because there is no account and no password for the first one: give --password-file FILE, or listen on unix:PATH, where root can create an account",
			listener);
	log_warning(
		"there is no account: until root creates one on %s, or there is a password file at the next start, no login is possible on %s",
		unix_listener, listener);
	return 0;
}

/* Return: whether the files of a directory survive a power cycle; absent when not known. */
static struct opt_bool is_persistent(const char *directory)
{
	struct statfs fs;

	if (statfs(directory, &fs) < 0)
		return (struct opt_bool){0};
	return OPT_BOOL(fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC);
}

int start_events(struct daemon *d, struct error *e)
{
	const struct config *c = &d->config;
	const struct store_limits limits = log_limits(c);
	struct events_options o = {
		.instance = TRACE_INSTANCE,
		.state = c->state,
		.max_records = limits.max_records,
		.max_age_ns = limits.max_age_ns,
		.policy = limits.policy,
		.expects_cxl = c->expect_cxl,
	};
	struct event_log_traits traits = {
		.max_records = o.max_records,
		.policy = o.policy,
	};
	int r;

	if (!c->state) {
		log_info("without --state, the audit log is kept in memory only");
		return 0;
	}
	/* The highest cursor of a subscription is a number that was given. */
	(void)state_read_highest_cursor(d->state, &o.numbers_given, NULL);
	r = event_bus_new(&d->bus, e);
	if (r >= 0)
		r = events_new(d->event, d->root, &o, d->publisher, d->poller, d->bus, &d->events,
			       e);
	if (r < 0)
		return r;
	traits.persistent = is_persistent(c->state);
	memcpy(traits.boot_id, events_boot_id(d->events), sizeof(traits.boot_id));
	r = event_log_new(events_writer(d->events), &traits, &d->log, e);
	if (r < 0)
		return r;
	d->service->event_log = d->log;
	r = start_event_service(d, e);
	return r < 0 ? r
		     : incident_watcher_new(d->service, d->log, d->event_service, &d->incidents, e);
}
