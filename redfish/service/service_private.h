/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SERVICE_PRIVATE_H
#define CXLR_REDFISH_SERVICE_PRIVATE_H

/*
 * Shared by the files of the service: the two halves of a request.
 */

#include "redfish/service/exchange.h"
#include "redfish/service/service.h"

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

/* Whether the body of a request has a meaning. */
bool exchange_has_body(const struct exchange *x);

/* Whether the body of a request goes to an upload. */
bool exchange_receives(const struct exchange *x);

/* Whether a request is rejected without If-Match. */
bool exchange_demands_if_match(const struct exchange *x);

/* ---- service_tasks.c --------------------------------------------------------------------------
 */

/* Return: 0, or -ENOMEM. */
int service_make_tasks(struct service *s);

/* Whether a request becomes a task when it takes long: an authenticated one that changes
 * something, other than the client's own account. */
bool exchange_may_be_task(const struct exchange *x);

/* Has a detached exchange watched. Return: as tasks_watch(). */
int service_watch(struct exchange *x, const struct continuation *c);

/* ---- service_audit.c --------------------------------------------------------------------------
 */

/* Whether it is a request that changes something, or is meant to. */
bool exchange_is_change(const struct exchange *x);

/* Return: "POST", "PATCH" or "DELETE", of a change. */
const char *exchange_method_name(const struct exchange *x);

/* The URI of the resource or of the action's target; of a missing one, what was requested. */
void exchange_target(const struct exchange *x, char ret[static RESOURCE_URI_MAX]);

/* Fills in principal.from, while the request is valid. */
void service_set_origin(struct exchange *x);

/* Records the answer in x->reply, if the request was a change. */
void service_audit(struct exchange *x);

/* Records that the request was authenticated by other means than a session. */
void service_audit_login(struct exchange *x);

/* Records that the credentials of the request were refused. */
void service_audit_failed_login(struct exchange *x);

#endif
