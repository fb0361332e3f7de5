// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/worker.h"

#include <string.h>

#include "common/clock.h"
#include "common/thread.h"

void worker_init(struct worker *w)
{
	(void)pthread_mutex_init(&w->lock, NULL);
	thread_cond_init(&w->changed);
}

int worker_start(struct worker *w, void *(*fn)(void *userdata), void *userdata, struct error *e)
{
	int r = thread_start(&w->thread, fn, userdata);

	if (r < 0)
		return error_set(e, r, "cannot start a thread: %s", strerror(-r));
	w->started = true;
	return 0;
}

void worker_lock(struct worker *w)
{
	(void)pthread_mutex_lock(&w->lock);
}

void worker_unlock(struct worker *w)
{
	(void)pthread_mutex_unlock(&w->lock);
}

void worker_wake(struct worker *w)
{
	(void)pthread_cond_broadcast(&w->changed);
}

bool worker_await(struct worker *w, uint64_t until_ms)
{
	return thread_cond_wait_until(&w->changed, &w->lock, until_ms) == 0;
}

bool worker_wait(struct worker *w, uint64_t until_ms)
{
	bool woken;

	w->idle = true;
	woken = worker_await(w, until_ms);
	w->idle = false;
	return woken;
}

void worker_ended(struct worker *w)
{
	worker_lock(w);
	w->ended = true;
	worker_wake(w);
	worker_unlock(w);
}

bool worker_stop(struct worker *w, unsigned int wait_ms)
{
	uint64_t until = clock_monotonic_ms();
	bool started, ended;

	/* Some are started by the first thread that needs them, which holds the lock. */
	worker_lock(w);
	until += w->idle && wait_ms < WORKER_IDLE_MS ? WORKER_IDLE_MS : wait_ms;
	started = w->started;
	w->stop = true;
	worker_wake(w);
	while (started && !w->ended && worker_await(w, until))
		;
	ended = w->ended;
	if (ended)
		w->started = false;
	worker_unlock(w);
	if (started && ended)
		(void)pthread_join(w->thread, NULL);
	return !started || ended;
}

void worker_done(struct worker *w)
{
	(void)pthread_cond_destroy(&w->changed);
	(void)pthread_mutex_destroy(&w->lock);
}
