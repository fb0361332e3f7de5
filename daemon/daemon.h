/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_DAEMON_H
#define CXLR_DAEMON_DAEMON_H

/*
 * The process cxl-redfishd: all that it consists of, and the steps of its start and reload that
 * main.c puts in their order. Main thread, unless it says otherwise. A call that fails sets the
 * error.
 */

#include <limits.h>
#include <stdatomic.h>

#include <systemd/sd-event.h>

#include "change/client.h"
#include "common/allow.h"
#include "daemon/change_poller.h"
#include "daemon/collector.h"
#include "daemon/config.h"
#include "daemon/device_poller.h"
#include "daemon/events.h"
#include "daemon/helper_link.h"
#include "daemon/helper_start.h"
#include "daemon/interface_poller.h"
#include "daemon/memory_use_poller.h"
#include "daemon/metrics_scrape.h"
#include "daemon/page_policy.h"
#include "daemon/page_restorer.h"
#include "daemon/publisher.h"
#include "daemon/reload.h"
#include "daemon/servers.h"
#include "daemon/switch_poller.h"
#include "daemon/topology_walker.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "mailbox/switch_access.h"
#include "pages/page_client.h"
#include "prm/firmware.h"
#include "redfish/auth/accounts.h"
#include "redfish/eventing/event_service.h"
#include "sysfs/acpi_dump.h"

struct incident_watcher;

struct daemon {
	struct command_line line;
	struct config started; /* which the service was started with */
	struct config config;  /* which it uses; has the same strings until the first reload */
	struct metrics_source metrics;
	struct config next;		 /* while it is reloaded; the reload's thread's */
	struct otlp_settings *next_otlp; /* likewise */
	struct servers opened;		 /* likewise: the listeners that it adds */
	struct reload *reload;
	bool config_refused;		 /* by the last reload */
	struct listener reload_requests; /* of cxl-redfish-reload, in the unit only */
	bool is_refused; /* the configuration, after a failed start: another start would fail, too
			  */
	unsigned int n_sweeps;
	bool restart_seen; /* by the sweep before: the client has its answer by now */
	bool is_restart;
	int exit_status; /* at the end, also while a thread has not ended */
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
	/* By it pages are taken out of use; NULL likewise, and when `allow` has none of its names
	 * at the start of an own helper. */
	struct started_helper page_helper;
	struct page_client *pages;
	struct poller *change_poller;
	atomic_uint allowed; /* ALLOW_... of --allow at present; the pollers' threads read it */
	struct firmware *firmware; /* NULL on a captured host */
	struct service *service;
	struct tls_store *tls; /* NULL: no listener uses TLS */
	struct servers servers;
	struct publisher *publisher;
	struct service_faults faults;	 /* as last posted */
	struct history_recorder history; /* without a state directory it records nothing */
	struct poller *poller;
	struct topology_walker *walker;
	struct switch_access *switches;	   /* NULL: no switch's mailbox is used */
	struct extent_plans *extent_plans; /* with that */
	struct poller *memory_use;
	struct listened_list listened; /* addresses of `servers` */
	struct poller *interfaces;
	struct poller *switch_poller;
	/* NULL without a state directory. */
	struct event_bus *bus;
	struct events *events;
	struct event_log *log;
	struct state *state;
	struct page_keeper *keeper;
	struct page_restorer *restorer; /* NULL on a captured host, and without page helper */
	struct page_policy *policy;	/* NULL on a captured host */
	struct event_service *event_service;
	struct incident_watcher *incidents;
	/* See find_program(). */
	char helper_program[PATH_MAX], switch_program[PATH_MAX], push_program[PATH_MAX];
	char collect_program[PATH_MAX];
	struct collector collector;
	char change_program[PATH_MAX], change_names[ALLOW_TEXT_MAX];
	char page_program[PATH_MAX], page_names[ALLOW_TEXT_MAX], page_limit[16];
	sd_event *event;
};

/* ---- daemon_helpers.c: the other processes ---- */

/*
 * find_program() - a program of this project
 * @variable: of the environment, which may name another one
 * @path: space for the result, which may be another string
 */
const char *find_program(const char *name, const char *variable, char path[PATH_MAX]);

/*
 * Starts the helpers, which keep what they need of the privileges of this process, and drops them
 * all: from here on they are not needed.
 */
int start_helpers(struct daemon *d, struct error *e);

/* Follows the helper, whose end and return make the host be read again. */
int attach_helper(struct daemon *d, struct error *e);

/* ---- daemon_events.c: what is stored ---- */

/* The state database, and what the event log must know of it. */
int open_state(struct daemon *d, struct error *e);

/* The rule of a configuration for the page policy. */
struct page_rule page_rule_of(const struct config *c);

/* Says it when the policy is on, and another program takes pages out as well. */
void warn_of_page_master(const struct daemon *d, const struct page_rule *rule);

/* Remembered pages, and the threads that take pages out of use. */
int start_pages(struct daemon *d, struct error *e);

/* Announces the tasks that were interrupted: their listener is set. */
int use_state(struct daemon *d, struct error *e);

int start_accounts(struct daemon *d, struct error *e);

/* The event log, its sources and its subscribers. */
int start_events(struct daemon *d, struct error *e);

/* The limits of a configuration for the event log and for deliveries, which have no collector. */
struct store_limits log_limits(const struct config *c);

/* The core of Sunfish, once the listeners are known. */
void apply_sunfish(struct daemon *d);
struct event_service_options delivery_options(const struct config *c);

/* The history of the devices' readings, which begins with the first poll. */
int start_history(struct daemon *d, struct error *e);
struct history_limits history_limits_of(const struct config *c);

/* ---- daemon_reload.c ---- */

/*
 * Makes what SIGHUP and cxl-redfish-reload ask for possible: the configuration and the topology are
 * read again. In the unit, the latter asks by the socket "reload" in the runtime directory.
 */
int start_reload(struct daemon *d, struct error *e);

/* SIGHUP. */
int daemon_on_hangup(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata);

/* Ends it. Return: whether its thread has ended, as reload_free() says. */
bool end_reload(struct daemon *d);

/* ---- daemon_faults.c ---- */

/* Posts the faults that there are now, if they are others than before. */
void post_faults(struct daemon *d);

#endif
