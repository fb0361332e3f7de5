// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "common/cleanup.h"
#include "common/helper.h"
#include "common/log.h"
#include "common/strutil.h"

enum {
	RESTART_MS = 1000, /* after a child that ended */
	PAUSE_MS = 100, /* when no connection can be accepted for want of memory or descriptors */
};

int program_find_user(const char *name, uid_t *ret, struct error *e)
{
	const struct passwd *pw;
	uint64_t number;

	if (parse_u64(name, &number) == 0 && number < (uid_t)-1) {
		*ret = (uid_t)number;
		return 0;
	}
	errno = 0;
	pw = getpwnam(name);
	if (!pw)
		return error_set(e, errno ? errno : ENOENT, "--user %s: there is no such user",
				 name);
	*ret = pw->pw_uid;
	return 0;
}

int program_find_listener(bool child, const char *socket_unit, struct error *e)
{
	int fd = HELPER_FD + 1, n;

	if (!child) {
		n = sd_listen_fds(1);
		if (n != 1)
			return error_set(e, EINVAL, "%s sockets were passed; start %s instead",
					 n < 1 ? "no" : "several", socket_unit);
		fd = SD_LISTEN_FDS_START;
	}
	if (sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 1) <= 0)
		return error_set(e, ENOTSOCK,
				 "the descriptor that was passed is no listening socket of type "
				 "SOCK_SEQPACKET");
	if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return error_set(e, errno, "the socket that was passed: %s", strerror(errno));
	return fd;
}

/* Return: milliseconds between two notifications of the watchdog; -1: it has none. */
static int watchdog_interval(void)
{
	uint64_t usec = 0;

	return sd_watchdog_enabled(1, &usec) > 0 ? (int)(usec / 2000) : -1;
}

/* A signal that was sent again before it was taken is one. */
static void take_signal(const struct program_signal *s)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		s->taken(s->userdata);
}

int program_accept(struct server *s, int listener, const struct program_signal *on_signal,
		   struct error *e)
{
	struct pollfd fds[] = {{.fd = listener, .events = POLLIN},
			       {.fd = on_signal ? on_signal->fd : -1, .events = POLLIN}};
	const int interval_ms = watchdog_interval();

	(void)sd_notify(0, "READY=1");
	for (;;) {
		int r;

		if (interval_ms >= 0)
			(void)sd_notify(0, "WATCHDOG=1");
		if (poll(fds, 2, interval_ms) < 0 && errno != EINTR)
			return error_set(e, errno, "poll: %s", strerror(errno));
		if (fds[1].revents)
			take_signal(on_signal);
		r = server_accept(s, listener);
		if (r == -EINVAL || r == -EBADF || r == -ENOTSOCK)
			return error_set(e, r, "accept: %s", strerror(-r));
		if (r < 0 && r != -EAGAIN)
			(void)poll(NULL, 0, PAUSE_MS);
	}
}

/* Return: whether cxl-redfishd has ended; waits for that, or for the child. */
static bool parent_has_ended(int pidfd, int timeout_ms)
{
	struct pollfd fds[] = {{.fd = HELPER_FD, .events = POLLIN},
			       {.fd = pidfd, .events = POLLIN}};

	return poll(fds, pidfd < 0 ? 1 : 2, timeout_ms) < 0 ? errno != EINTR : fds[0].revents != 0;
}

int program_serve_by_child(program_fn serve, void *userdata, int listener, struct error *e)
{
	for (;;) {
		const pid_t parent = getpid(), pid = fork();
		_cleanup_close_ int pidfd = -1;
		bool ended;

		if (pid < 0)
			return error_set(e, errno, "fork: %s", strerror(errno));
		if (pid == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			return getppid() == parent ? serve(userdata, listener, e)
						   : error_set(e, ECHILD, "the parent has ended");
		}
		pidfd = pidfd_open(pid, 0);
		ended = parent_has_ended(pidfd, -1);
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		if (ended || parent_has_ended(-1, RESTART_MS))
			return 0;
		log_warning("started again, because the process that serves has ended");
	}
}
