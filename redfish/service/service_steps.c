// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The checks of every request before its resource is read or changed.
#include "redfish/service/service_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "http/budget.h"
#include "http/multipart.h"
#include "http/negotiation.h"
#include "redfish/core/origin.h"
#include "redfish/core/render.h"
#include "redfish/service/client_context.h"
#include "redfish/service/core_peer.h"
#include "redfish/service/query_result.h"
#include "redfish/service/request_body.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"

#define BASIC_CHALLENGE "Basic realm=\"CXL memory\", charset=\"UTF-8\""

/* Return: whether the request continues with the next step; otherwise the reply is filled in. */
typedef bool (*step_fn)(struct exchange *x);

bool exchange_is_read(const struct exchange *x)
{
	return x->method == METHOD_GET || x->method == METHOD_HEAD;
}

bool exchange_has_body(const struct exchange *x)
{
	if (x->method == METHOD_DELETE)
		return x->resource && !x->resource->action && x->resource->type->remove_body;
	return x->method == METHOD_POST || x->method == METHOD_PATCH;
}

bool exchange_receives(const struct exchange *x)
{
	return x->method == METHOD_POST && x->resource && x->resource->action &&
	       x->resource->action->receives;
}

bool exchange_demands_if_match(const struct exchange *x)
{
	const struct resource *r = x->resource;

	if (core_peer_is(x))
		return false;
	switch (x->method) {
	case METHOD_POST:
		return r->action ? r->action->demands_if_match : r->type->demands_if_match;
	case METHOD_PATCH:
	case METHOD_DELETE:
		return r->type->demands_if_match;
	default:
		return false;
	}
}

bool service_refuse(struct exchange *x)
{
	if (x->noted.n > 0) {
		x->reply->status = x->noted.items[0].status;
		x->reply->body = message_body(x->noted.items, x->noted.n);
	} else {
		exchange_reply_message(x->reply, &x->message);
	}
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
static struct resource *find_collection(struct exchange *x, const char uri[static RESOURCE_URI_MAX])
{
	char path[RESOURCE_URI_MAX];
	size_t len = strlen(uri);
	struct resource *r;
	char *slash;

	if (x->method != METHOD_POST)
		return NULL;
	memcpy(path, uri, len + 1);
	if (len > 1 && path[len - 1] == '/')
		path[len - 1] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash == path || !str_equal(slash + 1, "Members"))
		return NULL;
	*slash = '\0';
	r = find_at(x, path);
	return r && !r->action && resource_takes(r, METHOD_POST) ? r : NULL;
}

/* @path: with the default Ids */
static void find_path(struct exchange *x, const char *path)
{
	x->resource = resource_find(x->view->index, path);
	if (!x->resource)
		x->resource = find_collection(x, path);
	if (!x->resource)
		x->resource = dynamic_find(x->view, path, &x->place);
}

static bool find_resource(struct exchange *x)
{
	char path[RESOURCE_URI_MAX];

	if (!x->view)
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	if (system_id_read(x->req->path, path))
		find_path(x, path);
	core_peer_find(x);
	return true;
}

/* A preflight has no credentials, and the same reply whatever the resource is. */
static bool answer_preflight(struct exchange *x)
{
	struct json_writer none = {0};

	if (!cross_site_preflight(x->req))
		return true;
	if (!x->origin)
		return refuse_status(x, 403, MESSAGE_HEADER_INVALID, "Origin");
	(void)exchange_refuse(x, MESSAGE_SUCCESS, NULL, NULL,
			      NULL); /* not the reason of an error */
	x->reply->status = 204;
	x->reply->body = redfish_body_new(&none, NULL);
	cross_site_reply_preflight(x->reply);
	return false;
}

/* Before authentication: a page of another site must not even cause a failed login. */
static bool check_site(struct exchange *x)
{
	bool opens_stream = x->resource && x->resource->type->open;
	const char *header;

	/* A stream is also a resource, which its opening creates. */
	if ((exchange_is_read(x) && !opens_stream) || x->method == METHOD_OPTIONS)
		return true;
	header = cross_site_header(&x->service->origins, x->req);
	return !header || refuse_status(x, 403, MESSAGE_HEADER_INVALID, header);
}

