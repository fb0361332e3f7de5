// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfishd: reads the host, serves it, and follows its changes. The namespace of a captured
// host and the signal mask are set up before the first thread is started.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>

#include "capture/captured_host.h"
#include "common/allow.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/sql.h"
#include "daemon/daemon.h"
#include "daemon/fault_handler.h"
#include "daemon/incident_watcher.h"
#include "daemon/state_directory.h"
#include "daemon/unit_defaults.h"
#include "daemon/unit_sockets.h"
#include "daemon/view_listeners.h"
#include "redfish/repairs/repair_run.h"
#include "redfish/state/scrub_settings.h"
#include "redfish/resources/resources.h"
#include "redfish/auth/sessions.h"
#include "redfish/core/system_id.h"
#include "redfish/state/incident_notes.h"

/* Together with closing the servers, the waits are shorter than the second that SIGTERM may take.
 */
enum {
	SWEEP_USEC = 1000 * 1000,
	TRIM_SWEEPS = 30, /* between two times that free memory is returned */
	WALK_WAIT_MS = 400,
	DEVICE_WAIT_MS = 300,
	MEMORY_USE_WAIT_MS = 300,
	INTERFACES_WAIT_MS = 300,
	SWITCH_WAIT_MS = 100, /* of the command that a switch executes */
	CHANGE_WAIT_MS = 100, /* for the helper to say what it would do */
	PAGES_WAIT_MS = 300,
	EVENT_WAIT_MS = 100, /* each of its threads */
	DELIVERY_WAIT_MS = 400,
};

/*
 * The arenas of malloc(). Each of some twenty threads would get its own, in which little is used
 * and nothing is returned; more than two processors are busy for moments only.
 */
enum { ARENAS = 2 };

/* Larger blocks, which are bodies and messages, are mapped, so that they leave no hole; glibc would
 * raise that bound to the largest block that was freed. */
enum { MAPPED_BYTES_MIN = 64 * 1024 };

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
	r = c->state ? state_directory_prepare(c->state, e) : 0;
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

/* Memory that a burst of requests or a reading left free between objects: malloc() keeps it. */
static void return_memory(struct daemon *d)
{
	if (++d->n_sweeps % TRIM_SWEEPS == 0)
		(void)malloc_trim(0);
}

/* Ends by the next sweep: the answer to the client is sent meanwhile. */
static void end_for_restart(struct daemon *d)
{
	if (!atomic_load(&d->service->restart_wanted))
		return;
	if (!d->restart_seen) {
		d->restart_seen = true;
		return;
	}
	log_info("ending: a client asked for a restart of the service");
	(void)sd_notify(0, "STOPPING=1");
	d->is_restart = true;
	(void)sd_event_exit(d->event, 0);
}

static int daemon_on_sweep(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct daemon *d = userdata;

	servers_sweep(&d->servers);
	accounts_retry(d->accounts, d->service->jobs);
	sessions_expire(d->service->who.sessions);
	diagnostics_expire(d->service->diagnostics);
	helper_link_check(d->helper);
	post_faults(d);
	return_memory(d);
	end_for_restart(d);
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

/* Starts the switches of the captured host, or those of --switch-mailbox. */
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
	d->extent_plans = extent_plans_new();
	if (!d->extent_plans)
		return error_set(e, ENOMEM, "out of memory");
	d->service->switch_access = d->switches;
	d->service->extent_plans = d->extent_plans;
	if (d->root->captured) {
		r = switch_access_list(d->switches, functions, &n, &may_change, e);
		if (r < 0 || n == 0)
			return r;
	}
	return switch_poller_new(d->publisher, d->switches, d->extent_plans, d->config.poll_seconds,
				 &d->allowed, &d->switch_poller, e);
}

/* Before the first request. */
static int start_changes(struct daemon *d, struct error *e)
{
	if (!d->changes && !d->pages)
		return 0;
	d->service->change_client = d->changes;
	return change_poller_new(d->publisher, d->changes, d->pages, d->config.poll_seconds,
				 &d->allowed, &d->change_poller, e);
}

/* Before the first reading of the devices, which takes them along. */
static void load_scrub_settings(const struct daemon *d)
{
	struct error e = {0};

	if (d->state && scrub_settings_load(d->state, publisher_view(d->publisher)->host, &e) < 0)
		log_warning("who had scrub set is not known from before: %s", e.text);
}

