/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EXCHANGE_H
#define CXLR_REDFISH_EXCHANGE_H

/*
 * A request and the reply to it, on the way through the service: what the operations of the
 * resource table receive.
 *
 * An exchange begins on the stack of an HTTP thread, which must not block. An operation (get,
 * create, patch, remove, or an action's run) checks there what the client sent, and then either
 * finishes at once or, with exchange_continue(), passes the prepared state to a job; the exchange
 * then continues in the job's memory. The core has checked login, privilege, headers, query options
 * and If-Match, and the body by the table of the operation (redfish/service/body_check.h).
 *
 * Operations return
 *	0			done; `get` has written the properties into x->w
 *	EXCHANGE_CONTINUES	what exchange_continue() returns
 *	-EINVAL			rejected; x->message is the reason (exchange_refuse...())
 *	-ENOSPC			507
 *	-EBUSY, -EBADMSG, -ENOENT, -ESHUTDOWN	503, try again
 *	another negative errno	500
 * They may run on several threads at once; an exchange belongs to one thread at a time.
 */

#include <stdatomic.h>
#include <stdbool.h>

#include <jansson.h>

#include "http/handler.h"
#include "redfish/auth/cross_site.h"
#include "redfish/view/dynamic.h"
#include "redfish/core/job.h"
#include "redfish/core/messages.h"
#include "redfish/core/principal.h"
#include "redfish/query/query.h"
#include "redfish/view/view_holder.h"

struct exchange;
struct service;
struct task_watch;
struct upload;

enum {
	EXCHANGE_CONTINUES = 1,
	EXCHANGE_CHANGED_MAX = 512, /* more than the audit log keeps, which shows that it is cut */
};

/* The second half of an operation, on the thread of a job. */
struct continuation {
	enum job_class class;
	bool runs_late;	     /* also after JOB_QUEUE_MS in the queue; see job_is_late(x->job) */
	bool is_task;	     /* answered with 202 and a task at once, however short it is */
	bool can_cancel;     /* run() looks at job_is_cancelled(x->job), and returns -ECANCELED */
	unsigned int run_ms; /* to its deadline, job_deadline_ms(x->job); 0: JOB_RUN_MS */
	/* Return: as operations, but not EXCHANGE_CONTINUES. */
	int (*run)(struct exchange *x, void *state);
	void (*free)(void *state); /* in any case, also without run(); NULL: needs no release */
};

/* The answer to the query option clientcontext. */
enum context_status {
	CONTEXT_NONE, /* not asked for */
	CONTEXT_APPLIED,
	CONTEXT_INVALID,
	CONTEXT_NOT_FOUND,
	CONTEXT_UNSUPPORTED,
};

struct exchange {
	struct service *service;
	enum http_method method;
	struct principal principal;
	const struct view *view;	 /* held until the operation ends; NULL before the first */
	struct resource *resource;	 /* NULL when the path has no resource */
	struct query query;		 /* the options that the row supports, checked */
	json_t *body;			 /* of create, patch and actions: an object */
	struct json_writer w;		 /* receives the properties, or an action's answer */
	struct message message;		 /* the error, if it is rejected */
	struct message_list noted;	 /* the errors, if there are several */
	bool has_results;		 /* exchange_add_result() */
	bool has_remark;		 /* exchange_remark() */
	struct upload *upload;		 /* of an action that receives one; NULL */
	char location[RESOURCE_URI_MAX]; /* of the new resource, or one gone now; "" */
	bool audited;			 /* the operation has recorded its success itself */
	char changed[EXCHANGE_CHANGED_MAX]; /* of exchange_changed(); "" */

	const struct http_request *req; /* NULL in a job, where it is not valid */
	struct budget_share *share;	/* of the connection; valid until the reply; may be NULL */
	struct job *job;		/* NULL on an HTTP thread */