static bool needs_no_authentication(const struct exchange *x)
{
	return x->resource && resource_takes(x->resource, x->method) &&
	       resource_needs(x->resource, x->method) & PRIVILEGE_NO_AUTH;
}

bool service_refuse_login(struct exchange *x, int r, unsigned int retry_s)
{
	char text[16];

	if (r != -EACCES)
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	(void)http_reply_header(x->reply, "WWW-Authenticate", BASIC_CHALLENGE);
	if (retry_s > 0) {
		(void)snprintf(text, sizeof(text), "%u", retry_s);
		(void)http_reply_header(x->reply, "Retry-After", text);
	}
	return refuse_with(x, MESSAGE_ACCESS_UNAUTHORIZED, NULL);
}

/* Before the reply depends on the resource, including whether it exists. */
static bool step_authenticate(struct exchange *x)
{
	const struct authenticator *who = &x->service->who;
	const bool is_open = needs_no_authentication(x);
	unsigned int retry_s = 0;
	int r;

	if (!exchange_is_read(x))
		service_set_origin(x);
	if (!who->accounts) {
		x->principal.means = AUTHENTICATION_NOT_REQUIRED;
		x->principal.privileges = PRIVILEGES_ALL;
		return true;
	}
	/* The expansion of the service root has what only a login shows. */
	if (is_open && x->req->n_options == 0 && x->req->client.access != HTTP_ACCESS_CORE)
		return true;
	r = authenticate(who, x->req, &x->principal, &retry_s);
	if (r == -EACCES && is_open && !request_has_credential(x->req))
		return true;
	if (r == -EINPROGRESS) {
		x->undecided = true;
		return false;
	}
	return r == 0 || service_refuse_login(x, r, retry_s);
}

/* Its address is all that is known of it, so that it gets no more than it needs. */
static bool check_core(struct exchange *x)
{
	if (!core_peer_is(x) || core_peer_admits(x))
		return true;
	return refuse_with(x, MESSAGE_INSUFFICIENT_PRIVILEGE, NULL);
}

/* The connection is counted for who is known now. */
static bool step_count(struct exchange *x)
{
	struct budget_owner owner;

	if (!x->share || x->principal.means == AUTHENTICATION_NONE)
		return true;
	owner = owner_of(&x->principal, x->share->owner.client);
	if (budget_share_own(x->share, &owner) == 0)
		return true;
	(void)http_reply_header(x->reply, "Connection", "close");
	return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "5");
}

bool exchange_is_own_account(const struct exchange *x)
{
	char uri[RESOURCE_URI_MAX];

	if (!x->resource || x->principal.account == 0)
		return false;
	(void)snprintf(uri, sizeof(uri), URI_ACCOUNT, x->principal.account);
	return str_equal(x->resource->uri, uri);
}

/* Return: whether the request is left to an account whose password must be changed
 * (DSP0266 1.20 13.3.6). */
static bool is_for_password_change(const struct exchange *x)
{
	char uri[RESOURCE_URI_MAX];

	if (!x->resource)
		return false;
	if (exchange_is_own_account(x))
		return exchange_is_read(x) || x->method == METHOD_PATCH;
	(void)snprintf(uri, sizeof(uri), URI_SESSION, x->principal.session);
	return str_equal(x->resource->uri, uri) && x->method == METHOD_DELETE;
}

static bool refuse_until_changed(struct exchange *x)
{
	char uri[RESOURCE_URI_MAX];

	(void)snprintf(uri, sizeof(uri), URI_ACCOUNT, x->principal.account);
	return refuse_with(x, MESSAGE_PASSWORD_CHANGE_REQUIRED, uri);
}

static bool check_password_change(struct exchange *x)
{
	if (!x->principal.password_change_required || is_for_password_change(x))
		return true;
	return refuse_until_changed(x);
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
	if (resource_type_takes(x->resource, x->method))
		return refuse_with(x, MESSAGE_NOT_CHANGEABLE,
				   resource_reason(x->resource, x->method));
	if (!x->resource->action && x->resource->type->not_changed && x->method != METHOD_OTHER)
		return refuse_with(x, MESSAGE_NOT_CHANGEABLE, x->resource->type->not_changed);
	return refuse_with(x, MESSAGE_OPERATION_NOT_ALLOWED, NULL);
}

