// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/device_poller.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "daemon/log_dedup.h"
#include "mailbox/readings.h"

enum {
	PAUSE_MS = 1000, /* between the end of a poll and the next one */
	NAME_BYTES_MAX = 32,
	FIRST_LIVE_MS = 100, /* the start waits that long for devices */
	FIRST_CAPTURED_MS = 10 * 1000,
};

enum poll_scope { POLL_NONE, POLL_ONE, POLL_ALL };

struct device_poller {
	struct publisher *publisher;
	_Atomic unsigned int poll_ms;

	/* The thread's. */
	struct mailbox_client *client;
	const struct host *client_host; /* a reference: the host that it was made for */
	struct log_dedup notes;

	struct worker worker; /* its lock guards what follows */
	enum poll_scope scope;
	char memdev[NAME_BYTES_MAX]; /* with POLL_ONE */
	bool first_done;
};

/* One poll. */
struct poll_task {
	enum poll_scope scope;
	char memdev[NAME_BYTES_MAX];
	uint64_t number; /* it serves all requests up to this one */
};

/*
 * poller_wait() - wait until devices are to be read
 * @poll_ms, @pause_ms: when all are due, and when the pause after the last poll ends, as
 *                      clock_monotonic_ms()
 *
 * Return: false when the thread is to end.
 */
static bool poller_wait(struct device_poller *p, uint64_t poll_ms, uint64_t pause_ms,
			struct poll_task *ret)
{
	bool run;

	worker_lock(&p->worker);
	while (!p->worker.stop) {
		const uint64_t now = clock_monotonic_ms();

		if (now >= poll_ms)
			p->scope = POLL_ALL;
		if (p->scope != POLL_NONE && now >= pause_ms)
			break;
		(void)worker_wait(&p->worker, p->scope != POLL_NONE ? pause_ms : poll_ms);
	}
	run = !p->worker.stop;
	if (run) {
		ret->scope = p->scope;
		memcpy(ret->memdev, p->memdev, sizeof(ret->memdev));
		ret->number = publisher_last_number(p->publisher);
		p->scope = POLL_NONE;
	}
	worker_unlock(&p->worker);
	return run;
}

/* One client for each topology, see mailbox_client_new(). */
static int poller_renew_client(struct device_poller *p, const struct host *host, struct error *e)
{
	int r;

	if (p->client && p->client_host == host)
		return 0;
	p->client = mailbox_client_free(p->client);
	p->client_host = host_unref(p->client_host);
	r = mailbox_client_new(host->root, &p->client, e);
	if (r == 0)
		p->client_host = host_ref(host);
	return r;
}

static void poller_log_notes(struct device_poller *p, const struct readings *readings)
{
	const char *const *notes;
	size_t n;

	notes = readings_notes(readings, &n);
	log_dedup_log(&p->notes, notes, n, clock_monotonic_ms());
}

/* @ret_dropped: the topology changed meanwhile, and the readings are not used */
static int poller_read(struct device_poller *p, const struct poll_task *task, bool *ret_dropped,
		       struct error *e)
{
	_cleanup_view_inputs_ struct view_inputs latest = {0};
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_READINGS),
				      .number = task->number};
	struct readings *readings;
	int r;

	publisher_latest(p->publisher, &latest);
	r = poller_renew_client(p, latest.host, e);
	if (r < 0)
		return r;
	r = readings_read(p->client, latest.host, latest.readings,
			  task->scope == POLL_ALL ? NULL : task->memdev, &readings);
	if (r < 0)
		return error_set(e, r, "%s", strerror(-r));
	poller_log_notes(p, readings);
	post.values.readings = readings;
	post.read_from = latest.host;
	*ret_dropped = publisher_post(p->publisher, &post) == 0;
	(void)readings_unref(readings);
	return 0;
}

static void poller_note_first(struct device_poller *p)
{
	worker_lock(&p->worker);
	p->first_done = true;
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
}

/* With the lock held. Two devices are read as all: in a storm of events they are not counted. */
static void poller_add_scope(struct device_poller *p, const char *memdev)
{
	if (!memdev || strlen(memdev) >= sizeof(p->memdev)) {
		p->scope = POLL_ALL;
	} else if (p->scope == POLL_NONE) {
		(void)snprintf(p->memdev, sizeof(p->memdev), "%s", memdev);
		p->scope = POLL_ONE;
	} else if (!str_equal(p->memdev, memdev)) {
		p->scope = POLL_ALL;
	}
}

