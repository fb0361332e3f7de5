// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/transaction.h"

#include <stdlib.h>
#include <string.h>

#include "http/chunks.h"
#include "http/connections.h"
#include "http/head.h"
#include "http/redirect.h"
#include "http/response.h"

enum transaction_state {
	STATE_FRESH,	 /* the URI was read, the head may be read now */
	STATE_BODILESS,	 /* no body is announced; the handler is called at the end of the request */
	STATE_BODY,	 /* the body is read; then the handler is called */
	STATE_REPLIED,	 /* the handler was called; the rest of the body is discarded */
	STATE_SUSPENDED, /* the handler replies or decides later */
	STATE_COMPLETED, /* ... and has; the connection is being resumed */
};

struct transaction {
	_Atomic enum transaction_state state;
	bool allocated; /* the others are constants */
	enum http_fault fault;

	/* STATE_BODY. */
	bool discard;  /* the body is read but not kept */
	uint64_t seen; /* bytes of the body that were received */
	struct chunks chunks;
	char *body;
	size_t len, cap;
	struct http_sink *sink; /* of the handler; NULL: the body is kept in memory, or discarded */
	bool sink_ended;	/* it knows that the body has ended */
	bool waited;		/* set when the connection is suspended */

	/* STATE_SUSPENDED and STATE_COMPLETED. */
	enum transaction_state repeated; /* the state in which the handler was called */
	int verdict;			 /* of the handler, for its next call; 0 none */
	struct http_pending pending;
	struct transactions *all;
	struct MHD_Connection *connection;
	struct connection *entry;
	struct http_reply reply;
};

/* Indexed by the faults that a URI can have. */
static struct transaction fresh[] = {
	[FAULT_NONE] = {.state = STATE_FRESH, .fault = FAULT_NONE},
	[FAULT_URI] = {.state = STATE_FRESH, .fault = FAULT_URI},
	[FAULT_URI_TOO_LONG] = {.state = STATE_FRESH, .fault = FAULT_URI_TOO_LONG},
};

static struct transaction bodiless[] = {
	[FAULT_NONE] = {.state = STATE_BODILESS, .fault = FAULT_NONE},
	[FAULT_URI] = {.state = STATE_BODILESS, .fault = FAULT_URI},
	[FAULT_URI_TOO_LONG] = {.state = STATE_BODILESS, .fault = FAULT_URI_TOO_LONG},
};

static struct transaction replied = {.state = STATE_REPLIED};

void transactions_init(struct transactions *t, const struct http_handler *handler, void *userdata,
		       struct http_hosts *hosts, const struct http_limits *limits)
{
	*t = (struct transactions){.handler = handler, .userdata = userdata, .hosts = hosts};
	(void)pthread_mutex_init(&t->lock, NULL);
	(void)pthread_cond_init(&t->none_pending, NULL);
	http_streams_init(&t->streams, limits);
}

void transactions_retire(struct transactions *t)
{
	atomic_store(&t->retired, true);
}

void transactions_end(struct transactions *t)
{
	atomic_store(&t->ending, true);
	http_streams_end(&t->streams);
}

void transactions_wait(struct transactions *t)
{
	(void)pthread_mutex_lock(&t->lock);
	while (t->n_pending > 0)
		(void)pthread_cond_wait(&t->none_pending, &t->lock);
	(void)pthread_mutex_unlock(&t->lock);
}

void transactions_done(struct transactions *t)
{
	http_streams_done(&t->streams);
	(void)pthread_cond_destroy(&t->none_pending);
	(void)pthread_mutex_destroy(&t->lock);
}

void *transaction_begin(const char *uri)
{
	return &fresh[http_uri_fault(uri)];
}

/* Bodies may have secrets. */
static void body_release(struct transaction *x)
{
	if (x->body)
		explicit_bzero(x->body, x->cap);
	free(x->body);
	x->body = NULL;
}

