// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service.h"

#include <errno.h>
#include <stdlib.h>

#include "redfish/service_private.h"

const struct service_limits service_limits_default = {
	.jobs = {.queued = JOBS_QUEUED_MAX, .queue_ms = JOB_QUEUE_MS, .run_ms = JOB_RUN_MS},
	.firmware_call_ms = FIRMWARE_CALL_MS,
	.query_steps = QUERY_STEPS,
};

int service_new(const struct auth *auth, const struct service_limits *limits, struct service **ret,
		struct error *e)
{
	struct service *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return error_set(e, ENOMEM, "out of memory");
	s->auth = auth;
	login_log_init(&s->logins);
	s->limits = *limits;
	s->holder = view_holder_new();
	s->audit = audit_new();
	r = s->holder && s->audit ? jobs_new(&limits->jobs, &s->jobs, e)
				  : error_set(e, ENOMEM, "out of memory");
	if (r < 0) {
		(void)service_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

bool service_stop(struct service *s, unsigned int wait_ms)
{
	bool ended = jobs_stop(s->jobs, wait_ms);

	/* After the last answer. */
	return audit_stop(s->audit, wait_ms) && ended;
}

struct service *service_free(struct service *s)
{
	if (!s)
		return NULL;
	(void)jobs_free(s->jobs);
	(void)view_holder_free(s->holder);
	(void)audit_free(s->audit);
	login_log_done(&s->logins);
	free(s);
	return NULL;
}

struct view_holder *service_view_holder(const struct service *s)
{
	return s->holder;
}

struct view_hold *service_hold_view(struct service *s)
{
	return view_holder_take(s->holder);
}

void service_set_event_log(struct service *s, struct event_log *log)
{
	s->log = log;
}

struct event_log *service_event_log(const struct service *s)
{
	return s->log;
}

void service_set_event_service(struct service *s, struct event_service *es)
{
	s->event_service = es;
}

struct event_service *service_event_service(const struct service *s)
{
	return s->event_service;
}

void service_set_state(struct service *s, struct state *st)
{
	audit_set_state(s->audit, st);
}

struct audit *service_audit_log(const struct service *s)
{
	return s->audit;
}

const struct service_limits *service_limits(const struct service *s)
{
	return &s->limits;
}

struct jobs *service_jobs(struct service *s)
{
	return s->jobs;
}

/* ---- the handler ------------------------------------------------------------------------------
 */

static bool on_wants_body(void *userdata, const struct http_request *req)
{
	struct service *s = userdata;
	struct http_reply reply;
	struct exchange x;
	bool wanted;

	http_reply_init(&reply);
	exchange_init(&x, s, req, &reply, view_holder_take(s->holder));
	wanted = service_check_head(&x) && !exchange_is_read(&x) && x.method != METHOD_DELETE;
	exchange_done(&x);
	http_reply_done(&reply);
	return wanted;
}

/* A request without a credential is no login: clients learn from the answer that one is needed. */
static void note_failed_login(struct exchange *x)
{
	if (x->message.id != MESSAGE_ACCESS_UNAUTHORIZED || !x->req->headers[HEADER_AUTHORIZATION])
		return;
	login_log_failure(&x->service->logins, x->req->client.address);
	service_audit_failed_login(x);
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	enum http_outcome outcome = HTTP_REPLIED;
	struct service *s = userdata;
	struct exchange x;

	exchange_init(&x, s, req, ret, view_holder_take(s->holder));
	if (!service_check_head(&x)) {
		note_failed_login(&x);
	} else {
		service_audit_login(&x);
		if (service_check_body(&x))
			outcome = service_operate(&x, call);
	}
	if (outcome == HTTP_REPLIED)
		service_audit(&x);
	exchange_done(&x);
	return outcome;
}

const struct http_handler service_handler = {on_wants_body, on_handle};
