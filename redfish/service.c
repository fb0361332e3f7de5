// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/negotiation.h"
#include "redfish/eventing/event_stream.h"
#include "redfish/exchange.h"
#include "redfish/messages.h"
#include "redfish/resources.h"
#include "redfish/view_holder.h"

struct service {
	const struct auth *auth;
	struct event_log *log;		     /* NULL without */
	struct event_service *event_service; /* NULL without */
	struct view_holder *holder;
};

/* Return: whether the request goes on to the next step; else the response is filled. */
typedef bool (*step_fn)(struct exchange *x);

int service_new(const struct auth *auth, struct service **ret, struct error *e)
{
	struct service *s = calloc(1, sizeof(*s));

	if (!s)
		return error_set(e, ENOMEM, "out of memory");
	s->auth = auth;
	s->holder = view_holder_new();
	if (!s->holder) {
		free(s);
		return error_set(e, ENOMEM, "out of memory");
	}
	*ret = s;
	return 0;
}

struct service *service_free(struct service *s)
{
	if (!s)
		return NULL;
	(void)view_holder_free(s->holder);
	free(s);
	return NULL;
}

int service_set_view(struct service *s, struct view *v)
{
	return view_holder_set(s->holder, v);
}

const struct view *service_view(const struct service *s)
{
	return view_holder_view(s->holder);
}

