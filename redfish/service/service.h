/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SERVICE_H
#define CXLR_REDFISH_SERVICE_H

/*
 * The Redfish service: a handler for HTTP servers, with the current view, the jobs, and the stores
 * that resources show.
 *
 * A request passes a list of small steps (service_steps.c), each of which rejects it or passes it
 * on, and is then answered from the view's cache or by an operation of its row of the resource
 * table (service_operations.c). Any thread may pass requests at any time, also while another one
 * sets a new view.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "http/handler.h"
#include "redfish/auth/authenticate.h"
#include "redfish/auth/cross_site.h"
#include "redfish/core/change_claims.h"
#include "redfish/service/diagnostics.h"
#include "redfish/service/upload.h"
#include "redfish/state/audit.h"
#include "redfish/tasks/tasks.h"
#include "redfish/view/view.h"
#include "redfish/core/job.h"

struct change_client;
struct event_log;
struct event_service;
struct history;
struct incident_notes;
struct page_keeper;
struct state;
struct extent_plans;
struct switch_access;
struct tls_store;

/* TCP ports that are listened on, the first of each kind; 0: none. */
struct service_ports {
	uint16_t http, https;
};

/* Called on the thread of the tasks, until service_stop() has returned true. */
typedef void service_task_listener(void *userdata, const struct task *t, enum task_event event);

enum { CORE_AGENT_MAX = 128 };

/*
 * Writes the URI of the AggregationSource that the core has made; "" when there is none, and for
 * what it reads (@copies) while resources are offered: it warns of what names its agent then.
 */
typedef void core_agent_of(struct event_service *es, bool copies, char ret[static CORE_AGENT_MAX]);

/* How long the service and its jobs wait, and what a query may cost. */
struct service_limits {
	struct job_limits jobs;
	unsigned int firmware_call_ms; /* for one response of firmware */
	/*
	 * The limit of a query of the log that is a job: the steps are those of some 2 million
	 * entries that are searched one by one, about a second; jobs.run_ms is for a disk that is
	 * slow.
	 */
	uint64_t query_steps;
	unsigned int task_after_ms; /* until a request becomes a task; see redfish/tasks/tasks.h */
	unsigned int dynamic_ms;    /* for a host to answer a change of its dynamic capacity */
	unsigned int repair_confirm_ms; /* for the event of a sparing; 0: it is looked for once */
};

enum {
	FIRMWARE_CALL_MS = 2000,
	QUERY_STEPS = 60000000,
	DC_TIMEOUT_S = 60,
	DC_TIMEOUT_MAX_S = 3600
};

extern const struct service_limits service_limits_default;

/*
 * service_new() makes what the service owns. The owner of the service sets the members of the
 * second group before the first request; what they point to must outlive the service, and NULL
 * means that there is none. The members of the third group can be set at any time by any thread.
 */
struct service {
	struct authenticator who; /* without accounts: no authentication */
	struct service_limits limits;
	struct jobs *jobs;
	struct view_holder *view_holder;     /* for the publisher and for waiters for a view */
	struct change_claims *change_claims; /* objects of the host that are being changed */
	struct diagnostics *diagnostics;     /* set up by diagnostics_set() */
	struct audit *audit;
	struct incident_notes *incident_notes;
	struct tasks *tasks;
	service_task_listener *task_listener; /* see service_set_task_listener() */
	void *task_userdata;

	struct event_log *event_log;
	struct event_service *event_service; /* subscriptions and streams */
	core_agent_of *core_agent;	     /* of that */
	struct switch_access *switch_access; /* how switches are reached to change them */
	struct extent_plans *extent_plans;   /* with that; of the reader of the switches, too */
	struct change_client *change_client; /* how the host is changed */
	struct state *state;		     /* for client contexts; service_set_state() */
	struct history *history;	     /* of the devices' readings */
	struct page_keeper *page_keeper;     /* NULL without a state directory */
	struct uploads uploads; /* firmware images; none without uploads_set_directory() */

	struct origins origins;		 /* whose pages may use the service; origins_set() */
	_Atomic(struct tls_store *) tls; /* certificates; set with the first https:// listener */
	atomic_bool show_page_users;	 /* names of cgroups, to administrators */
	atomic_bool core_writes;	 /* the core of Sunfish may write; see core_peer.h */
	atomic_bool restart_wanted;	 /* by Manager.Reset; the daemon looks at it */
	_Atomic(struct service_ports) ports; /* set whenever the listeners change */
};

/* To be given to http_server_new() with a service as its userdata. */
extern const struct http_handler service_handler;

/*
 * service_new() - a service without a view, which replies with 503
 * @accounts: must outlive the service; NULL: no authentication, all have all privileges
 * @limits: copied
 */
int service_new(struct accounts *accounts, const struct service_limits *limits,
		struct service **ret, struct error *e);

/*
 * service_stop() - end all jobs and start none; can be repeated
 * @wait_ms: how long to wait for jobs that are running
 *
 * Replies to all requests that were suspended, so that HTTP servers can be freed. Firmware must
 * have been stopped. The objects that jobs use must still be valid.
 *
 * Return: whether all jobs have ended; if not, nothing that they use may be freed.
 */
bool service_stop(struct service *s, unsigned int wait_ms);

/* No request may be under way. Waits for jobs that are running. Accepts NULL. Return: NULL. */
struct service *service_free(struct service *s);

/*
 * service_set_state() - keep the audit log, tasks and client contexts in the state database;
 * once, before the first request, and after service_set_task_listener(); waits for the disk
 * @st: must outlive the service; without this call they are kept in memory only
 */
void service_set_state(struct service *s, struct state *st);

/*
 * service_set_task_listener() - be notified of tasks; once, before the first request
 */
void service_set_task_listener(struct service *s, service_task_listener *fn, void *userdata);

#endif