void transaction_free(void *con_cls)
{
	struct transaction *x = con_cls;

	if (!x || !x->allocated)
		return;
	http_reply_done(&x->reply);
	if (x->sink)
		x->sink->free(x->sink);
	body_release(x);
	free(x);
}

/* Return: the transaction on the heap; NULL when out of memory. */
static struct transaction *transaction_own(void **con_cls)
{
	const struct transaction *constant = *con_cls;
	struct transaction *x = *con_cls;

	if (x->allocated)
		return x;
	x = calloc(1, sizeof(*x));
	if (!x)
		return NULL;
	atomic_init(&x->state, constant->state);
	x->fault = constant->fault;
	x->allocated = true;
	http_reply_init(&x->reply);
	*con_cls = x;
	return x;
}

/* ---- suspended requests -----------------------------------------------------------------------
 */

static struct transaction *transaction_of(struct http_pending *pending)
{
	return (struct transaction *)(void *)((char *)pending -
					      offsetof(struct transaction, pending));
}

static void transaction_resume(struct transaction *x, enum transaction_state state)
{
	struct transactions *t = x->all;

	/* The rest of a body has a deadline of its own. */
	if (state == STATE_BODY)
		connection_enter(x->entry, PHASE_BODY);
	atomic_store(&x->state, state);
	/* From here on the transaction may be freed by the connection's thread. */
	MHD_resume_connection(x->connection);
	(void)pthread_mutex_lock(&t->lock);
	if (--t->n_pending == 0)
		(void)pthread_cond_broadcast(&t->none_pending);
	(void)pthread_mutex_unlock(&t->lock);
}

static void on_complete(struct http_pending *self, struct http_reply *reply)
{
	struct transaction *x = transaction_of(self);

	http_reply_move(&x->reply, reply);
	transaction_resume(x, STATE_COMPLETED);
}

static void on_again(struct http_pending *self, int verdict)
{
	struct transaction *x = transaction_of(self);

	x->verdict = verdict;
	transaction_resume(x, x->repeated);
}

struct suspendable_call {
	struct http_call base;
	struct transactions *all;
	const struct transaction_call *call;
	/* The transaction's state when the handler was called, which may be a constant. */
	enum transaction_state state;
	enum http_fault fault;
};

/* The connection is suspended first: the handler may complete it before handle() returns. */
static struct http_pending *on_suspend(struct http_call *base)
{
	struct suspendable_call *s = (struct suspendable_call *)base;
	struct transaction *x = transaction_own(s->call->con_cls);

	if (!x)
		return NULL;
	x->repeated = s->state;
	x->fault = s->fault;
	x->pending.complete = on_complete;
	x->pending.again = on_again;
	x->pending.fd =
		MHD_get_connection_info(s->call->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
			->connect_fd;
	x->all = s->all;
	x->connection = s->call->connection;
	x->entry = s->call->entry;
	atomic_store(&x->state, STATE_SUSPENDED);
	(void)pthread_mutex_lock(&s->all->lock);
	s->all->n_pending++;
	(void)pthread_mutex_unlock(&s->all->lock);
	x->waited = true;
	connection_enter(s->call->entry, PHASE_WAIT);
	MHD_suspend_connection(x->connection);
	return &x->pending;
}

/* ---- the steps --------------------------------------------------------------------------------
 */

/* Return: whether a reply may be kept until the client has read it. */
static bool is_admitted(struct budget_share *share, const struct http_reply *reply)
{
	if (!reply->body || reply->status == MHD_HTTP_NOT_MODIFIED ||
	    reply->body->len < BUDGET_REPLY_MIN || reply->body->constant)
		return true;
	return share->held[BUDGET_REPLIES] >= reply->body->len ||
	       budget_share_set(share, BUDGET_REPLIES, reply->body->len) == 0;
}

static enum MHD_Result send_reply(struct transactions *t, const struct transaction_call *call,
				  struct http_reply *reply)
{
	enum MHD_Result r;