/* The privileges with regard to the resource: ConfigureSelf is for the principal's own ones. */
static unsigned int privileges_here(const struct exchange *x)
{
	unsigned int has = x->principal.privileges;

	if (has & PRIVILEGE_CONFIGURE_SELF &&
	    !(x->resource->type->own && x->resource->type->own(x)))
		has &= ~(unsigned int)PRIVILEGE_CONFIGURE_SELF;
	return has | PRIVILEGE_NO_AUTH;
}

static unsigned int needs_of_property(const struct exchange *x, const char *name)
{
	return privileges_of_property(x->view->table->privileges, x->resource->type->schema, name);
}

static bool check_privilege(struct exchange *x)
{
	unsigned int needs = resource_needs(x->resource, x->method);

	/* The properties to be changed are known with the body. */
	if (x->method == METHOD_PATCH)
		needs |= needs_of_property(x, NULL);
	if (needs & privileges_here(x))
		return true;
	return refuse_with(x, MESSAGE_INSUFFICIENT_PRIVILEGE, NULL);
}

static bool check_query(struct exchange *x)
{
	unsigned int taken = x->resource->type->options;

	if (x->req->n_options == 0)
		return true;
	if (!exchange_is_read(x))
		return refuse_with(x, MESSAGE_QUERY_NOT_SUPPORTED_ON_OPERATION, NULL);
	taken |= query_options_of(x->resource);
	if (query_parse(x->req->options, x->req->n_options, taken, &x->query, &x->message) < 0)
		return service_refuse(x);
	client_context_begin(x);
	return true;
}

static bool check_accept(struct exchange *x)
{
	const char *type = x->resource->type->content_type;
	const char *accept = x->req->headers[HEADER_ACCEPT];

	if (!type || x->resource->action)
		type = CONTENT_TYPE_JSON;
	if (!accept || x->method == METHOD_OPTIONS || accept_admits(accept, type))
		return true;
	return refuse_status(x, 406, MESSAGE_HEADER_INVALID, "Accept");
}

/* Whether the head says that a body follows which has at least one byte. */
static bool announces_body(const struct exchange *x)
{
	const char *length = x->req->headers[HEADER_CONTENT_LENGTH];

	return length && strspn(length, "0") != strlen(length);
}

/* A page of another site can send a body without asking, unless it has to be JSON (Fetch 2.2.2). */
static bool check_content_type(struct exchange *x)
{
	const char *type = x->req->headers[HEADER_CONTENT_TYPE];

	if (exchange_is_read(x) || x->method == METHOD_OPTIONS)
		return true;
	if (exchange_receives(x))
		return multipart_is_form_data(type) ||
		       refuse_status(x, 415, MESSAGE_HEADER_INVALID, "Content-Type");
	if (type ? content_type_is_json(type) : !announces_body(x))
		return true;
	return refuse_status(x, 415, MESSAGE_HEADER_INVALID, "Content-Type");
}

/* A change that must not be lost to another client's needs to say what it changes (RFC 6585 3). */
static bool check_condition(struct exchange *x)
{
	if (x->if_match || !exchange_demands_if_match(x))
		return true;
	return refuse_with(x, MESSAGE_PRECONDITION_REQUIRED, NULL);
}

/* A login comes from any client, so it gets no more memory than names and passwords take. */
static bool check_login_size(struct exchange *x)
{
	const char *const *headers = x->req->headers;
	const char *length = headers[HEADER_CONTENT_LENGTH];
	uint64_t n = 0;

	if (x->method != METHOD_POST || !needs_no_authentication(x))
		return true;
	if (!headers[HEADER_TRANSFER_ENCODING] &&
	    (!length || (parse_u64(length, &n) == 0 && n <= LOGIN_BODY_MAX)))
		return true;
	return refuse_with(x, MESSAGE_PAYLOAD_TOO_LARGE, NULL);
}