	/* ---- private to the core ---- */
	struct http_reply *reply;
	struct view_hold *hold;
	struct task_watch *task;       /* in a job that changes something; NULL otherwise */
	unsigned int answer_status;    /* of exchange_answer(); 0: it was not called */
	struct dynamic_location place; /* of a resource that is not in the index */
	size_t begun;		       /* from render_begin() */
	bool undecided;		       /* not answered: the credential must be checked first */
	struct representation *result; /* of a read with query options; NULL: not made yet */
	enum context_status context;   /* see client_context.h */
	bool context_is_put;
	const struct message *remark; /* of the answer of which this is the resource; NULL: none */
	uint64_t context_from;	      /* of the record; 0: there was none */
	uint64_t next_entry;	      /* of exchange_next_entry(); 0: it was not called */
	/* In a job, before the client gets 200 from it; an error makes it 503. NULL: nothing. */
	int (*before_reply)(const struct exchange *x);
	bool accepts_gzip;
	bool prefers_task; /* Prefer: respond-async, RFC 7240 4.1 */
	const char *if_match, *if_none_match;
	struct origins *origins;
	const char *origin; /* whose pages may read the reply; NULL none */
	const struct continuation *continuation;
	void *state;				/* for continuation->run() */
	_Atomic(struct http_pending *) pending; /* in a job: NULL when it was replied to */
	int client_fd;				/* in a job; another's when it was replied to */
};

/* ---- for operations ---------------------------------------------------------------------------
 */

/*
 * exchange_continue() - finish the operation as a job; only on an HTTP thread (x->job is NULL)
 * @state: taken over; it may refer to x->view, which is held until run() has returned, but not to
 *         x->req, nor to what x->req refers to
 *
 * Return: EXCHANGE_CONTINUES, for the operation to return.
 */
int exchange_continue(struct exchange *x, const struct continuation *c, void *state);

/*
 * exchange_progress() - how much of a change is done; only in a job, on any thread while it runs
 * @unit: "entries"
 *
 * Shown if the request has become a task: it took longer than task_after_ms, or was one at once.
 */
void exchange_progress(struct exchange *x, uint64_t done, uint64_t total, const char *unit);

/*
 * exchange_add_part() - name an object, of several, that the change is about; as
 * exchange_progress()
 *
 * Each is shown as a sub-task of the task, in the order of these calls, with a progress and a
 * result of its own (redfish/tasks/task_parts.h). Sub-tasks that have not ended when the change
 * ends, end as it.
 */
void exchange_add_part(struct exchange *x, const char *part);

/* exchange_progress_part() - as exchange_progress(), of one object; it runs from now on */
void exchange_progress_part(struct exchange *x, const char *part, uint64_t done, uint64_t total,
			    const char *unit);

/*
 * exchange_end_part() - one object is done with
 * @result: 0; -ECANCELED; another: it failed
 * @m: why it failed, shown in the sub-task; NULL none
 */
void exchange_end_part(struct exchange *x, const char *part, int result, const struct message *m);

/*
 * exchange_changed() - note what was changed, and with which result, for the audit log
 * @what: "destroy region region0: done"; never a secret
 *
 * Several are noted by several calls, as far as there is space.
 */
void exchange_changed(struct exchange *x, const char *what);

/*
 * exchange_answer() - `get` replies with this instead of a representation
 * @body: one reference, taken over; NULL: none
 * @location: NULL: none
 *
 * Return: 0, for `get` to return.
 */
int exchange_answer(struct exchange *x, unsigned int status, struct representation *body,
		    const char *location);

/*
 * exchange_next_entry() - where the next page of a row with QUERY_CONTEXT begins
 * @beyond: the number of the first entry that is not on the page; 0: the page has all
 * @last: of the last one on the page; 0: there is none
 */
void exchange_next_entry(struct exchange *x, uint64_t beyond, uint64_t last);

/*
 * exchange_interrupted() - whether a job that changes nothing is to end; only in a job
 *
 * A client that has closed its side is taken as gone, as it would not follow a slow reply. Cheap
 * enough to be called every millisecond.
 *
 * Return: 0; -ECANCELED when the job was cancelled or the client has closed the connection;
 * -ETIMEDOUT after the deadline.
 */
int exchange_interrupted(const struct exchange *x);

