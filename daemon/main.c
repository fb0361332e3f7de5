// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfishd: reads the host, serves it, and follows its changes. The namespace of a captured
// host, the umask and the signal mask are set up before the first thread is started.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>

#include "capture/captured_host.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/sql_file.h"
#include "daemon/config.h"
#include "daemon/events.h"
#include "daemon/metrics.h"
#include "daemon/device_poller.h"
#include "daemon/fault_handler.h"
#include "daemon/publisher.h"
#include "daemon/servers.h"
#include "daemon/topology_walker.h"
#include "daemon/view_listeners.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "prm/firmware.h"
#include "redfish/auth.h"
#include "redfish/eventing/event_service.h"
#include "redfish/resources/resources.h"
#include "redfish/state_subscriptions.h"

/* Together with closing the servers, the waits are shorter than the second that SIGTERM may take.
 */
enum {
	SWEEP_USEC = 1000 * 1000,
	WALK_WAIT_MS = 400,
	DEVICE_WAIT_MS = 300,
	EVENT_WAIT_MS = 100, /* each of its threads */
	DELIVERY_WAIT_MS = 400,
};

struct daemon {
	struct config config;
	struct auth *auth;
	struct acpi_dump dump; /* of --tables, until `root` has it */
	struct host_root *root;
	struct firmware *firmware; /* NULL on a captured host */
	struct service *service;
	struct tls_store *tls; /* NULL: no listener uses TLS */
	struct servers servers;
	struct publisher *publisher;
	struct device_poller *poller;
	struct topology_walker *walker;
	/* NULL without a state directory. */
	struct event_bus *bus;
	struct events *events;
	struct event_log *log;
	struct state *state;
	struct event_service *event_service;
	char push_program[PATH_MAX]; /* see push_program() */
	struct listener metrics_listener;
	struct metrics *metrics; /* NULL without --metrics */
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

static void warn_readable(const char *password_file)
{
	struct stat st;

	if (stat(password_file, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & S_IROTH))
		log_warning("the password file %s can be read by all users; set its mode to 0600",
			    password_file);
}

/*
 * Files of the command line are read before the namespace is entered: its /dev is another
 * one, and a password may come from /dev/fd.
 */
static int read_files(struct daemon *d, struct error *e)
{
	const struct config *c = &d->config;
	int r;

	if (c->password_file) {
		warn_readable(c->password_file);
		r = auth_new(c->password_file, &d->auth, e);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < c->tables.n; i++) {
		r = acpi_dump_add_file(&d->dump, c->tables.items[i], e);
		if (r < 0)
			return r;
	}
	r = c->state ? prepare_state(c->state, e) : 0;
	return r < 0 ? r : servers_load_tls(c, &d->tls, e);
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
	return 0;
}

static int daemon_on_sweep(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct daemon *d = userdata;

	servers_sweep(&d->servers);
	metrics_sweep(d->metrics);
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
	if (d->root->captured || firmware_new(FIRMWARE_DEVICE, &d->firmware) >= 0)
		return 0;
	return error_set(e, ENOMEM, "out of memory");
}

/*
 * The one that the environment names; or the one beside this program, which is in a build
 * directory; or the installed one.
 */
static const char *push_program(struct daemon *d)
{
	static const char name[] = "/cxl-redfish-push";
	const char *given = secure_getenv("CXL_REDFISH_PUSH");
	char *path = d->push_program, *slash;
	ssize_t n;

	if (given)
		return given;
	n = readlink("/proc/self/exe", path, sizeof(d->push_program) - sizeof(name));
	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		memcpy(slash, name, sizeof(name));
	return slash && access(path, X_OK) == 0 ? path : PKGLIBEXECDIR "/cxl-redfish-push";
}

static int start_event_service(struct daemon *d, struct error *e)
{
	const struct event_service_options o = {
		.push_program = push_program(d),
		.ca_file = d->config.push_ca,
		.retry_attempts = d->config.push_attempts,
		.retry_seconds = d->config.push_seconds,
	};
	int r;

	r = event_service_new(d->service, d->log, d->bus, d->state, &o, &d->event_service, e);
	if (r >= 0)
		service_set_event_service(d->service, d->event_service);
	return r;
}

/* The state database, and what the event log must know of it. */
static int open_state(struct daemon *d, struct events_options *o, struct error *e)
{
	struct state_log_hint hint = {.imported = true};
	char path[SQL_PATH_MAX];
	int r;

	if (snprintf(path, sizeof(path), "%s/" STATE_FILE, o->state) >= (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "the path of the state directory is too long");
	r = state_new(path, &d->state, e);
	if (r < 0)
		return r;
	service_set_state(d->service, d->state);
	(void)state_read_log_hint(d->state, &hint, NULL);
	o->numbers_given = hint.highest_cursor;
	o->carry_subscriptions = !hint.imported;
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
	struct events_options o = {
		.state = c->state,
		.max_records = c->max_events,
		.max_age_ns = c->max_event_days * 24 * 60 * 60 * 1000000000,
		.policy = c->never_overwrite ? STORE_NEVER_OVERWRITES : STORE_WRAPS_WHEN_FULL,
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
	r = event_bus_new(&d->bus, e);
	if (r >= 0)
		r = open_state(d, &o, e);
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

static int start_metrics(struct daemon *d, struct error *e)
{
	int r = metrics_new(&d->metrics_listener, d->events, &d->metrics, e);

	if (r >= 0)
		log_output("metrics on %s/metrics", d->metrics_listener.url);
	return r;
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

	if (!root->captured && sd_id128_get_machine_app_specific(application, &id) >= 0)
		(void)sd_id128_to_uuid_string(id, root->service_uuid);
}

static int daemon_start(struct daemon *d, struct error *e)
{
	int r;

	r = read_files(d, e);
	if (r >= 0)
		r = host_root_open(d->config.host, &d->root, e);
	if (r >= 0)
		r = acpi_dump_merge(&d->root->dump, &d->dump, e);
	if (r < 0)
		return r;
	identify_service(d->root);
	block_signals();
	r = servers_open(&d->config, d->tls, &d->servers, e);
	if (r >= 0 && d->config.metrics)
		r = listener_open(d->config.metrics, &d->metrics_listener, e);
	if (r >= 0)
		r = make_loop(d, e);
	if (r >= 0)
		r = service_new(d->auth, &service_limits_default, &d->service, e);
	if (r >= 0)
		r = make_firmware(d, e);
	if (r >= 0)
		r = start_publisher(d, e);
	if (r >= 0 && d->config.metrics)
		r = start_metrics(d, e);
	return r < 0 ? r : servers_start(&d->servers, &d->config, d->service, e);
}

static void daemon_finish(struct daemon *d)
{
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
	d->metrics = metrics_free(d->metrics);
	listener_close(&d->metrics_listener);
	if (d->events && !events_stop(d->events, EVENT_WAIT_MS)) {
		log_warning("exiting while events are still being processed");
		_exit(EXIT_SUCCESS);
	}
	if (!topology_walker_free(d->walker, WALK_WAIT_MS)) {
		/* A walk hangs in the kernel or in udev; what it uses cannot be freed. */
		log_warning("exiting while the topology is still being read");
		_exit(EXIT_SUCCESS);
	}
	if (!device_poller_free(d->poller, DEVICE_WAIT_MS)) {
		log_warning("exiting while a device has not yet answered a mailbox command");
		_exit(EXIT_SUCCESS);
	}
	d->publisher = publisher_free(d->publisher);
	d->service = service_free(d->service);
	d->log = event_log_free(d->log);
	d->state = state_free(d->state);
	d->events = events_free(d->events);
	d->bus = event_bus_free(d->bus);
	d->firmware = firmware_free(d->firmware);
	d->auth = auth_free(d->auth);
	d->tls = tls_store_free(d->tls);
	d->event = sd_event_unref(d->event);
	acpi_dump_done(&d->dump);
	d->root = host_root_free(d->root);
}

int main(int argc, char **argv)
{
	struct daemon d = {.metrics_listener = {.fd = -1}};
	struct error e = {0};
	int r, status;

	log_setup("cxl-redfishd", LOG_LEVEL_INFO);
	fault_handler_install();
	/* Ambient capabilities of the unit must not reach child processes. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (!config_parse(argc, argv, &d.config, &status))
		return status;
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
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
