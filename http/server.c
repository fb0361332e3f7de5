// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/server.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "common/cleanup.h"
#include "http/head.h"
#include "http/reply.h"
#include "http/stream.h"
#include "redfish/eventing/event_service.h"
#include "redfish/deferred.h"

const struct http_limits http_limits_default = {
	.head_ms = 30 * 1000,
	.body_ms = 30 * 1000,
	.reply_ms = 60 * 1000,
	.crowded_ms = 2 * 1000,
	.crowd = 384, /* below what one address may hold, so that it cannot lock itself out */
	.connections = 1024,
	.connections_per_address = 512,
};

struct http_server {
	struct service *service;
	struct MHD_Daemon *mhd;
	struct deferred *deferred[2]; /* to firmware, to the store: neither waits for the other */
	struct connections connections;
	struct http_streams streams;
	atomic_size_t bodies; /* bytes of request bodies held now */
	atomic_bool ending;   /* nothing is answered any more */
};

/*
 * What libmicrohttpd carries along with a request. Most requests have no body and need no memory:
 * theirs is one of the constants below, by what was found in the URI; first a `fresh` one and,
 * once the head is there, a `bodiless` one.
 */
struct request_state {
	bool begun; /* the head is there */
	bool has_body;
	enum request_fault fault;
	bool discard; /* the body is read but not kept */
	size_t seen;  /* bytes of the body that have come */
	char *body;
	size_t len, cap;
	struct suspended *suspended; /* set once the request is deferred */
};

/*
 * A request that firmware or the store is asked for. libmicrohttpd leaves a suspended connection
 * and its memory alone, also when the client goes away, so what the head points to stays until it
 * is resumed.
 */
struct suspended {
	struct deferred_job job;
	struct MHD_Connection *connection;
	struct http_head head;
};

static struct request_state fresh[] = {
	[FAULT_NONE] = {.fault = FAULT_NONE},
	[FAULT_URI] = {.fault = FAULT_URI},
	[FAULT_URI_TOO_LONG] = {.fault = FAULT_URI_TOO_LONG},
};

static struct request_state bodiless[] = {
	[FAULT_NONE] = {.begun = true, .fault = FAULT_NONE},
	[FAULT_URI] = {.begun = true, .fault = FAULT_URI},
	[FAULT_URI_TOO_LONG] = {.begun = true, .fault = FAULT_URI_TOO_LONG},
};

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *connection)
{
	(void)cls;
	(void)connection;
	return &fresh[http_uri_fault(uri)];
}

static struct connection *connection_of(struct MHD_Connection *c)
{
	return MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void on_connection(void *cls, struct MHD_Connection *c, void **socket_context,
			  enum MHD_ConnectionNotificationCode what)
{
	struct http_server *s = cls;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		int fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

		*socket_context = connections_add(&s->connections, fd);
	} else {
		connections_remove(&s->connections, *socket_context);
		*socket_context = NULL;
	}
}

static void free_state(struct http_server *s, struct request_state *state)
{
	if (!state || !state->has_body)
		return;
	atomic_fetch_sub(&s->bodies, state->cap);
	if (state->suspended)
		redfish_response_done(&state->suspended->job.res);
	free(state->suspended);
	free(state->body);
	free(state);
}

static void on_completed(void *cls, struct MHD_Connection *c, void **con_cls,
			 enum MHD_RequestTerminationCode why)
{
	struct connection *one = connection_of(c);

	(void)why;
	free_state(cls, *con_cls);
	*con_cls = NULL;
	if (one)
		connection_enter(one, PHASE_HEAD);
}

/* Return: whether there is room for @n more bytes of the body; doubles it, within the limits. */
static bool grow(struct http_server *s, struct request_state *state, size_t n)
{
	size_t cap = state->cap ? state->cap : 4096;
	char *body;

	while (cap < state->len + n)
		cap *= 2;
	if (cap == state->cap)
		return true;
	if (atomic_fetch_add(&s->bodies, cap - state->cap) + cap - state->cap > HTTP_BODIES_MAX ||
	    !(body = realloc(state->body, cap))) {
		atomic_fetch_sub(&s->bodies, cap - state->cap);
		return false;
	}
	state->body = body;
	state->cap = cap;
	return true;
}

