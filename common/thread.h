/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_THREAD_H
#define CXLR_COMMON_THREAD_H

/* Threads with blocked signals, and condition variables with CLOCK_MONOTONIC. Any thread. */

#include <pthread.h>
#include <stdint.h>

/*
 * thread_start() - start a thread with signals blocked: the main thread handles them, except faults
 * @ret: to be joined or detached by the caller
 *
 * Return: 0 or a negative errno of pthread_create().
 */
int thread_start(pthread_t *ret, void *(*fn)(void *userdata), void *userdata);

/* Initializes a condition variable whose timed waits are against CLOCK_MONOTONIC. */
void thread_cond_init(pthread_cond_t *c);

/*
 * thread_cond_wait_until() - wait with the mutex held
 * @until_ms: deadline, as clock_monotonic_ms(); @c was made by thread_cond_init()
 *
 * Return: 0, or -ETIMEDOUT after the deadline. Spurious returns are possible.
 */
int thread_cond_wait_until(pthread_cond_t *c, pthread_mutex_t *m, uint64_t until_ms);

/* Return: the number of this thread, from 1 on in the order in which they first called this. */
unsigned int thread_number(void);

#endif
