// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/exchange.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "http/budget.h"
#include "http/negotiation.h"
#include "redfish/core/render.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/system_id.h"
#include "redfish/tasks/tasks.h"
#include "redfish/service/upload.h"
#include "redfish/view/dynamic.h"

/* ---- lifetime ---------------------------------------------------------------------------------
 */

void exchange_init(struct exchange *x, struct service *s, const struct http_request *req,
		   struct http_reply *reply, struct view_hold *hold)
{
	/* Not the whole struct: place and message are large, and written before they are read. */
	x->service = s;
	x->method = req->method;
	x->principal = (struct principal){0};
	x->view = hold ? view_of_hold(hold) : NULL;
	x->resource = NULL;
	x->query = (struct query){.top = QUERY_TOP_DEFAULT};
	x->body = NULL;
	x->w = (struct json_writer){0};
	x->location[0] = '\0';
	x->noted.n = 0;
	x->has_results = false;
	x->has_remark = false;
	x->remark = NULL;
	x->upload = upload_ref(upload_of(req->sink));
	x->audited = false;
	x->changed[0] = '\0';
	x->req = req;
	x->share = req->client.share;
	x->job = NULL;
	x->reply = reply;
	x->hold = hold;
	x->task = NULL;
	x->answer_status = 0;
	x->begun = 0;
	x->undecided = false;
	x->result = NULL;
	x->context = CONTEXT_NONE;
	x->context_is_put = false;
	x->context_from = 0;
	x->next_entry = 0;
	x->before_reply = NULL;
	x->accepts_gzip = req->headers[HEADER_ACCEPT_ENCODING] &&
			  accept_encoding_admits_gzip(req->headers[HEADER_ACCEPT_ENCODING]);
	x->prefers_task = req->headers[HEADER_PREFER] &&
			  prefer_has(req->headers[HEADER_PREFER], "respond-async");
	x->if_match = req->headers[HEADER_IF_MATCH];
	x->if_none_match = req->headers[HEADER_IF_NONE_MATCH];
	x->origins = NULL;
	x->origin = NULL;
	x->continuation = NULL;
	x->state = NULL;
	atomic_init(&x->pending, NULL);
}

static void free_state(struct exchange *x)
{
	if (x->continuation && x->continuation->free && x->state)
		x->continuation->free(x->state);
	x->continuation = NULL;
	x->state = NULL;
}

void exchange_done(struct exchange *x)
{
	free_state(x);
	json_decref(x->body);
	x->body = NULL;
	json_writer_done(&x->w);
	x->result = representation_unref(x->result);
	x->upload = upload_unref(x->upload);
	(void)view_hold_release(x->hold);
	x->hold = NULL;
	x->view = NULL;
}

/* An exchange on the heap, with the strings that it refers to. */
struct detached_exchange {
	struct exchange x; /* first member: other files use only this */
	struct http_reply reply;
	char *if_match, *if_none_match, *origin, *filter, *select, *context;
};

static int copy_text(const char *from, char **ret)
{
	*ret = from ? strdup(from) : NULL;
	return from && !*ret ? -ENOMEM : 0;
}

static int copy_texts(const struct exchange *x, struct detached_exchange *d)
{
	int r = copy_text(x->if_match, &d->if_match);

	if (r == 0)
		r = copy_text(x->if_none_match, &d->if_none_match);
	if (r == 0)
		r = copy_text(x->origin, &d->origin);
	if (r == 0)
		r = copy_text(x->query.filter, &d->filter);
	if (r == 0)
		r = copy_text(x->query.context, &d->context);
	return r == 0 ? copy_text(x->query.select, &d->select) : r;
}

static void free_texts(struct detached_exchange *d)
{
	free(d->if_match);
	free(d->if_none_match);
	free(d->origin);
	free(d->filter);
	free(d->select);
	free(d->context);
}

static void move_exchange(struct exchange *to, struct exchange *from)
{
	bool in_place = from->resource == &from->place.resource;

	memcpy(to, from, sizeof(*to));
	if (in_place)
		to->resource = dynamic_copy(&to->place, &from->place);
	to->req = NULL;
	from->body = NULL;
	from->w = (struct json_writer){0};
	from->result = NULL;
	from->upload = NULL;
	from->hold = NULL;
	from->continuation = NULL;
	from->state = NULL;
}

struct exchange *exchange_detach(struct exchange *x, struct http_pending *pending)
{
	struct detached_exchange *d = calloc(1, sizeof(*d));

