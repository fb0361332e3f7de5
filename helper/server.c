// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"
#include "common/log.h"
#include "common/thread.h"
#include "sysfs/uevents.h"

enum {
	COMPLAINT_MS = 10 * 1000, /* between two lines of the log about clients */
	EVENTS_PER_TURN = 256,	  /* that are reported as one change */
	LINGER_MS = 1 * 1000,	  /* for a client to close the connection */
};

struct connection {
	struct server *server;
	int fd;
	struct ucred peer;
	struct request_result result; /* too large for a stack */
};

void server_linger(int fd)
{
	const uint64_t until = clock_monotonic_ms() + LINGER_MS;
	uint8_t byte;
	size_t len;
	int r = 0;

	(void)shutdown(fd, SHUT_WR);
	while (r != -EPIPE && clock_monotonic_ms() < until) {
		r = frame_receive(fd, &byte, 1, sizeof(byte), &len);
		if (r == -EAGAIN && clock_wait_fd(fd, POLLIN, until) < 0)
			return;
	}
}

/* One line, and how many were left out before: a client can cause any number of them. */
void server_complain(struct server *s, const struct ucred *peer, const char *what)
{
	const uint64_t now = clock_monotonic_ms();
	uint64_t last = atomic_load(&s->complaint_ms);
	unsigned int n;

	if ((last != 0 && now - last < COMPLAINT_MS) ||
	    !atomic_compare_exchange_strong(&s->complaint_ms, &last, now)) {
		atomic_fetch_add(&s->n_complaints, 1);
		return;
	}
	n = atomic_exchange(&s->n_complaints, 0);
	if (n > 0)
		log_warning(
			"process %d of user %u: %s; %u messages about clients were left out before",
			peer->pid, peer->uid, what, n);
	else
		log_warning("process %d of user %u: %s", peer->pid, peer->uid, what);
}

static const char *complaint_text(int error)
{
	switch (error) {
	case -EACCES:
		return "closed, because it requests a path that is not in the list";
	case -EPROTO:
		return "closed, because it is of another version; restart both services";
	default:
		return "closed, because its request is malformed";
	}
}

static int connection_send(const struct connection *c, const struct opener_reply *reply,
			   const void *payload, int passed)
{
	const struct iovec parts[] = {
		{(void *)(uintptr_t)reply, sizeof(*reply)},
		{(void *)(uintptr_t)payload, reply->len},
	};

	return frame_send_fd(c->fd, parts, reply->len ? 2 : 1, OPENER_REPLY_MAX, passed);
}

/* Return: whether poll() reports input, or the end, of @fd. */
static bool connection_wait(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;

	do
		n = poll(&p, 1, -1);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

static int send_change(const struct connection *c, const struct uevent *e)
{
	const struct opener_reply change = {
		.code = e->kind, .value = e->received_ns, .value2 = e->block};

	return connection_send(c, &change, NULL, -1);
}

/*
 * Blocks one by one, other changes together.
 *
 * Return: -EPIPE; otherwise 0, and *lost is set when the client does not know of all of them.
 */
static int report_changes(const struct connection *c, struct uevents *u, bool *lost)
{
	struct uevent e, other = {.kind = UEVENT_OTHER};
	bool is_other = false;
	int r = 0;

	for (int n = 0; r != -EPIPE && n < EVENTS_PER_TURN && uevents_receive(u, &e); n++) {
		if (e.kind == UEVENT_BLOCK_ONLINE)
			r = send_change(c, &e);
		is_other |= e.kind == UEVENT_OTHER;
		*lost |= e.kind == UEVENT_LOST || r == -EAGAIN;
	}
	/* A full socket has changes that the client has not received yet. */
	if (r != -EPIPE && is_other)
		r = send_change(c, &other);
	return r == -EPIPE ? r : 0;
}

/* Reports changes until the client closes the connection, or sends anything. */
static void connection_report(struct connection *c, struct uevents *u)
{
	static const struct uevent lost = {.kind = UEVENT_LOST};
	struct pollfd fds[] = {{.fd = c->fd}, {.fd = u ? uevents_fd(u) : -1, .events = POLLIN}};
	bool is_lost = false;
	int r = 0;

	while (r != -EPIPE) {
		fds[0].events = is_lost ? POLLIN | POLLOUT : POLLIN;
		fds[0].revents = fds[1].revents = 0;
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[0].revents & ~POLLOUT)
			return;
		if (fds[1].revents)
			r = report_changes(c, u, &is_lost);
		if (r != -EPIPE && is_lost) {
			r = send_change(c, &lost);
			is_lost = r == -EAGAIN;
		}
	}
}

static void connection_watch(struct connection *c)
{
	struct uevents *u = NULL;
	const struct opener_reply reply = {.result = uevents_open(&u)};

	/* Without a monitor it still shows the client that the helper is there. */
	if (connection_send(c, &reply, NULL, -1) == 0)
		connection_report(c, u);
	uevents_close(u);
}

/* Return: whether the connection continues. */
static bool connection_serve(struct connection *c)
{
	struct server *s = c->server;
	uint8_t packet[SERVER_PACKET_MAX];
	size_t len;
	int r;

	r = frame_receive(c->fd, packet, OPENER_REQUEST_MIN, sizeof(packet), &len);
	if (r == -EAGAIN)
		return connection_wait(c->fd);
	if (r == 0)
		r = s->serve(s->userdata, packet, len, &c->result);
	if (r < 0) {
		if (r != -EPIPE)
			server_complain(c->server, &c->peer, complaint_text(r));
		return false;
	}
	if (r == REQUEST_WATCHES) {
		connection_watch(c);
		return false;
	}
	r = connection_send(c, &c->result.reply, c->result.payload, c->result.fd);
	if (c->result.fd >= 0)
		(void)close(STEAL_FD(c->result.fd));
	return r == 0;
}

static void connection_free(struct connection *c)
{
	atomic_fetch_sub(&c->server->n_connections, 1);
	(void)close(c->fd);
	free(c);
}

static void *connection_thread(void *userdata)
{
	struct connection *c = userdata;

	if (c->server->connection)
		c->server->connection(c->server, c->fd, &c->peer);
	else
		while (connection_serve(c))
			;
	connection_free(c);
	return NULL;
}

static int connection_start(struct connection *c)
{
	pthread_t thread;
	int r = thread_start(&thread, connection_thread, c);

	return r < 0 ? r : -pthread_detach(thread);
}

static bool server_admits(struct server *s, int fd, struct ucred *ret)
{
	socklen_t len = sizeof(*ret);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ret, &len) < 0)
		return false;
	if (ret->uid == 0)
		return true;
	for (size_t i = 0; i < s->n_users; i++)
		if (ret->uid == s->users[i])
			return true;
	server_complain(s, ret, "closed, because it is neither of a user of --user nor of root");
	return false;
}

int server_accept(struct server *s, int listener)
{
	_cleanup_close_ int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct connection *c;
	struct ucred peer;
	int r;

	if (fd < 0)
		return errno == ECONNABORTED || errno == EINTR ? 0 : -errno;
	if (!server_admits(s, fd, &peer))
		return 0;
	if (atomic_load(&s->n_connections) >= OPENER_CONNECTIONS_MAX) {
		server_complain(s, &peer, "closed, because there are too many connections");
		return 0;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->server = s;
	c->peer = peer;
	c->fd = STEAL_FD(fd);
	atomic_fetch_add(&s->n_connections, 1);
	r = connection_start(c);
	if (r < 0)
		connection_free(c);
	return r;
}
