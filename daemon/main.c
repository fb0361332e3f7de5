// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfishd: reads the host, serves it, and follows its changes. What must happen before any
// thread exists (the namespace of a captured host, the umask, the signal mask) happens first.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>

#include "capture/captured_host.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "daemon/config.h"
#include "daemon/events.h"
#include "daemon/metrics.h"
#include "daemon/reader.h"
#include "daemon/servers.h"
#include "daemon/topology.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "prm/firmware.h"
#include "redfish/auth.h"
#include "redfish/eventing/event_service.h"

/* Together with the servers' end, the waits leave room in the second that ending may take. */
enum {
	SWEEP_USEC = 1000 * 1000,
	WALK_WAIT_MS = 400,
	DEVICE_WAIT_MS = 300,
	EVENT_WAIT_MS = 100, /* each of its threads */
};

struct daemon {
	struct config config;
	struct auth *auth;
	struct host_root *root;
	struct firmware *firmware; /* NULL on a captured host */
	struct service *service;
	struct servers servers;
	struct reader *reader;
	struct topology *topology;
	/* NULL without a state directory. */
	struct event_bus *bus;
	struct events *events;
	struct event_log *log;
	struct event_service *event_service;
	struct listener metrics_listener;
	struct metrics *metrics; /* NULL when none are wanted */
	sd_event *event;
};

/* What is in there is nobody else's to read or to write. */
static int prepare_state(const char *path, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return error_set(e, errno, "cannot make the state directory %s: %s", path,
				 strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, errno, "cannot open the state directory %s: %s", path,
				 strerror(errno));
	if (st.st_uid != geteuid())
		return error_set(e, EPERM, "the state directory %s belongs to another user", path);
	if (st.st_mode & S_IWOTH)
		return error_set(e, EPERM,
				 "the state directory %s can be written by others; chmod 0700 it",
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
		log_warning("the password file %s can be read by everybody", password_file);
}

/*
 * Paths of the command line are looked at before the namespace is entered: its /dev is another
 * one, and a password may well come from /dev/fd.
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
	return c->state ? prepare_state(c->state, e) : 0;
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
	(void)sigaddset(&set, SIGXFSZ); /* a store at its limit is as good as a full disk */
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static int on_end(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata)
{
	(void)si;
	(void)userdata;
	(void)sd_notify(0, "STOPPING=1");
	return sd_event_exit(sd_event_source_get_event(source), 0);
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata)
{
	struct daemon *d = userdata;

	(void)source;
	(void)si;
	topology_poke(d->topology);
	return 0;
}

static int on_sweep(sd_event_source *source, uint64_t usec, void *userdata)
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
		r = sd_event_add_signal(d->event, NULL, SIGTERM, on_end, d);
	if (r >= 0)
		r = sd_event_add_signal(d->event, NULL, SIGINT, on_end, d);
	if (r >= 0)
		r = sd_event_add_signal(d->event, NULL, SIGHUP, on_hangup, d);
	if (r >= 0)
		r = sd_event_add_time_relative(d->event, NULL, CLOCK_MONOTONIC, SWEEP_USEC,
					       SWEEP_USEC / 4, on_sweep, d);
	/* The loop itself says that it is alive, so one that is stuck says nothing. */
	if (r >= 0)
		r = sd_event_set_watchdog(d->event, true);
	return r < 0 ? error_set(e, r, "event loop: %s", strerror(-r)) : 0;
}

/* One for the life of the process. What a captured host's firmware said is in the capture. */
static int make_firmware(struct daemon *d, struct error *e)
{
	if (d->root->captured || firmware_new(FIRMWARE_DEVICE, &d->firmware) >= 0)
		return 0;
	return error_set(e, ENOMEM, "out of memory");
}

/* Tests run the helper of the build directory. */
static const char *push_program(void)
{
	const char *program = secure_getenv("CXL_REDFISH_PUSH");

	return program ? program : PKGLIBEXECDIR "/cxl-redfish-push";
}

static int start_event_service(struct daemon *d, struct error *e)
{
	const struct event_service_options o = {
		.push_program = push_program(),
		.ca_file = d->config.push_ca,
		.retry_attempts = d->config.push_attempts,
		.retry_seconds = d->config.push_seconds,
	};
	int r;

	r = event_service_new(d->service, d->log, d->bus, &o, &d->event_service, e);
	if (r >= 0)
		service_set_event_service(d->service, d->event_service);
	return r;
}