static enum MHD_Result take_body(struct http_server *s, struct request_state *state,
				 const char *data, size_t n)
{
	state->seen += n;
	if (state->seen > HTTP_DRAIN_MAX)
		return MHD_NO;
	if (!state->discard && state->len + n > HTTP_BODY_MAX) {
		state->discard = true;
		state->fault = FAULT_BODY_TOO_LARGE;
	}
	if (!state->discard && !grow(s, state, n)) {
		state->discard = true;
		state->fault = FAULT_NO_ROOM;
	}
	if (state->discard)
		return MHD_YES;
	memcpy(state->body + state->len, data, n);
	state->len += n;
	return MHD_YES;
}

static enum MHD_Result reply(struct MHD_Connection *c, const struct redfish_request *req,
			     const struct redfish_response *res)
{
	if (connection_of(c))
		connection_enter(connection_of(c), PHASE_REPLY);
	return http_reply_queue(c, res, req->fault == FAULT_HEADER);
}

static enum MHD_Result reply_stream(struct http_server *s, struct MHD_Connection *c,
				    struct redfish_response *res)
{
	if (connection_of(c))
		connection_enter(connection_of(c), PHASE_STREAM);
	return http_stream_queue(&s->streams, c, STEAL_PTR(res->stream));
}

static void resume(struct deferred_job *job)
{
	MHD_resume_connection(((struct suspended *)job)->connection);
}

/* A state of the request's own, for one without a body, too. NULL when out of memory. */
static struct request_state *own_state(void **con_cls)
{
	const struct request_state *shared = *con_cls;
	struct request_state *state;

	if (shared->has_body)
		return *con_cls;
	state = calloc(1, sizeof(*state));
	if (!state)
		return NULL;
	*state = *shared;
	state->has_body = true;
	*con_cls = state;
	return state;
}

/* libmicrohttpd asks once more when the connection is resumed; the answer is then there. */
static enum MHD_Result suspend(struct http_server *s, struct MHD_Connection *c,
			       const struct http_head *h, enum deferral to, void **con_cls)
{
	struct request_state *state = own_state(con_cls);
	struct suspended *x;

	x = state ? calloc(1, sizeof(*x)) : NULL;
	if (!x)
		return MHD_NO;
	x->job.req = &x->head.req;
	x->job.done = resume;
	x->connection = c;
	x->head = *h;
	state->suspended = x;
	if (connection_of(c))
		connection_enter(connection_of(c), PHASE_REPLY);
	/* First: the thread may be done with it before we are. */
	MHD_suspend_connection(c);
	if (deferred_add(s->deferred[to - DEFERRED_TO_FIRMWARE], &x->job) < 0) {
		service_refuse_busy(&x->job.res);
		MHD_resume_connection(c);
	}
	return MHD_YES;
}

static enum MHD_Result answer(struct http_server *s, struct MHD_Connection *c,
			      const struct http_head *h, void **con_cls)
{
	struct redfish_response res;
	enum MHD_Result r;

	service_handle(s->service, &h->req, &res);
	if (res.deferred)
		r = suspend(s, c, h, res.deferred, con_cls);
	else if (res.stream)
		r = reply_stream(s, c, &res);
	else
		r = reply(c, &h->req, &res);
	redfish_response_done(&res);
	return r;
}

/*
 * A body is read before its request is answered, even when nobody wants it: a reply sent while
 * the client still writes would be lost in the reset of the connection. Only one that is too
 * long to be waited for, or that the client has announced and not sent yet, is refused at once.
 */
static enum MHD_Result begin_body(struct http_server *s, struct MHD_Connection *c,
				  const struct http_head *h, void **con_cls)
{
	struct request_state *state;
	bool wanted;

	wanted = h->req.fault == FAULT_NONE && service_wants_body(s->service, &h->req);
	if (!wanted && (h->req.fault == FAULT_HEADER || h->expects_continue ||
			(h->length_known && h->length > HTTP_DRAIN_MAX)))
		return answer(s, c, h, con_cls);
	state = calloc(1, sizeof(*state));
	if (!state)
		return MHD_NO;
	state->begun = true;
	state->has_body = true;
	state->fault = h->req.fault;
	state->discard = !wanted;
	*con_cls = state;
	if (connection_of(c))
		connection_enter(connection_of(c), PHASE_BODY);
	return MHD_YES;
}