/* ---- the body ---------------------------------------------------------------------------------
 */

static bool check_received(struct exchange *x)
{
	if (x->req->fault == FAULT_BODY_TOO_LARGE)
		return refuse_with(x, MESSAGE_PAYLOAD_TOO_LARGE, NULL);
	if (x->req->fault == FAULT_NO_MEMORY)
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	if (x->upload && upload_refusal(x->upload)) {
		x->message = *upload_refusal(x->upload);
		if (upload_retry(x->upload))
			(void)http_reply_header(x->reply, "Retry-After", upload_retry(x->upload));
		return service_refuse(x);
	}
	/* The resource did not exist, or did not support the method, when the head was received. */
	if (x->req->fault == FAULT_BODY_NOT_READ && exchange_has_body(x))
		return refuse_with(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "1");
	return true;
}

/* The head of a chunked body does not show whether it contains anything. */
static bool check_chunks_type(struct exchange *x)
{
	const char *const *headers = x->req->headers;

	if (!headers[HEADER_TRANSFER_ENCODING] || headers[HEADER_CONTENT_TYPE] ||
	    x->req->body_len == 0)
		return true;
	return refuse_status(x, 415, MESSAGE_HEADER_INVALID, "Content-Type");
}

/* Return: the JSON of the body, of @ret_len bytes. */
static const char *body_text_of(const struct exchange *x, size_t *ret_len)
{
	*ret_len = x->req->body_len;
	if (exchange_receives(x))
		return x->upload ? upload_parameters(x->upload, ret_len) : NULL;
	return x->req->body;
}

static bool may_be_empty(const struct exchange *x)
{
	if (x->method == METHOD_DELETE)
		return true;
	return x->resource->action && !x->resource->action->needs_body;
}

static bool parse_body(struct exchange *x)
{
	enum message_id why = MESSAGE_MALFORMED_JSON;
	const char *text;
	json_t *body;
	size_t len;

	if (!exchange_has_body(x))
		return true;
	text = body_text_of(x, &len);
	if (len == 0 && may_be_empty(x))
		body = json_object();
	else
		body = request_body_parse(text, len, &why);
	if (!body)
		return refuse_with(x, why, NULL);
	x->body = body;
	if (!json_is_object(body))
		return refuse_with(x, MESSAGE_UNRECOGNIZED_REQUEST_BODY, NULL);
	if (core_peer_is(x))
		core_peer_strip(body);
	if (x->method == METHOD_PATCH && json_object_size(body) == 0)
		return refuse_with(x, MESSAGE_EMPTY_JSON, NULL);
	return true;
}

/* Some properties may be changed with less than the others of their resource. */
static bool check_property_privileges(struct exchange *x)
{
	const unsigned int usual = resource_needs(x->resource, x->method);
	const char *name;
	json_t *value;

	if (x->method != METHOD_PATCH || !needs_of_property(x, NULL))
		return true;
	json_object_foreach(x->body, name, value) {
		const unsigned int own = needs_of_property(x, name);

		if ((own ? own : usual) & privileges_here(x) || strchr(name, '@'))
			continue;
		(void)exchange_refuse(x, MESSAGE_INSUFFICIENT_PRIVILEGE, NULL, NULL, NULL);
		message_set_property(&x->message, name);
		return service_refuse(x);
	}
	return true;
}

/* A client whose password must be changed can change only that of its account. */
static bool check_only_password(struct exchange *x)
{
	const char *name;
	json_t *value;

	if (!x->principal.password_change_required || x->method != METHOD_PATCH)
		return true;
	json_object_foreach(x->body, name, value)
		if (!str_equal(name, "Password"))
			return refuse_until_changed(x);
	return true;
}

static const step_fn head_steps[] = {
	check_framing,	   answer_preflight,	find_resource, check_site,
	step_authenticate, check_core,		step_count,    check_password_change,
	check_uri,	   check_odata_version, check_exists,  check_method,
	check_privilege,   check_query,		check_accept,  check_content_type,
	check_condition,   check_login_size,
};

static const step_fn body_steps[] = {check_received, check_chunks_type, parse_body,
				     check_only_password, check_property_privileges};

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
