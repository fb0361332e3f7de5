/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_WORKER_H
#define CXLR_COMMON_WORKER_H

/*
 * A thread that may block in the kernel, and its owner: one lock and one condition for the state
 * that both share, and a stop with a time limit. The owner starts and stops it.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct worker {
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* of what the lock guards; CLOCK_MONOTONIC */
	bool stop, ended, idle; /* guarded by the lock; idle: the thread is in worker_wait() */
};

void worker_init(struct worker *w);

/*
 * worker_start() - run @fn in a thread; it returns after `stop` was set, and calls worker_ended()
 * last
 *
 * With the lock held, and `stop` not set, if another thread may call worker_stop().
 *
 * Return: 0 or the error of thread_start().
 */
int worker_start(struct worker *w, void *(*fn)(void *userdata), void *userdata, struct error *e);

/* The last call of the thread. */
void worker_ended(struct worker *w);

void worker_lock(struct worker *w);
void worker_unlock(struct worker *w);

/* Wakes the other side; with the lock held. */
void worker_wake(struct worker *w);

/* The time for an idle thread to end. */
enum { WORKER_IDLE_MS = 10 * 1000 };

/* Decades, for a wait without a deadline. */
#define WORKER_FOREVER (UINT64_C(1) << 40)

/*
 * worker_wait() - the thread waits until the other side calls worker_wake(); with the lock held
 * @until_ms: or until then, as clock_monotonic_ms()
 *
 * Return: false when the time was over.
 */
bool worker_wait(struct worker *w, uint64_t until_ms);

/* The same of any other thread. */
bool worker_await(struct worker *w, uint64_t until_ms);

/*
 * worker_stop() - set `stop` and wait until the thread has ended, but not longer than @wait_ms
 *
 * An idle thread is blocked by nothing: it has WORKER_IDLE_MS, if that is longer, as a busy machine
 * lets it wait for a processor.
 *
 * Return: whether it has ended or was not started. If not, nothing that it uses may be freed.
 */
bool worker_stop(struct worker *w, unsigned int wait_ms);

/* After worker_stop() has returned true. */
void worker_done(struct worker *w);

#endif
