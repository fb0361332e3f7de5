// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/helper_socket.h"

#include <poll.h>
#include <unistd.h>

#include <check.h>

#include "tests/lib/wait.h"

void helper_socket_serve(struct helper_socket *s)
{
	while (!atomic_load(&s->ending)) {
		struct pollfd p = {.fd = s->listener, .events = POLLIN};

		(void)poll(&p, 1, 20);
		while (server_accept(s->server, s->listener) == 0)
			;
	}
}

static void *accept_all(void *userdata)
{
	helper_socket_serve(userdata);
	return NULL;
}

void helper_socket_listen(struct helper_socket *s, struct server *server)
{
	s->server = server;
	s->server->users[0] = getuid();
	s->server->n_users = 1;
	s->address = (struct sockaddr_un){.sun_family = AF_UNIX};
	s->address_len = sizeof(s->address);
	s->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ck_assert_int_ge(s->listener, 0);
	ck_assert_int_eq(
		bind(s->listener, (struct sockaddr *)&s->address, sizeof(s->address.sun_family)),
		0);
	ck_assert_int_eq(getsockname(s->listener, (struct sockaddr *)&s->address, &s->address_len),
			 0);
	ck_assert_int_eq(listen(s->listener, 128), 0);
}

void helper_socket_start(struct helper_socket *s, struct server *server)
{
	helper_socket_listen(s, server);
	atomic_store(&s->ending, false);
	ck_assert_int_eq(pthread_create(&s->acceptor, NULL, accept_all, s), 0);
}

void helper_socket_stop(struct helper_socket *s)
{
	helper_socket_wait_idle(s);
	atomic_store(&s->ending, true);
	(void)pthread_join(s->acceptor, NULL);
	(void)close(s->listener);
}

void helper_socket_wait_idle(const struct helper_socket *s)
{
	WAIT_UNTIL(atomic_load(&s->server->n_connections) == 0);
}

struct opener *helper_socket_opener(const struct helper_socket *s)
{
	struct opener *ret = NULL;

	ck_assert_int_eq(
		opener_new((const struct sockaddr *)&s->address, s->address_len, OPENER_OWN, &ret),
		0);
	return ret;
}

int helper_socket_connect(const struct helper_socket *s)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(connect(fd, (const struct sockaddr *)&s->address, s->address_len), 0);
	return fd;
}
