// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/thread.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

int thread_start(pthread_t *ret, void *(*fn)(void *userdata), void *userdata)
{
	sigset_t all, before;
	int r;

	(void)sigfillset(&all);
	/* Signals that the thread itself causes stay open: blocked, they would end the process
	 * without their handler. */
	(void)sigdelset(&all, SIGBUS);
	(void)sigdelset(&all, SIGSEGV);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(ret, NULL, fn, userdata);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -r;
}

void thread_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attr;

	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(c, &attr);
	(void)pthread_condattr_destroy(&attr);
}

int thread_cond_wait_until(pthread_cond_t *c, pthread_mutex_t *m, uint64_t until_ms)
{
	const struct timespec until = {.tv_sec = (time_t)(until_ms / 1000),
				       .tv_nsec = (long)(until_ms % 1000) * 1000000};

	return -pthread_cond_timedwait(c, m, &until);
}

unsigned int thread_number(void)
{
	static atomic_uint threads;
	static _Thread_local unsigned int number; /* 0: not numbered yet */

	if (number == 0)
		number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
	return number;
}