/* Those who wait for the readings get them from the new topology. */
static void poller_repeat(struct device_poller *p, const struct poll_task *task)
{
	worker_lock(&p->worker);
	poller_add_scope(p, task->scope == POLL_ALL ? NULL : task->memdev);
	worker_unlock(&p->worker);
}

static void *poller_thread(void *userdata)
{
	struct device_poller *p = userdata;
	uint64_t poll = 0, pause = 0;
	struct poll_task task;

	while (poller_wait(p, poll, pause, &task)) {
		struct error e = {0};
		uint64_t begun = clock_monotonic_ms();
		bool dropped = false;

		if (poller_read(p, &task, &dropped, &e) < 0)
			log_err("cannot read the devices: %s; the previous readings are kept",
				e.text);
		if (dropped)
			poller_repeat(p, &task);
		poller_note_first(p);
		if (task.scope == POLL_ALL)
			poll = begun + p->poll_ms;
		pause = clock_monotonic_ms() + PAUSE_MS;
	}
	worker_ended(&p->worker);
	return NULL;
}

uint64_t device_poller_request(struct device_poller *p, const char *memdev)
{
	uint64_t number;

	worker_lock(&p->worker);
	poller_add_scope(p, memdev);
	number = publisher_next_number(p->publisher);
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
	return number;
}

void device_poller_set_interval(struct device_poller *p, unsigned int poll_seconds)
{
	atomic_store(&p->poll_ms, poll_seconds * 1000);
	(void)device_poller_request(p, NULL);
}

/* publisher_request_fn */
static uint64_t poller_on_request(void *userdata, const char *memdev)
{
	return device_poller_request(userdata, memdev);
}

/* publisher_listener_fn: a new topology may have other devices. */
static void poller_on_view(void *userdata, const struct view *before, const struct view *now,
			   unsigned int changed)
{
	(void)before;
	(void)now;
	if (changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY))
		(void)device_poller_request(userdata, NULL);
}

static int poller_wait_for_first(struct device_poller *p, struct error *e)
{
	const bool captured = publisher_view(p->publisher)->host->root->captured;
	const uint64_t until =
		clock_monotonic_ms() + (captured ? FIRST_CAPTURED_MS : FIRST_LIVE_MS);

	worker_lock(&p->worker);
	while (!p->first_done && worker_wait(&p->worker, until))
		;
	worker_unlock(&p->worker);
	return publisher_run(p->publisher, e);
}

static int poller_start(struct device_poller *p, struct error *e)
{
	const struct publisher_listener listener = {.after_swap = poller_on_view, .userdata = p};
	int r;

	r = worker_start(&p->worker, poller_thread, p, e);
	if (r < 0)
		return r;
	r = poller_wait_for_first(p, e);
	if (r < 0)
		return r;
	if (publisher_listen(p->publisher, &listener) < 0)
		return error_set(e, ENOMEM, "out of memory");
	publisher_set_producer(p->publisher, VIEW_INPUT_READINGS, poller_on_request, p);
	return 0;
}

int device_poller_new(struct publisher *publisher, unsigned int poll_seconds,
		      struct device_poller **ret, struct error *e)
{
	struct device_poller *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->publisher = publisher;
	p->poll_ms = poll_seconds * 1000;
	log_dedup_init(&p->notes, p->poll_ms);
	worker_init(&p->worker);
	r = poller_start(p, e);
	if (r < 0) {
		(void)device_poller_free(p, FIRST_CAPTURED_MS);
		return r;
	}
	*ret = p;
	return 0;
}

bool device_poller_free(struct device_poller *p, unsigned int wait_ms)
{
	if (!p)
		return true;
	publisher_set_producer(p->publisher, VIEW_INPUT_READINGS, NULL, NULL);
	if (!worker_stop(&p->worker, wait_ms))
		return false;
	(void)mailbox_client_free(p->client);
	(void)host_unref(p->client_host);
	log_dedup_done(&p->notes);
	worker_done(&p->worker);
	free(p);
	return true;
}
