// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/poller.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "common/worker.h"

enum { FAILED_START_MS = 10 * 1000 }; /* for the poll that is running then */

struct poller {
	struct poller_options o;

	struct worker worker; /* its lock guards what follows */
	uint64_t interval_ms;
	uint64_t due_ms;      /* when the interval has passed */
	uint64_t topology_ms; /* when what a new topology made necessary is due */
	uint64_t pause_until_ms;
	bool requested;
	char memdev[POLLER_NAME_BYTES_MAX]; /* with `requested`; empty: all */
	bool first_done;
};

/* Return: when the next poll is to begin. The worker's lock is held. */
static uint64_t poller_due(const struct poller *p)
{
	const uint64_t due = p->topology_ms < p->due_ms ? p->topology_ms : p->due_ms;

	if (p->requested)
		return p->o.urgent ? 0 : p->pause_until_ms;
	return due < p->pause_until_ms ? p->pause_until_ms : due;
}

/* With the lock held. One device is read out of turn: when all are due does not change. */
static void poller_take(struct poller *p, struct poll_task *ret)
{
	const uint64_t now = clock_monotonic_ms();

	*ret = (struct poll_task){.requested = p->requested || p->topology_ms != WORKER_FOREVER,
				  .number = publisher_last_number(p->o.publisher)};
	if (now < p->due_ms && p->topology_ms == WORKER_FOREVER)
		memcpy(ret->memdev, p->memdev, sizeof(ret->memdev));
	if (p->o.not_periodic)
		ret->next_ms = WORKER_FOREVER;
	else
		ret->next_ms = ret->memdev[0] ? p->due_ms : now + p->interval_ms;
	p->requested = false;
	p->topology_ms = WORKER_FOREVER;
}

/* Return: false when the thread is to end. */
static bool poller_wait(struct poller *p, struct poll_task *ret)
{
	bool run;

	worker_lock(&p->worker);
	while (!p->worker.stop && clock_monotonic_ms() < poller_due(p))
		(void)worker_wait(&p->worker, poller_due(p));
	run = !p->worker.stop;
	if (run)
		poller_take(p, ret);
	worker_unlock(&p->worker);
	return run;
}

static void poller_note(struct poller *p, const struct poll_task *done)
{
	worker_lock(&p->worker);
	p->due_ms = done->next_ms;
	p->pause_until_ms = clock_monotonic_ms() + p->o.pause_ms;
	p->first_done = true;
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
}

static void *poller_thread(void *userdata)
{
	struct poller *p = userdata;
	struct poll_task task;

	while (poller_wait(p, &task)) {
		p->o.poll(p->o.userdata, &task);
		if (task.again)
			(void)poller_request(p, task.memdev[0] ? task.memdev : NULL);
		poller_note(p, &task);
	}
	worker_ended(&p->worker);
	return NULL;
}

uint64_t poller_request(struct poller *p, const char *memdev)
{
	uint64_t number;

	worker_lock(&p->worker);
	if (!memdev || strlen(memdev) >= sizeof(p->memdev) ||
	    (p->requested && !str_equal(p->memdev, memdev)))
		memdev = "";
	(void)snprintf(p->memdev, sizeof(p->memdev), "%s", memdev);
	p->requested = true;
	number = publisher_next_number(p->o.publisher);
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
	return number;
}

void poller_set_interval(struct poller *p, unsigned int poll_seconds)
{
	if (!p)
		return;
	worker_lock(&p->worker);
	p->interval_ms = (uint64_t)poll_seconds * 1000;
	worker_unlock(&p->worker);
	(void)poller_request(p, NULL);
}

/* publisher_request_fn */
static uint64_t poller_on_request(void *userdata, const char *memdev)
{
	return poller_request(userdata, memdev);
}

/* publisher_listener_fn */
static void poller_on_view(void *userdata, const struct view *before, const struct view *now,
			   unsigned int changed)
{
	struct poller *p = userdata;

	(void)before;
	(void)now;
	if (!(changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY)))
		return;
	worker_lock(&p->worker);
	if (p->topology_ms == WORKER_FOREVER)
		p->topology_ms = clock_monotonic_ms() + p->o.settle_ms;
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
}

static int poller_start(struct poller *p, struct error *e)
{
	const struct publisher_listener listener = {.after_swap = poller_on_view, .userdata = p};
	const uint64_t until = clock_monotonic_ms() + p->o.first_ms;
	int r = worker_start(&p->worker, poller_thread, p, e);

	if (r < 0)
		return r;
	worker_lock(&p->worker);
	while (!p->first_done && worker_await(&p->worker, until))
		;
	worker_unlock(&p->worker);
	r = publisher_run(p->o.publisher, e);
	if (r < 0)
		return r;
	if (p->o.follows_topology && publisher_listen(p->o.publisher, &listener) < 0)
		return error_set(e, ENOMEM, "out of memory");
	publisher_set_producer(p->o.publisher, p->o.input, poller_on_request, p);
	return 0;
}

int poller_new(const struct poller_options *o, struct poller **ret, struct error *e)
{
	struct poller *p = calloc(1, sizeof(*p));
	int r;

	if (!p) {
		if (o->free)
			o->free(o->userdata);
		return error_set(e, ENOMEM, "out of memory");
	}
	*p = (struct poller){.o = *o,
			     .interval_ms = (uint64_t)o->poll_seconds * 1000,
			     .topology_ms = WORKER_FOREVER};
	worker_init(&p->worker);
	r = poller_start(p, e);
	if (r < 0)
		(void)poller_free(p, FAILED_START_MS);
	else
		*ret = p;
	return r;
}

bool poller_free(struct poller *p, unsigned int wait_ms)
{
	if (!p)
		return true;
	publisher_set_producer(p->o.publisher, p->o.input, NULL, NULL);
	if (p->o.stop)
		p->o.stop(p->o.userdata);
	if (!worker_stop(&p->worker, wait_ms))
		return false;
	worker_done(&p->worker);
	if (p->o.free)
		p->o.free(p->o.userdata);
	free(p);
	return true;
}
