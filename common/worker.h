/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_WORKER_H
#define CXLR_COMMON_WORKER_H

/*
 * A thread that may get stuck in the kernel, and whoever gives it work: one lock, one condition,
 * and an end that is waited for only so long. Its owner starts and stops it; both sides take the
 * lock to look at what they share.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct worker {
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* waited for against CLOCK_MONOTONIC */
	bool stop, ended;	/* guarded by the lock */
};

void worker_init(struct worker *w);

/* worker_start() - run @fn, which calls worker_ended() when it sees `stop` */
int worker_start(struct worker *w, void *(*fn)(void *userdata), void *userdata, struct error *e);

/* The last thing the thread does. */
void worker_ended(struct worker *w);

void worker_lock(struct worker *w);
void worker_unlock(struct worker *w);

/* Wakes the other side; with the lock held. */
void worker_wake(struct worker *w);

/* Some decades, which is what a wait takes that has no end of its own. */
#define WORKER_FOREVER (UINT64_C(1) << 40)

/*
 * worker_wait() - wait until the other side calls worker_wake(); with the lock held
 * @until_ms: or until then, as clock_monotonic_ms()
 *
 * Return: false when the time was over.
 */
bool worker_wait(struct worker *w, uint64_t until_ms);

/*
 * worker_stop() - ask the thread to end, and wait for it, but not longer than @wait_ms
 *
 * Return: whether it has ended, or was never started. If not, what it uses must stay.
 */
bool worker_stop(struct worker *w, unsigned int wait_ms);

/* After worker_stop() has returned true. */
void worker_done(struct worker *w);

#endif