	if (!d || copy_texts(x, d) < 0) {
		if (d)
			free_texts(d);
		free(d);
		exchange_done(x);
		return NULL;
	}
	move_exchange(&d->x, x);
	d->x.if_match = d->if_match;
	d->x.if_none_match = d->if_none_match;
	d->x.origin = d->origin;
	d->x.query.filter = d->filter;
	d->x.query.select = d->select;
	d->x.query.context = d->context;
	http_reply_init(&d->reply);
	exchange_begin_reply(&d->x, &d->reply);
	d->x.reply = &d->reply;
	d->x.client_fd = pending->fd;
	atomic_init(&d->x.pending, pending);
	return &d->x;
}

void exchange_free(void *detached)
{
	struct detached_exchange *d = detached;

	exchange_done(&d->x);
	http_reply_done(&d->reply);
	free_texts(d);
	free(d);
}

static void replace_by_refusal(struct exchange *x, struct http_reply *reply)
{
	struct http_reply refusal;
	struct message m;

	http_reply_init(&refusal);
	exchange_begin_reply(x, &refusal);
	message_set(&m, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "5", NULL, NULL);
	exchange_reply_message(&refusal, &m);
	http_reply_done(reply);
	http_reply_move(reply, &refusal);
}

/* The reply is in memory until the client has read it, or the connection ends. */
void exchange_charge(struct exchange *x, struct http_reply *reply)
{
	if (x->share && reply->body && reply->status != 304 &&
	    reply->body->len >= BUDGET_REPLY_MIN &&
	    budget_share_set(x->share, BUDGET_REPLIES, reply->body->len) < 0)
		replace_by_refusal(x, reply);
}

bool exchange_complete_with(struct exchange *x, struct http_reply *reply)
{
	struct http_pending *pending = atomic_exchange(&x->pending, NULL);

	if (!pending)
		return false;
	exchange_charge(x, reply);
	if (x->before_reply && reply == x->reply && reply->status == 200 && x->before_reply(x) < 0)
		replace_by_refusal(x, reply);
	pending->complete(pending, reply);
	return true;
}

void exchange_complete(struct exchange *x)
{
	/* Before the client may send another one. */
	upload_close(x->upload);
	(void)exchange_complete_with(x, x->reply);
}

/* ---- for operations ---------------------------------------------------------------------------
 */

int exchange_continue(struct exchange *x, const struct continuation *c, void *state)
{
	x->continuation = c;
	x->state = state;
	return EXCHANGE_CONTINUES;
}

void exchange_progress(struct exchange *x, uint64_t done, uint64_t total, const char *unit)
{
	if (x->task)
		tasks_progress(x->task, done, total, unit);
}

void exchange_add_part(struct exchange *x, const char *part)
{
	if (x->task)
		tasks_progress_part(x->task, part, 0, 0, NULL);
}

void exchange_progress_part(struct exchange *x, const char *part, uint64_t done, uint64_t total,
			    const char *unit)
{
	if (x->task)
		tasks_progress_part(x->task, part, done, total, unit);
}

void exchange_end_part(struct exchange *x, const char *part, int result, const struct message *m)
{
	if (x->task)
		tasks_end_part(x->task, part, result, m ? message_body(m, 1) : NULL);
}

void exchange_changed(struct exchange *x, const char *what)
{
	const size_t len = strlen(x->changed);

	(void)snprintf(x->changed + len, sizeof(x->changed) - len, "%s%s", len > 0 ? "; " : "",
		       what);
}

int exchange_answer(struct exchange *x, unsigned int status, struct representation *body,
		    const char *location)
{
	struct json_writer none = {0};

	x->answer_status = status;
	x->reply->body = body ? body : redfish_body_new(&none, NULL);
	if (location && location[0])
		(void)exchange_location(x, location);
	return 0;
}

int exchange_interrupted(const struct exchange *x)
{
	struct pollfd p = {.fd = x->client_fd, .events = POLLRDHUP};

	if (job_is_cancelled(x->job))
		return -ECANCELED;
	if (clock_monotonic_ms() > job_deadline_ms(x->job))
		return -ETIMEDOUT;
	return poll(&p, 1, 0) == 1 ? -ECANCELED : 0;
}

const char *exchange_id(const struct exchange *x, size_t i)
{
	bool is_dynamic = x->resource == &x->place.resource;

	return is_dynamic && i < x->place.n_ids ? x->place.ids[i] : NULL;
}

int exchange_refuse(struct exchange *x, enum message_id id, const char *a, const char *b,
		    const char *c)
{
	message_set(&x->message, id, a, b, c);
	return -EINVAL;
}

int exchange_refuse_property(struct exchange *x, enum message_id id, const char *name,
			     const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	if (value)
		message_set(&x->message, id, text ? text : "", name, NULL);
	else
		message_set(&x->message, id, name, NULL, NULL);
	free(text);
	message_set_property(&x->message, name);
	return -EINVAL;
}

void exchange_note(struct exchange *x)
{
	message_list_add(&x->noted, &x->message);
}

