// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parent's side of a helper: starting it, its messages, its end. */
#include "common/helper_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"

void helper_init(struct helper *h, const struct helper_options *options)
{
	*h = (struct helper){.options = *options, .pidfd = -1, .fd = -1};
}

/* Return: 0 when the child closed the socket; otherwise the failure that it reports. */
static int helper_read_status(const struct helper *h, int status_fd, struct error *e)
{
	struct helper_failure f;
	ssize_t n;

	do
		n = read(status_fd, &f, sizeof(f));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	if (n != (ssize_t)sizeof(f) || f.code <= 0)
		return error_set(e, EIO, "%s cannot be started: its process ended early",
				 h->options.name);
	if (f.is_sentence)
		return error_set(e, f.code, "%.*s", (int)sizeof(f.sentence) - 1, f.sentence);
	if (h->options.program)
		return error_set(e, f.code, "%s cannot be started: %.*s: %s", h->options.program,
				 (int)sizeof(f.step) - 1, f.step, strerror(f.code));
	return error_set(e, f.code, "%s cannot be started: %.*s: %s", h->options.name,
			 (int)sizeof(f.step) - 1, f.step, strerror(f.code));
}

/* Return: whether the child ends within the time. */
static bool helper_has_ended(const struct helper *h, unsigned int wait_ms)
{
	return clock_wait_fd(h->pidfd, POLLIN, clock_monotonic_ms() + wait_ms) == 0;
}

/* Waits for the end and takes the status; afterwards there is no child. */
static void helper_reap(struct helper *h, int *ret_status)
{
	siginfo_t info = {0};
	int status = 0;

	/* ECHILD: SIGCHLD is ignored, and the kernel has reaped it. */
	while (waitid(P_PIDFD, (id_t)h->pidfd, &info, WEXITED) < 0 && errno == EINTR)
		;
	if (info.si_pid != 0)
		status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0)
						    : info.si_status & 0x7f;
	if (ret_status)
		*ret_status = status;
	(void)close(h->pidfd);
	h->pidfd = -1;
	h->pid = 0;
	h->killed = false;
}

static void helper_close(struct helper *h)
{
	if (h->fd >= 0)
		(void)close(h->fd);
	h->fd = -1;
}

bool helper_kill(struct helper *h)
{
	const unsigned int wait_ms = h->killed ? 0 : HELPER_KILL_MS;

	helper_close(h);
	if (h->pid <= 0)
		return true;
	(void)pidfd_send_signal(h->pidfd, SIGKILL, NULL, 0);
	h->killed = !helper_has_ended(h, wait_ms);
	if (h->killed)
		return false;
	helper_reap(h, NULL);
	return true;
}

/* Takes over the child and @socket, which *socket no longer owns. */
static int helper_take(struct helper *h, pid_t pid, int *socket, int status_fd, struct error *e)
{
	const int pidfd = pidfd_open(pid, 0);
	int r;

	if (pidfd < 0) {
		r = error_set(e, errno, "%s cannot be started: pidfd_open: %s", h->options.name,
			      strerror(errno));
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		return r;
	}
	h->pid = pid;
	h->pidfd = pidfd;
	(void)frame_send_wait(status_fd, "", 1);
	r = helper_read_status(h, status_fd, e);
	if (r < 0) {
		(void)helper_kill(h);
		return r;
	}
	h->fd = STEAL_FD(*socket);
	return 0;
}

int helper_start(struct helper *h, struct error *e)
{
	const char *name = h->options.name;
	_cleanup_close_ int ours = -1, theirs = -1, status_ours = -1, status_theirs = -1;
	const pid_t parent = getpid();
	int fds[2], r;
	pid_t pid;

	helper_close(h); /* after helper_wait() */
	if (!helper_kill(h))
		return error_set(
			e, EBUSY,
			"%s cannot be started: its last process was killed, but is blocked in the kernel (process %d)",
			name, (int)h->pid);
	r = frame_pair(fds);
	if (r < 0)
		return error_set(e, r, "%s cannot be started: socketpair: %s", name, strerror(-r));
	ours = fds[0];
	theirs = fds[1];
	r = frame_pair(fds);
	if (r < 0)
		return error_set(e, r, "%s cannot be started: socketpair: %s", name, strerror(-r));
	status_ours = fds[0];
	status_theirs = fds[1];
	pid = fork();
	if (pid < 0)
		return error_set(e, errno, "%s cannot be started: fork: %s", name, strerror(errno));
	if (pid == 0) {
		(void)close(status_ours);
		helper_child(&h->options, parent, theirs, status_theirs);
	}
	(void)close(STEAL_FD(theirs));
	(void)close(STEAL_FD(status_theirs));
	return helper_take(h, pid, &ours, status_ours, e);
}

static void helper_defer(struct helper *h, uint64_t now_ms)
{
	h->backoff_ms = h->backoff_ms ? h->backoff_ms * 2 : HELPER_BACKOFF_MS;
	if (h->backoff_ms > HELPER_BACKOFF_MS_MAX)
		h->backoff_ms = HELPER_BACKOFF_MS_MAX;
	h->due_ms = now_ms + h->backoff_ms;
}

int helper_run(struct helper *h, uint64_t now_ms, struct error *e)
{
	int r;

	if (helper_is_running(h))
		return 0;
	if (now_ms < h->due_ms)
		return -EAGAIN;
	h->started_ms = now_ms;
	r = helper_start(h, e);
	if (r < 0)
		helper_defer(h, now_ms);
	return r == -EAGAIN ? -ENOMEM : r; /* fork() at a limit of processes */
}

void helper_lost(struct helper *h, uint64_t now_ms)
{
	(void)helper_kill(h);
	if (now_ms - h->started_ms >= HELPER_STABLE_MS)
		h->backoff_ms = 0;
	helper_defer(h, now_ms);
}

int helper_send(struct helper *h, const struct iovec *parts, size_t n)
{
	return h->fd < 0 ? -EPIPE : frame_send(h->fd, parts, n, h->options.message_max);
}

int helper_receive(struct helper *h, void *buf, size_t min, size_t max, size_t *ret_len)
{
	return h->fd < 0 ? -EPIPE : frame_receive(h->fd, buf, min, max, ret_len);
}

bool helper_wait(struct helper *h, int *ret_status)
{
	*ret_status = 0;
	if (h->pid <= 0)
		return true;
	if (!helper_has_ended(h, h->options.stop_ms)) {
		(void)helper_kill(h);
		return false;
	}
	helper_reap(h, ret_status);
	return true;
}

void helper_stop(struct helper *h)
{
	helper_close(h);
	if (h->pid > 0 && h->options.stop_ms > 0 && helper_has_ended(h, h->options.stop_ms))
		helper_reap(h, NULL);
	else
		(void)helper_kill(h);
}
