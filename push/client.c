// SPDX-License-Identifier: LGPL-2.1-or-later
#include "push/client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"

extern char **environ;

void push_client_init(struct push_client *c, const char *program, const char *ca_file)
{
	*c = (struct push_client){.program = program, .ca_file = ca_file, .fd = -1};
}

/* Signals are as in a program that was started by hand; the daemon's threads block most. */
static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, usual;
	int r;

	(void)sigemptyset(&none);
	(void)sigemptyset(&usual);
	(void)sigaddset(&usual, SIGPIPE);
	r = posix_spawnattr_setsigmask(attr, &none);
	if (r == 0)
		r = posix_spawnattr_setsigdefault(attr, &usual);
	if (r == 0)
		r = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return r;
}

static int spawn(const struct push_client *c, int fd, pid_t *ret)
{
	char *argv[] = {(char *)"cxl-redfish-push", (char *)c->ca_file, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int r;

	r = posix_spawn_file_actions_init(&actions);
	if (r != 0)
		return r;
	r = posix_spawnattr_init(&attr);
	if (r == 0) {
		/* Also when it is PUSH_FD already: then it is no longer closed on exec. */
		r = posix_spawn_file_actions_adddup2(&actions, fd, PUSH_FD);
		if (r == 0)
			r = set_attributes(&attr);
		if (r == 0)
			r = posix_spawn(ret, c->program, &actions, &attr, argv, environ);
		(void)posix_spawnattr_destroy(&attr);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return r;
}

int push_client_start(struct push_client *c, struct error *e)
{
	_cleanup_close_ int ours = -1;
	_cleanup_close_ int theirs = -1;
	int fds[2], r;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return error_set(e, errno, "socketpair: %s", strerror(errno));
	ours = fds[0];
	theirs = fds[1];
	r = spawn(c, theirs, &pid);
	if (r != 0)
		return error_set(e, r, "cannot run %s: %s", c->program, strerror(r));
	c->pid = pid;
	c->fd = STEAL_FD(ours);
	return 0;
}

void push_client_stop(struct push_client *c)
{
	if (c->fd >= 0)
		(void)close(c->fd);
	c->fd = -1;
	if (c->pid <= 0)
		return;
	(void)kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

int push_client_send(struct push_client *c, const struct push_post *post)
{
	struct push_request q = {
		.ticket = post->ticket,
		.flags = post->flags,
		.url_len = (uint32_t)strlen(post->url),
		.headers_len = (uint32_t)post->headers_len,
		.body_len = (uint32_t)post->body_len,
	};
	struct iovec parts[] = {
		{&q, sizeof(q)},
		{(void *)post->url, q.url_len},
		{(void *)post->headers, post->headers_len},
		{(void *)post->body, post->body_len},
	};
	struct msghdr m = {.msg_iov = parts, .msg_iovlen = sizeof(parts) / sizeof(parts[0])};

	if (q.url_len > PUSH_URL_MAX || post->headers_len > PUSH_HEADERS_MAX ||
	    post->body_len > PUSH_PACKET_MAX - sizeof(q) - PUSH_URL_MAX - PUSH_HEADERS_MAX)
		return -E2BIG;
	if (sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
		return 0;
	return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? -EAGAIN : -EPIPE;
}

int push_client_receive(struct push_client *c, struct push_answer *ret)
{
	ssize_t n = recv(c->fd, ret, sizeof(*ret), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return -EAGAIN;
	if (n != (ssize_t)sizeof(*ret))
		return -EPIPE;
	/* The helper may have been taken over by what it read. */
	ret->text[sizeof(ret->text) - 1] = '\0';
	return 0;
}