/* The log of events, and where they come from. */
static int start_events(struct daemon *d, struct error *e)
{
	const struct config *c = &d->config;
	const struct events_options o = {
		.state = c->state,
		.max_records = c->max_events,
		.max_age_ns = c->max_event_days * 24 * 60 * 60 * 1000000000,
		.policy = c->never_overwrite ? STORE_NEVER_OVERWRITES : STORE_WRAPS_WHEN_FULL,
	};
	struct event_log_traits traits = {.max_records = o.max_records, .policy = o.policy};
	int r;

	if (!c->state)
		return 0;
	r = event_bus_new(&d->bus, e);
	if (r >= 0)
		r = events_new(d->event, d->root, &o, d->service, d->reader, d->bus, &d->events, e);
	if (r < 0)
		return r;
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
		(void)printf("metrics on %s/metrics\n", d->metrics_listener.url);
	return r;
}

static int start(struct daemon *d, struct error *e)
{
	struct view *view;
	int r;

	r = read_files(d, e);
	if (r >= 0)
		r = host_root_open(d->config.host, &d->root, e);
	if (r < 0)
		return r;
	block_signals();
	r = servers_open(&d->config, &d->servers, e);
	if (r >= 0 && d->config.metrics)
		r = listener_open(d->config.metrics, &d->metrics_listener, e);
	if (r >= 0)
		r = make_loop(d, e);
	if (r >= 0)
		r = service_new(d->auth, &service_limits_default, &d->service, e);
	if (r >= 0)
		r = make_firmware(d, e);
	if (r >= 0)
		r = topology_read(d->root, d->firmware, &view, e);
	if (r < 0)
		return r;
	r = service_set_view(d->service, view);
	if (r < 0)
		return error_set(e, r, "out of memory");
	r = reader_new(d->event, d->service, d->config.poll_seconds, &d->reader, e);
	if (r >= 0)
		r = start_events(d, e);
	if (r >= 0)
		r = topology_new(d->event, d->root, d->firmware, d->service, d->reader,
				 &d->topology, e);
	if (r >= 0 && d->config.metrics)
		r = start_metrics(d, e);
	return r < 0 ? r : servers_start(&d->servers, d->service, e);
}

static void finish(struct daemon *d)
{
	/* First: the servers wait for the request that firmware is being asked for. */
	if (d->firmware)
		firmware_stop(d->firmware);
	if (!servers_close(&d->servers)) {
		if (d->events)
			(void)events_stop(d->events, EVENT_WAIT_MS);
		_exit(EXIT_SUCCESS);
	}
	if (d->service)
		service_set_event_service(d->service, NULL);
	/* While the store is there, which keeps how far deliveries came. */
	d->event_service = event_service_free(d->event_service);
	d->metrics = metrics_free(d->metrics);
	listener_close(&d->metrics_listener);
	if (d->events && !events_stop(d->events, EVENT_WAIT_MS)) {
		log_warning("ending while events are still being looked at");
		_exit(EXIT_SUCCESS);
	}
	if (!topology_free(d->topology, WALK_WAIT_MS)) {
		/* A walk hangs in the kernel or in udev; what it uses cannot be freed. */
		log_warning("ending while a look at the topology is still under way");
		_exit(EXIT_SUCCESS);
	}
	if (!reader_free(d->reader, DEVICE_WAIT_MS)) {
		log_warning("ending while a device has still not answered");
		_exit(EXIT_SUCCESS);
	}
	d->service = service_free(d->service);
	d->log = event_log_free(d->log);
	d->events = events_free(d->events);
	d->bus = event_bus_free(d->bus);
	d->firmware = firmware_free(d->firmware);
	d->auth = auth_free(d->auth);
	d->event = sd_event_unref(d->event);
	d->root = host_root_free(d->root);
}

int main(int argc, char **argv)
{
	struct daemon d = {.metrics_listener = {.fd = -1}};
	struct error e = {0};
	int r, status;

	log_setup("cxl-redfishd", LOG_LEVEL_INFO);
	/* What the unit gives us is not for the programs that we run. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (!config_parse(argc, argv, &d.config, &status))
		return status;
	r = start(&d, &e);
	if (r >= 0) {
		(void)sd_notify(0, "READY=1");
		r = sd_event_loop(d.event);
		if (r < 0)
			(void)error_set(&e, r, "event loop: %s", strerror(-r));
	}
	if (r < 0)
		log_err("%s", e.text);
	finish(&d);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