/* The view and its producers; the first topology is read here, so that there is a view. */
static int start_publisher(struct daemon *d, struct error *e)
{
	int r;

	atomic_init(&d->allowed, allow_bits(&d->config.allow));
	r = publisher_new(d->event, d->service->view_holder, &redfish_resources, &d->publisher, e);
	if (r >= 0)
		r = view_listeners_add(d->publisher, d->service, d->firmware, e);
	if (r >= 0)
		r = topology_walker_walk(d->root, d->firmware, d->publisher, e);
	if (r >= 0)
		load_scrub_settings(d);
	if (r >= 0)
		r = start_history(d, e);
	if (r >= 0)
		r = device_poller_new(d->publisher, d->config.poll_seconds, &d->history, &d->poller,
				      e);
	if (r >= 0)
		r = memory_use_poller_new(d->publisher, d->config.poll_seconds, &d->memory_use, e);
	servers_listened(&d->servers, &d->listened);
	if (r >= 0)
		r = interface_poller_new(d->publisher, &d->listened, d->config.poll_seconds,
					 &d->interfaces, e);
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

/*
 * The same after each start, and not the machine id, which must not be shown (machine-id(5)). A
 * machine without one has a service without UUID.
 */
static void identify_service(struct host_root *root)
{
	static const sd_id128_t application =
		SD_ID128_MAKE(fa, d0, 81, 44, 4d, 79, 4b, a3, 89, a8, 57, 7c, f1, 58, 0e, a2);
	sd_id128_t id;

	root->service_restarts = unit_restarts();
	if (!root->captured && sd_id128_get_machine_app_specific(application, &id) >= 0)
		(void)sd_id128_to_uuid_string(id, root->service_uuid);
}

/* Before the first view, and before other threads. A restart would find the same machine id. */
static int name_system(struct daemon *d, struct error *e)
{
	char id[SYSTEM_ID_MAX + 1];
	int r = system_id_make(d->config.system_id, MACHINE_ID_FILE, id, e);

	d->is_refused = r < 0;
	if (r < 0)
		return r;
	system_id_set(id);
	if (system_id_is_used())
		log_info("this host is /redfish/v1/Systems/%s", id);
	return 0;
}

static int start_service(struct daemon *d, struct error *e)
{
	const struct option_list *origins = &d->config.allow_origins;
	struct service_limits limits = service_limits_default;
	int r;

	limits.task_after_ms = d->config.task_seconds * 1000;
	limits.dynamic_ms = d->config.dc_timeout_seconds * 1000;
	limits.repair_confirm_ms = REPAIR_CONFIRM_MS;
	r = service_new(d->accounts, &limits, &d->service, e);

	if (r < 0)
		return r;
	origins_set(&d->service->origins, origins->items, origins->n);
	d->service->tls = d->tls;
	atomic_store(&d->service->show_page_users, d->config.show_page_users);
	/* Before the watcher of incidents, which acknowledges once those that are in a new log. */
	if (d->state)
		incident_notes_set_state(d->service->incident_notes, d->state);
	return 0;
}

static int start_servers(struct daemon *d, struct error *e)
{
	d->metrics = (struct metrics_source){
		.views = d->service->view_holder,
		.events = d->events,
		.firmware = d->firmware,
		.keeper = d->keeper,
		.event_service = d->event_service,
		.started_ns = clock_realtime_ns(),
	};
	if (d->event_service)
		event_service_set_metrics(d->event_service, metrics_collect, &d->metrics);
	/* The sockets listen already: the core finds this service, and each client the core. */
	apply_sunfish(d);
	return servers_start(&d->servers, &d->config, d->tls, d->service, &d->metrics, e);
}

/* The sandbox of the unit has no namespaces, and advice about the system's settings would not help.
 */
static int open_host(struct daemon *d, struct error *e)
{
	const int r = host_root_open(d->config.host, &d->root, e);

	if (r != -EPERM || !d->config.host || !unit_is_service())
		return r;
	d->is_refused = true;
	return error_set(
		e, r,
		"host: the unit of this service cannot open the captured host %.128s (RestrictNamespaces=, SystemCallFilter=). Remove host from the configuration, and run cxl-redfishd --host PATH outside of the unit, see EXAMPLES in cxl-redfishd(8)",
		d->config.host);
}

static int daemon_start(struct daemon *d, struct error *e)
{
	int r;

	r = read_files(d, e);
	if (r >= 0)
		r = name_system(d, e);
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
		r = start_helpers(d, e);
	if (r >= 0)
		r = make_loop(d, e);
	if (r >= 0)
		r = unit_sockets_attach(d->event, e);
	if (r >= 0)
		r = start_reload(d, e);
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
	if (r >= 0 && d->state)
		r = start_pages(d, e);
	if (r >= 0)
		r = attach_helper(d, e);
	if (r >= 0)
		post_faults(d);
	return r < 0 ? r : start_servers(d, e);
}

/* A thread that has not ended uses what cannot be freed then. */
static void exit_unless(const struct daemon *d, bool ended, const char *message)
{
	if (ended)
		return;
	log_warning("%s", message);
	_exit(d->exit_status);
}

static void finish_pollers(struct daemon *d)
{
	exit_unless(d, poller_free(d->poller, DEVICE_WAIT_MS),
		    "exiting while a device has not yet answered a mailbox command");
	exit_unless(d, poller_free(d->memory_use, MEMORY_USE_WAIT_MS),
		    "exiting while it is still being read who uses memory");
	exit_unless(d, poller_free(d->interfaces, INTERFACES_WAIT_MS),
		    "exiting while the network interfaces are still being read");
	exit_unless(d, poller_free(d->switch_poller, SWITCH_WAIT_MS),
		    "exiting while a switch has not yet answered a mailbox command");
	d->switches = switch_access_free(d->switches);
	d->extent_plans = extent_plans_free(d->extent_plans);
	exit_unless(d, poller_free(d->change_poller, CHANGE_WAIT_MS),
		    "exiting while cxl-redfish-change-helper has not yet answered");
}

static void daemon_finish(struct daemon *d)
{
	/* Whatever other threads do then. */
	if (d->events)
		events_flush(d->events);
	exit_unless(d, end_reload(d), "exiting while the configuration is still being read");
	/* Prepared, and not used any more. */
	(void)servers_close(&d->opened);
	config_done(&d->next);
	d->next_otlp = otlp_settings_free(d->next_otlp);
	/* First: the servers wait for requests, which wait for firmware or for a view. */
	if (d->firmware)
		firmware_stop(d->firmware);
	if (d->service)
		view_holder_cancel_waits(d->service->view_holder);
	if (!servers_close(&d->servers))
		_exit(d->exit_status);
	if (d->service)
		d->service->event_service = NULL;
	exit_unless(d, page_policy_free(d->policy, PAGES_WAIT_MS),
		    "exiting while pages are still being taken out of use");
	exit_unless(d, incident_watcher_free(d->incidents, EVENT_WAIT_MS),
		    "exiting while the incidents are still being read");
	/* Before the log and the state database are closed: the cursors are stored. */
	exit_unless(
		d, event_service_free(d->event_service, DELIVERY_WAIT_MS),
		"exiting while cxl-redfish-push or the state database has not yet ended; events may be delivered again");
	exit_unless(d, !d->events || events_stop(d->events, EVENT_WAIT_MS),
		    "exiting while events are still being processed");
	/* It requests walks. */
	exit_unless(d, page_restorer_stop(d->restorer, PAGES_WAIT_MS),
		    "exiting while pages are still being taken out of use");
	/* A walk may hang in the kernel or in udev. */
	exit_unless(d, topology_walker_free(d->walker, WALK_WAIT_MS),
		    "exiting while the topology is still being read");
	finish_pollers(d);
	d->publisher = publisher_free(d->publisher);
	d->service = service_free(d->service);
	d->history.history = history_free(d->history.history);
	d->restorer = page_restorer_free(d->restorer);
	d->keeper = page_keeper_free(d->keeper);
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
	d->pages = page_client_free(d->pages);
	helper_end(&d->page_helper);
	d->event = sd_event_unref(d->event);
	acpi_dump_done(&d->dump);
	d->root = host_root_free(d->root);
	if (d->config.arena != d->started.arena)
		config_done(&d->config);
	config_done(&d->started);
}

/* @r: of the start, or of the event loop */
static int exit_status(const struct daemon *d, int r)
{
	if (d->is_refused)
		return CONFIG_EXIT_REFUSED;
	if (r < 0)
		return EXIT_FAILURE;
	return d->is_restart ? UNIT_EXIT_RESTART : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct daemon d = {0};
	struct error e = {0};
	int r, status;

	log_setup("cxl-redfishd", LOG_LEVEL_INFO);
	(void)mallopt(M_ARENA_MAX, ARENAS);
	(void)mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
	sql_set_up();
	fault_handler_install();
	/* Ambient capabilities of the unit must not reach child processes. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (!config_parse(argc, argv, &d.line, &d.config, &status))
		return status;
	d.started = d.config;
	(void)pthread_mutex_init(&d.listened.lock, NULL);
	servers_init(&d.servers);
	servers_init(&d.opened);
	d.reload_requests.fd = -1;
	log_set_level(d.config.log_level);
	log_info("version " PACKAGE_VERSION);
	config_warn(&d.config);
	r = daemon_start(&d, &e);
	if (r >= 0) {
		(void)sd_notify(0, "READY=1");
		r = sd_event_loop(d.event);
		if (r < 0)
			(void)error_set(&e, r, "the event loop failed: %s", strerror(-r));
	}
	if (r < 0)
		log_err("%s", e.text);
	d.exit_status = exit_status(&d, r);
	daemon_finish(&d);
	servers_done(&d.opened);
	servers_done(&d.servers);
	log_info("ended");
	return d.exit_status;
}
