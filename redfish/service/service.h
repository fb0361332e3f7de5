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

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "http/handler.h"
#include "redfish/service/limits.h"
#include "redfish/tasks/tasks.h"
#include "redfish/view/view.h"

struct accounts;
struct audit;
struct event_log;
struct event_service;
struct service;
struct sessions;
struct state;
struct change_client;
struct diagnostics;
struct changing;
struct switch_access;
struct tls_store;
struct view_hold;

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
 * have been stopped. What jobs use must still be valid.
 *
 * Return: whether all jobs have ended; if not, nothing that they use may be freed.
 */
bool service_stop(struct service *s, unsigned int wait_ms);

/* No request may be under way. Waits for jobs that are running. Accepts NULL. Return: NULL. */
struct service *service_free(struct service *s);

/* Return: the view holder, for the publisher and for threads that wait for a view. */
struct view_holder *service_view_holder(const struct service *s);

/* Return: a hold on the current view, for view_hold_release(); NULL before the first. Any thread.
 */
struct view_hold *service_hold_view(struct service *s);

/*
 * service_set_event_log() - set the store of events; once, before the first request
 * @log: must outlive the service; NULL: there is none
 */
void service_set_event_log(struct service *s, struct event_log *log);

/* Return: the log, NULL when there is none. */
struct event_log *service_event_log(const struct service *s);

/*
 * service_set_event_service() - set the service for subscriptions and streams; once, before the
 * first request
 * @es: must outlive the service's requests; NULL: there is none
 */
void service_set_event_service(struct service *s, struct event_service *es);

/* Return: the event service, NULL when there is none. */
struct event_service *service_event_service(const struct service *s);

/*
 * service_allow_origins() - set the origins whose pages may use the service; none before
 * @items: @n that origin_check() of redfish/auth/cross_site.h accepts; copied
 */
void service_allow_origins(struct service *s, const char *const *items, size_t n);

/*
 * service_set_state() - keep the audit log and tasks in the state database; once, before the first
 * request, and after service_set_task_listener(); waits for the disk
 * @st: must outlive the service; without this call they are kept in memory only
 */
void service_set_state(struct service *s, struct state *st);

/* Return: the tasks. */
struct tasks *service_tasks(const struct service *s);

/*
 * service_set_task_listener() - be notified of tasks; once, before the first request
 * @fn: called on the thread of the tasks, until service_stop() has returned true
 */
typedef void service_task_listener(void *userdata, const struct task *t, enum task_event event);
void service_set_task_listener(struct service *s, service_task_listener *fn, void *userdata);

/* Return: the audit log. */
struct audit *service_audit_log(const struct service *s);

/*
 * service_set_switch_access() - set how switches are reached to change them; once, before the first
 * request
 * @access: must outlive the service; NULL: not at all
 */
void service_set_switch_access(struct service *s, struct switch_access *access);

/* Return: it; NULL when there is none. */
struct switch_access *service_switch_access(const struct service *s);

/*
 * service_set_change_client() - set how the host is changed; once, before the first request
 * @client: must outlive the service; NULL: it is not
 */
void service_set_change_client(struct service *s, struct change_client *client);

/* Return: it; NULL when there is none. */
struct change_client *service_change_client(const struct service *s);

/* Return: the objects of the host that are being changed. */
struct changing *service_changing(const struct service *s);

/*
 * service_set_tls() - set the store of certificates, at the start or with the first https://
 * listener
 * @store: must outlive the service; NULL: there is none
 */
void service_set_tls(struct service *s, struct tls_store *store);

/* Return: the store, NULL when there is none. */
struct tls_store *service_tls(const struct service *s);

/*
 * service_set_upload_directory() - set where firmware images are kept while they are received and
 * written to devices; once, before the first request
 * @path: copied; only this process can write to it
 *
 * Without this call none are received. Return: 0 or -ENOMEM.
 */
int service_set_upload_directory(struct service *s, const char *path);

/* Return: whether it was set. */
bool service_has_upload_directory(const struct service *s);

/* Return: what was collected of the machine; set up by diagnostics_set(). */
struct diagnostics *service_diagnostics(const struct service *s);

/* TCP ports that are listened on, the first of each kind; 0: none. */
struct service_ports {
	uint16_t http, https;
};

/* To be called whenever the listeners change; any thread. */
void service_set_ports(struct service *s, struct service_ports ports);

struct service_ports service_ports(const struct service *s);

const struct service_limits *service_limits(const struct service *s);

/* Return: the accounts and their sessions; NULL without authentication. */
struct accounts *service_accounts(const struct service *s);
struct sessions *service_sessions(const struct service *s);

/* Return: the service's jobs, to look them up by number. */
struct jobs *service_jobs(struct service *s);

#endif
