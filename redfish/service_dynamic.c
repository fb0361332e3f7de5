// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The step of service.c that makes resources anew for each request, and changes them.
#include "redfish/exchange.h"

#include <errno.h>
#include <string.h>

#include "http/negotiation.h"
#include "redfish/resources.h"

static bool finish(struct exchange *x, const struct dynamic_request *q, int r)
{
	switch (r) {
	case -EINPROGRESS:
		return exchange_defer(x, DEFERRED_TO_STORE);
	case -EINVAL:
		return exchange_refuse_with(x, q->refusal);
	case -ENOSPC:
		return exchange_refuse(x, MESSAGE_INSUFFICIENT_STORAGE, NULL);
	case -EBUSY:
	case -EBADMSG: /* damaged: a new one is being made */
	case -ENOENT:
	case -ESHUTDOWN:
		return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	default:
		return exchange_refuse(x, MESSAGE_INTERNAL_ERROR, NULL);
	}
}

static bool answer_with(struct exchange *x, struct dynamic_request *q, unsigned int status)
{
	int r = dynamic_represent(q, &x->res->body);

	if (r < 0)
		return finish(x, q, r);
	x->res->status = status;
	return false;
}

static bool answer_nothing(struct exchange *x)
{
	struct json_writer w = {0};

	x->res->status = 204;
	x->res->body = representation_new(&w, NULL);
	return false;
}

/* Return: 0 when the client meant the resource as it is now, or did not say. */
static int check_precondition(const struct exchange *x, struct dynamic_request *q)
{
	_cleanup_representation_ struct representation *now = NULL;
	int r;

	if (!x->req->if_match)
		return 0;
	r = dynamic_represent(q, &now);
	if (r < 0)
		return r;
	if (etag_matches(x->req->if_match, now->etag))
		return 0;
	return dynamic_refuse(q, MESSAGE_PRECONDITION_FAILED, NULL, NULL, NULL);
}

static bool patch(struct exchange *x, struct dynamic_request *q)
{
	int r = check_precondition(x, q);

	if (r >= 0 && json_object_size(q->body) == 0)
		r = dynamic_refuse(q, MESSAGE_EMPTY_JSON, NULL, NULL, NULL);
	if (r >= 0)
		r = q->resource->type->live->patch(q);
	return r < 0 ? finish(x, q, r) : answer_with(x, q, 200);
}

static bool create(struct exchange *x, struct dynamic_request *q)
{
	int r = q->resource->type->live->create(q);

	if (r < 0)
		return finish(x, q, r);
	q->resource = dynamic_find(x->view, q->location, &x->place);
	if (!q->resource)
		return exchange_refuse(x, MESSAGE_INTERNAL_ERROR, NULL);
	memcpy(x->res->location, q->location, sizeof(q->location));
	return answer_with(x, q, 201);
}

static bool remove_one(struct exchange *x, struct dynamic_request *q)
{
	int r = check_precondition(x, q);

	if (r >= 0)
		r = q->resource->type->live->remove(q);
	return r < 0 ? finish(x, q, r) : answer_nothing(x);
}

static bool run_action(struct exchange *x, struct dynamic_request *q)
{
	_cleanup_writer_ struct json_writer w = {0};
	int r = q->resource->action->live(q, &w);

	if (r < 0)
		return finish(x, q, r);
	if (w.len == 0)
		return answer_nothing(x);
	x->res->status = 200;
	x->res->body = representation_new(&w, CONTENT_TYPE_JSON);
	return false;
}

static bool run_on_body(struct exchange *x, struct dynamic_request *q)
{
	bool is_action = q->resource->action;
	bool next;

	/* An action without parameters needs no body. */
	q->body =
		is_action && x->req->body_len == 0 ? json_object() : exchange_object(x, q->refusal);
	if (!q->body)
		return finish(x, q, -EINVAL);
	if (is_action)
		next = run_action(x, q);
	else if (x->req->method == METHOD_POST)
		next = create(x, q);
	else
		next = patch(x, q);
	json_decref(q->body);
	return next;
}

static bool open_stream(struct exchange *x, struct dynamic_request *q)
{
	struct json_writer none = {0};
	int r = 0;

	if (x->req->method == METHOD_GET)
		r = q->resource->type->live->open(q, &x->res->stream);
	else
		x->res->body = representation_new(&none, q->resource->type->content_type);
	if (r < 0)
		return finish(x, q, r);
	x->res->status = 200;
	return false;
}

static bool read_one(struct exchange *x, struct dynamic_request *q)
{
	if (q->resource->type->live->open)
		return open_stream(x, q);
	if (!answer_with(x, q, 200) && x->res->status == 200)
		return exchange_answer_read(x);
	return false;
}

bool exchange_run_dynamic(struct exchange *x)
{
	const struct resource *resource = x->resource;
	struct message m;
	struct dynamic_request q = {
		.service = x->service,
		.log = service_event_log(x->service),
		.view = x->view,
		.resource = resource,
		.query = &x->query,
		.last_event_id = x->req->last_event_id,
		.may_wait = x->timeout,
		.refusal = &m,
	};

	if (resource->action ? !resource->action->live : !resource->type->live)
		return true;
	message_set(&m, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	if (x->req->method == METHOD_GET || x->req->method == METHOD_HEAD)
		return read_one(x, &q);
	return x->req->method == METHOD_DELETE ? remove_one(x, &q) : run_on_body(x, &q);
}