	if (!is_admitted(&call->entry->share, reply)) {
		http_reply_done(reply);
		connection_enter(call->entry, PHASE_REPLY);
		return http_busy_queue(call->connection);
	}

	if (!reply->stream &&
	    (call->entry->chunked || atomic_load_explicit(&t->retired, memory_order_relaxed)) &&
	    !http_reply_value(reply, "Connection"))
		(void)http_reply_header(reply, "Connection", "close");
	connection_enter(call->entry, reply->stream ? PHASE_STREAM : PHASE_REPLY);
	if (reply->stream)
		r = http_stream_queue(&t->streams, call->connection, reply, &call->entry->stream);
	else
		r = http_response_queue(call->connection, reply);
	http_reply_done(reply);
	return r;
}

/* A named peer only reads; for anything else it needs TLS as all others. */
static bool is_redirected(const struct http_request *req)
{
	return req->client.access == HTTP_ACCESS_REDIRECT ||
	       (req->client.access == HTTP_ACCESS_READ_ONLY && req->method != METHOD_GET &&
		req->method != METHOD_HEAD);
}

static enum MHD_Result send_redirect(const struct transaction_call *call,
				     const struct http_request *req)
{
	connection_enter(call->entry, PHASE_REPLY);
	return http_redirect_queue(call->connection, req, call->entry->tls_port, call->entry->uri);
}

/* A client that is only redirected to TLS learns nothing, and its name is checked there. */
static bool is_misdirected(const struct transactions *t, const struct http_request *req)
{
	const char *host = req->headers[HEADER_HOST];

	if (!t->hosts || req->client.access == HTTP_ACCESS_REDIRECT || req->fault == FAULT_HEADER)
		return false;
	return (host && !http_hosts_admit(t->hosts, host, strlen(host))) ||
	       (req->authority && !http_hosts_admit(t->hosts, req->authority, req->authority_len));
}

static enum MHD_Result send_misdirected(const struct transaction_call *call)
{
	connection_enter(call->entry, PHASE_REPLY);
	return http_misdirected_queue(call->connection);
}

static struct suspendable_call suspendable(struct transactions *t,
					   const struct transaction_call *call)
{
	const struct transaction *x = *call->con_cls;

	return (struct suspendable_call){.base = {.suspend = on_suspend},
					 .all = t,
					 .call = call,
					 .state = atomic_load(&x->state),
					 .fault = x->fault};
}

/* The only place that calls the handler's handle(). */
static enum MHD_Result call_handler(struct transactions *t, const struct transaction_call *call,
				    const struct http_request *req)
{
	struct transaction *x = *call->con_cls;
	struct suspendable_call s = suspendable(t, call);
	struct http_reply reply;

	if (x->allocated)
		atomic_store(&x->state, STATE_REPLIED);
	else
		*call->con_cls = &replied;
	if (is_misdirected(t, req))
		return send_misdirected(call);
	if (is_redirected(req))
		return send_redirect(call, req);
	http_reply_init(&reply);
	if (t->handler->handle(t->userdata, req, &reply, &s.base) == HTTP_LATER)
		return MHD_YES;
	return send_reply(t, call, &reply);
}

static enum MHD_Result step_handle(struct transactions *t, const struct transaction_call *call,
				   const struct transaction *x)
{
	struct http_head h;

	http_head_read(call->connection, call->method, call->url, call->version, x->fault,
		       call->entry->uri_len, &call->entry->client, &h);
	h.req.body = x->body;
	h.req.body_len = x->len;
	h.req.sink = x->sink;
	h.req.verdict = x->verdict;
	if (h.req.fault == FAULT_HEADER && !h.req.fault_header)
		h.req.fault_header = MHD_HTTP_HEADER_TRANSFER_ENCODING;
	return call_handler(t, call, &h.req);
}

/* @req: gets the sink, for which there is a transaction on the heap then */
static enum http_body_choice
ask_for_body(struct transactions *t, const struct transaction_call *call, struct http_request *req)
{
	struct transaction *x = *call->con_cls;
	struct suspendable_call s = suspendable(t, call);
	enum http_body_choice choice = t->handler->wants_body(t->userdata, req, &s.base);

	if (!s.base.sink)
		return choice;
	x = transaction_own(call->con_cls);
	if (!x) {
		s.base.sink->free(s.base.sink);
		req->fault = FAULT_NO_MEMORY;
		return HTTP_BODY_DISCARD;
	}
	x->sink = req->sink = s.base.sink;
	return choice;
}

/* Bytes of a body that is read to its end, also when it is not kept. */
static uint64_t most_read(const struct http_sink *sink)
{
	return sink && sink->max > HTTP_DRAIN_MAX ? sink->max : HTTP_DRAIN_MAX;
}

/*
 * Return: whether a body of the announced length can be kept; otherwise the request has a fault.
 * The length of one that the handler does not want is not the reason: it has its own.
 */
static bool is_kept(struct http_request *req, enum http_body_choice choice, bool read)
{
	const uint64_t max = choice == HTTP_BODY_STREAM ? req->sink->max : HTTP_BODY_MAX;
	const bool counts = choice != HTTP_BODY_DISCARD || read;

	if (req->fault == FAULT_NONE && counts && req->length_known && req->length > max)
		req->fault = FAULT_BODY_TOO_LARGE;
	return choice != HTTP_BODY_DISCARD && req->fault == FAULT_NONE;
}

/*
 * A body is read before its request is handled, even when it is not used: a reply sent while the
 * client still writes would be lost in the reset of the connection. Only a request whose body is
 * too long, or that was announced and not sent yet, is handled at once. So is one that announces a
 * body and has none: libmicrohttpd would take what follows it on the connection for its body. The
 * body of a read has no meaning, and is read like one that is not used.
 */
static enum MHD_Result step_head(struct transactions *t, const struct transaction_call *call,
				 const struct transaction *x)
{
	struct transaction *own;
	enum http_body_choice choice = HTTP_BODY_DISCARD;
	struct http_head h;
	bool read, kept;

	if (http_announces_no_body(call->connection))
		return step_handle(t, call, x);
	if (!http_has_framing(call->connection)) {
		*call->con_cls = &bodiless[x->fault];
		return MHD_YES;
	}
	http_head_read(call->connection, call->method, call->url, call->version, x->fault,
		       call->entry->uri_len, &call->entry->client, &h);
	h.req.verdict = x->verdict;
	call->entry->chunked = h.req.headers[HEADER_TRANSFER_ENCODING] != NULL;
	read = h.req.method == METHOD_GET || h.req.method == METHOD_HEAD;
	if (!read && !is_misdirected(t, &h.req) && !is_redirected(&h.req) &&
	    h.req.fault == FAULT_NONE)
		choice = ask_for_body(t, call, &h.req);
	if (choice == HTTP_BODY_LATER)
		return MHD_YES;
	kept = is_kept(&h.req, choice, read);
	if (!kept && (h.req.fault == FAULT_HEADER || h.expects_continue ||
		      (h.req.length_known && h.req.length > most_read(h.req.sink)))) {
		if (h.req.fault == FAULT_NONE && !read)
			h.req.fault = FAULT_BODY_NOT_READ;
		return call_handler(t, call, &h.req);
	}
	own = transaction_own(call->con_cls);
	if (!own)
		return MHD_NO;
	atomic_store(&own->state, STATE_BODY);
	own->fault = h.req.fault;
	own->discard = !kept;
	if (own->discard && !read && own->fault == FAULT_NONE)
		own->fault = FAULT_BODY_NOT_READ;
	/* The verdict on a request that may send a body was used; another one is of the request. */
	own->verdict = own->discard ? h.req.verdict : 0;
	connection_enter(call->entry, PHASE_BODY);
	return MHD_YES;
}

/* Return: whether @n more bytes of the body can be kept; grows it by doubling. */
static bool body_reserve(struct budget_share *share, struct transaction *x, size_t n)
{
	size_t cap = x->cap ? x->cap : 4096;
	char *body;

	while (cap < x->len + n)
		cap *= 2;
	if (cap == x->cap)
		return true;
	if (budget_share_set(share, BUDGET_BODIES, cap) < 0)
		return false;
	body = malloc(cap);
	if (!body)
		return false;
	/* Not realloc(), which leaves the old bytes behind. */
	if (x->len > 0)
		memcpy(body, x->body, x->len);
	body_release(x);
	x->body = body;
	x->cap = cap;
	return true;
}

/* Gives bytes, or the end, to the sink. It may suspend the connection. */
static void give_to_sink(struct transactions *t, const struct transaction_call *call,
			 struct transaction *x)
{
	struct suspendable_call s = {.base = {.suspend = on_suspend},
				     .all = t,
				     .call = call,
				     .state = STATE_BODY,
				     .fault = x->fault};

