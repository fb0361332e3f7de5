// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The child's side of a helper: from the fork to its sandbox.
 *
 * The calling process may have other threads, which do not exist in the child and never release the
 * locks that they hold. So a child that runs a program makes system calls only.
 */
#include "common/helper_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/array.h"
#include "common/frame.h"
#include "common/privileges.h"

extern char **environ;

/* Reports through the close-on-exec socket why there will be no helper, and ends. */
static void child_fail(int status_fd, int code, const char *step) __attribute__((noreturn));

static void child_fail(int status_fd, int code, const char *step)
{
	struct helper_failure f = {.code = code};

	(void)stpncpy(f.step, step, sizeof(f.step) - 1);
	(void)frame_send_wait(status_fd, &f, sizeof(f));
	_exit(EXIT_FAILURE);
}

static int child_signals(void)
{
	/* Not all: a sanitizer handles those of a fault. */
	static const int handled[] = {SIGHUP,  SIGINT,	SIGQUIT, SIGPIPE, SIGALRM,
				      SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		(void)signal(handled[i], SIG_DFL);
	(void)sigemptyset(&none);
	return sigprocmask(SIG_SETMASK, &none, NULL) < 0 ? -errno : 0;
}

/* A kernel or a seccomp profile without close_range(): one by one. */
static void child_close_from(unsigned int first)
{
	struct rlimit limit;

	if (close_range(first, ~0U, 0) == 0)
		return;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > HELPER_CLOSE_MAX)
		limit.rlim_cur = HELPER_CLOSE_MAX;
	for (unsigned int fd = first; fd < limit.rlim_cur; fd++)
		(void)close((int)fd);
}

/*
 * Puts the socket at HELPER_FD, what the child is given behind it and *status_fd behind that, and
 * closes the rest. All are first moved out of the way, for any of them may be where another
 * belongs.
 */
static int child_descriptors(const struct helper_options *o, int socket, int *status_fd)
{
	const int n = (int)o->n_fds + 2;
	int fds[HELPER_FDS_MAX + 2] = {socket};

	memcpy(fds + 1, o->fds, o->n_fds * sizeof(fds[0]));
	fds[n - 1] = *status_fd;
	for (int i = 0; i < n; i++) {
		fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, HELPER_FD + n);
		if (fds[i] < 0)
			return -errno;
	}
	*status_fd = fds[n - 1];
	for (int i = 0; i < n; i++)
		if (dup3(fds[i], HELPER_FD + i, i == n - 1 ? O_CLOEXEC : 0) < 0)
			return -errno;
	*status_fd = HELPER_FD + n - 1;
	child_close_from((unsigned int)(HELPER_FD + n));
	return 0;
}

static int child_limits(const struct helper_options *o)
{
	for (size_t i = 0; i < o->n_limits; i++) {
		struct rlimit limit;

		if (getrlimit(o->limits[i].resource, &limit) < 0)
			return -errno;
		if (limit.rlim_max < o->limits[i].value)
			continue;
		limit.rlim_cur = limit.rlim_max = o->limits[i].value;
		if (setrlimit(o->limits[i].resource, &limit) < 0)
			return -errno;
	}
	return 0;
}

/* Steps that only a privileged caller may take are taken as far as it may, see struct
 * helper_options. */
static int child_root(const struct helper_options *o)
{
	if (!o->root)
		return 0;
	if (fchdir(o->root) < 0)
		return -errno;
	(void)!chroot(".");
	return 0;
}

static int child_privileges(const struct helper_options *o)
{
	int r = capabilities_drop(o->capabilities);

	if (r == 0 && o->capabilities)
		return capabilities_pass(o->capabilities);
	/* Where a seccomp profile forbids it execve() does it, but for the root user. */
	return r == -EPERM && o->program && geteuid() != 0 ? 0 : r;
}

static void child_exec(const struct helper_options *o, int status_fd) __attribute__((noreturn));

static void child_exec(const struct helper_options *o, int status_fd)
{
	char *argv[HELPER_ARGS_MAX + 2] = {(char *)(uintptr_t)o->name};

	for (size_t i = 0; o->args && o->args[i]; i++) {
		if (i == HELPER_ARGS_MAX)
			child_fail(status_fd, E2BIG, "argument list");
		argv[i + 1] = (char *)(uintptr_t)o->args[i];
	}
	(void)execve(o->program, argv, environ);
	child_fail(status_fd, errno, "execve");
}

/* With the privileges of the caller; only in a fork of a process with a single thread. */
static void child_prepare(const struct helper_options *o, int status_fd)
{
	struct helper_failure f = {.is_sentence = true};
	struct error e = {0};
	int r;

	if (!o->prepare)
		return;
	r = o->prepare(o->userdata, &e);
	if (r == 0)
		return;
	f.code = -r;
	memcpy(f.sentence, e.text, sizeof(f.sentence));
	(void)frame_send_wait(status_fd, &f, sizeof(f));
	_exit(EXIT_FAILURE);
}

void helper_child(const struct helper_options *o, pid_t parent, int socket, int status_fd)
{
	static const struct {
		const char *name;
		int (*fn)(const struct helper_options *o);
	} steps[] = {
		{"root directory", child_root},
		{"capabilities", child_privileges},
		{"resource limits", child_limits},
	};
	char byte;
	int r;

	/* The parent may have ended before the first call. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	r = child_signals();
	if (r < 0)
		child_fail(status_fd, -r, "signals");
	/* Not before the parent has opened its pidfd: where SIGCHLD is ignored, a process that ends
	 * is reaped at once. */
	if (recv(status_fd, &byte, 1, 0) != 1)
		_exit(EXIT_FAILURE);
	r = child_descriptors(o, socket, &status_fd);
	if (r < 0)
		child_fail(status_fd, -r, "descriptors");
	child_prepare(o, status_fd);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		r = steps[i].fn(o);
		if (r < 0)
			child_fail(status_fd, -r, steps[i].name);
	}
	if (o->program)
		child_exec(o, status_fd);
	(void)close(status_fd);
	_exit(o->run(o->userdata));
}
