// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The audit log of requests: where every answer to a request that changes something passes.
#include "redfish/service/service_private.h"

#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "redfish/core/origin.h"
#include "redfish/core/uris.h"

enum { MESSAGE_IDENTIFIER_MAX = 96 };

bool exchange_is_change(const struct exchange *x)
{
	if (x->method != METHOD_POST && x->method != METHOD_PATCH && x->method != METHOD_DELETE)
		return false;
	return !x->resource || !x->resource->action || !x->resource->action->only_reads;
}

const char *exchange_method_name(const struct exchange *x)
{
	switch (x->method) {
	case METHOD_POST:
		return "POST";
	case METHOD_PATCH:
		return "PATCH";
	default:
		return "DELETE";
	}
}

void exchange_target(const struct exchange *x, char ret[static RESOURCE_URI_MAX])
{
	const struct resource *r = x->resource;

	if (r && r->action && r == &x->place.resource && action_target(r->action, r->uri, ret) == 0)
		return;
	if (!r)
		(void)snprintf(ret, RESOURCE_URI_MAX, "%s", x->req ? x->req->path : x->location);
	else
		(void)snprintf(ret, RESOURCE_URI_MAX, "%s", r->uri);
}

void service_set_origin(struct exchange *x)
{
	if (!x->principal.from[0] && x->req)
		origin_describe(&x->req->client, x->principal.from);
}

static void audit_failed_login(struct exchange *x)
{
	audit_login_failed(x->service->audit, x->principal.name, x->principal.from);
}

void service_audit(struct exchange *x)
{
	const unsigned int status = x->reply->status;
	char uri[RESOURCE_URI_MAX], detail[MESSAGE_IDENTIFIER_MAX] = "";
	bool is_login;

	if (!x->service->audit || !exchange_is_change(x))
		return;
	exchange_target(x, uri);
	/* The exchange has the new resource then, which was requested of its collection. */
	if (status == 201 && strrchr(x->location, '/'))
		(void)snprintf(uri, sizeof(uri), "%.*s",
			       (int)(strrchr(x->location, '/') - x->location), x->location);
	service_set_origin(x);
	/* The one change that needs no authentication: it is the authentication. */
	is_login = x->method == METHOD_POST && str_equal(uri, URI_SESSIONS);
	if (is_login && status == 401)
		audit_failed_login(x);
	if (is_login && status == 201)
		audit_session_created(x->service->audit, &x->principal, x->location);
	if ((is_login && status == 201) || status == 401 || (x->audited && status < 400) ||
	    x->principal.means == AUTHENTICATION_NONE)
		return;
	if (status >= 400)
		message_identifier(&x->message, detail, sizeof(detail));
	audit_change_of(x->service->audit, &x->principal, exchange_method_name(x), uri, status,
			status == 201 ? x->location : detail, x->changed);
}

/* Whether the login was reported with an earlier request of the connection. */
static bool is_noted(const struct http_note *note, uint64_t credential)
{
	return note && note->what == credential && clock_coarse_ms() < note->until_ms;
}

void service_audit_login(struct exchange *x)
{
	struct http_note *note = x->req->client.note;
	uint64_t credential = x->principal.credential, until_ms;

	switch (x->principal.means) {
	case AUTHENTICATION_PEER:
		credential = UINT64_MAX;
		break;
	case AUTHENTICATION_BASIC:
	case AUTHENTICATION_CERTIFICATE:
		break;
	default:
		return;
	}
	if (is_noted(note, credential))
		return;
	service_set_origin(x);
	until_ms = audit_login(x->service->audit, &x->principal);
	if (note)
		*note = (struct http_note){credential, until_ms};
}

void service_audit_failed_login(struct exchange *x)
{
	service_set_origin(x);
	if (x->req->headers[HEADER_AUTHORIZATION] && !x->req->headers[HEADER_X_AUTH_TOKEN])
		basic_account(x->service->who.basic, x->req, x->principal.name);
	audit_failed_login(x);
}
