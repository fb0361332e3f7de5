/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_HELPER_H
#define CXLR_COMMON_HELPER_H

/*
 * A helper process: a child that does what the process itself should not do, such as parsing input
 * of unknown origin, in a sandbox, and that exchanges messages (common/frame.h) with it.
 *
 * A helper is another program, or a function in a fork of the calling process; the latter only in
 * a process with a single thread. `struct helper` owns the child process and this side of the
 * socket; nothing else may wait for the child. It belongs to one thread, which must live as long as
 * the helper is used: the child is killed with it.
 *
 * Nothing here blocks, except helper_start() and helper_run() until the child is in its sandbox,
 * which takes milliseconds, and helper_stop() and helper_wait() as they say.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "common/error.h"

enum {
	HELPER_FD = 3, /* the socket, in the child; the descriptors it is given follow */
	HELPER_FDS_MAX = 4,
	HELPER_ARGS_MAX = 16,

	HELPER_BACKOFF_MS = 1000, /* after the first end; doubled after each one that follows */
	HELPER_BACKOFF_MS_MAX = 30 * 1000,
	HELPER_STABLE_MS = 60 * 1000, /* a child that ran this long starts with the first again */

	HELPER_KILL_MS = 2000, /* how long the end of a killed child may take */
};

struct helper_limit {
	__rlimit_resource_t resource;
	rlim_t value; /* a lower hard limit stays */
};

/*
 * How the child is made and confined. It always has: no capabilities but `capabilities`,
 * no_new_privs, a SIGKILL when its parent ends, default signal handling, and no descriptors but the
 * standard three and those of this table. The objects behind its pointers must outlive the helper.
 */
struct helper_options {
	const char *name;	 /* for messages, and argv[0] of a program */
	const char *program;	 /* path of the program; NULL to call run() */
	const char *const *args; /* of the program from argv[1] on, ended by NULL; may be NULL */

	/* In the fork, before the sandbox, with the privileges of the caller; may be NULL. */
	int (*prepare)(void *userdata, struct error *e);
	/* In the sandbox. Return: the exit status. */
	int (*run)(void *userdata);
	void *userdata;

	int fds[HELPER_FDS_MAX]; /* of the caller, which keeps them */
	size_t n_fds;

	uint64_t capabilities; /* of a program: the bits (1 << CAP_...) it is given of the caller's
				*/
	int root; /* descriptor, in the child, of its root directory, where the caller may; 0 for
		     none */
	const struct helper_limit *limits;
	size_t n_limits;

	size_t message_max;   /* bytes of the longest message in either direction */
	unsigned int stop_ms; /* how long helper_stop() and helper_wait() wait before they kill */
};

struct helper {
	struct helper_options options;
	pid_t pid;   /* 0 when there is no child */
	bool killed; /* and the kernel has not ended it yet */
	int pidfd;   /* -1 likewise; readable when the child has ended */
	int fd;	     /* -1 likewise; readable when there is a message or the child has ended */

	/* of helper_run() and helper_lost(); the clock is clock_monotonic_ms() */
	uint64_t started_ms, due_ms; /* due_ms: when helper_run() will start a child again */
	unsigned int backoff_ms;
};

/* helper_init() - no child yet; helper_stop() is allowed from now on */
void helper_init(struct helper *h, const struct helper_options *options);

/*
 * helper_start() - start the child and wait until it is in its sandbox or runs the program
 * @h: without a child, or with one that was killed
 *
 * Return: 0; -EBUSY: the one that was killed has not ended yet; the error of the step that failed;
 * with a sentence in @e. Then there is no child.
 */
int helper_start(struct helper *h, struct error *e);

/*
 * helper_run() - have a child, and start one if there is none and none ended just now
 * @now_ms: clock_monotonic_ms()
 *
 * Return: 0 when there is one; -EAGAIN when the next start is due later, `due_ms`; or
 * the error of helper_start(), which defers the next start, too.
 */
int helper_run(struct helper *h, uint64_t now_ms, struct error *e);

static inline bool helper_is_running(const struct helper *h)
{
	return h->pid > 0 && !h->killed;
}

/*
 * helper_lost() - the child has ended or violates the protocol: kill and reap it, defer the next
 * start
 *
 * The delay grows from HELPER_BACKOFF_MS to HELPER_BACKOFF_MS_MAX, until a child has run for
 * HELPER_STABLE_MS.
 */
void helper_lost(struct helper *h, uint64_t now_ms);

/*
 * helper_send() - as frame_send() of at most `message_max` bytes; never blocks
 *
 * Return: as frame_send(); -EPIPE also when there is no child.
 */
int helper_send(struct helper *h, const struct iovec *parts, size_t n);

/*
 * helper_receive() - as frame_receive(); never blocks
 * @max: at most `message_max`
 *
 * Return: as frame_receive(); -EPIPE also when there is no child. The contents are as
 * untrusted as the input of the child.
 */
int helper_receive(struct helper *h, void *buf, size_t min, size_t max, size_t *ret_len);

/*
 * helper_wait() - wait for the end of a child that is about to end
 * @ret_status: as waitpid(); 0 when it is unknown, because SIGCHLD is ignored, or there is no child
 *
 * The socket stays open, so that the last messages can be received before or after; it is closed
 * by helper_stop(). Return: false when it had not ended after `stop_ms`, and was killed.
 */
bool helper_wait(struct helper *h, int *ret_status);

/*
 * helper_kill() - helper_stop() without waiting for an orderly end
 *
 * Return: false: the child has not ended within HELPER_KILL_MS, because it is blocked in the kernel
 * (uninterruptible sleep). It is killed when that ends, and taken over by the next call of
 * helper_kill(), which does not wait again, or of helper_start(). Without such a call it is a
 * zombie until its parent ends.
 */
bool helper_kill(struct helper *h);

/*
 * helper_stop() - end the child, if there is one
 *
 * Closes the socket, which a helper takes as a request to end, waits for `stop_ms` (0: not at
 * all), and kills the child if it has not ended by then.
 */
void helper_stop(struct helper *h);

#endif
