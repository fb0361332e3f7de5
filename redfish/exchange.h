/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EXCHANGE_H
#define CXLR_REDFISH_EXCHANGE_H

/*
 * A request on its way through the steps of service.c, for the files that are steps. It lies on
 * the stack of the thread that handles it.
 */

#include "redfish/dynamic.h"
#include "redfish/service.h"

struct exchange {
	struct service *service;
	const struct redfish_request *req;
	struct redfish_response *res;
	struct firmware_timeout *timeout; /* NULL: what takes waiting is deferred */
	const struct view *view;	  /* NULL before the first one is there */
	struct resource *resource;	  /* NULL when there is none at the path */
	struct dynamic_location place;	  /* where it is when it is not in the index */
	struct query query;
};

/*
 * All return false, for there is no next step.
 */
bool exchange_refuse_with(struct exchange *x, const struct message *m);
bool exchange_refuse(struct exchange *x, enum message_id id, const char *arg);
bool exchange_defer(struct exchange *x, enum deferral to);

/* Fills in the status of a read whose body is there. */
bool exchange_answer_read(struct exchange *x);

/* Return: the request's body, which is an object; NULL with a refusal. */
json_t *exchange_object(const struct exchange *x, struct message *m);

/* The step that answers for resources with live operations, and for live actions. */
bool exchange_run_dynamic(struct exchange *x);

#endif
