/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_HELPER_SOCKET_H
#define CXLR_TESTS_LIB_HELPER_SOCKET_H

/*
 * The socket of a helper that runs in the process of a test: an address of this network namespace,
 * a server that admits this user, and a thread that accepts its connections.
 *
 * The caller owns the object and the server, which outlive the thread. Its functions are called by
 * the thread of the test; each asserts that it succeeds.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "helper/server.h"
#include "opener/opener.h"

struct helper_socket {
	struct server *server;
	struct sockaddr_un address;
	socklen_t address_len;
	int listener;
	atomic_bool ending;
	pthread_t acceptor;
};

/* Listens at an address that the kernel chooses. Nothing is accepted yet. */
void helper_socket_listen(struct helper_socket *s, struct server *server);
/* Listens, and begins to accept. */
void helper_socket_start(struct helper_socket *s, struct server *server);
/* Accepts in this thread, for ever: of a process that is killed. */
void helper_socket_serve(struct helper_socket *s);
/* Waits until no connection is left, ends the thread, and closes the socket. */
void helper_socket_stop(struct helper_socket *s);
/* Waits until no connection is left. */
void helper_socket_wait_idle(const struct helper_socket *s);
/* A client of the helper; the caller frees it. */
struct opener *helper_socket_opener(const struct helper_socket *s);
/* Return: a connection to the helper, the caller's. */
int helper_socket_connect(const struct helper_socket *s);

#endif
