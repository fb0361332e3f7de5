// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/switch_poller.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"
#include "daemon/log_dedup.h"
#include "mailbox/switch_reader.h"

enum {
	PAUSE_MS = 1000,     /* between the end of a poll and the next one */
	FIRST_LIVE_MS = 100, /* the start waits that long for switches */
	FIRST_CAPTURED_MS = 10 * 1000,
};

struct switch_poller {
	struct publisher *publisher;
	struct switch_access *access;
	bool captured;
	atomic_bool allows_changes;
	_Atomic unsigned int poll_ms;
	struct switch_reader *reader; /* the thread's, but for switch_reader_stop() */
	struct log_dedup notes;	      /* the thread's */

	struct worker worker; /* its lock guards what follows */
	bool requested;
	bool first_done;
};

/* One poll. */
struct poll_task {
	enum switch_read what;
	uint64_t number; /* it serves all requests up to this one */
};

/*
 * poller_wait() - wait until switches are to be read
 * @poll_ms, @pause_ms: when a poll is due, and when the pause after the last one ends, as
 *                      clock_monotonic_ms()
 *
 * Return: false when the thread is to end.
 */
static bool poller_wait(struct switch_poller *p, uint64_t poll_ms, uint64_t pause_ms,
			struct poll_task *ret)
{
	bool run;

	worker_lock(&p->worker);
	while (!p->worker.stop) {
		const uint64_t now = clock_monotonic_ms();
		const bool due = p->requested || now >= poll_ms;

		if (due && now >= pause_ms)
			break;
		(void)worker_wait(&p->worker, due ? pause_ms : poll_ms);
	}
	run = !p->worker.stop;
	if (run) {
		ret->what = p->requested ? SWITCH_READ_ALL : SWITCH_READ_CHANGES;
		ret->number = publisher_last_number(p->publisher);
		p->requested = false;
	}
	worker_unlock(&p->worker);
	return run;
}

static void poller_log_notes(struct switch_poller *p, const struct switch_readings *readings)
{
	const char *notes[HOST_NOTES_MAX * CCI_SWITCHES_MAX + 1];
	size_t n = 0;

	if (readings->list_note)
		notes[n++] = readings->list_note;
	for (size_t i = 0; i < readings->n_switches; i++)
		for (size_t k = 0; k < readings->switches[i].n_notes; k++)
			notes[n++] = readings->switches[i].notes[k];
	log_dedup_log(&p->notes, notes, n, clock_monotonic_ms());
}

static int poller_read(struct switch_poller *p, const struct poll_task *task)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_SWITCHES),
				      .number = task->number};
	struct switch_readings *readings;
	int r;

	r = switch_reader_read(p->reader, p->access, task->what, &readings);
	if (r < 0)
		return r;
	readings->may_change &= atomic_load(&p->allows_changes);
	poller_log_notes(p, readings);
	post.values.switches = readings;
	(void)publisher_post(p->publisher, &post);
	(void)switch_readings_unref(readings);
	return 0;
}

static void poller_note_first(struct switch_poller *p)
{
	worker_lock(&p->worker);
	p->first_done = true;
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
}

static void *poller_thread(void *userdata)
{
	struct switch_poller *p = userdata;
	uint64_t poll = 0, pause = 0;
	struct poll_task task;

	while (poller_wait(p, poll, pause, &task)) {
		const uint64_t begun = clock_monotonic_ms();
		const int r = poller_read(p, &task);

		if (r < 0 && r != -ECANCELED)
			log_err("cannot read the switches: %s; the previous readings are kept",
				strerror(-r));
		poller_note_first(p);
		poll = p->captured ? WORKER_FOREVER : begun + p->poll_ms;
		pause = clock_monotonic_ms() + PAUSE_MS;
	}
	worker_ended(&p->worker);
	return NULL;
}

uint64_t switch_poller_request(struct switch_poller *p)
{
	uint64_t number;

	worker_lock(&p->worker);
	p->requested = true;
	number = publisher_next_number(p->publisher);
	worker_wake(&p->worker);
	worker_unlock(&p->worker);
	return number;
}

void switch_poller_allow_changes(struct switch_poller *p, bool allows_changes)
{
	if (!p || atomic_exchange(&p->allows_changes, allows_changes) == allows_changes)
		return;
	(void)switch_poller_request(p);
}

void switch_poller_set_interval(struct switch_poller *p, unsigned int poll_seconds)
{
	if (!p)
		return;
	atomic_store(&p->poll_ms, poll_seconds * 1000);
	(void)switch_poller_request(p);
}

/* publisher_request_fn */
static uint64_t poller_on_request(void *userdata, const char *memdev)
{
	(void)memdev;
	return switch_poller_request(userdata);
}

/* publisher_listener_fn: a device that came or went may be behind a switch, or be one. */
static void poller_on_view(void *userdata, const struct view *before, const struct view *now,
			   unsigned int changed)
{
	struct switch_poller *p = userdata;

	(void)before;
	(void)now;
	if (changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY) && !p->captured)
		(void)switch_poller_request(p);
}

static int poller_wait_for_first(struct switch_poller *p, struct error *e)
{
	const uint64_t until =
		clock_monotonic_ms() + (p->captured ? FIRST_CAPTURED_MS : FIRST_LIVE_MS);

	worker_lock(&p->worker);
	while (!p->first_done && worker_wait(&p->worker, until))
		;
	worker_unlock(&p->worker);
	return publisher_run(p->publisher, e);
}

static int poller_start(struct switch_poller *p, struct error *e)
{
	const struct publisher_listener listener = {.after_swap = poller_on_view, .userdata = p};
	int r;

	p->reader = switch_reader_new();
	if (!p->reader)
		return error_set(e, ENOMEM, "out of memory");
	r = worker_start(&p->worker, poller_thread, p, e);
	if (r < 0)
		return r;
	r = poller_wait_for_first(p, e);
	if (r < 0)
		return r;
	if (publisher_listen(p->publisher, &listener) < 0)
		return error_set(e, ENOMEM, "out of memory");
	publisher_set_producer(p->publisher, VIEW_INPUT_SWITCHES, poller_on_request, p);
	return 0;
}

int switch_poller_new(struct publisher *publisher, struct switch_access *access,
		      unsigned int poll_seconds, bool allows_changes, struct switch_poller **ret,
		      struct error *e)
{
	struct switch_poller *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->publisher = publisher;
	p->access = access;
	atomic_init(&p->allows_changes, allows_changes);
	p->captured = publisher_view(publisher)->host->root->captured;
	p->poll_ms = poll_seconds * 1000;
	log_dedup_init(&p->notes, p->poll_ms);
	worker_init(&p->worker);
	r = poller_start(p, e);
	if (r < 0) {
		(void)switch_poller_free(p, FIRST_CAPTURED_MS);
		return r;
	}
	*ret = p;
	return 0;
}

bool switch_poller_free(struct switch_poller *p, unsigned int wait_ms)
{
	if (!p)
		return true;
	publisher_set_producer(p->publisher, VIEW_INPUT_SWITCHES, NULL, NULL);
	if (p->reader)
		switch_reader_stop(p->reader);
	if (!worker_stop(&p->worker, wait_ms))
		return false;
	(void)switch_reader_free(p->reader);
	log_dedup_done(&p->notes);
	worker_done(&p->worker);
	free(p);
	return true;
}
