// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Checks the file for damage in the background, with a connection of its own.
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#include "common/thread.h"
#include "events/store_reader.h"
#include "events/store_writer_private.h"

static void *checker_thread(void *userdata)
{
	struct store_writer *w = userdata;
	struct checker *c = &w->checker;
	struct store_reader *r = NULL;
	struct error e = {0};
	int result;

	/* In Linux this is for the thread alone. It may read a gigabyte, which is not urgent. */
	(void)setpriority(PRIO_PROCESS, 0, 19);
	result = store_reader_open(c->path, &r, &e);
	if (result == 0)
		result = store_check(r, &c->stop, &e);
	(void)store_reader_close(r);
	pthread_mutex_lock(&w->lock);
	c->result = result;
	c->error = e;
	c->done = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

void checker_start(struct store_writer *w)
{
	struct checker *c = &w->checker;

	if (c->running)
		return;
	*c = (struct checker){0};
	(void)snprintf(c->path, sizeof(c->path), "%s", w->path);
	/* Without a thread there is no check; damage is then detected when it is read. */
	c->running = thread_start(&c->thread, checker_thread, w) == 0;
}

void checker_stop(struct store_writer *w)
{
	struct checker *c = &w->checker;

	if (!c->running)
		return;
	__atomic_store_n(&c->stop, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&w->lock);
	(void)pthread_join(c->thread, NULL);
	pthread_mutex_lock(&w->lock);
	*c = (struct checker){0};
}

int checker_take(struct store_writer *w, struct error *e)
{
	struct checker *c = &w->checker;
	int result = c->result;

	if (!c->done)
		return 0;
	*e = c->error;
	checker_stop(w);
	return result;
}
