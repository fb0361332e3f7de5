// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Requests that take long, as tasks: which ones can be, and the answer that they get.
#include "redfish/service/service_private.h"

#include <errno.h>
#include <stdio.h>

#include "redfish/service/core_peer.h"
#include "redfish/tasks/task_body.h"

static void on_accepted(void *userdata, const struct task *t, struct http_pending *pending)
{
	struct service *s = userdata;
	char monitor[RESOURCE_URI_MAX], retry[8];
	struct principal who = {.means = AUTHENTICATION_NONE};
	struct http_reply reply;

	http_reply_init(&reply);
	task_monitor_uri(t->id, monitor);
	(void)snprintf(retry, sizeof(retry), "%d", TASK_RETRY_S);
	reply.status = 202;
	reply.body = task_representation(t, NULL);
	(void)http_reply_header(&reply, "Location", monitor);
	(void)http_reply_header(&reply, "Retry-After", retry);
	/* The end is recorded, too. */
	(void)snprintf(who.name, sizeof(who.name), "%s", t->user);
	(void)snprintf(who.from, sizeof(who.from), "%s", t->from);
	audit_change(s->audit, &who, t->method, t->uri, reply.status, monitor);
	pending->complete(pending, &reply);
	http_reply_done(&reply);
}

static void on_happened(void *userdata, const struct task *t, enum task_event event)
{
	const struct service *s = userdata;

	if (s->task_listener)
		s->task_listener(s->task_userdata, t, event);
}

int service_make_tasks(struct service *s)
{
	const struct tasks_listener listener = {on_accepted, on_happened, s};

	s->tasks = tasks_new(s->limits.task_after_ms, &listener);
	return s->tasks ? 0 : -ENOMEM;
}

/*
 * A request without authentication is a login: its answer is for the client alone. A change of the
 * client's own account may end its session, and what the monitor would then answer is 401. A core
 * follows no task.
 */
bool exchange_may_be_task(const struct exchange *x)
{
	return exchange_is_change(x) && x->principal.means != AUTHENTICATION_NONE &&
	       !core_peer_is(x) && !exchange_is_own_account(x);
}

int service_watch(struct exchange *x, const struct continuation *c)
{
	struct task request = {0};

	exchange_target(x, request.uri);
	(void)snprintf(request.method, sizeof(request.method), "%s", exchange_method_name(x));
	(void)snprintf(request.user, sizeof(request.user), "%s", x->principal.name);
	(void)snprintf(request.from, sizeof(request.from), "%s", x->principal.from);
	return tasks_watch(x->service->tasks, &request, &x->pending,
			   (c->can_cancel ? TASK_CAN_CANCEL : 0) |
				   (c->is_task || x->prefers_task ? TASK_AT_ONCE : 0),
			   &x->task);
}
