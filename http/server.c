// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "http/connections.h"
#include "http/transaction.h"

struct http_server {
	struct MHD_Daemon *mhd;
	struct connections connections;
	struct transactions transactions;
	int retired_fd; /* the listening socket of a server that was retired; -1 otherwise */
};

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *connection)
{
	struct connection *one =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			->socket_context;

	(void)cls;
	if (one)
		one->uri_len = strlen(uri);
	return transaction_begin(uri);
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

static enum MHD_Result on_request(void *cls, struct MHD_Connection *c, const char *url,
				  const char *method, const char *version, const char *upload_data,
				  size_t *upload_data_size, void **con_cls)
{
	const struct transaction_call call = {
		.connection = c,
		.entry = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
				 ->socket_context,
		.url = url,
		.method = method,
		.version = version,
		.data = upload_data,
		.len = *upload_data_size,
		.con_cls = con_cls,
	};
	struct http_server *s = cls;

	*upload_data_size = 0;
	/* No memory was left for the entry: the connection would have no deadline. */
	if (!call.entry)
		return MHD_NO;
	return transaction_step(&s->transactions, &call);
}

static void on_completed(void *cls, struct MHD_Connection *c, void **con_cls,
			 enum MHD_RequestTerminationCode why)
{
	struct connection *one =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
	struct http_server *s = cls;

	(void)why;
	transaction_free(&s->transactions, *con_cls);
	*con_cls = NULL;
	if (one)
		connection_enter(one, PHASE_HEAD);
}

/* Return: the size of the thread pool; 0 is one thread without a pool. */
static unsigned int pool_size(const struct http_limits *limits)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (limits->threads > 0)
		return limits->threads == 1 ? 0 : limits->threads;
	return cores < 2 ? 2 : cores > 4 ? 4 : (unsigned int)cores;
}

static int server_start(struct http_server *s, int listen_fd, const struct http_limits *limits,
			struct error *e)
{
	unsigned int pool = pool_size(limits);
	/* libmicrohttpd divides it among its threads, each of which may get all connections. */
	unsigned int accepted = (limits->connections + HTTP_CONNECTIONS_SPARE) * (pool ? pool : 1);

	s->mhd = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request,
		s, MHD_OPTION_LISTEN_SOCKET, listen_fd, MHD_OPTION_THREAD_POOL_SIZE, pool,
		MHD_OPTION_CONNECTION_LIMIT, accepted, MHD_OPTION_CONNECTION_TIMEOUT,
		(limits->reply_ms + 999) / 1000, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		limits->head_bytes, MHD_OPTION_URI_LOG_CALLBACK, on_uri, NULL,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_NOTIFY_COMPLETED,
		on_completed, s, MHD_OPTION_END);
	return s->mhd ? 0 : error_set(e, EIO, "libmicrohttpd could not be started");
}

int http_server_new(const struct http_handler *handler, void *userdata, int listen_fd,
		    const struct http_limits *limits, struct http_server **ret, struct error *e)
{
	struct http_server *s = calloc(1, sizeof(*s));
	int r;

	if (!s) {
		(void)close(listen_fd);
		return error_set(e, ENOMEM, "out of memory");
	}
	s->retired_fd = -1;
	connections_init(&s->connections, limits);
	transactions_init(&s->transactions, handler, userdata);
	r = server_start(s, listen_fd, limits, e);
	if (r < 0) {
		(void)close(listen_fd);
		transactions_done(&s->transactions);
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
	http_streams_sweep(&s->transactions.streams);
}

void http_server_set_connections(struct http_server *s, unsigned int n)
{
	connections_set_most(&s->connections, n);
}

/*
 * The socket stays open until the server is freed: one of the threads may be about to accept from
 * it, and its number must not be that of another file by then.
 */
void http_server_retire(struct http_server *s)
{
	transactions_retire(&s->transactions);
	s->retired_fd = MHD_quiesce_daemon(s->mhd);
	if (s->retired_fd >= 0)
		(void)shutdown(s->retired_fd, SHUT_RDWR);
}

bool http_server_is_idle(struct http_server *s)
{
	return connections_is_empty(&s->connections);
}

void http_server_shut(struct http_server *s)
{
	http_server_end(s);
	connections_shut_all(&s->connections);
}

void http_server_end(struct http_server *s)
{
	transactions_end(&s->transactions);
}

struct http_server *http_server_free(struct http_server *s)
{
	if (!s)
		return NULL;
	http_server_end(s);
	transactions_wait(&s->transactions);
	MHD_stop_daemon(s->mhd);
	if (s->retired_fd >= 0)
		(void)close(s->retired_fd);
	transactions_done(&s->transactions);
	connections_done(&s->connections);
	free(s);
	return NULL;
}