/*
 * Return: the value of the @i-th {…} of a dynamic resource's pattern, counted below the resource
 * that is in the index; NULL when there are fewer.
 */
const char *exchange_id(const struct exchange *x, size_t i);

/* Fill in the message, as message_set(). Return: -EINVAL. */
int exchange_refuse(struct exchange *x, enum message_id id, const char *a, const char *b,
		    const char *c);

/*
 * exchange_refuse_property() - reject a property of the body
 * @value: its value, for the messages that have it; NULL otherwise
 *
 * Return: -EINVAL.
 */
int exchange_refuse_property(struct exchange *x, enum message_id id, const char *name,
			     const json_t *value);

/*
 * exchange_note() - keep the error and look for more of them
 *
 * For checks of a body's properties: each that is wrong is refused, noted, and the next one is
 * looked at; exchange_noted() then ends the operation.
 */
void exchange_note(struct exchange *x);

/* Return: -EINVAL if an error was noted, which rejects the request with all of them; otherwise 0.
 */
int exchange_noted(const struct exchange *x);

/* exchange_add_result() - add x->message to the answer of an action, which has nothing else */
void exchange_add_result(struct exchange *x);

/*
 * exchange_remark() - x->message is a part of the answer of a PATCH that was made
 *
 * The representation then has the message, too.
 */
void exchange_remark(struct exchange *x);

/* Adds a header to the reply. @name: static. Return: false if there is no space for it. */
bool exchange_header(struct exchange *x, const char *name, const char *value);

/* The same for Location. @uri: of a resource of this service */
bool exchange_location(struct exchange *x, const char *uri);

/* The name of the client for the log of the service. Return: a string of @x, or static. */
const char *exchange_client(const struct exchange *x);

/* Rejects the request because the resource does not exist. Return: -EINVAL. */
int exchange_missing(struct exchange *x);

/* Whether the request is about the account that it was authenticated as; for the row's `own`. */
bool exchange_is_own_account(const struct exchange *x);

/*
 * exchange_represent() - a resource as it is now
 * @r: of x->view
 * @query: for `get`
 * @ret: one reference
 *
 * Return: 0; -ENOMEM; -EAGAIN when `get` would have to continue as a job; or as `get`, with
 * x->message.
 */
int exchange_represent(struct exchange *x, struct resource *r, const struct query *query,
		       struct representation **ret);

/*
 * exchange_exists() - whether a link to a resource leads somewhere now
 * @uri: with the default Ids; of an action or of nothing: false
 *
 * May read the state database, so never while records are read from it. A resource that only a job
 * could read counts as one that exists.
 */
bool exchange_exists(const struct exchange *x, const char *uri);

/* ---- for the core -----------------------------------------------------------------------------
 */

/* The caller fills in the rest. @hold: taken over; NULL none */
void exchange_init(struct exchange *x, struct service *s, const struct http_request *req,
		   struct http_reply *reply, struct view_hold *hold);

/* Releases what it owns, except the reply. */
void exchange_done(struct exchange *x);

/*
 * exchange_detach() - copy to the heap what must outlive the call on the HTTP thread
 * @x: empty afterwards, also on failure
 * @pending: completed by exchange_complete()
 *
 * Return: the exchange, with a reply of its own; NULL when out of memory.
 */
struct exchange *exchange_detach(struct exchange *x, struct http_pending *pending);

/* Releases an exchange of exchange_detach(), which must have been completed. */
void exchange_free(void *detached);

/* Sends x->reply unless a reply was already sent. */
void exchange_complete(struct exchange *x);

/* exchange_charge() - count a long reply; one that its owner has no space for becomes 503 */
void exchange_charge(struct exchange *x, struct http_reply *reply);

/* Sends @reply unless a reply was already sent. Return: whether it was sent. Any thread. */
bool exchange_complete_with(struct exchange *x, struct http_reply *reply);

/* Adds the headers that every reply to this request has. */
void exchange_begin_reply(const struct exchange *x, struct http_reply *reply);

/* Fills a reply with an error message, and the headers that belong to it. */
void exchange_reply_message(struct http_reply *reply, const struct message *m);

#endif
