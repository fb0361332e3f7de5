// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfishd: reads the host, serves it, and follows its changes. The namespace of a captured
// host and the signal mask are set up before the first thread is started.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/magic.h>

#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>

#include "capture/captured_host.h"
#include "change/client.h"
#include "change/protocol.h"
#include "common/allow.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/privileges.h"
#include "common/sql.h"
#include "common/sql_file.h"
#include "daemon/change_poller.h"
#include "daemon/collector.h"
#include "daemon/config.h"
#include "daemon/events.h"
#include "daemon/device_poller.h"
#include "daemon/fault_handler.h"
#include "daemon/helper_link.h"
#include "daemon/helper_start.h"
#include "daemon/memory_use_poller.h"
#include "daemon/publisher.h"
#include "daemon/reload.h"
#include "daemon/servers.h"
#include "daemon/switch_poller.h"
#include "daemon/topology_walker.h"
#include "daemon/unit_defaults.h"
#include "daemon/view_listeners.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "mailbox/switch_access.h"
#include "mailbox/switch_options.h"
#include "prm/firmware.h"
#include "redfish/accounts.h"
#include "redfish/audit.h"
#include "redfish/eventing/event_service.h"
#include "redfish/eventing/task_event.h"
#include "redfish/resources/resources.h"
#include "redfish/sessions.h"
#include "redfish/state_subscriptions.h"

/* Together with closing the servers, the waits are shorter than the second that SIGTERM may take.
 */
enum {
	SWEEP_USEC = 1000 * 1000,
	WALK_WAIT_MS = 400,
	DEVICE_WAIT_MS = 300,
	MEMORY_USE_WAIT_MS = 300,
	SWITCH_WAIT_MS = 100, /* of the command that a switch executes */
	CHANGE_WAIT_MS = 100, /* for the helper to say what it would do */
	EVENT_WAIT_MS = 100,  /* each of its threads */
	RELOAD_WAIT_MS = 100,
	DELIVERY_WAIT_MS = 400,
};

/*
 * Of malloc(). Each of some twenty threads would get its own, in which little is used and nothing
 * is returned; a processor more than two is busy for moments only.
 */
enum { ARENAS = 2 };

enum { CHANGE_NAMES_MAX = 128 }; /* bytes of all names of --allow */

struct daemon {
	struct command_line line;
	struct config started; /* which the service was started with */
	struct config config;  /* which it uses; has the same strings until the first reload */
	struct config next;    /* while it is reloaded; the reload's thread's */
	struct servers opened; /* likewise: the listeners that it adds */
	struct reload *reload;
	bool is_refused; /* the configuration, after a failed start: another start would fail, too
			  */
	char *password;	 /* of --password-file, until the accounts have it */
	struct accounts *accounts;
	struct acpi_dump dump; /* of --tables, until `root` has it */
	struct host_root *root;
	struct helper_link *helper; /* NULL on a captured host */
	/* By it the mailboxes of switches are reached; its opener is NULL without --switch-mailbox.
	 */
	struct started_helper switch_helper;
	/* By it the host is changed; NULL on a captured host, or when it cannot be started. */
	struct started_helper change_helper;
	struct change_client *changes;
	struct change_poller *change_poller;
	struct firmware *firmware; /* NULL on a captured host */
	struct service *service;
	struct tls_store *tls; /* NULL: no listener uses TLS */
	struct servers servers;
	struct publisher *publisher;
	struct service_faults faults; /* as last posted */
	struct device_poller *poller;
	struct topology_walker *walker;
	struct switch_access *switches; /* NULL: no switch's mailbox is used */
	struct memory_use_poller *memory_use;
	struct switch_poller *switch_poller;
	/* NULL without a state directory. */
	struct event_bus *bus;
	struct events *events;
	struct event_log *log;
	struct state *state;
	struct event_service *event_service;
	/* See find_program(). */
	char helper_program[PATH_MAX], switch_program[PATH_MAX], push_program[PATH_MAX];
	char collect_program[PATH_MAX];
	struct collector collector;
	char change_program[PATH_MAX], change_names[CHANGE_NAMES_MAX];
	sd_event *event;
};

