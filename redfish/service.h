/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SERVICE_H
#define CXLR_REDFISH_SERVICE_H

/*
 * The Redfish protocol without its transport: a request in, a response out.
 *
 * A request goes through a row of small steps (service.c), the first of which refuses it or
 * answers it. The steps know no resource and the resources know no HTTP; the transport below
 * (http.c) knows neither. Any thread may call service_handle() at any time, also while another
 * one puts in a new view.
 */

#include <stdbool.h>
#include <stddef.h>

#include "http/representation.h"
#include "redfish/auth.h"
#include "redfish/query.h"
#include "redfish/view.h"

enum request_method {
	METHOD_GET,
	METHOD_HEAD,
	METHOD_POST,
	METHOD_PATCH,
	METHOD_DELETE,
	METHOD_OTHER,
};

/* What the transport found wrong with a request and leaves to us to refuse. */
enum request_fault {
	FAULT_NONE,
	FAULT_HEADER, /* `fault_header` is malformed or there twice */
	FAULT_URI,    /* the URI has bytes that no URI has */
	FAULT_URI_TOO_LONG,
	FAULT_BODY_TOO_LARGE, /* `body` is not there */
	FAULT_NO_ROOM,	      /* no memory to spare for the body now; likewise */
};

/* All pointers are the transport's and valid during the call; NULL is "not in the request". */
struct redfish_request {
	enum request_method method;
	const char *path;				/* decoded, without the query */
	struct query_option options[QUERY_OPTIONS_MAX]; /* that begin with '$' */
	size_t n_options;
	const char *authorization, *accept, *content_type, *odata_version;
	const char *if_match, *if_none_match, *last_event_id;
	enum request_fault fault;
	const char *fault_header;
	const char *body; /* not NUL-terminated; only the methods that have one */
	size_t body_len;
};

struct firmware_timeout;
struct view_hold;
struct view_holder;

/* Whom an answer waits for; either takes service_handle_asking() on a thread of its own. */
enum deferral { NOT_DEFERRED, DEFERRED_TO_FIRMWARE, DEFERRED_TO_STORE };

struct event_stream;

struct redfish_response {
	unsigned int status;
	struct representation *body; /* NULL when out of memory; what to send, but for 304 */
	bool shared; /* the body is the view's and will be given again; `hold` keeps it alive */
	struct view_hold *hold;
	struct event_stream *stream;	 /* instead of a body; the transport takes it over */
	enum deferral deferred;		 /* there is no answer yet */
	char location[RESOURCE_URI_MAX]; /* of what was created; "" none */
};

/* Releases what the response holds. */
void redfish_response_done(struct redfish_response *res);

struct event_log;
struct event_service;
struct service;

/*
 * service_new() - a service without a view, which answers 503
 * @auth: who may log in; must outlive the service; NULL: no login is asked for
 */
int service_new(const struct auth *auth, struct service **ret, struct error *e);

/* No request may be under way. Accepts NULL. Return: NULL. */
struct service *service_free(struct service *s);

/*
 * service_set_view() - put in a new view and drop the old one
 * @v: the reference is taken over, also on failure
 *
 * One thread at a time may set views.
 *
 * Return: 0, or -ENOMEM and the old view stays.
 */
int service_set_view(struct service *s, struct view *v);

/* Return: the view that is in (not a reference), NULL before the first; for the setting thread. */
const struct view *service_view(const struct service *s);

/* Return: what holds the view, for the publisher and for threads that wait for a view. */
struct view_holder *service_view_holder(const struct service *s);

/*
 * service_set_event_log() - show a store of events; once, before the first request
 * @log: must outlive the service; NULL: there is none
 */
void service_set_event_log(struct service *s, struct event_log *log);

/* Return: the log, NULL when there is none. */
struct event_log *service_event_log(const struct service *s);

/*
 * service_set_event_service() - tell subscribers; once, before the first request
 * @es: must outlive the service's requests; NULL: there is none
 */
void service_set_event_service(struct service *s, struct event_service *es);

/* Return: it, NULL when there is none. */
struct event_service *service_event_service(const struct service *s);

/* Return: a hold on the current view, for view_hold_release(); NULL before the first. Any thread.
 */
struct view_hold *service_hold_view(struct service *s);

/*
 * service_wants_body() - decide by the head alone whether the body is worth reading
 * @req: all but the body
 *
 * Return: false when service_handle() will not look at it.
 */
bool service_wants_body(struct service *s, const struct redfish_request *req);

/*
 * service_handle() - answer a request, without waiting for anything
 * @ret: always filled, for redfish_response_done(); without status and body when it is `deferred`
 */
void service_handle(struct service *s, const struct redfish_request *req,
		    struct redfish_response *ret);

/*
 * service_handle_asking() - answer a request that was deferred; never for HTTP threads
 * @timeout: how long to wait for firmware; with a call_ms of 0 what is known must do
 * @ret: never `deferred`
 */
void service_handle_asking(struct service *s, const struct redfish_request *req,
			   struct firmware_timeout *timeout, struct redfish_response *ret);

/* service_refuse_busy() - the 503 of a request that nobody has the time for */
void service_refuse_busy(struct redfish_response *ret);

#endif
