/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SERVICE_PRIVATE_H
#define CXLR_REDFISH_SERVICE_PRIVATE_H

/*
 * Shared by the files of the service: the service itself, and the two halves of a request.
 */

#include "redfish/authenticate.h"
#include "redfish/exchange.h"
#include "redfish/limits.h"

struct service {
	struct authenticator who; /* without accounts: no authentication */
	struct service_limits limits;
	struct jobs *jobs;
	struct event_log *log;		     /* NULL without */
	struct event_service *event_service; /* NULL without */
	struct tls_store *tls;		     /* NULL without */
	_Atomic(uint32_t) ports;	     /* HTTP in the upper half, HTTPS in the lower */
	struct view_holder *holder;
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

/*
 * service_refuse_login() - fill in the reply to a request that was not authenticated
 * @r: -EACCES; another one: not possible at present
 * @retry_s: for Retry-After; 0 without
 *
 * Return: false.
 */
bool service_refuse_login(struct exchange *x, int r, unsigned int retry_s);

/* Fills in the reply with x->message. Return: false. */
bool service_refuse(struct exchange *x);

bool exchange_is_read(const struct exchange *x);

#endif