struct view_holder *service_view_holder(const struct service *s)
{
	return s->holder;
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

struct view_hold *service_hold_view(struct service *s)
{
	return view_holder_take(s->holder);
}

void redfish_response_done(struct redfish_response *res)
{
	(void)event_stream_free(res->stream);
	if (!res->shared)
		(void)representation_unref(res->body);
	(void)view_hold_release(res->hold);
	*res = (struct redfish_response){0};
}

bool exchange_refuse_with(struct exchange *x, const struct message *m)
{
	x->res->status = m->status;
	x->res->body = message_body(m);
	if (x->res->body && m->status == 405)
		x->res->body->allow = resource_allow(x->resource);
	return false;
}

bool exchange_refuse(struct exchange *x, enum message_id id, const char *arg)
{
	struct message m;

	message_set(&m, id, arg, NULL, NULL);
	return exchange_refuse_with(x, &m);
}

/* The registry has one message for many header faults, HTTP has a status for each. */
static bool refuse_status(struct exchange *x, unsigned int status, enum message_id id,
			  const char *arg)
{
	struct message m;

	message_set(&m, id, arg, NULL, NULL);
	m.status = status;
	return exchange_refuse_with(x, &m);
}

static bool is_read(const struct redfish_request *req)
{
	return req->method == METHOD_GET || req->method == METHOD_HEAD;
}

/* ---- the steps, in their order ----------------------------------------------------------------
 */

/* What two parsers may read differently is no request for anything. */
static bool check_framing(struct exchange *x)
{
	if (x->req->fault == FAULT_HEADER)
		return exchange_refuse(x, MESSAGE_HEADER_INVALID, x->req->fault_header);
	return true;
}

/* What is created may also be sent to a collection's "Members" (DSP0266 1.20 7.10). */
static void redirect_to_collection(struct exchange *x)
{
	struct resource *collection;
	char *slash;

	if (x->req->method != METHOD_POST || !str_equal(x->resource->id, "Members") ||
	    x->resource->action)
		return;
	slash = strrchr(x->place.uri, '/');
	*slash = '\0';
	collection = resource_find(x->view->index, x->place.uri);
	*slash = '/';
	if (collection && resource_takes(collection, METHOD_POST))
		x->resource = collection;
}

static bool find_resource(struct exchange *x)
{
	if (!x->view)
		return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	x->resource = resource_find(x->view->index, x->req->path);
	if (!x->resource)
		x->resource = dynamic_find(x->view, x->req->path, &x->place);
	if (x->resource == &x->place.resource)
		redirect_to_collection(x);
	return true;
}

/* Before anything is said of the resource, not even that there is none. */
static bool authenticate(struct exchange *x)
{
	if (!x->service->auth)
		return true;
	if (x->resource && x->resource->type->open && !x->resource->action && is_read(x->req))
		return true;
	if (auth_check(x->service->auth, x->req->authorization))
		return true;
	return exchange_refuse(x, MESSAGE_ACCESS_UNAUTHORIZED, NULL);
}

static bool check_uri(struct exchange *x)
{
	const struct redfish_request *req = x->req;

	if (req->fault == FAULT_URI_TOO_LONG)
		return refuse_status(x, 414, MESSAGE_INVALID_URI, req->path);
	if (req->fault == FAULT_URI || !path_is_sane(req->path))
		return exchange_refuse(x, MESSAGE_INVALID_URI, req->path);
	return true;
}

static bool check_odata_version(struct exchange *x)
{
	if (!x->req->odata_version || str_equal(x->req->odata_version, "4.0"))
		return true;
	return refuse_status(x, 412, MESSAGE_HEADER_INVALID, "OData-Version");
}

static bool check_exists(struct exchange *x)
{
	if (x->resource)
		return true;
	return exchange_refuse(x, MESSAGE_RESOURCE_MISSING_AT_URI, x->req->path);
}

static bool check_method(struct exchange *x)
{
	if (resource_takes(x->resource, x->req->method))
		return true;
	return exchange_refuse(x, MESSAGE_OPERATION_NOT_ALLOWED, NULL);
}

static bool check_query(struct exchange *x)
{
	const struct dynamic_ops *live = x->resource->type->live;
	unsigned int taken = live && is_read(x->req) ? live->options : 0;
	struct message m;

	if (query_parse(x->req->options, x->req->n_options, taken, &x->query, &m) < 0)
		return exchange_refuse_with(x, &m);
	return true;
}

static bool check_accept(struct exchange *x)
{
	const char *type = x->resource->type->content_type;

	if (!type || x->resource->action)
		type = CONTENT_TYPE_JSON;
	if (!x->req->accept || accept_admits(x->req->accept, type))
		return true;
	return refuse_status(x, 406, MESSAGE_HEADER_INVALID, "Accept");
}

static bool check_content_type(struct exchange *x)
{
	if (is_read(x->req) || !x->req->content_type || content_type_is_json(x->req->content_type))
		return true;
	return refuse_status(x, 415, MESSAGE_HEADER_INVALID, "Content-Type");
}

/* ---- from here on the body is there -----------------------------------------------------------
 */

static bool check_body(struct exchange *x)
{
	if (x->req->fault == FAULT_BODY_TOO_LARGE)
		return exchange_refuse(x, MESSAGE_PAYLOAD_TOO_LARGE, NULL);
	if (x->req->fault == FAULT_NO_ROOM)
		return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	return true;
}

bool exchange_answer_read(struct exchange *x)
{
	x->res->status = 200;
	if (x->req->if_none_match && etag_listed(x->req->if_none_match, x->res->body->etag))
		x->res->status = 304;
	return false;
}

static bool read_resource(struct exchange *x)
{
	struct representation *body;

	if (!is_read(x->req) || x->resource->type->live)
		return true;
	body = view_representation(x->view, x->resource);
	if (!body)
		return exchange_refuse(x, MESSAGE_INTERNAL_ERROR, NULL);
	x->res->body = body;
	x->res->shared = true;
	return exchange_answer_read(x);
}

json_t *exchange_object(const struct exchange *x, struct message *m)
{
	json_t *body = json_loadb(x->req->body ? x->req->body : "", x->req->body_len,
				  JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);

	if (body && json_is_object(body))
		return body;
	message_set(m, body ? MESSAGE_UNRECOGNIZED_REQUEST_BODY : MESSAGE_MALFORMED_JSON, NULL,
		    NULL, NULL);
	json_decref(body);
	return NULL;
}

static int run_on_body(struct exchange *x, struct json_writer *w, struct message *m)
{
	json_t *body = exchange_object(x, m);
	int r = -EINVAL;

	if (body)
		r = x->resource->action->run(x->view, x->resource, body, x->timeout, w, m);
	json_decref(body);
	return r;
}

bool exchange_defer(struct exchange *x, enum deferral to)
{
	x->res->deferred = to;
	return false;
}

static bool run_action(struct exchange *x)
{
	_cleanup_writer_ struct json_writer w = {0};
	struct message m;
	int r;

	message_set(&m, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	r = run_on_body(x, &w, &m);
	if (r == -EINPROGRESS)
		return exchange_defer(x, DEFERRED_TO_FIRMWARE);
	if (r < 0)
		return exchange_refuse_with(x, &m);
	x->res->status = 200;
	x->res->body = representation_new(&w, CONTENT_TYPE_JSON);
	return false;
}

static const step_fn head_steps[] = {
	check_framing, find_resource, authenticate, check_uri,	  check_odata_version,
	check_exists,  check_method,  check_query,  check_accept, check_content_type,
};

static const step_fn body_steps[] = {check_body, read_resource, exchange_run_dynamic, run_action};

static bool run_steps(struct exchange *x, const step_fn *steps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!steps[i](x))
			return false;
	return true;
}

static void begin(struct service *s, const struct redfish_request *req,
		  struct redfish_response *res, struct exchange *x)
{
	*res = (struct redfish_response){.hold = view_holder_take(s->holder)};
	*x = (struct exchange){
		.service = s,
		.req = req,
		.res = res,
		.view = res->hold ? view_of_hold(res->hold) : NULL,
	};
}

bool service_wants_body(struct service *s, const struct redfish_request *req)
{
	struct redfish_response res;
	struct exchange x;
	bool wanted;

	begin(s, req, &res, &x);
	wanted = run_steps(&x, head_steps, ARRAY_SIZE(head_steps)) && !is_read(req) &&
		 req->method != METHOD_DELETE;
	redfish_response_done(&res);
	return wanted;
}

static void handle(struct service *s, const struct redfish_request *req,
		   struct firmware_timeout *timeout, struct redfish_response *ret)
{
	struct exchange x;

	begin(s, req, ret, &x);
	x.timeout = timeout;
	if (run_steps(&x, head_steps, ARRAY_SIZE(head_steps)))
		(void)run_steps(&x, body_steps, ARRAY_SIZE(body_steps));
	if (!ret->body && !ret->stream && !ret->deferred)
		ret->status = 500;
}

void service_handle(struct service *s, const struct redfish_request *req,
		    struct redfish_response *ret)
{
	handle(s, req, NULL, ret);
}

void service_handle_asking(struct service *s, const struct redfish_request *req,
			   struct firmware_timeout *timeout, struct redfish_response *ret)
{
	handle(s, req, timeout, ret);
}

void service_refuse_busy(struct redfish_response *ret)
{
	struct message m;

	message_set(&m, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1", NULL, NULL);
	*ret = (struct redfish_response){.status = m.status, .body = message_body(&m)};
}