/* libmicrohttpd asks again when the body is there; without one that is at once. */
static enum MHD_Result begin(struct http_server *s, struct MHD_Connection *c, const char *url,
			     const char *method, const char *version, void **con_cls)
{
	const struct request_state *state = *con_cls;
	struct http_head h;

	/* The body of a read means nothing and goes by unseen. */
	if (http_is_read(method) || !http_has_framing(c)) {
		*con_cls = &bodiless[state->fault];
		return MHD_YES;
	}
	http_head_read(c, method, url, version, state->fault, &h);
	return begin_body(s, c, &h, con_cls);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *c, const char *url,
				  const char *method, const char *version, const char *upload_data,
				  size_t *upload_data_size, void **con_cls)
{
	struct request_state *state = *con_cls;
	struct http_server *s = cls;
	struct http_head h;

	/* A thread ends only when all its ready connections have been seen to. */
	if (atomic_load_explicit(&s->ending, memory_order_relaxed))
		return MHD_NO;
	if (*upload_data_size > 0) {
		size_t n = *upload_data_size;

		*upload_data_size = 0;
		/* A read's body, or answered at once by begin_body(): it only has to go. */
		return state->has_body ? take_body(s, state, upload_data, n) : MHD_YES;
	}
	if (!state->begun)
		return begin(s, c, url, method, version, con_cls);
	if (state->suspended)
		return reply(c, &state->suspended->head.req, &state->suspended->job.res);
	http_head_read(c, method, url, version, state->fault, &h);
	h.req.body = state->body;
	h.req.body_len = state->len;
	return answer(s, c, &h, con_cls);
}

static unsigned int pool_size(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	return cores < 2 ? 2 : cores > 4 ? 4 : (unsigned int)cores;
}

static int start(struct http_server *s, int listen_fd, const struct http_limits *limits,
		 struct error *e)
{
	int r = deferred_new(s->service, &s->deferred[0], e);

	if (r >= 0)
		r = deferred_new(s->service, &s->deferred[1], e);
	if (r < 0)
		return r;
	s->mhd = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request,
		s, MHD_OPTION_LISTEN_SOCKET, listen_fd, MHD_OPTION_THREAD_POOL_SIZE, pool_size(),
		MHD_OPTION_CONNECTION_LIMIT, limits->connections,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits->connections_per_address,
		MHD_OPTION_CONNECTION_TIMEOUT, (limits->reply_ms + 999) / 1000,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_HEAD_BYTES_MAX,
		MHD_OPTION_URI_LOG_CALLBACK, on_uri, NULL, MHD_OPTION_NOTIFY_CONNECTION,
		on_connection, s, MHD_OPTION_NOTIFY_COMPLETED, on_completed, s, MHD_OPTION_END);
	return s->mhd ? 0 : error_set(e, EIO, "libmicrohttpd could not be started");
}

int http_server_new(struct service *service, int listen_fd, const struct http_limits *limits,
		    struct http_server **ret, struct error *e)
{
	struct http_server *s = calloc(1, sizeof(*s));
	int r;

	if (!s) {
		(void)close(listen_fd);
		return error_set(e, ENOMEM, "out of memory");
	}
	s->service = service;
	connections_init(&s->connections, limits);
	http_streams_init(&s->streams, event_service_bus(service_event_service(service)));
	r = start(s, listen_fd, limits, e);
	if (r < 0) {
		(void)close(listen_fd);
		(void)deferred_free(s->deferred[0]);
		(void)deferred_free(s->deferred[1]);
		http_streams_done(&s->streams);
		connections_done(&s->connections);
		free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void http_server_sweep(struct http_server *s)
{
	(void)connections_sweep(&s->connections);
	http_streams_sweep(&s->streams);
}

void http_server_end(struct http_server *s)
{
	atomic_store(&s->ending, true);
}

struct http_server *http_server_free(struct http_server *s)
{
	if (!s)
		return NULL;
	http_server_end(s);
	/* libmicrohttpd aborts when a connection is suspended; the refused ones resume at once. */
	deferred_stop(s->deferred[0]);
	deferred_stop(s->deferred[1]);
	http_streams_end(&s->streams);
	MHD_stop_daemon(s->mhd);
	http_streams_done(&s->streams);
	(void)deferred_free(s->deferred[0]);
	(void)deferred_free(s->deferred[1]);
	connections_done(&s->connections);
	free(s);
	return NULL;
}