/* Creates the state directory, which no other user may write to. */
static int prepare_state(const char *path, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return error_set(e, errno, "cannot create the state directory %s: %s", path,
				 strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, errno, "cannot open the state directory %s: %s", path,
				 strerror(errno));
	if (st.st_uid != geteuid())
		return error_set(e, EPERM, "the state directory %s belongs to another user", path);
	if (st.st_mode & (S_IWOTH | S_IWGRP))
		return error_set(e, EPERM,
				 "the state directory %s can be written by other users; set its "
				 "mode to 0700",
				 path);
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return error_set(e, errno, "cannot write to the state directory %s: %s", path,
				 strerror(errno));
	return 0;
}

/* @what: "password file"; @path: NULL for none */
static void warn_readable(const char *what, const char *path)
{
	struct stat st;

	if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & S_IROTH))
		log_warning("the %s %s can be read by all users; set its mode to 0600", what, path);
}

/*
 * Files of the command line are read before the namespace is entered: its /dev is another
 * one, and a password may come from /dev/fd.
 */
static int read_files(struct daemon *d, struct error *e)
{
	const struct config *c = &d->config;
	int r;

	warn_readable("password file", c->password_file);
	warn_readable("TLS key file", c->tls_key);
	if (c->password_file) {
		r = password_file_read(c->password_file, &d->password, e);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < c->tables.n; i++) {
		r = acpi_dump_add_file(&d->dump, c->tables.items[i], e);
		if (r < 0)
			return r;
	}
	r = c->state ? prepare_state(c->state, e) : 0;
	return r < 0 ? r : servers_load_tls(c, c->state, &d->tls, e);
}

/* Threads inherit the mask, so that signals reach the event loop alone. */
static void block_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGPIPE);
	(void)sigaddset(&set, SIGXFSZ); /* a file size limit is handled as a full disk is */
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static int daemon_on_terminate(sd_event_source *source, const struct signalfd_siginfo *si,
			       void *userdata)
{
	(void)userdata;
	log_info("ending: %s was received from process %u", strsignal((int)si->ssi_signo),
		 si->ssi_pid);
	(void)sd_notify(0, "STOPPING=1");
	return sd_event_exit(sd_event_source_get_event(source), 0);
}

static int daemon_on_hangup(sd_event_source *source, const struct signalfd_siginfo *si,
			    void *userdata)
{
	struct daemon *d = userdata;

	(void)source;
	(void)si;
	topology_walker_poke(d->walker);
	reload_request(d->reload);
	return 0;
}

/* What the service depends on, as the Conditions of the manager show it. */
static void post_faults(struct daemon *d)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_SERVICE_FAULTS)};
	struct service_faults *faults = &post.values.service_faults;
	const int helper = d->helper ? helper_link_fault(d->helper) : 0;
	struct error e;

	if (helper < 0)
		(void)snprintf(faults->text[SERVICE_FAULT_HELPER], SERVICE_FAULT_TEXT_MAX, "%s",
			       strerror(-helper));
	if (d->state && state_status(d->state, &e) < 0)
		(void)snprintf(faults->text[SERVICE_FAULT_STATE], SERVICE_FAULT_TEXT_MAX, "%.300s",
			       e.text);
	if (service_faults_equal(faults, &d->faults))
		return;
	d->faults = *faults;
	(void)publisher_post(d->publisher, &post);
}