void exchange_add_result(struct exchange *x)
{
	if (!x->has_results) {
		put_object(&x->w, NULL);
		put_array(&x->w, EXTENDED_INFO);
	}
	x->has_results = true;
	put_extended_info(&x->message, &x->w);
}

void exchange_remark(struct exchange *x)
{
	x->has_remark = true;
}

int exchange_noted(const struct exchange *x)
{
	return x->noted.n > 0 ? -EINVAL : 0;
}

bool exchange_header(struct exchange *x, const char *name, const char *value)
{
	return http_reply_header(x->reply, name, value);
}

bool exchange_location(struct exchange *x, const char *uri)
{
	char shown[SHOWN_URI_MAX];

	return http_reply_header(x->reply, "Location", system_id_show(uri, shown));
}

const char *exchange_client(const struct exchange *x)
{
	return x->principal.name[0] ? x->principal.name : "a local client";
}

int exchange_missing(struct exchange *x)
{
	char shown[SHOWN_URI_MAX];

	return exchange_refuse(x, MESSAGE_RESOURCE_MISSING_AT_URI,
			       system_id_show(x->resource->uri, shown), NULL, NULL);
}

/* A read may set the whole answer itself, see exchange_answer(). Return: one reference; NULL when
 * out of memory. */
static struct representation *take_representation(struct exchange *x)
{
	struct representation *body = x->reply->body;

	if (!x->answer_status && x->remark)
		put_messages(x->remark, 1, &x->w);
	if (!x->answer_status)
		return render_end(x->resource, x->begun, &x->w);
	x->reply->body = NULL;
	return body;
}

static int represent_anew(struct exchange *x, struct resource *r, const struct query *query,
			  struct representation **ret)
{
	struct http_reply reply;
	struct exchange nested = {
		.service = x->service,
		.method = METHOD_GET,
		.principal = x->principal,
		.view = x->view,
		.resource = r,
		.query = *query,
		.job = x->job,
		.reply = &reply,
		.remark = x->has_remark ? &x->message : NULL,
	};
	int result;

	http_reply_init(&reply);
	if (r->type->dynamic)
		nested.resource = dynamic_copy(&nested.place, dynamic_location_of(r));
	message_set(&nested.message, MESSAGE_INTERNAL_ERROR, NULL, NULL, NULL);
	nested.begun = render_begin(r, &nested.w);
	result = r->type->get(&nested);
	if (result == 0)
		*ret = take_representation(&nested);
	if (result == 0 && !*ret)
		result = -ENOMEM;
	if (result == EXCHANGE_CONTINUES)
		result = -EAGAIN;
	x->message = nested.message;
	exchange_done(&nested);
	http_reply_done(&reply);
	return result;
}

/* Return: the representation, which is kept, with x->message; NULL when out of memory. */
static struct representation *add_remark(const struct exchange *x, const struct resource *r,
					 const struct representation *kept)
{
	struct json_writer w = {0};
	const size_t begun = render_begin(r, &w);
	struct representation *rep;

	r->type->render(x->view, r, &w);
	if (r->type->status)
		r->type->status(x->view, r, &w);
	put_messages(&x->message, 1, &w);
	rep = render_end(r, begun, &w);
	if (rep)
		render_take_etag(rep, kept, r);
	return rep;
}

int exchange_represent(struct exchange *x, struct resource *r, const struct query *query,
		       struct representation **ret)
{
	struct representation *cached;

	if (r->type->get)
		return represent_anew(x, r, query, ret);
	if (!r->type->render)
		return -EINVAL;
	cached = view_representation(x->view, r);
	if (!cached)
		return -ENOMEM;
	*ret = x->has_remark ? add_remark(x, r, cached) : representation_ref(cached);
	return *ret ? 0 : -ENOMEM;
}

bool exchange_exists(const struct exchange *x, const char *uri)
{
	static const struct query whole;
	_cleanup_representation_ struct representation *now = NULL;
	struct dynamic_location at;
	struct exchange reader = *x;
	struct resource *r = resource_find(x->view->index, uri);
	int result;

	if (!r)
		r = dynamic_find(x->view, uri, &at);
	if (!r || r->action)
		return false;
	result = exchange_represent(&reader, r, &whole, &now);
	return result == 0 || result == -EAGAIN;
}

void exchange_begin_reply(const struct exchange *x, struct http_reply *reply)
{
	cross_site_reply(x->origins, x->origin, reply);
}

void exchange_reply_message(struct http_reply *reply, const struct message *m)
{
	reply->status = m->status;
	reply->body = message_body(m, 1);
	/* The time is that of the text; the other messages have none. */
	if (m->id == MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE)
		(void)http_reply_header(reply, "Retry-After", m->args[0]);
}
