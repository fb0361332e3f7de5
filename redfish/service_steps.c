// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The checks of every request before its resource is read or changed.
#include "redfish/service_private.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/negotiation.h"
#include "redfish/request_body.h"
#include "redfish/resource_index.h"

#define BASIC_CHALLENGE "Basic realm=\"CXL memory\", charset=\"UTF-8\""

/* Return: whether the request continues with the next step; otherwise the reply is filled in. */
typedef bool (*step_fn)(struct exchange *x);

bool exchange_is_read(const struct exchange *x)
{
	return x->method == METHOD_GET || x->method == METHOD_HEAD;
}

bool service_refuse(struct exchange *x)
{
	exchange_reply_message(x->reply, &x->message);
	if (x->reply->body && x->message.status == 405)
		x->reply->body->allow = resource_allow(x->resource);
	return false;
}

static bool refuse_with(struct exchange *x, enum message_id id, const char *arg)
{
	(void)exchange_refuse(x, id, arg, NULL, NULL);
	return service_refuse(x);
}

/* The registry has one message for many header faults, HTTP has a status for each. */
static bool refuse_status(struct exchange *x, unsigned int status, enum message_id id,
			  const char *arg)
{
	(void)exchange_refuse(x, id, arg, NULL, NULL);
	x->message.status = status;
	return service_refuse(x);
}

/* ---- the head ---------------------------------------------------------------------------------
 */

/* Two parsers may disagree about such a request and about the start of the next one. */
static bool check_framing(struct exchange *x)
{
	if (x->req->fault != FAULT_HEADER)
		return true;
	(void)http_reply_header(x->reply, "Connection", "close");
	return refuse_with(x, MESSAGE_HEADER_INVALID, x->req->fault_header);
}

static struct resource *find_at(struct exchange *x, const char *path)
{
	struct resource *r = resource_find(x->view->index, path);

	return r ? r : dynamic_find(x->view, path, &x->place);
}

/* A POST that creates a member may also be sent to a collection's "Members" (DSP0266 1.20 7.10). */
static struct resource *find_collection(struct exchange *x)
{
	char path[RESOURCE_URI_MAX];
	size_t len = strlen(x->req->path);
	struct resource *r;
	char *slash;

	if (x->method != METHOD_POST || len >= sizeof(path))
		return NULL;
	memcpy(path, x->req->path, len + 1);
	if (len > 1 && path[len - 1] == '/')
		path[len - 1] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash == path || !str_equal(slash + 1, "Members"))
		return NULL;
	*slash = '\0';
	r = find_at(x, path);
	return r && !r->action && resource_takes(r, METHOD_POST) ? r : NULL;
}

static bool find_resource(struct exchange *x)
{
	if (!x->view)
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	x->resource = resource_find(x->view->index, x->req->path);
	if (!x->resource)
		x->resource = find_collection(x);
	if (!x->resource)
		x->resource = dynamic_find(x->view, x->req->path, &x->place);
	return true;
}

static bool needs_no_authentication(const struct exchange *x)
{
	return x->resource && resource_takes(x->resource, x->method) &&
	       resource_needs(x->resource, x->method) & PRIVILEGE_NO_AUTH;
}

/* Before the reply depends on the resource, including whether it exists. */
static bool step_authenticate(struct exchange *x)
{
	const struct auth *auth = x->service->auth;

	/* A login is not looked at: it came without encryption. The transport admits only reads. */
	if (x->req->client.access == HTTP_ACCESS_READ_ONLY) {
		x->principal.means = AUTHENTICATION_NAMED_PEER;
		x->principal.privileges = PRIVILEGE_LOGIN;
		return true;
	}
	if (!auth) {
		x->principal.means = AUTHENTICATION_NOT_REQUIRED;
		x->principal.privileges = PRIVILEGES_ALL;
		return true;
	}
	if (needs_no_authentication(x) ||
	    auth_check(auth, x->req->headers[HEADER_AUTHORIZATION], &x->principal))
		return true;
	(void)http_reply_header(x->reply, "WWW-Authenticate", BASIC_CHALLENGE);
	return refuse_with(x, MESSAGE_ACCESS_UNAUTHORIZED, NULL);
}

