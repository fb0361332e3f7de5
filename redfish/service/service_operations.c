// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Answers a request that has passed all checks: from the cache of the view, or by an operation of
// its row, which may continue as a job.
#include "redfish/service/service_private.h"

#include <errno.h>
#include <string.h>

#include "http/negotiation.h"
#include "redfish/service/body_check.h"
#include "redfish/service/client_context.h"
#include "redfish/service/core_peer.h"
#include "redfish/service/query_result.h"
#include "redfish/core/render.h"
#include "redfish/core/resource_index.h"
#include "redfish/service/service.h"
#include "redfish/tasks/tasks.h"

static const struct query default_query = {.top = QUERY_TOP_DEFAULT};

/* ---- replies ----------------------------------------------------------------------------------
 */

static void reply_error(struct exchange *x, int r)
{
	switch (r) {
	case -EINVAL:
		break;
	case -ENOSPC:
		(void)exchange_refuse(x, MESSAGE_INSUFFICIENT_STORAGE, NULL, NULL, NULL);
		break;
	case -EAGAIN:
	case -EBADMSG: /* damaged: a new database is being created */
	case -EBUSY:
	case -ECANCELED:
	case -ENOENT:
	case -ESHUTDOWN:
	case -ESTALE: /* it was removed: a new one is being created */
	case -ETIMEDOUT:
		(void)exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1", NULL, NULL);
		break;
	default:
		(void)exchange_refuse(x, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
		break;
	}
	(void)service_refuse(x);
}

static void reply_empty(struct exchange *x, unsigned int status)
{
	struct json_writer none = {0};

	x->reply->status = status;
	x->reply->body = redfish_body_new(&none, NULL);
}

/*
 * Takes the body with the gzip coding where the client admits it. Only reads have one: the replies
 * to what changes something may have a secret next to the client's own text.
 */
static void encode_reply(struct exchange *x)
{
	struct representation *body = x->reply->body, *gzipped;

	/* A long one would keep an HTTP thread from its other clients. */
	if (!x->accepts_gzip || !body || !body->varies ||
	    (!x->job && body->len > GZIP_AT_ONCE_MAX && !atomic_load(&body->gzipped)))
		return;
	gzipped = representation_gzip(body);
	if (!gzipped)
		return;
	if (!x->reply->shared) {
		(void)representation_ref(gzipped);
		(void)representation_unref(body);
	}
	x->reply->body = gzipped;
}

/* The status of a read, whose body is in the reply. */
static void reply_read(struct exchange *x)
{
	const struct representation *body;

	core_peer_read(x);
	body = x->reply->body;
	x->reply->status = 200;
	if (body && x->if_none_match && etag_listed(x->if_none_match, body->etag))
		x->reply->status = 304;
	encode_reply(x);
}

/* @body: one reference; NULL: the change was made, but its result cannot be shown */
static void reply_changed(struct exchange *x, unsigned int status, struct representation *body)
{
	if (core_peer_is(x)) {
		body = core_peer_answer(x, body);
		status = 200;
	}
	if (!body) {
		reply_empty(x, status == 200 ? 204 : status);
		return;
	}
	x->reply->status = status;
	x->reply->body = body;
}

/* ---- the current view -------------------------------------------------------------------------
 */

static void release_hold(void *hold)
{
	(void)view_hold_release(hold);
}

/* Switches to the newest view and its resource at @uri. Return: whether it has one. */
static bool renew_view(struct exchange *x, const char *uri)
{
	struct view_hold *hold = view_holder_take(x->service->view_holder);
	char path[RESOURCE_URI_MAX];

	memcpy(path, uri, strlen(uri) + 1);
	if (hold) {
		(void)view_hold_release(x->hold);
		x->hold = hold;
		x->view = view_of_hold(hold);
	}
	x->resource = resource_find(x->view->index, path);
	if (!x->resource)
		x->resource = dynamic_find(x->view, path, &x->place);
	/* It was changed, and is gone: the audit log has where it was. */
	if (!x->resource)
		memcpy(x->location, path, strlen(path) + 1);
	return x->resource && !x->resource->action;
}

/* Return: one reference to the current representation; NULL if there is none. */
static struct representation *represent_now(struct exchange *x, const char *uri)
{
	struct representation *body;

	if (!renew_view(x, uri) || exchange_represent(x, x->resource, &default_query, &body) < 0)
		return NULL;
	return body;
}

/* ---- completion, on either thread ------------------------------------------------
 */

/* Sets x->result, the resource without the options that are left. Return: 0 or -ENOMEM. */
static int take_read(struct exchange *x)
{
	if (!x->result)
		x->result = render_end(x->resource, x->begun, &x->w);
	return x->result ? 0 : -ENOMEM;
}

static void finish_read(struct exchange *x)
{
	int r;

	if (x->answer_status) {
		x->reply->status = x->answer_status;
		return;
	}
	r = take_read(x);
	if (r >= 0 && query_is_given(x))
		r = query_result(x);
	if (r < 0) {
		reply_error(x, r);
		return;
	}
	x->reply->body = x->result;
	x->result = NULL;
	reply_read(x);
}

/* A resource was created. */
static void finish_create(struct exchange *x)
{
	(void)exchange_location(x, x->location);
	reply_changed(x, 201, represent_now(x, x->location));
}

static void finish_action(struct exchange *x)
{
	if (x->location[0]) {
		finish_create(x);
		return;
	}
	if (x->has_results) {
		put_end(&x->w);
		put_end(&x->w);
	}
	if (x->w.len == 0 && !x->w.failed) {
		reply_empty(x, 204);
		return;
	}
	x->reply->status = 200;
	x->reply->body = redfish_body_new(&x->w, CONTENT_TYPE_JSON);
}

static void operation_finish(struct exchange *x, int r)
{
	if (r < 0)
		reply_error(x, r);
	else if (exchange_is_read(x))
		finish_read(x);
	else if (x->resource->action || (x->method == METHOD_DELETE && x->has_results))
		finish_action(x);
	else if (x->method == METHOD_POST)
		finish_create(x);
	else if (x->method == METHOD_PATCH)
		reply_changed(x, 200, represent_now(x, x->resource->uri));
	else
		reply_empty(x, 204);
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

/*
 * Whether the change is to be made only if the resource has, or has not, certain entity tags. A
 * push update may say so: clients of DMTF send none, and its URI has no entity tag of its own.
 */
static bool is_conditional(const struct exchange *x)
{
	return (x->if_match || x->if_none_match) &&
	       (x->method == METHOD_PATCH || x->method == METHOD_DELETE || exchange_receives(x) ||
		exchange_demands_if_match(x));
}

/* Return: the resource whose entity tags are meant, which an action belongs to; NULL without. */
static struct resource *conditional_resource(const struct exchange *x, const struct view *v)
{
	char uri[RESOURCE_URI_MAX];
	char *end;

	memcpy(uri, x->resource->uri, strlen(x->resource->uri) + 1);
	end = x->resource->action ? strstr(uri, ACTION_PATH) : NULL;
	if (end)
		*end = '\0';
	return resource_find(v->index, uri);
}

/* Return: 0, or -EINVAL with the message. The core may have either tag of a resource. */
static int compare_etag(struct exchange *x, const struct representation *now)
{
	_cleanup_representation_ struct representation *core = core_peer_tagged(x, now);
	const char *other = core ? core->etag : now->etag;

	if ((!x->if_match || etag_matches(x->if_match, now->etag) ||
	     etag_matches(x->if_match, other)) &&
	    (!x->if_none_match ||
	     (!etag_listed(x->if_none_match, now->etag) && !etag_listed(x->if_none_match, other))))
		return 0;
	return exchange_refuse(x, MESSAGE_PRECONDITION_FAILED, NULL, NULL, NULL);
}

/* Return: 0 if the current representation meets the conditions, or there are none. */
static int check_precondition(struct exchange *x)
{
	_cleanup_representation_ struct representation *now = NULL;
	struct resource *resource;
	int r;

	if (!is_conditional(x))
		return 0;
	resource = x->resource->action ? conditional_resource(x, x->view) : x->resource;
	if (!resource)
		return exchange_missing(x);
	r = exchange_represent(x, resource, &default_query, &now);
	return r < 0 ? r : compare_etag(x, now);
}

/* Compares with the newest view; the exchange keeps its own, to which the state may refer. */
static int check_newest_view(struct exchange *x)
{
	struct view_hold *hold = view_holder_take(x->service->view_holder);
	const struct view *v = hold ? view_of_hold(hold) : x->view;
	struct resource *r = conditional_resource(x, v);
	const struct representation *now;
	int result = 0;

	if (!r || !r->type->render) {
		result = exchange_missing(x);
	} else {
		now = view_representation(v, r);
		if (!now)
			result = -ENOMEM;
		else
			result = compare_etag(x, now);
	}
	(void)view_hold_release(hold);
	return result;
}

/* The resource may have changed while the job was in the queue. */
static int check_precondition_again(struct exchange *x)
{
	if (!is_conditional(x))
		return 0;
	return x->resource->type->get ? check_precondition(x) : check_newest_view(x);
}

/* Classes of jobs that change nothing, and so need not run for a client that has gone. */
static const bool only_reads[JOB_CLASSES] = {[JOB_FIRMWARE] = true, [JOB_SLOW_READS] = true};

static int on_run(struct job *job, void *state)
{
	struct exchange *x = state;
	int r = 0;

	x->job = job;
	if (x->continuation->run_ms)
		job_set_run_ms(job, x->continuation->run_ms);
	message_set(&x->message, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	if (x->task)
		tasks_begin(x->task);
	if (only_reads[x->continuation->class])
		r = exchange_interrupted(x);
	if (r >= 0)
		r = check_precondition_again(x);
	if (r >= 0)
		r = x->continuation->run(x, x->state);
	operation_finish(x, r);
	return r;
}

static void on_end(struct job *job, void *state, int result)
{
	struct exchange *x = state;

	(void)job;
	if (x->reply->status == 0)
		reply_error(x, result);
	service_audit(x);
	if (x->task)
		tasks_end(x->task, result, x->reply);
	x->task = NULL;
	exchange_complete(x);
}

static void on_abandon(struct job *job, void *state)
{
	struct http_reply reply;
	struct message m;

	(void)job;
	http_reply_init(&reply);
	exchange_begin_reply(state, &reply);
	message_set(&m, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1", NULL, NULL);
	exchange_reply_message(&reply, &m);
	(void)exchange_complete_with(state, &reply);
	http_reply_done(&reply);
}

#define EXCHANGE_JOB(of_class, late)                                                               \
	{                                                                                          \
		.class = of_class, .runs_late = late, .run = on_run, .end = on_end,                \
		.abandon = on_abandon, .free = exchange_free,                                      \
	}

#define EXCHANGE_JOBS(of_class)                                                                    \
	[of_class] = {EXCHANGE_JOB(of_class, false), EXCHANGE_JOB(of_class, true)}

static const struct job_ops exchange_jobs[JOB_CLASSES][2] = {
	EXCHANGE_JOBS(JOB_FIRMWARE),	   EXCHANGE_JOBS(JOB_DEVICES),
	EXCHANGE_JOBS(JOB_STORE),	   EXCHANGE_JOBS(JOB_SLOW_READS),
	EXCHANGE_JOBS(JOB_RECEIVERS),	   EXCHANGE_JOBS(JOB_LOGINS),
	EXCHANGE_JOBS(JOB_CLEARING),	   EXCHANGE_JOBS(JOB_SWITCHES),
	EXCHANGE_JOBS(JOB_CHANGES),	   EXCHANGE_JOBS(JOB_UPLOADS),
	EXCHANGE_JOBS(JOB_DEVICE_CHANGES), EXCHANGE_JOBS(JOB_DIAGNOSTICS),
	EXCHANGE_JOBS(JOB_CAPACITY),	   EXCHANGE_JOBS(JOB_SCANS),
};

/* The request could not be suspended, or not be copied. */
static void complete_busy(struct http_pending *pending)
{
	struct http_reply reply;
	struct message m;

	http_reply_init(&reply);
	message_set(&m, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1", NULL, NULL);
	exchange_reply_message(&reply, &m);
	pending->complete(pending, &reply);
	http_reply_done(&reply);
}

static void complete_refused(struct exchange *detached)
{
	reply_error(detached, -EBUSY);
	service_audit(detached);
	if (detached->task)
		tasks_end(detached->task, -EBUSY, detached->reply);
	exchange_complete(detached);
	exchange_free(detached);
}

/* The exchange may have been freed when this returns 0. */
static int submit_detached(struct exchange *x, const struct continuation *c)
{
	const struct job_ops *ops = &exchange_jobs[c->class][c->runs_late];
	struct jobs *jobs = x->service->jobs;
	struct task_watch *task;
	struct job *job;
	int r;

	if (!exchange_may_be_task(x))
		return job_submit(jobs, ops, x, NULL);
	r = service_watch(x, c);
	if (r < 0)
		return r;
	task = x->task;
	r = job_submit(jobs, ops, x, &job);
	tasks_attach(task, r < 0 ? NULL : job);
	return r;
}

/* The request is suspended first: the job may be done before this returns. */
static enum http_outcome operation_submit(struct exchange *x, struct http_call *call)
{
	const struct continuation *c = x->continuation;
	struct http_pending *pending = http_call_suspend(call);
	struct exchange *detached;

	if (!pending) {
		reply_error(x, -EBUSY);
		return HTTP_REPLIED;
	}
	if (exchange_is_change(x))
		service_set_origin(x);
	detached = exchange_detach(x, pending);
	if (!detached)
		complete_busy(pending);
	else if (submit_detached(detached, c) < 0)
		complete_refused(detached);
	return HTTP_LATER;
}

/* ---- operations -------------------------------------------------------------------------------
 */

/* @body: of the view; NULL: out of memory */
static void reply_cached(struct exchange *x, struct representation *body)
{
	if (!body) {
		reply_error(x, -ENOMEM);
		return;
	}
	x->reply->body = body;
	x->reply->shared = true;
	x->reply->hold = x->hold;
	x->reply->release = release_hold;
	x->hold = NULL;
	reply_read(x);
}

static void reply_stream(struct exchange *x)
{
	const struct resource_type *type = x->resource->type;
	struct json_writer none = {0};
	int r;

	/* To open an endless one changes something. */
	if (x->method == METHOD_HEAD && !x->resource->type->dynamic) {
		x->reply->status = 200;
		x->reply->body = redfish_body_new(&none, type->content_type);
		return;
	}
	message_set(&x->message, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	service_set_origin(x);
	r = type->open(x, &x->reply->stream);
	if (r < 0) {
		reply_error(x, r);
		return;
	}
	x->reply->status = 200;
	redfish_stream_headers(x->reply, type->content_type, resource_allow(x->resource));
}

static void reply_options(struct exchange *x)
{
	reply_empty(x, 204);
	if (x->reply->body)
		x->reply->body->allow = resource_allow(x->resource);
}

/* Runs the operation for the request's method. Return: as operations. */
static int operation_run(struct exchange *x)
{
	const struct resource *resource = x->resource;
	int r;

	message_set(&x->message, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	if (exchange_is_read(x)) {
		x->begun = render_begin(resource, &x->w);
		return client_context_applies(x) ? client_context_continue(x)
						 : resource->type->get(x);
	}
	r = resource->type->compared_in_job ? 0 : check_precondition(x);
	if (r == 0 && exchange_has_body(x))
		r = body_check(x);
	if (r < 0)
		return r;
	if (resource->action)
		return resource->action->run(x);
	if (x->method == METHOD_POST)
		return resource->type->create(x);
	return x->method == METHOD_PATCH ? resource->type->patch(x) : resource->type->remove(x);
}

static int run_query(struct exchange *x, void *state)
{
	(void)state;
	return query_is_given(x) ? query_result(x) : 0;
}

static const struct continuation long_query = {.class = JOB_SLOW_READS, .run = run_query};

/* After `get`: what is left to be done may take long. */
static int continue_query(struct exchange *x)
{
	int r = take_read(x);

	return r >= 0 && query_is_long(x) ? exchange_continue(x, &long_query, NULL) : r;
}

/* A read with query options of a resource that is cached. */
static enum http_outcome reply_query(struct exchange *x, struct http_call *call)
{
	struct representation *kept = query_kept(x), *cached;

	if (kept &&
	    (!x->accepts_gzip || kept->len <= GZIP_AT_ONCE_MAX || atomic_load(&kept->gzipped))) {
		reply_cached(x, kept);
		return HTTP_REPLIED;
	}
	cached = view_representation(x->view, x->resource);
	if (!cached) {
		reply_error(x, -ENOMEM);
		return HTTP_REPLIED;
	}
	message_set(&x->message, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	x->result = representation_ref(cached);
	if (kept || query_is_long(x)) {
		(void)exchange_continue(x, &long_query, NULL);
		return operation_submit(x, call);
	}
	finish_read(x);
	return HTTP_REPLIED;
}

enum http_outcome service_operate(struct exchange *x, struct http_call *call)
{
	const struct resource_type *type = x->resource->type;
	int r;

	if (x->method == METHOD_OPTIONS) {
		reply_options(x);
		return HTTP_REPLIED;
	}
	if (exchange_is_read(x) && type->open) {
		reply_stream(x);
		return HTTP_REPLIED;
	}
	if (exchange_is_read(x) && type->render) {
		if (query_is_given(x))
			return reply_query(x, call);
		reply_cached(x, view_representation(x->view, x->resource));
		return HTTP_REPLIED;
	}
	r = operation_run(x);
	if (r == 0 && exchange_is_read(x) && query_is_given(x))
		r = continue_query(x);
	if (r == EXCHANGE_CONTINUES)
		return operation_submit(x, call);
	operation_finish(x, r);
	return HTTP_REPLIED;
}