static int daemon_on_sweep(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct daemon *d = userdata;

	servers_sweep(&d->servers);
	accounts_retry(d->accounts, service_jobs(d->service));
	sessions_expire(service_sessions(d->service));
	diagnostics_expire(service_diagnostics(d->service));
	helper_link_check(d->helper);
	post_faults(d);
	(void)sd_event_source_set_time(source, usec + SWEEP_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int make_loop(struct daemon *d, struct error *e)
{
	int r;

	r = sd_event_new(&d->event);
	if (r >= 0)
		r = sd_event_add_signal(d->event, NULL, SIGTERM, daemon_on_terminate, d);
	if (r >= 0)
		r = sd_event_add_signal(d->event, NULL, SIGINT, daemon_on_terminate, d);
	if (r >= 0)
		r = sd_event_add_signal(d->event, NULL, SIGHUP, daemon_on_hangup, d);
	if (r >= 0)
		r = sd_event_add_time_relative(d->event, NULL, CLOCK_MONOTONIC, SWEEP_USEC,
					       SWEEP_USEC / 4, daemon_on_sweep, d);
	/* The loop itself notifies the watchdog: a loop that is stuck does not. */
	if (r >= 0)
		r = sd_event_set_watchdog(d->event, true);
	return r < 0 ? error_set(e, r, "cannot set up the event loop: %s", strerror(-r)) : 0;
}

/* One client for the life of the process. A captured host has recorded answers instead. */
static int make_firmware(struct daemon *d, struct error *e)
{
	if (d->root->captured ||
	    firmware_new_opener(FIRMWARE_DEVICE, d->root->opener, &d->firmware) >= 0)
		return 0;
	return error_set(e, ENOMEM, "out of memory");
}

/*
 * The one that the environment names; or the one beside this program, which is in a build
 * directory; or the installed one.
 */
static const char *find_program(const char *name, const char *variable, char path[PATH_MAX])
{
	const char *given = secure_getenv(variable);
	char *slash;
	ssize_t n;

	if (given)
		return given;
	n = readlink("/proc/self/exe", path, PATH_MAX - NAME_MAX);
	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		(void)stpcpy(slash + 1, name);
	if (!slash || access(path, X_OK) < 0)
		(void)snprintf(path, PATH_MAX, PKGLIBEXECDIR "/%s", name);
	return path;
}

static struct event_service_options delivery_options(const struct config *c)
{
	return (struct event_service_options){
		.ca_file = c->push_ca,
		.retry_attempts = c->push_attempts,
		.retry_seconds = c->push_seconds,
	};
}

static struct store_limits log_limits(const struct config *c)
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
	int r;

	o.push_program = find_program("cxl-redfish-push", "CXL_REDFISH_PUSH", d->push_program);
	r = event_service_new(d->service, d->log, d->bus, d->state, &o, &d->event_service, e);
	if (r < 0)
		return r;
	service_set_event_service(d->service, d->event_service);
	service_set_task_listener(d->service, notify_task_event, d->event_service);
	return 0;
}

/* The state database, and what the event log must know of it. */
static int open_state(struct daemon *d, struct error *e)
{
	char path[SQL_PATH_MAX];

	if (!d->config.state)
		return 0;
	if (snprintf(path, sizeof(path), "%s/" STATE_FILE, d->config.state) >= (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "the path of the state directory is too long");
	return state_new(path, &d->state, e);
}

/* Announces the tasks that were interrupted: their listener is set. */
static int use_state(struct daemon *d, struct error *e)
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
	if (service_set_upload_directory(d->service, d->config.state) < 0 ||
	    diagnostics_set(service_diagnostics(d->service), d->config.state, &collector) < 0)
		return error_set(e, ENOMEM, "out of memory");
	return 0;
}

static void ask_state(struct daemon *d, struct events_options *o)
{
	struct state_log_hint hint = {.imported = true};

	(void)state_read_log_hint(d->state, &hint, NULL);
	o->numbers_given = hint.highest_cursor;
	o->carry_subscriptions = !hint.imported;
}

/*
 * A listener on TCP has clients that only an account can identify; root is identified on a Unix
 * socket, and can create the first account there.
 */
static int start_accounts(struct daemon *d, struct error *e)
{
	const char *listener = config_listener(&d->config, false);
	const char *unix_listener = config_listener(&d->config, true);
	int r;

	r = accounts_new(d->state, d->password, &d->accounts, e);
	d->password = password_free(d->password);
	if (r < 0 || !listener || accounts_exist(d->accounts))
		return r;
	if (!unix_listener)
		return error_set(e, EINVAL,
				 "--listen %s is refused, because there is no account and no "
				 "password for the first one: give --password-file FILE, or listen "
				 "on unix:PATH, where root can create an account",
				 listener);
	log_warning(
		"there is no account: until root creates one on %s, or there is a password file "
		"at the next start, no login is possible on %s",
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

/* The event log, its sources and its subscribers. */
static int start_events(struct daemon *d, struct error *e)
{
	const struct config *c = &d->config;
	const struct store_limits limits = log_limits(c);
	struct events_options o = {
		.state = c->state,
		.max_records = limits.max_records,
		.max_age_ns = limits.max_age_ns,
		.policy = limits.policy,
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
	ask_state(d, &o);
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
	service_set_event_log(d->service, d->log);
	return start_event_service(d, e);
}

/* Of the captured host, or with --switch-mailbox. */
static int start_switches(struct daemon *d, struct error *e)
{
	struct switch_function functions[CCI_SWITCHES_MAX];
	bool may_change;
	size_t n;
	int r;

	if (!d->root->captured && !d->config.switch_mailbox)
		return 0;
	if (switch_access_new(d->root, d->switch_helper.opener, NULL, &d->switches) < 0)
		return error_set(e, ENOMEM, "out of memory");
	service_set_switch_access(d->service, d->switches);
	if (d->root->captured) {
		r = switch_access_list(d->switches, functions, &n, &may_change, e);
		if (r < 0 || n == 0)
			return r;
	}
	return switch_poller_new(d->publisher, d->switches, d->config.poll_seconds,
				 (allow_bits(&d->config.allow) & ALLOW_FABRIC) != 0,
				 &d->switch_poller, e);
}

/* Before the first request. */
static int start_changes(struct daemon *d, struct error *e)
{
	if (!d->changes)
		return 0;
	service_set_change_client(d->service, d->changes);
	return change_poller_new(d->publisher, d->changes, d->config.poll_seconds,
				 allow_bits(&d->config.allow), &d->change_poller, e);
}

/* The view and its producers; the first topology is read here, so that there is a view. */
static int start_publisher(struct daemon *d, struct error *e)
{
	int r;

	r = publisher_new(d->event, service_view_holder(d->service), &redfish_resources,
			  &d->publisher, e);
	if (r >= 0)
		r = view_listeners_add(d->publisher, d->service, d->firmware, e);
	if (r >= 0)
		r = topology_walker_walk(d->root, d->firmware, d->publisher, e);
	if (r >= 0)
		r = device_poller_new(d->publisher, d->config.poll_seconds, &d->poller, e);
	if (r >= 0)
		r = memory_use_poller_new(d->publisher, d->config.poll_seconds, &d->memory_use, e);
	if (r >= 0)
		r = start_switches(d, e);
	if (r >= 0)
		r = start_changes(d, e);
	if (r >= 0)
		r = start_events(d, e);
	if (r >= 0)
		r = topology_walker_new(d->event, d->root, d->firmware, d->publisher, &d->walker,
					e);
	return r;
}

/* ---- reload -----------------------------------------------------------------------------------
 */

/* With a state database it is the first password only, which the accounts say. */
static int reload_password(struct daemon *d, struct error *e)
{
	char *password = NULL;
	int r = 0;

	if (d->next.password_file)
		r = password_file_read(d->next.password_file, &password, e);
	if (r >= 0)
		r = accounts_reload(d->accounts, password, e);
	(void)password_free(password);
	return r;
}

/* What can fail is done here. The password is last: it is in use from then on. */
static int daemon_prepare(void *userdata, struct error *e)
{
	struct daemon *d = userdata;
	int r = config_load(&d->line, &d->next, e);

	if (r < 0)
		return r;
	r = servers_open(&d->opened, &d->next, &d->config, e);
	if (r >= 0)
		r = servers_load_tls(&d->next, d->started.state, &d->tls, e);
	if (r >= 0)
		r = reload_password(d, e);
	if (r < 0) {
		(void)servers_close(&d->opened);
		config_done(&d->next);
	}
	return r;
}

/* The reason may have a value of the configuration: it is in the log only. */
static void daemon_on_reloaded(void *userdata, bool in_force)
{
	struct daemon *d = userdata;

	audit_configuration(service_audit_log(d->service),
			    in_force ? "it is in force" : "it was refused and remains as it was");
}

static void apply_events(struct daemon *d, const struct config *c)
{
	const struct store_limits limits = log_limits(c);
	const struct event_service_options o = delivery_options(c);

	if (!d->events)
		return;
	events_set_limits(d->events, &limits);
	event_log_set_limits(d->log, &limits);
	if (event_service_set_options(d->event_service, &o) < 0)
		log_err("push-ca: the new value is not used: out of memory");
}

static void daemon_apply(void *userdata)
{
	struct daemon *d = userdata;
	struct config old = d->config;

	d->config = d->next;
	d->next = (struct config){0};
	log_set_level(d->config.log_level);
	service_set_tls(d->service, d->tls);
	servers_change(&d->servers, &d->config, d->tls, &d->opened);
	if (d->config.poll_seconds != old.poll_seconds) {
		device_poller_set_interval(d->poller, d->config.poll_seconds);
		memory_use_poller_set_interval(d->memory_use, d->config.poll_seconds);
		switch_poller_set_interval(d->switch_poller, d->config.poll_seconds);
	}
	switch_poller_allow_changes(d->switch_poller,
				    (allow_bits(&d->config.allow) & ALLOW_FABRIC) != 0);
	change_poller_set(d->change_poller, d->config.poll_seconds, allow_bits(&d->config.allow));
	service_allow_origins(d->service, d->config.allow_origins.items, d->config.allow_origins.n);
	apply_events(d, &d->config);
	config_log_restart(&d->started, &d->config);
	if (old.arena != d->started.arena)
		config_done(&old);
}

static const struct reload_ops reload_ops = {daemon_prepare, daemon_apply, daemon_on_reloaded};

/*
 * The same after each start, and not the machine id, which must not be shown (machine-id(5)). A
 * machine without one has a service without UUID.
 */
static void identify_service(struct host_root *root)
{
	static const sd_id128_t application =
		SD_ID128_MAKE(fa, d0, 81, 44, 4d, 79, 4b, a3, 89, a8, 57, 7c, f1, 58, 0e, a2);
	sd_id128_t id;

	if (!root->captured && sd_id128_get_machine_app_specific(application, &id) >= 0)
		(void)sd_id128_to_uuid_string(id, root->service_uuid);
}

static int start_service(struct daemon *d, struct error *e)
{
	const struct option_list *origins = &d->config.allow_origins;
	int r = service_new(d->accounts, &service_limits_default, &d->service, e);

	if (r < 0)
		return r;
	service_allow_origins(d->service, origins->items, origins->n);
	service_set_tls(d->service, d->tls);
	return 0;
}

/* It listens only if it is configured, and an own one has the options of the start. */
static int start_switch_helper(struct daemon *d, struct error *e)
{
	static const struct helper_kind kind = {
		.name = "cxl-redfish-switch-helper",
		.socket = OPENER_SWITCH_SOCKET,
		.variable = "CXL_REDFISH_SWITCH_HELPER_SOCKET",
		.capabilities = UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN,
	};
	const bool may_change = (allow_bits(&d->config.allow) & ALLOW_FABRIC) != 0;
	const char *const options[] = {"--switch-mailbox", d->config.switch_mailbox,
				       may_change ? "--allow" : NULL, allow_name(ALLOW_FABRIC),
				       NULL};
	int r;

	if (!d->config.switch_mailbox)
		return 0;
	r = helper_start_client(&kind,
				find_program("cxl-redfish-switch-helper",
					     "CXL_REDFISH_SWITCH_HELPER", d->switch_program),
				options, &d->switch_helper);
	if (r < 0)
		return error_set(e, r, "the client of %s: %s", kind.name, strerror(-r));
	/* Nothing watches it: each call finds out whether it is there. */
	opener_set_up(d->switch_helper.opener, true);
	return 0;
}

/* "regions,memory" Return: "" when there are none. */
static const char *names_of(unsigned int bits, char ret[static CHANGE_NAMES_MAX])
{
	size_t len = 0;

	ret[0] = '\0';
	for (unsigned int bit = 1; bit <= ALLOW_HOST; bit <<= 1)
		if (bits & bit)
			len += (size_t)snprintf(ret + len, CHANGE_NAMES_MAX - len, "%s%s",
						len > 0 ? "," : "", allow_name(bit));
	return ret;
}

/*
 * The system's is started by the first connection, when something is allowed, which can be later.
 * An own one is started now or never: it has the options of the start, and this process is about to
 * drop what its start needs.
 */
static int start_change_helper(struct daemon *d, struct error *e)
{
	static const struct helper_kind kind = {
		.name = "cxl-redfish-change-helper",
		.socket = OPENER_CHANGE_SOCKET,
		.variable = "CXL_REDFISH_CHANGE_HELPER_SOCKET",
		.capabilities = UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_RAWIO |
				UINT64_C(1) << CAP_SYS_PTRACE,
	};
	const unsigned int bits = allow_bits(&d->config.allow) & ALLOW_HOST;
	const char *const options[] = {"--allow", names_of(bits, d->change_names), NULL};
	int r;

	if (bits == 0 && helper_starts_own(&kind))
		return 0;
	r = helper_start_client(&kind,
				find_program("cxl-redfish-change-helper",
					     "CXL_REDFISH_CHANGE_HELPER", d->change_program),
				options, &d->change_helper);
	if (r < 0)
		return error_set(e, r, "the client of %s: %s", kind.name, strerror(-r));
	d->changes = change_client_new_helper(d->change_helper.opener, CHANGE_SILENCE_MS);
	return d->changes ? 0 : error_set(e, ENOMEM, "out of memory");
}

/*
 * Starts the helpers, which keep what they need of the privileges of this process, and drops them
 * all: from here on they are not needed.
 */
static int start_helper(struct daemon *d, struct error *e)
{
	int r;

	/* A captured host has no helper, and has dropped what its files do not need. */
	if (d->root->captured)
		return 0;
	r = helper_link_new(
		find_program("cxl-redfish-helper", "CXL_REDFISH_HELPER", d->helper_program),
		&d->helper, e);
	if (r < 0)
		return r;
	d->root->opener = helper_link_opener(d->helper);
	r = start_switch_helper(d, e);
	if (r >= 0)
		r = start_change_helper(d, e);
	if (r < 0)
		return r;
	r = capabilities_drop(0);
	return r < 0 ? error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r)) : 0;
}

/* helper_link_fn */
static void daemon_on_helper(void *userdata)
{
	struct daemon *d = userdata;

	topology_walker_poke(d->walker);
}

static int attach_helper(struct daemon *d, struct error *e)
{
	return d->helper ? helper_link_attach(d->helper, d->event, daemon_on_helper, d, e) : 0;
}

static int start_servers(struct daemon *d, struct error *e)
{
	const struct metrics_source metrics = {
		.views = service_view_holder(d->service),
		.events = d->events,
		.firmware = d->firmware,
	};

	return servers_start(&d->servers, &d->config, d->tls, d->service, &metrics, e);
}

/* The sandbox of the unit has no namespaces, and advice about the system's settings would not help.
 */
static int open_host(struct daemon *d, struct error *e)
{
	const int r = host_root_open(d->config.host, &d->root, e);

	if (r != -EPERM || !d->config.host || !unit_is_service())
		return r;
	d->is_refused = true;
	return error_set(e, r,
			 "host: the unit of this service cannot open the captured host %.128s "
			 "(RestrictNamespaces=, SystemCallFilter=). Remove host from the "
			 "configuration, and run cxl-redfishd --host PATH outside of the unit, see "
			 "EXAMPLES in cxl-redfishd(8)",
			 d->config.host);
}

static int daemon_start(struct daemon *d, struct error *e)
{
	int r;

	r = read_files(d, e);
	if (r >= 0)
		r = open_host(d, e);
	if (r >= 0)
		r = acpi_dump_merge(&d->root->dump, &d->dump, e);
	if (r < 0)
		return r;
	identify_service(d->root);
	block_signals();
	r = servers_open(&d->servers, &d->config, NULL, e);
	if (r >= 0)
		r = start_helper(d, e);
	if (r >= 0)
		r = make_loop(d, e);
	if (r >= 0)
		r = reload_new(d->event, &reload_ops, d, &d->reload, e);
	if (r >= 0)
		r = open_state(d, e);
	if (r >= 0)
		r = start_accounts(d, e);
	if (r >= 0)
		r = start_service(d, e);
	if (r >= 0)
		r = make_firmware(d, e);
	if (r >= 0)
		r = start_publisher(d, e);
	if (r >= 0 && d->state)
		r = use_state(d, e);
	if (r >= 0)
		r = attach_helper(d, e);
	if (r >= 0)
		post_faults(d);
	return r < 0 ? r : start_servers(d, e);
}

static void finish_pollers(struct daemon *d)
{
	if (!device_poller_free(d->poller, DEVICE_WAIT_MS)) {
		log_warning("exiting while a device has not yet answered a mailbox command");
		_exit(EXIT_SUCCESS);
	}
	if (!memory_use_poller_free(d->memory_use, MEMORY_USE_WAIT_MS)) {
		log_warning("exiting while it is still being read who uses memory");
		_exit(EXIT_SUCCESS);
	}
	if (!switch_poller_free(d->switch_poller, SWITCH_WAIT_MS)) {
		log_warning("exiting while a switch has not yet answered a mailbox command");
		_exit(EXIT_SUCCESS);
	}
	d->switches = switch_access_free(d->switches);
	if (!change_poller_free(d->change_poller, CHANGE_WAIT_MS)) {
		log_warning("exiting while cxl-redfish-change-helper has not yet answered");
		_exit(EXIT_SUCCESS);
	}
}

static void daemon_finish(struct daemon *d)
{
	if (!reload_free(d->reload, RELOAD_WAIT_MS)) {
		log_warning("exiting while the configuration is still being read");
		_exit(EXIT_SUCCESS);
	}
	/* Prepared, and not used any more. */
	(void)servers_close(&d->opened);
	config_done(&d->next);
	/* First: the servers wait for requests, which wait for firmware or for a view. */
	if (d->firmware)
		firmware_stop(d->firmware);
	if (d->service)
		view_holder_cancel_waits(service_view_holder(d->service));
	if (!servers_close(&d->servers)) {
		if (d->events)
			(void)events_stop(d->events, EVENT_WAIT_MS);
		_exit(EXIT_SUCCESS);
	}
	if (d->service)
		service_set_event_service(d->service, NULL);
	/* Before the log and the state database are closed: the cursors are stored. */
	if (!event_service_free(d->event_service, DELIVERY_WAIT_MS)) {
		log_warning("exiting while cxl-redfish-push or the state database has not yet "
			    "ended; events may be delivered again");
		(void)events_stop(d->events, EVENT_WAIT_MS);
		_exit(EXIT_SUCCESS);
	}
	if (d->events && !events_stop(d->events, EVENT_WAIT_MS)) {
		log_warning("exiting while events are still being processed");
		_exit(EXIT_SUCCESS);
	}
	if (!topology_walker_free(d->walker, WALK_WAIT_MS)) {
		/* A walk hangs in the kernel or in udev; what it uses cannot be freed. */
		log_warning("exiting while the topology is still being read");
		_exit(EXIT_SUCCESS);
	}
	finish_pollers(d);
	d->publisher = publisher_free(d->publisher);
	d->service = service_free(d->service);
	d->log = event_log_free(d->log);
	d->state = state_free(d->state);
	d->events = events_free(d->events);
	d->bus = event_bus_free(d->bus);
	d->firmware = firmware_free(d->firmware);
	d->accounts = accounts_free(d->accounts);
	d->password = password_free(d->password);
	d->tls = tls_store_free(d->tls);
	d->helper = helper_link_free(d->helper);
	helper_end(&d->switch_helper);
	d->changes = change_client_free(d->changes);
	helper_end(&d->change_helper);
	d->event = sd_event_unref(d->event);
	acpi_dump_done(&d->dump);
	d->root = host_root_free(d->root);
	if (d->config.arena != d->started.arena)
		config_done(&d->config);
	config_done(&d->started);
}

int main(int argc, char **argv)
{
	struct daemon d = {0};
	struct error e = {0};
	int r, status;

	log_setup("cxl-redfishd", LOG_LEVEL_INFO);
	(void)mallopt(M_ARENA_MAX, ARENAS);
	sql_set_up();
	fault_handler_install();
	/* Ambient capabilities of the unit must not reach child processes. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (!config_parse(argc, argv, &d.line, &d.config, &status))
		return status;
	d.started = d.config;
	servers_init(&d.servers);
	servers_init(&d.opened);
	log_set_level(d.config.log_level);
	log_info("version " PACKAGE_VERSION);
	r = daemon_start(&d, &e);
	if (r >= 0) {
		(void)sd_notify(0, "READY=1");
		r = sd_event_loop(d.event);
		if (r < 0)
			(void)error_set(&e, r, "the event loop failed: %s", strerror(-r));
	}
	if (r < 0)
		log_err("%s", e.text);
	daemon_finish(&d);
	log_info("ended");
	if (d.is_refused)
		return CONFIG_EXIT_REFUSED;
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