	if (x->seen > x->sink->max) {
		x->discard = true;
		x->fault = FAULT_BODY_TOO_LARGE;
	} else if (!x->sink->take(x->sink, call->data, call->len, &s.base)) {
		x->discard = true;
	}
}

static enum MHD_Result step_body_end(struct transactions *t, const struct transaction_call *call,
				     struct transaction *x)
{
	if (x->sink && !x->discard && !x->sink_ended) {
		x->sink_ended = true;
		x->waited = false;
		give_to_sink(t, call, x);
		if (x->waited)
			return MHD_YES;
	}
	return step_handle(t, call, x);
}

/* The beginning of a body that is discarded is of no use. */
static void body_drop(struct budget_share *share, struct transaction *x)
{
	body_release(x);
	x->len = x->cap = 0;
	(void)budget_share_set(share, BUDGET_BODIES, 0);
}

static enum MHD_Result step_body(struct transactions *t, const struct transaction_call *call,
				 struct transaction *x)
{
	x->seen += call->len;
	if (call->entry->chunked && x->fault != FAULT_HEADER &&
	    !chunks_take(&x->chunks, call->data, call->len)) {
		x->discard = true;
		x->fault = FAULT_HEADER;
	}
	/* A body that a sink received may be too long by as much as a body that is not kept. */
	if (x->seen > most_read(x->sink) + (x->sink ? HTTP_DRAIN_MAX : 0))
		return MHD_NO;
	if (x->sink && !x->discard) {
		give_to_sink(t, call, x);
		return MHD_YES;
	}
	if (!x->discard && x->len + call->len > HTTP_BODY_MAX) {
		x->discard = true;
		x->fault = FAULT_BODY_TOO_LARGE;
	}
	if (!x->discard && !body_reserve(&call->entry->share, x, call->len)) {
		x->discard = true;
		x->fault = FAULT_NO_MEMORY;
	}
	if (x->discard) {
		body_drop(&call->entry->share, x);
		return MHD_YES;
	}
	memcpy(x->body + x->len, call->data, call->len);
	x->len += call->len;
	return MHD_YES;
}

enum MHD_Result transaction_step(struct transactions *t, const struct transaction_call *call)
{
	struct transaction *x = *call->con_cls;

	/* libmicrohttpd's threads end only when all ready connections were handled. */
	if (atomic_load_explicit(&t->ending, memory_order_relaxed))
		return MHD_NO;
	switch (atomic_load(&x->state)) {
	case STATE_FRESH:
		return step_head(t, call, x);
	case STATE_BODILESS:
		return call->len > 0 ? MHD_YES : step_handle(t, call, x);
	case STATE_BODY:
		return call->len > 0 ? step_body(t, call, x) : step_body_end(t, call, x);
	case STATE_COMPLETED:
		atomic_store(&x->state, STATE_REPLIED);
		return send_reply(t, call, &x->reply);
	case STATE_SUSPENDED:
	case STATE_REPLIED:
		break;
	}
	return MHD_YES;
}
