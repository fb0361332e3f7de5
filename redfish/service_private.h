/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SERVICE_PRIVATE_H
#define CXLR_REDFISH_SERVICE_PRIVATE_H

/*
 * Shared by the files of the service: the service itself, and the two halves of a request.
 */

#include "redfish/auth.h"
#include "redfish/cross_site.h"
#include "redfish/exchange.h"
#include "redfish/limits.h"
#include "redfish/login_log.h"

struct service {
	const struct auth *auth; /* NULL: no authentication */
	struct service_limits limits;
	struct jobs *jobs;
	struct event_log *log;		     /* NULL without */
	struct event_service *event_service; /* NULL without */
	struct view_holder *holder;
	struct login_log logins;
	struct origins origins; /* whose pages may use the service */
};

/*
 * service_check_head() - all steps that need no body
 *
 * Return: whether the request continues; otherwise the reply is filled in.
 */
bool service_check_head(struct exchange *x);

/* The steps that need the body, which is then x->body if the method has one. */
bool service_check_body(struct exchange *x);

/*
 * service_operate() - answer a request that has passed all steps
 * @call: to suspend it when the operation continues as a job
 */
enum http_outcome service_operate(struct exchange *x, struct http_call *call);

/* Fills in the reply with x->message. Return: false. */
bool service_refuse(struct exchange *x);

bool exchange_is_read(const struct exchange *x);

/* Whether the body of a request has a meaning. */
bool exchange_has_body(const struct exchange *x);

#endif
