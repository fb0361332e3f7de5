// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/service.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "redfish/service/request_body.h"
#include "redfish/service/service_private.h"
#include "redfish/state/incident_notes.h"

const struct service_limits service_limits_default = {
	.jobs = {.queued = JOBS_QUEUED_MAX, .queue_ms = JOB_QUEUE_MS, .run_ms = JOB_RUN_MS},
	.firmware_call_ms = FIRMWARE_CALL_MS,
	.query_steps = QUERY_STEPS,
	.task_after_ms = TASK_AFTER_S * 1000,
	.dynamic_ms = DC_TIMEOUT_S * 1000,
};

/* A password or a session ends no work that was begun with it. */
static void on_revocation(void *userdata, const struct revocation *r)
{
	struct service *s = userdata;

	diagnostics_revoke(s->diagnostics, r);
	if (r->cause == REVOKED_ACCOUNT || r->cause == REVOKED_ROLE)
		tasks_cancel_of(s->tasks, r->user);
}

static int start_authentication(struct service *s, struct accounts *accounts, struct error *e)
{
	int r;

	if (!accounts)
		return 0;
	s->who.accounts = accounts;
	s->who.uid = geteuid();
	accounts_set_audit(accounts, s->audit);
	accounts_on_revocation(accounts, on_revocation, s);
	r = sessions_new(accounts, &s->who.sessions, e);
	return r < 0 ? r : basic_new(accounts, s->jobs, &s->who.basic, e);
}

int service_new(struct accounts *accounts, const struct service_limits *limits,
		struct service **ret, struct error *e)
{
	struct service *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return error_set(e, ENOMEM, "out of memory");
	request_bodies_init();
	origins_init(&s->origins);
	s->limits = *limits;
	s->view_holder = view_holder_new();
	s->audit = audit_new();
	s->incident_notes = incident_notes_new();
	s->change_claims = change_claims_new();
	s->diagnostics = diagnostics_new();
	r = s->view_holder && s->audit && s->incident_notes && s->change_claims && s->diagnostics &&
			    service_make_tasks(s) == 0
		    ? jobs_new(&limits->jobs, &s->jobs, e)
		    : error_set(e, ENOMEM, "out of memory");
	s->uploads.jobs = s->jobs;
	if (r >= 0)
		r = start_authentication(s, accounts, e);
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

	/* After the last answer; tasks write records. */
	ended = tasks_stop(s->tasks, wait_ms) && ended;
	return audit_stop(s->audit, wait_ms) && ended;
}

struct service *service_free(struct service *s)
{
	if (!s)
		return NULL;
	(void)jobs_free(s->jobs);
	(void)change_claims_free(s->change_claims);
	(void)diagnostics_free(s->diagnostics);
	(void)view_holder_free(s->view_holder);
	(void)tasks_free(s->tasks);
	if (s->who.accounts)
		accounts_set_audit(s->who.accounts, NULL);
	(void)audit_free(s->audit);
	(void)incident_notes_free(s->incident_notes);
	(void)basic_free(s->who.basic);
	(void)sessions_free(s->who.sessions);
	origins_done(&s->origins);
	uploads_done(&s->uploads);
	free(s);
	return NULL;
}

void service_set_state(struct service *s, struct state *st)
{
	s->state = st;
	audit_set_state(s->audit, st);
	tasks_set_state(s->tasks, st);
}

void service_set_task_listener(struct service *s, service_task_listener *fn, void *userdata)
{
	s->task_userdata = userdata;
	s->task_listener = fn;
}

/* ---- the handler ------------------------------------------------------------------------------
 */

static void service_begin(struct service *s, struct exchange *x, const struct http_request *req,
			  struct http_reply *reply)
{
	exchange_init(x, s, req, reply, view_holder_take(s->view_holder));
	x->origins = &s->origins;
	x->origin = origins_allow(&s->origins, req);
	exchange_begin_reply(x, reply);
}

static enum http_body_choice choose_body(struct exchange *x, struct http_call *call)
{
	if (!exchange_receives(x))
		return HTTP_BODY_KEEP;
	call->sink = upload_new(&x->service->uploads, x->req);
	return call->sink && !upload_refusal(upload_of(call->sink)) ? HTTP_BODY_STREAM
								    : HTTP_BODY_DISCARD;
}

static enum http_body_choice on_wants_body(void *userdata, const struct http_request *req,
					   struct http_call *call)
{
	enum http_body_choice choice = HTTP_BODY_DISCARD;
	struct service *s = userdata;
	unsigned int retry_s = 0;
	struct http_reply reply;
	struct exchange x;

	http_reply_init(&reply);
	service_begin(s, &x, req, &reply);
	if (service_check_head(&x) && exchange_has_body(&x))
		choice = choose_body(&x, call);
	else if (x.undecided && basic_check(s->who.basic, req, call, &retry_s) == 0)
		choice = HTTP_BODY_LATER;
	exchange_done(&x);
	http_reply_done(&reply);
	return choice;
}

/* A request without a credential is no login: clients learn from the answer that one is needed. */
static void note_failed_login(struct exchange *x)
{
	if (x->message.id == MESSAGE_ACCESS_UNAUTHORIZED && request_has_credential(x->req))
		service_audit_failed_login(x);
}

/* The credential is checked by a job; the request is handled again after that. */
static enum http_outcome wait_for_login(struct exchange *x, struct http_call *call)
{
	unsigned int retry_s = 0;
	int r = basic_check(x->service->who.basic, x->req, call, &retry_s);

	if (r == 0)
		return HTTP_LATER;
	(void)service_refuse_login(x, r, retry_s);
	note_failed_login(x);
	return HTTP_REPLIED;
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	enum http_outcome outcome = HTTP_REPLIED;
	struct service *s = userdata;
	struct exchange x;

	service_begin(s, &x, req, ret);
	if (service_check_head(&x)) {
		service_audit_login(&x);
		if (service_check_body(&x))
			outcome = service_operate(&x, call);
	} else if (x.undecided) {
		outcome = wait_for_login(&x, call);
	} else {
		note_failed_login(&x);
	}
	if (outcome == HTTP_REPLIED) {
		service_audit(&x);
		upload_close(x.upload);
		exchange_charge(&x, ret);
	}
	exchange_done(&x);
	return outcome;
}

const struct http_handler service_handler = {on_wants_body, on_handle};