static bool check_uri(struct exchange *x)
{
	const struct http_request *req = x->req;

	if (req->fault == FAULT_URI_TOO_LONG)
		return refuse_status(x, 414, MESSAGE_INVALID_URI, req->path);
	if (req->fault == FAULT_URI || !path_is_sane(req->path))
		return refuse_with(x, MESSAGE_INVALID_URI, req->path);
	return true;
}

static bool check_odata_version(struct exchange *x)
{
	const char *version = x->req->headers[HEADER_ODATA_VERSION];

	if (!version || str_equal(version, "4.0"))
		return true;
	return refuse_status(x, 412, MESSAGE_HEADER_INVALID, "OData-Version");
}

static bool check_exists(struct exchange *x)
{
	if (x->resource)
		return true;
	return refuse_with(x, MESSAGE_RESOURCE_MISSING_AT_URI, x->req->path);
}

static bool check_method(struct exchange *x)
{
	if (resource_takes(x->resource, x->method))
		return true;
	return refuse_with(x, MESSAGE_OPERATION_NOT_ALLOWED, NULL);
}

static bool check_privilege(struct exchange *x)
{
	unsigned int needs = resource_needs(x->resource, x->method);

	if (needs & (x->principal.privileges | PRIVILEGE_NO_AUTH))
		return true;
	return refuse_with(x, MESSAGE_INSUFFICIENT_PRIVILEGE, NULL);
}

static bool check_query(struct exchange *x)
{
	unsigned int taken = exchange_is_read(x) ? x->resource->type->options : 0;

	if (query_parse(x->req->options, x->req->n_options, taken, &x->query, &x->message) < 0)
		return service_refuse(x);
	return true;
}

static bool check_accept(struct exchange *x)
{
	const char *type = x->resource->type->content_type;
	const char *accept = x->req->headers[HEADER_ACCEPT];

	if (!type || x->resource->action)
		type = CONTENT_TYPE_JSON;
	if (!accept || accept_admits(accept, type))
		return true;
	return refuse_status(x, 406, MESSAGE_HEADER_INVALID, "Accept");
}

static bool check_content_type(struct exchange *x)
{
	const char *type = x->req->headers[HEADER_CONTENT_TYPE];

	if (exchange_is_read(x) || !type || content_type_is_json(type))
		return true;
	return refuse_status(x, 415, MESSAGE_HEADER_INVALID, "Content-Type");
}

/* ---- the body ---------------------------------------------------------------------------------
 */

static bool check_received(struct exchange *x)
{
	if (x->req->fault == FAULT_BODY_TOO_LARGE)
		return refuse_with(x, MESSAGE_PAYLOAD_TOO_LARGE, NULL);
	if (x->req->fault == FAULT_NO_MEMORY)
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	/* The resource did not exist, or did not support the method, when the head was received. */
	if (x->req->fault == FAULT_BODY_NOT_READ && x->method != METHOD_DELETE)
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	return true;
}

static bool parse_body(struct exchange *x)
{
	const struct http_request *req = x->req;
	enum message_id why = MESSAGE_MALFORMED_JSON;
	json_t *body;

	if (exchange_is_read(x) || x->method == METHOD_DELETE)
		return true;
	if (x->resource->action && !x->resource->action->needs_body && req->body_len == 0)
		body = json_object();
	else
		body = request_body_parse(req->body, req->body_len, &why);
	if (!body)
		return refuse_with(x, why, NULL);
	x->body = body;
	if (!json_is_object(body))
		return refuse_with(x, MESSAGE_UNRECOGNIZED_REQUEST_BODY, NULL);
	if (x->method == METHOD_PATCH && json_object_size(body) == 0)
		return refuse_with(x, MESSAGE_EMPTY_JSON, NULL);
	return true;
}

static const step_fn head_steps[] = {
	check_framing,	     find_resource, step_authenticate,	check_uri,
	check_odata_version, check_exists,  check_method,	check_privilege,
	check_query,	     check_accept,  check_content_type,
};

static const step_fn body_steps[] = {check_received, parse_body};

static bool run_steps(struct exchange *x, const step_fn *steps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!steps[i](x))
			return false;
	return true;
}

bool service_check_head(struct exchange *x)
{
	return run_steps(x, head_steps, ARRAY_SIZE(head_steps));
}

bool service_check_body(struct exchange *x)
{
	return run_steps(x, body_steps, ARRAY_SIZE(body_steps));
}
