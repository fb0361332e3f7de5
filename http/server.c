// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gnutls/abstract.h>
#include <microhttpd.h>

#include "http/connections.h"
#include "http/tls_session.h"
#include "http/transaction.h"

struct http_server {
	struct MHD_Daemon *mhd;
	struct tls_store *tls; /* NULL: without TLS */
	pthread_mutex_t access_lock;
	struct http_access_rules access; /* guarded by it */
	struct connections connections;
	struct transactions transactions;
	bool is_shared; /* the listening socket: others use it, too */
	int retired_fd; /* the listening socket of a server that was retired; -1 otherwise */
};

static gnutls_session_t session_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_GNUTLS_SESSION);

	return info ? info->tls_session : NULL;
}

/* The credentials of libmicrohttpd have no certificate: each session gets those of the store. */
static int no_certificate(gnutls_session_t session, const struct gnutls_cert_retr_st *info,
			  gnutls_pcert_st **certs, unsigned int *pcert_length,
			  gnutls_ocsp_data_st **ocsp, unsigned int *ocsp_length,
			  gnutls_privkey_t *privkey, unsigned int *flags)
{
	(void)session, (void)info, (void)certs, (void)pcert_length;
	(void)ocsp, (void)ocsp_length, (void)privkey, (void)flags;
	return -1;
}

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *connection)
{
	struct http_server *s = cls;
	struct connection *one =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			->socket_context;

	if (!one)
		return transaction_begin(uri);
	one->uri_len = strlen(uri);
	if (one->client.access != HTTP_ACCESS_ALL) {
		free(one->uri);
		one->uri = one->uri_len <= HTTP_URI_MAX ? strdup(uri) : NULL;
	}
	if (s->tls) {
		tls_peer_check(&one->tls, s->tls, session_of(connection));
		one->client.certificate = one->tls.certificate;
		one->client.certificate_len = one->tls.certificate_len;
	}
	return transaction_begin(uri);
}

/* Bytes that the client has not read must not fill the kernel's buffers, which are the service's
 * memory.
 */
static void limit_unsent(int fd)
{
	const int bytes = HTTP_UNSENT_MAX;

	/* Fails on a Unix socket, whose buffer is small. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof(bytes));
}

/* Return: the entry of a new connection; NULL when it is to end. */
static struct connection *connection_start(struct http_server *s, struct MHD_Connection *c)
{
	int fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	struct connection *one = connections_add(&s->connections, fd);

	if (!one)
		return NULL;
	limit_unsent(fd);
	(void)pthread_mutex_lock(&s->access_lock);
	http_client_init(&one->client, fd, info ? info->client_addr : NULL, s->tls != NULL,
			 &s->access);
	one->client.note = &one->note;
	one->client.share = &one->share;
	one->client.peer = &one->peer;
	one->peer.fd = fd;
	one->share.owner.client = http_client_key(&one->client);
	one->tls_port = s->access.tls_port;
	(void)pthread_mutex_unlock(&s->access_lock);
	if (!s->tls || tls_peer_begin(&one->tls, s->tls, session_of(c)))
		return one;
	connections_remove(&s->connections, one);
	return NULL;
}

static void on_connection(void *cls, struct MHD_Connection *c, void **socket_context,
			  enum MHD_ConnectionNotificationCode what)
{
	struct http_server *s = cls;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*socket_context = connection_start(s, c);
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
	enum MHD_Result r;

	*upload_data_size = 0;
	/* No memory was left for the entry: the connection would have no deadline. */
	if (!call.entry)
		return MHD_NO;
	r = transaction_step(&s->transactions, &call);
	/* libmicrohttpd's own buffer, which it leaves as it is: also what is not kept may be
	 * secret. */
	if (call.len > 0)
		explicit_bzero((char *)(uintptr_t)upload_data, call.len);
	return r;
}

static void on_completed(void *cls, struct MHD_Connection *c, void **con_cls,
			 enum MHD_RequestTerminationCode why)
{
	struct connection *one =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
	(void)cls;
	if (one && one->stream)
		http_stream_end(STEAL_PTR(one->stream), why == MHD_REQUEST_TERMINATED_COMPLETED_OK);
	transaction_free(*con_cls);
	*con_cls = NULL;
	if (!one)
		return;
	(void)budget_share_set(&one->share, BUDGET_BODIES, 0);
	(void)budget_share_set(&one->share, BUDGET_REPLIES, 0);
	one->chunked = false;
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

	unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
	const struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)TLS_PRIORITIES},
		{MHD_OPTION_HTTPS_CERT_CALLBACK2, 0, (void *)(intptr_t)no_certificate},
		{MHD_OPTION_END, 0, NULL},
	};
	const struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};

	/* No MHD_OPTION_CONNECTION_TIMEOUT: connections_sweep() has the deadlines, and keeping a
	 * list of the connections by their last byte takes longer than a request's checks. */
	s->mhd = MHD_start_daemon(
		s->tls ? flags | MHD_USE_TLS : flags, 0, NULL, NULL, on_request, s,
		MHD_OPTION_LISTEN_SOCKET, listen_fd, MHD_OPTION_THREAD_POOL_SIZE, pool,
		MHD_OPTION_CONNECTION_LIMIT, accepted, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		limits->head_bytes, MHD_OPTION_URI_LOG_CALLBACK, on_uri, s,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_NOTIFY_COMPLETED,
		on_completed, s, MHD_OPTION_ARRAY, s->tls ? tls : none, MHD_OPTION_END);
	return s->mhd ? 0 : error_set(e, EIO, "libmicrohttpd could not be started");
}

int http_server_new(const struct http_server_options *o, int listen_fd, struct http_server **ret,
		    struct error *e)
{
	struct http_server *s = calloc(1, sizeof(*s));
	int r;

	if (!s) {
		(void)close(listen_fd);
		return error_set(e, ENOMEM, "out of memory");
	}
	s->tls = o->tls;
	s->is_shared = o->is_shared;
	s->retired_fd = -1;
	(void)pthread_mutex_init(&s->access_lock, NULL);
	http_server_set_access(s, o->access);
	connections_init(&s->connections, o->limits);
	transactions_init(&s->transactions, o->handler, o->userdata, o->hosts, o->limits);
	r = server_start(s, listen_fd, o->limits, e);
	if (r < 0) {
		(void)close(listen_fd);
		transactions_done(&s->transactions);
		connections_done(&s->connections);
		(void)pthread_mutex_destroy(&s->access_lock);
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

void http_server_set_access(struct http_server *s, const struct http_access_rules *rules)
{
	static const struct http_access_rules for_all;

	(void)pthread_mutex_lock(&s->access_lock);
	s->access = rules ? *rules : for_all;
	(void)pthread_mutex_unlock(&s->access_lock);
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
	if (s->retired_fd >= 0 && !s->is_shared)
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
	/* libmicrohttpd would shut it down. */
	if (s->is_shared && s->retired_fd < 0)
		s->retired_fd = MHD_quiesce_daemon(s->mhd);
	MHD_stop_daemon(s->mhd);
	if (s->retired_fd >= 0)
		(void)close(s->retired_fd);
	transactions_done(&s->transactions);
	connections_done(&s->connections);
	(void)pthread_mutex_destroy(&s->access_lock);
	free(s);
	return NULL;
}
