// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/timed_write.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"

/* Not in the headers of the C library of Debian 12; timer_create(2) has it. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The first signal may come before the write waits, and would then end nothing. */
enum { AGAIN_NSEC = 100 * 1000 * 1000 };

/* Being called is enough: a system call that waits ends with EINTR. */
static void on_signal(int number)
{
	(void)number;
}

static int start_timer(unsigned int ms, timer_t *ret)
{
	const struct sigaction action = {.sa_handler = on_signal}; /* without SA_RESTART */
	const struct itimerspec when = {
		.it_value = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000 * 1000},
		.it_interval = {.tv_nsec = AGAIN_NSEC},
	};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = TIMED_WRITE_SIGNAL};

	event.sigev_notify_thread_id = gettid();
	if (sigaction(TIMED_WRITE_SIGNAL, &action, NULL) < 0 ||
	    timer_create(CLOCK_MONOTONIC, &event, ret) < 0)
		return -errno;
	if (timer_settime(*ret, 0, &when, NULL) < 0) {
		const int error = errno;

		(void)timer_delete(*ret);
		return -error;
	}
	return 0;
}

static int open_and_write(int dirfd, const char *path, const char *value)
{
	_cleanup_close_ int fd = openat(dirfd, path, O_WRONLY | O_CLOEXEC);

	return fd < 0 || write(fd, value, strlen(value)) < 0 ? -errno : 0;
}

int timed_write_at(int dirfd, const char *name, const char *value, unsigned int ms)
{
	const uint64_t begin = clock_monotonic_ms();
	sigset_t alarm, before;
	timer_t timer;
	int r;

	(void)sigemptyset(&alarm);
	(void)sigaddset(&alarm, TIMED_WRITE_SIGNAL);
	r = start_timer(ms, &timer);
	if (r < 0)
		return r;
	(void)pthread_sigmask(SIG_UNBLOCK, &alarm, &before);
	r = open_and_write(dirfd, name, value);
	(void)timer_delete(timer);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r == -EINTR && clock_monotonic_ms() - begin >= ms ? -ETIMEDOUT : r;
}

int timed_write(const char *path, const char *value, unsigned int ms)
{
	return timed_write_at(AT_FDCWD, path, value, ms);
}
